#pragma once

#include <optional>
#include <span>

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/search/planner.hpp"

namespace dynamic_planners {

/// What a path from cell to cell costs in the grid as it is; nothing when it is no longer one, or
/// when it leads at other angles.
std::optional<Cost> path_cost(const Grid& grid, const TraversalConfig& config,
                              std::span<const Point> points);

}  // namespace dynamic_planners
