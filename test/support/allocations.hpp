#pragma once

#include <cstddef>

namespace test_support {

/// How often this program has asked for memory with `new` so far.
std::size_t allocations();

}  // namespace test_support
