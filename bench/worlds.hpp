#pragma once

#include <cstdint>
#include <vector>

#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/search/planner.hpp"

/// The worlds of the core's benchmarks.
namespace bench {

using dynamic_planners::Cell;
using dynamic_planners::CellChange;
using dynamic_planners::Grid;
using dynamic_planners::Query;

/// Cells blocked at random.
Grid scattered(int size, int blocked_percent, std::uint64_t seed);

/// Rooms of 50 x 50 cells with doors of 8 and a rim of inflation along the walls.
Grid rooms(int size, std::uint64_t seed);

/// Nothing blocked, but every cell has its cost: waves of different lengths laid over each other.
Grid hills(int size);

/// From corner to corner. Around both ends the worlds are free and stay so.
Query across(const Grid& grid);

/// So many different cells, drawn at random.
std::vector<Cell> draw_cells(const Grid& grid, std::size_t count, std::uint64_t seed);

/// Lets the cells that are free become lethal and the others free.
std::vector<CellChange> toggle(Grid& grid, const std::vector<Cell>& cells);

/// Puts a lethal disc with a rim of falling costs, or takes it away (cost 0 everywhere).
std::vector<CellChange> put_disc(Grid& grid, int x, int y, int radius, bool removed);

}  // namespace bench
