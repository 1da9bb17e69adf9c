#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/search/meter.hpp"
#include "dynamic_planners/search/vertices.hpp"

namespace dynamic_planners {

/// Cells that changed since a search last took them in, for searches whose vertices have a bit
/// `marked`. First the vertices around each cell are marked, then each marked one is updated, so
/// that none is updated twice; both passes can be stopped and gone on with.
class ChangedCells {
 public:
  bool empty() const { return cells_.empty(); }
  std::size_t size() const { return cells_.size(); }
  std::size_t memory_bytes() const { return cells_.capacity() * sizeof(Cell); }

  /// The caller has started the vertices over.
  void clear() {
    cells_.clear();
    marked_ = 0;
    updated_ = 0;
    merged_ = 0;
  }

  /// The moves from and to this cell may cost something else.
  void add(Cell cell) { cells_.push_back(cell); }

  /// The same for many. False when there are more than `most` different ones now.
  bool add(std::span<const CellChange> changes, std::size_t most) {
    const auto begin = static_cast<std::ptrdiff_t>(cells_.size());
    for (const CellChange& change : changes) cells_.push_back(change.cell);
    // Neighbours one after the other: what one has brought into the cache serves the next.
    if (!std::is_sorted(cells_.begin() + begin, cells_.end())) {
      std::sort(cells_.begin() + begin, cells_.end());
    }
    if (cells_.size() > std::min(2 * merged_, most)) merge();
    return cells_.size() <= most;
  }

  /// The vertices have moved with the cells of their grid. All begins anew; around those that have
  /// left, the caller sees to it.
  void move(const Grid& grid, const Shift& shift) {
    for (Cell& cell : cells_) cell = grid.shifted(cell, shift);
    std::erase(cells_, kNoCell);
    marked_ = 0;
    updated_ = 0;
  }

  /// Calls `update(cell, vertex)` for each vertex whose moves may cost something else now, and only
  /// where `has_room()`. `taken` counts the cells that are done with.
  template <Space S, typename Vertex, typename HasRoom, typename Update>
  Progress take_in(const S& space, Vertices<Vertex>& vertices, Meter& meter, std::uint64_t& taken,
                   HasRoom&& has_room, Update&& update) {
    for (; marked_ < cells_.size(); ++marked_) {
      if (meter.spent()) return Progress::kSpent;
      space.for_each_affected(cells_[marked_], [&](Cell cell) { vertices[cell].marked = true; });
      meter.worked();
    }
    for (; updated_ < cells_.size(); ++updated_) {
      if (meter.spent()) return Progress::kSpent;
      bool full = false;
      space.for_each_affected(cells_[updated_], [&](Cell cell) {
        Vertex& vertex = vertices.touched(cell);
        if (!vertex.marked || full) return;
        full = !has_room();
        if (full) return;
        vertex.marked = false;
        update(cell, vertex);
        meter.worked();
      });
      if (full) return Progress::kFull;
      ++taken;
    }
    clear();
    return Progress::kDone;
  }

 private:
  /// One of each cell is enough, however often it has changed. A pass that was stopped begins anew
  /// with those that are left: to mark or to update a vertex once more does no harm.
  void merge() {
    cells_.erase(cells_.begin(), cells_.begin() + static_cast<std::ptrdiff_t>(updated_));
    std::sort(cells_.begin(), cells_.end());
    cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
    marked_ = 0;
    updated_ = 0;
    merged_ = cells_.size();
  }

  std::vector<Cell> cells_;
  std::size_t marked_ = 0;
  std::size_t updated_ = 0;
  std::size_t merged_ = 0;  // so many there were after the last merge()
};

}  // namespace dynamic_planners
