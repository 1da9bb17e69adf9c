#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/search/meter.hpp"

/// What is done about starts and goals that lie in obstacles, or where no way leads. Each of these
/// returns nothing when the budget is spent.
namespace dynamic_planners::ros {

struct Passable {
  const Grid& grid;
  bool allow_unknown;

  bool operator()(Cell cell) const {
    const std::uint8_t cost = grid[cell];
    return cost == kUnknown ? allow_unknown : cost <= kMaxPassable;
  }
};

/// The nearest of the `wanted` cells within `radius` cells of one; kNoCell when there is none.
std::optional<Cell> nearest_around(const Grid& grid, Cell centre, double radius,
                                   const std::function<bool(Cell)>& wanted, Meter& meter);

/// The cheapest way from a cell to one that is an exit, both included, over whatever lies within
/// `radius` cells of it; empty when there is none. To cross what is lethal costs more than what is
/// not.
std::optional<std::vector<Cell>> way_out(const Grid& grid, Cell from, double radius,
                                         const std::function<bool(Cell)>& is_exit, Meter& meter);

/// The window of all cells within `radius` cells of one, and of the corners around them.
Window window_around(const Grid& grid, Cell centre, double radius);

/// Which cells can be reached from this one without leaving the window that it lies in. With 4
/// neighbours or with 8 these are the same, since there is a way around every corner that a
/// diagonal may pass.
std::optional<std::vector<bool>> reachable_from(const Passable& passable, Cell from,
                                                const Window& within, Meter& meter);

}  // namespace dynamic_planners::ros
