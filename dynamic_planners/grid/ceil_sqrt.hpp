#pragma once

#include <cmath>

#include "dynamic_planners/grid/cost.hpp"

namespace dynamic_planners {

/// A square of 64-bit lengths.
__extension__ using Wide = unsigned __int128;

/// The smallest integer not below the root of `square`.
inline Cost ceil_sqrt(Wide square) {
  auto root = static_cast<Wide>(std::sqrt(static_cast<double>(square)));
  while (root * root < square) ++root;
  while (root > 0 && (root - 1) * (root - 1) >= square) --root;
  return static_cast<Cost>(root);
}

}  // namespace dynamic_planners
