#include "dynamic_planners/ros/unreported_changes.hpp"

namespace dynamic_planners::ros {

void UnreportedChanges::start_over(const Grid& grid) {
  noted_.clear();
  is_noted_.assign(grid.size(), false);
}

void UnreportedChanges::move(const Grid& grid, const Shift& shift) {
  is_noted_.assign(grid.size(), false);
  for (Noted& noted : noted_) noted.cell = grid.shifted(noted.cell, shift);
  std::erase_if(noted_, [](const Noted& noted) { return noted.cell == kNoCell; });
  for (const Noted& noted : noted_) is_noted_[noted.cell] = true;
}

void UnreportedChanges::add(std::span<const CellChange> changes) {
  for (const CellChange& change : changes) {
    if (is_noted_[change.cell]) continue;
    is_noted_[change.cell] = true;
    noted_.push_back({change.cell, change.before});
  }
}

std::vector<Cell> UnreportedChanges::take(const Grid& grid) {
  std::vector<Cell> cells;
  for (const Noted& noted : noted_) {
    is_noted_[noted.cell] = false;
    if (grid[noted.cell] != noted.cost) cells.push_back(noted.cell);
  }
  noted_.clear();
  return cells;
}

}  // namespace dynamic_planners::ros
