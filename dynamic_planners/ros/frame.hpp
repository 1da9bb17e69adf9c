#pragma once

#include <optional>

#include "dynamic_planners/grid/grid.hpp"

namespace dynamic_planners::ros {

/// Where a grid lies in the world.
struct Frame {
  double origin_x = 0.0;
  double origin_y = 0.0;
  double resolution = 1.0;
  int width = 0;
  int height = 0;

  bool operator==(const Frame&) const = default;

  /// By how many cells another frame of the same size and resolution has moved from this one, if it
  /// is one.
  std::optional<Shift> shift_to(const Frame& other) const;

  /// The cell that a place lies in, if any.
  std::optional<Grid::Position> cell_at(double x, double y) const;
  double x_of(double cell_x) const { return origin_x + (cell_x + 0.5) * resolution; }
  double y_of(double cell_y) const { return origin_y + (cell_y + 0.5) * resolution; }
  /// The other way around: fractions of cells, the middle of the first one at 0.
  double cell_x_of(double x) const { return (x - origin_x) / resolution - 0.5; }
  double cell_y_of(double y) const { return (y - origin_y) / resolution - 0.5; }
};

}  // namespace dynamic_planners::ros
