#pragma once

#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/lab/worlds.hpp"
#include "dynamic_planners/search/planner.hpp"

/// Square maps that do not change, of the kinds of the Moving AI collection: N. Sturtevant,
/// "Benchmarks for Grid-Based Pathfinding", IEEE Transactions on Computational Intelligence and AI
/// in Games 4(2), 2012.
namespace dynamic_planners {

/// Rooms of so many cells from wall to wall, one of the walls counted. The walls between two rooms
/// have a door in four of five cases.
Grid rooms_terrain(Random& random, int size, int pitch);

/// A maze without loops whose corridors are so many cells wide, with walls of one cell.
Grid maze_terrain(Random& random, int size, int corridor);

/// Each cell is blocked with this chance.
Grid scattered_terrain(Random& random, int size, int percent);

/// Two different cells of the largest region whose cells reach each other by straight moves, any
/// pair equally likely: most free cells of a cluttered map may lie in pockets, from where nobody
/// goes far. Throws std::invalid_argument when there are none.
Query draw_problem(Random& random, const Grid& grid);

}  // namespace dynamic_planners
