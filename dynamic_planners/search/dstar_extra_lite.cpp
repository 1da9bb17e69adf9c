#include "dynamic_planners/search/dstar_extra_lite.hpp"

#include <utility>

namespace dynamic_planners {

template <Space S>
void DStarExtraLite<S>::initialize() {
  to_cut_ = kNoCell;
  to_repair_ = kNoCell;
  Vertex& vertex = vertices_[goal_];
  vertex.g = 0;
  open_.insert(goal_, calculate_key(goal_, vertex));
}

template <Space S>
Progress DStarExtraLite<S>::repair(Meter& meter) {
  Progress progress = cut_branches(meter);
  if (progress == Progress::kDone) progress = reinitialize(meter);
  if (progress == Progress::kDone) progress = search(meter);
  return progress;
}

template <Space S>
Progress DStarExtraLite<S>::search(Meter& meter) {
  const Vertex& start = vertices_[start_];
  const auto key_of = [&](Cell cell, const Vertex& vertex) { return calculate_key(cell, vertex); };
  for (;;) {
    if (!this->bring_near(key_of)) return Progress::kFull;
    if (open_.empty()) return Progress::kDone;
    if (start.visited() && open_.top_key().first >= start.g + k_m_) return Progress::kDone;
    if (meter.spent()) return Progress::kSpent;
    const Cell cell = open_.top();
    Vertex& vertex = vertices_.touched(cell);
    this->count_expansion(cell, vertex, meter);
    search_step(cell, vertex);
  }
}

template <Space S>
void DStarExtraLite<S>::search_step(Cell cell, Vertex& vertex) {
  const Cost g = vertex.g;
  open_.remove(cell);
  space_.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
    Vertex& next = vertices_[neighbour];
    if (Cost{next.g} <= step + g) return;
    next.g = step + g;
    next.parent = cell;
    this->put_into_open(neighbour, next, calculate_key(neighbour, next));
  });
}

/// Hangs a vertex onto a neighbour from which it costs no more than it did; without one, it is cut
/// off. Where it costs less now, that neighbour is opened again. Which moves have become dearer and
/// which cheaper is seen by that; what they cost before need not be known.
///
/// The new parent costs less than the vertex, so it does not hang on it. It may hang on another
/// that is yet to be cut off; then the vertex comes here once more.
template <Space S>
void DStarExtraLite<S>::hang(Cell cell, Vertex& vertex) {
  const Cost g = vertex.g;
  Cell parent = kNoCell;
  space_.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
    const Cost through = step + vertices_.peek(neighbour).g;
    if (through > g) return;
    parent = neighbour;
    if (through < g) reopen(neighbour);
  });
  if (cell == goal_ || !vertex.visited()) return;
  if (parent == kNoCell) {
    cut(cell, vertex);
  } else {
    vertex.parent = parent;
  }
}

template <Space S>
void DStarExtraLite<S>::cut(Cell cell, Vertex& vertex) {
  vertex.g = kInfinity;
  if (vertex.position != 0) open_.remove(cell);
  vertex.parent = std::exchange(to_cut_, cell);
}

/// What hangs on vertices that are cut off is hung elsewhere or cut off too.
template <Space S>
Progress DStarExtraLite<S>::cut_branches(Meter& meter) {
  while (to_cut_ != kNoCell) {
    if (meter.spent()) return Progress::kSpent;
    if (!open_.has_room()) return Progress::kFull;
    const Cell cell = to_cut_;
    Vertex& vertex = vertices_.touched(cell);
    to_cut_ = std::exchange(vertex.parent, to_repair_);
    to_repair_ = cell;
    // Not only where there still is a move: it may just have gone.
    space_.for_each_affected(cell, [&](Cell other) {
      Vertex& child = vertices_[other];
      if (child.visited() && child.parent == cell) hang(other, child);
    });
    meter.worked();
  }
  return Progress::kDone;
}

/// Opens the rim of what was cut off.
template <Space S>
Progress DStarExtraLite<S>::reinitialize(Meter& meter) {
  while (to_repair_ != kNoCell) {
    if (meter.spent()) return Progress::kSpent;
    if (!open_.has_room()) return Progress::kFull;
    space_.for_each_neighbour(to_repair_, [&](Cell neighbour, Cost /*step*/) {
      if (vertices_.peek(neighbour).visited()) reopen(neighbour);
    });
    to_repair_ = std::exchange(vertices_.touched(to_repair_).parent, kNoCell);
    meter.worked();
  }
  return Progress::kDone;
}

template <Space S>
void DStarExtraLite<S>::reopen(Cell cell) {
  const Vertex& vertex = vertices_.touched(cell);
  if (vertex.position == 0) open_.insert(cell, calculate_key(cell, vertex));
}

template <Space S>
void DStarExtraLite<S>::check() const {
  for (Cell cell = 0; cell < vertices_.size(); ++cell) {
    const Vertex vertex = vertices_.peek(cell);
    if (vertex.visited() && cell != goal_) {
      const Cost step = space_.step_cost(cell, vertex.parent);
      require(step < kInfinity && vertex.g >= step + vertices_.peek(vertex.parent).g,
              "D* Extra Lite: a vertex costs no less than the way through its parent");
    }
    require(vertex.position == 0 || vertex.visited(), "D* Extra Lite: only the visited are open");
    require(vertex.position == 0 || open_.is_due_by(vertex, calculate_key(cell, vertex)),
            "D* Extra Lite: a queued key is a lower bound of the vertex's key");
    if (!vertex.visited() || vertex.position != 0) continue;
    space_.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
      require(vertices_.peek(neighbour).g <= step + vertex.g,
              "D* Extra Lite: a closed vertex has told its neighbours");
    });
  }
}

template class RepairingSearch<GridSpace<4>, DStarExtraLiteVertex>;
template class RepairingSearch<GridSpace<8>, DStarExtraLiteVertex>;
template class RepairingSearch<VoxelSpace, DStarExtraLiteVertex>;
template class DStarExtraLite<GridSpace<4>>;
template class DStarExtraLite<GridSpace<8>>;
template class DStarExtraLite<VoxelSpace>;

}  // namespace dynamic_planners
