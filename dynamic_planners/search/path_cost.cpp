#include "dynamic_planners/search/path_cost.hpp"

#include <cmath>

namespace dynamic_planners {
namespace {

template <typename S>
std::optional<Cost> path_cost_in(const S& space, std::span<const Point> points) {
  Cost cost = 0;
  Cell before = kNoCell;
  for (const Point& point : points) {
    const auto x = static_cast<int>(std::lround(point.x));
    const auto y = static_cast<int>(std::lround(point.y));
    if (!(point == Point{static_cast<double>(x), static_cast<double>(y)})) return std::nullopt;
    if (!space.grid().contains(x, y)) return std::nullopt;
    const Cell cell = space.grid().cell(x, y);
    if (space.blocked(cell)) return std::nullopt;
    if (before != kNoCell) {
      const Cost step = space.step_cost(before, cell);
      if (step == kInfinity) return std::nullopt;
      cost += step;
    }
    before = cell;
  }
  return cost;
}

}  // namespace

std::optional<Cost> path_cost(const Grid& grid, const TraversalConfig& config,
                              std::span<const Point> points) {
  return config.connectivity == 4 ? path_cost_in(GridSpace<4>(grid, config), points)
                                  : path_cost_in(GridSpace<8>(grid, config), points);
}

}  // namespace dynamic_planners
