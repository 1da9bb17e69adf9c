#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/search/planner.hpp"

/// What the planners have in common when they answer.
namespace dynamic_planners {

/// The answer when no search is needed to give it.
template <Space S>
std::optional<Plan> blocked_answer(const S& space, const Query& query) {
  if (query.start >= space.size() || query.goal >= space.size()) {
    throw std::out_of_range("the start and the goal must lie in the grid");
  }
  if (space.blocked(query.start)) return Plan{.status = PlanStatus::kStartBlocked};
  if (space.blocked(query.goal)) return Plan{.status = PlanStatus::kGoalBlocked};
  return std::nullopt;
}

template <Space S>
std::vector<Point> to_points(const S& space, std::span<const Cell> cells) {
  std::vector<Point> points;
  points.reserve(cells.size());
  for (const Cell cell : cells) {
    const auto at = space.coordinates(cell);
    Point point{static_cast<double>(at[0]), static_cast<double>(at[1])};
    if constexpr (S::kDimensions == 3) point.z = at[2];
    points.push_back(point);
  }
  return points;
}

/// Where a cell is after a shift of its grid, if there was one and it is still there.
inline Cell moved(const Grid& grid, Cell cell, const Shift& shift) {
  return cell == kNoCell ? kNoCell : grid.shifted(cell, shift);
}

/// Ends the program's trust in a search whose invariant does not hold.
inline void require(bool holds, const char* invariant) {
  if (!holds) throw std::logic_error(std::string("broken invariant: ") + invariant);
}

}  // namespace dynamic_planners
