#include "dynamic_planners/search/path_cost.hpp"

#include <cmath>

#include "dynamic_planners/search/line.hpp"

namespace dynamic_planners {
namespace {

/// Of a path from cell to cell.
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

/// Whether a line touches passable cells only, corners included.
bool is_free(const GridSpace<8>& space, const Point& from, const Point& to) {
  const Grid& grid = space.grid();
  Grid::Position before{};
  bool is_first = true;
  const auto passable = [&](int x, int y) {
    return grid.contains(x, y) && !space.blocked(grid.cell(x, y));
  };
  return for_each_piece(from, to, 0.5, [&](const Point& middle, double /*share*/) {
    const Grid::Position at{static_cast<int>(std::lround(middle.x)),
                            static_cast<int>(std::lround(middle.y))};
    if (!passable(at.x, at.y)) return false;
    const bool past_corner = !is_first && at.x != before.x && at.y != before.y;
    is_first = false;
    if (past_corner && !(passable(at.x, before.y) && passable(before.x, at.y))) return false;
    before = at;
    return true;
  });
}

std::optional<Cost> any_angle_cost(const GridSpace<8>& space, std::span<const Point> points) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (!is_free(space, points[i - 1], points[i])) return std::nullopt;
  }
  return path_cost(space, points);
}

}  // namespace

std::optional<Cost> path_cost(const Grid& grid, const TraversalConfig& config,
                              std::span<const Point> points) {
  if (config.connectivity == 4) return path_cost_in(GridSpace<4>(grid, config), points);
  const GridSpace<8> space(grid, config);
  const auto cost = path_cost_in(space, points);
  return cost ? cost : any_angle_cost(space, points);
}

}  // namespace dynamic_planners
