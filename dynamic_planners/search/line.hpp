#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/search/planner.hpp"

/// Paths that do not lead from cell to cell.
namespace dynamic_planners {

/// Cuts a line where one of its coordinates is an integer plus `offset`. Visits the middle of each
/// piece and its share of the line as long as the visit returns true; whether all did.
template <typename Visit>
bool for_each_piece(const Point& from, const Point& to, double offset, Visit&& visit) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const double dx = to.x - from.x;
  const double dy = to.y - from.y;
  const auto first_cut = [&](double at, double d) {
    return d > 0 ? std::floor(at - offset) + 1.0 + offset : std::ceil(at - offset) - 1.0 + offset;
  };
  double cut_x = first_cut(from.x, dx);
  double cut_y = first_cut(from.y, dy);
  for (double share = 0.0; share < 1.0;) {
    const double at_x = dx == 0.0 ? kNever : (cut_x - from.x) / dx;
    const double at_y = dy == 0.0 ? kNever : (cut_y - from.y) / dy;
    const double next = std::min({at_x, at_y, 1.0});
    if (at_x <= next) cut_x += std::copysign(1.0, dx);
    if (at_y <= next) cut_y += std::copysign(1.0, dy);
    if (next <= share) continue;
    const double middle = (share + next) / 2.0;
    if (!visit(Point{from.x + middle * dx, from.y + middle * dy}, next - share)) return false;
    share = next;
  }
  return true;
}

/// What a straight line costs that crosses passable cells only: its length in each times the
/// cell's weight.
inline double line_cost(const GridSpace<8>& space, const Point& from, const Point& to) {
  const Grid& grid = space.grid();
  double weight = 0.0;
  for_each_piece(from, to, 0.5, [&](const Point& middle, double share) {
    const auto x = static_cast<int>(std::lround(middle.x));
    const auto y = static_cast<int>(std::lround(middle.y));
    weight += share * space.weight(grid.cell(x, y));
    return true;
  });
  return static_cast<double>(kStraight) * std::hypot(to.x - from.x, to.y - from.y) * weight;
}

/// What a path costs, rounded up; but for what doubles cannot hold, by less than 1.
inline Cost path_cost(const GridSpace<8>& space, std::span<const Point> points) {
  constexpr double kRoundingError = 1e-6;
  double cost = 0.0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    cost += line_cost(space, points[i - 1], points[i]);
  }
  return static_cast<Cost>(std::ceil(cost - kRoundingError));
}

/// Goes on to a point. One in the middle of a straight line tells nothing and is left out.
inline void append_point(std::vector<Point>& points, const Point& point) {
  constexpr double kStraightEnough = 1e-9;
  if (points.size() > 1) {
    const Point& before = points[points.size() - 2];
    const Point& last = points.back();
    const double turn =
        (last.x - before.x) * (point.y - last.y) - (last.y - before.y) * (point.x - last.x);
    if (std::abs(turn) < kStraightEnough) points.pop_back();
  }
  points.push_back(point);
}

}  // namespace dynamic_planners
