#pragma once

#include <optional>
#include <span>

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/search/planner.hpp"

namespace dynamic_planners {

/// What a path costs in the grid as it is; nothing when it touches what is blocked, or makes moves
/// that a 4-connected grid does not have.
std::optional<Cost> path_cost(const Grid& grid, const TraversalConfig& config,
                              std::span<const Point> points);

}  // namespace dynamic_planners
