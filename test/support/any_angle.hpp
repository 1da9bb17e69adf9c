#pragma once

#include <optional>

#include "test/support/oracle.hpp"

/// Lines that lead anywhere, measured once more: no code is shared with the library.
namespace oracle {

/// What a straight line costs in units of 1/985 cell. Where it runs along the border of two cells,
/// either may count.
struct LineCost {
  double least = 0.0;
  double most = 0.0;
};

/// Places are in cells, the centre of cell (x, y) is (x, y). Nothing when the line leaves the world
/// or touches a blocked cell, be it only at a corner.
std::optional<LineCost> line_cost(const World& world, double x0, double y0, double x1, double y1);

}  // namespace oracle
