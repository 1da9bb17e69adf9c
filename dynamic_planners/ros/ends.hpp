#pragma once

#include <functional>
#include <vector>

#include "dynamic_planners/grid/grid.hpp"

/// What is done about starts and goals that lie in obstacles.
namespace dynamic_planners::ros {

using Passable = std::function<bool(Cell)>;

/// The passable cells within `radius` cells of a cell, the nearest first.
std::vector<Cell> passable_around(const Grid& grid, const Passable& passable, Cell centre,
                                  double radius);

/// The cheapest way from a cell to one of `exits`, both included, over whatever lies within
/// `radius` cells of it; empty when there is none. To cross what is lethal costs more than what is
/// not.
std::vector<Cell> way_out(const Grid& grid, Cell from, const std::vector<Cell>& exits,
                          double radius);

/// Removes from `cells` this one and all that are connected with it by straight moves through cells
/// of `cells`: where one cannot be reached, neither can the others.
void drop_connected(const Grid& grid, Cell cell, std::vector<Cell>& cells);

}  // namespace dynamic_planners::ros
