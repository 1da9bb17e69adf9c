#pragma once

#include <functional>
#include <vector>

#include "dynamic_planners/grid/grid.hpp"

/// What is done about starts and goals that lie in obstacles.
namespace dynamic_planners::ros {

using Passable = std::function<bool(Cell)>;

/// The shortest way from a blocked cell over blocked cells to a passable one, both included; empty
/// when there is none within `radius` cells.
std::vector<Cell> way_out(const Grid& grid, const Passable& passable, Cell from, double radius);

/// The passable cells within `radius` cells of a cell, the nearest first.
std::vector<Cell> passable_around(const Grid& grid, const Passable& passable, Cell centre,
                                  double radius);

/// Removes from `cells` the one at the front and all that are connected with it by straight moves
/// through cells of `cells`: where one cannot be reached, neither can the others.
void drop_connected(const Grid& grid, std::vector<Cell>& cells);

}  // namespace dynamic_planners::ros
