#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dynamic_planners/grid/cost.hpp"
#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/grid/space.hpp"

namespace dynamic_planners {

/// Walks from one cell to another downhill: each step to the neighbour with the least step cost
/// plus `cost(neighbour)`, which must be the exact remaining cost on every best path. Among equally
/// good neighbours it keeps its direction, so that paths do not zigzag without need.
template <Space S, typename CostFunction>
std::vector<Cell> trace(const S& space, Cell from, Cell to, CostFunction&& cost) {
  std::vector<Cell> cells{from};
  Cell direction = 0;  // the difference of two indices, modulo 2^32
  Cost rest = kInfinity;
  for (Cell cell = from; cell != to;) {
    // Straight on, if that is a best way: nothing else need be looked at. On a large map that is
    // what takes time, since every row is far from the next in memory.
    const Cell ahead = cell + direction;
    const Cost step_ahead = direction == 0 ? kInfinity : space.step_cost(cell, ahead);
    if (step_ahead < rest && step_ahead + cost(ahead) == rest) {
      rest -= step_ahead;
      cell = ahead;
      cells.push_back(cell);
      continue;
    }
    Cost best_cost = kInfinity;
    Cell best = kNoCell;
    Cost best_step = 0;
    space.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
      const Cost through = step + cost(neighbour);
      if (through < best_cost || (through == best_cost && neighbour - cell == direction)) {
        best_cost = through;
        best = neighbour;
        best_step = step;
      }
    });
    direction = best - cell;
    rest = best_cost - best_step;
    cell = best;
    cells.push_back(cell);
  }
  return cells;
}

/// What a path of moves costs.
template <Space S>
Cost path_cost(const S& space, std::span<const Cell> cells) {
  Cost cost = 0;
  for (std::size_t i = 1; i < cells.size(); ++i) cost += space.step_cost(cells[i - 1], cells[i]);
  return cost;
}

}  // namespace dynamic_planners
