#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
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

/// What lines cost together, rounded up; but for what doubles cannot hold, by less than 1.
inline Cost rounded_up_cost(double lines) {
  constexpr double kRoundingError = 1e-6;
  return static_cast<Cost>(std::ceil(lines - kRoundingError));
}

inline Cost path_cost(const GridSpace<8>& space, std::span<const Point> points) {
  double cost = 0.0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    cost += line_cost(space, points[i - 1], points[i]);
  }
  return rounded_up_cost(cost);
}

/// What the line between the centres of two cells costs; infinitely much if it touches a blocked
/// cell, be it only at an edge or a corner, as a diagonal step past one would.
///
/// In two dimensions, a line of dx by dy cells passes from column to column at the odd multiples of
/// dy, and from row to row at the odd multiples of dx, of 2 dx dy parts; in three, at those of dy
/// dz, dx dz and dx dy, of 2 dx dy dz: all of it is exact.
template <Space S>
double line_of_sight(const S& space, Cell from, Cell to) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
  constexpr unsigned kAxes = S::kDimensions;
  const auto begin = space.coordinates(from);
  const auto goal = space.coordinates(to);
  std::array<Cell, kAxes> step = space.strides();
  std::array<std::uint64_t, kAxes> part;  // half of what a cell is long along this axis
  part.fill(1);
  std::uint64_t half = 1;
  double square = 0.0;
  std::array<bool, kAxes> moves;
  for (unsigned axis = 0; axis < kAxes; ++axis) {
    const auto distance = static_cast<std::uint64_t>(std::abs(goal[axis] - begin[axis]));
    moves[axis] = distance > 0;
    if (goal[axis] < begin[axis]) step[axis] = ~step[axis] + 1;
    square += static_cast<double>(distance * distance);
    if (distance == 0) continue;
    half *= distance;
    for (unsigned other = 0; other < kAxes; ++other) {
      if (other != axis) part[other] *= distance;
    }
  }
  std::array<std::uint64_t, kAxes> next;
  for (unsigned axis = 0; axis < kAxes; ++axis) next[axis] = moves[axis] ? part[axis] : kNever;

  const std::uint64_t end = 2 * half;
  std::uint64_t levels = 0;
  std::uint64_t at = 0;
  for (Cell cell = from;;) {
    const unsigned level = space.level(cell);
    if (level >= S::kBlocked) return kNone;
    const std::uint64_t cut = std::min(end, *std::min_element(next.begin(), next.end()));
    levels += level * (cut - at);
    if (cut == end) break;
    at = cut;
    unsigned passed = 0;  // the axes along which the line comes into another cell
    for (unsigned axis = 0; axis < kAxes; ++axis) passed |= unsigned{next[axis] == at} << axis;
    // Where there are several, all cells around that edge or corner are touched.
    for (unsigned some = (passed - 1) & passed; some != 0; some = (some - 1) & passed) {
      Cell beside = cell;
      for (unsigned axis = 0; axis < kAxes; ++axis) {
        if ((some >> axis & 1U) != 0) beside += step[axis];
      }
      if (space.blocked(beside)) return kNone;
    }
    for (unsigned axis = 0; axis < kAxes; ++axis) {
      if ((passed >> axis & 1U) == 0) continue;
      cell += step[axis];
      next[axis] += 2 * part[axis];
    }
  }
  const double level = static_cast<double>(levels) / static_cast<double>(end);
  return static_cast<double>(kStraight) * std::sqrt(square) * space.weight_of_level(level);
}

/// Goes on to a point. One in the middle of a straight line tells nothing and is left out.
inline void append_point(std::vector<Point>& points, const Point& point) {
  constexpr double kStraightEnough = 1e-9;
  if (points.size() > 1) {
    const Point& before = points[points.size() - 2];
    const Point& last = points.back();
    const Point a{last.x - before.x, last.y - before.y, last.z - before.z};
    const Point b{point.x - last.x, point.y - last.y, point.z - last.z};
    const double turn =
        std::hypot(a.x * b.y - a.y * b.x, a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z);
    if (turn < kStraightEnough) points.pop_back();
  }
  points.push_back(point);
}

}  // namespace dynamic_planners
