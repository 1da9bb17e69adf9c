#pragma once

#include <functional>
#include <vector>

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/search/planner.hpp"

namespace dynamic_planners {

/// Walks down the interpolated costs of Field D* from one cell to another, with one step of
/// lookahead: a point between two vertices is worth what can be reached from it, not only what
/// interpolation says. What trembles is drawn straight.
///
/// `cost(cell)` is the cost from a vertex to the end, kInfinity where it is not known for certain.
/// It must be known where the path begins, and where the costs come from that it was made of.
std::vector<Point> extract_path(const GridSpace<8>& space, Cell from, Cell to,
                                const std::function<Cost(Cell)>& cost);

}  // namespace dynamic_planners
