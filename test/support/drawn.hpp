#pragma once

#include <string>
#include <vector>

#include "dynamic_planners/grid/grid.hpp"

namespace test_support {

/// A grid as drawn: '.' is free, '@' lethal, 'i' inscribed, '?' unknown, a digit d costs 28 d (9 is
/// the dearest that can be passed).
inline dynamic_planners::Grid drawn(const std::vector<std::string>& rows) {
  using namespace dynamic_planners;
  Grid grid(static_cast<int>(rows.front().size()), static_cast<int>(rows.size()));
  for (int y = 0; y < grid.height(); ++y) {
    for (int x = 0; x < grid.width(); ++x) {
      const char c = rows.at(y).at(x);
      const int cost = c == '.'   ? kFree
                       : c == '@' ? kLethal
                       : c == 'i' ? kInscribed
                       : c == '?' ? kUnknown
                                  : 28 * (c - '0');
      grid.set(grid.cell(x, y), static_cast<std::uint8_t>(cost));
    }
  }
  return grid;
}

}  // namespace test_support
