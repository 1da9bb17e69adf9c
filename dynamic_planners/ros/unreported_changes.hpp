#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamic_planners/grid/grid.hpp"

namespace dynamic_planners::ros {

/// The cells whose cost is another by now than when somebody was last told of it. However long
/// nobody is told, and whatever flickers meanwhile, no cell is kept twice.
class UnreportedChanges {
 public:
  /// There is another grid, of which all is new.
  void start_over(const Grid& grid);
  /// The grid has moved over the world.
  void move(const Grid& grid, const Shift& shift);
  void add(std::span<const CellChange> changes);

  /// Those that differ in the grid as it is. Now somebody is told.
  std::vector<Cell> take(const Grid& grid);

 private:
  struct Noted {
    Cell cell;
    std::uint8_t cost;  // when somebody was told
  };

  std::vector<Noted> noted_;
  std::vector<bool> is_noted_;
};

}  // namespace dynamic_planners::ros
