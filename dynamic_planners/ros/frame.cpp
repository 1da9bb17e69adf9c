#include "dynamic_planners/ros/frame.hpp"

#include <cmath>

namespace dynamic_planners::ros {

std::optional<Grid::Position> Frame::cell_at(double x, double y) const {
  const double cell_x = std::floor((x - origin_x) / resolution);
  const double cell_y = std::floor((y - origin_y) / resolution);
  // Written so that NaN is outside.
  if (!(cell_x >= 0.0 && cell_x < width && cell_y >= 0.0 && cell_y < height)) return std::nullopt;
  return Grid::Position{static_cast<int>(cell_x), static_cast<int>(cell_y)};
}

std::optional<Shift> Frame::shift_to(const Frame& other) const {
  // The resolution is a float in messages, and origins have gone through additions.
  const double hair = 1e-3;
  if (other.width != width || other.height != height ||
      !(std::abs(other.resolution - resolution) < hair * resolution)) {
    return std::nullopt;
  }
  const double dx = (other.origin_x - origin_x) / resolution;
  const double dy = (other.origin_y - origin_y) / resolution;
  if (!(std::abs(dx) < width && std::abs(dy) < height)) return std::nullopt;
  const Shift shift{static_cast<int>(std::lround(dx)), static_cast<int>(std::lround(dy))};
  if (!(std::abs(dx - shift.dx) < hair && std::abs(dy - shift.dy) < hair)) return std::nullopt;
  return shift;
}

}  // namespace dynamic_planners::ros
