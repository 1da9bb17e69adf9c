#include "dynamic_planners/search/dstar_lite.hpp"

#include <algorithm>

#include "dynamic_planners/search/rhs.hpp"

namespace dynamic_planners {

template <Space S>
Key DStarLite<S>::calculate_key(Cell cell, const Vertex& vertex) const {
  const Cost least = std::min<Cost>(vertex.g, vertex.rhs);
  const bool underconsistent = Cost{vertex.g} < Cost{vertex.rhs};
  const Cost second = kPapersOrder ? least : (underconsistent ? kUnderconsistent : kOverconsistent);
  return {least + this->h_(cell) + k_m_, second};
}

template <Space S>
void DStarLite<S>::update_vertex(Cell cell, Vertex& vertex) {
  if (Cost{vertex.g} != Cost{vertex.rhs}) {
    this->put_into_open(cell, vertex, calculate_key(cell, vertex));
  } else if (vertex.position != 0) {
    open_.remove(cell);
  }
}

template <Space S>
void DStarLite<S>::initialize() {
  Vertex& vertex = vertices_[goal_];
  vertex.rhs = 0;
  open_.insert(goal_, calculate_key(goal_, vertex));
}

template <Space S>
Progress DStarLite<S>::compute_shortest_path(Meter& meter) {
  const Vertex& start = vertices_[start_];
  const auto key_of = [&](Cell cell, const Vertex& vertex) { return calculate_key(cell, vertex); };
  for (;;) {
    if (!this->bring_near(key_of)) return Progress::kFull;
    if (open_.empty()) return Progress::kDone;
    const Cost rhs = start.rhs;
    const Key end{rhs + k_m_, kPapersOrder ? rhs : kOverconsistent};
    if (rhs <= start.g && open_.top_key() >= end) return Progress::kDone;
    if (meter.spent()) return Progress::kSpent;
    const Cell cell = open_.top();
    Vertex& vertex = vertices_.touched(cell);
    this->count_expansion(cell, vertex, meter);
    if (Cost{vertex.g} > Cost{vertex.rhs}) {
      lower(cell, vertex);
    } else {
      raise(cell, vertex);
    }
  }
}

/// Expands an overconsistent vertex.
template <Space S>
void DStarLite<S>::lower(Cell cell, Vertex& vertex) {
  const Cost g = vertex.rhs;
  vertex.g = g;
  open_.remove(cell);
  spread_lower_g(space_, vertices_, cell, g,
                 [&](Cell neighbour, Vertex& next) { update_vertex(neighbour, next); });
}

/// Expands an underconsistent vertex.
template <Space S>
void DStarLite<S>::raise(Cell cell, Vertex& vertex) {
  const Cost g_old = vertex.g;
  vertex.g = kInfinity;
  spread_raised_g(space_, vertices_, cell, g_old, goal_,
                  [&](Cell neighbour, Vertex& next) { update_vertex(neighbour, next); });
  update_vertex(cell, vertex);
}

template <Space S>
void DStarLite<S>::update_changed(Cell cell, Vertex& vertex) {
  if (cell == goal_) return;
  const Cost rhs = least_through_neighbours(space_, vertices_, cell);
  if (rhs == Cost{vertex.rhs}) return;
  vertex.rhs = rhs;
  update_vertex(cell, vertex);
}

template <Space S>
void DStarLite<S>::check() const {
  for (Cell cell = 0; cell < vertices_.size(); ++cell) {
    const Vertex vertex = vertices_.peek(cell);
    const Cost rhs = cell == goal_ ? 0 : least_through_neighbours(space_, vertices_, cell);
    require(Cost{vertex.rhs} == rhs, "D* Lite: rhs is the least cost through a neighbour");
    require((Cost{vertex.g} != rhs) == (vertex.position != 0),
            "D* Lite: the inconsistent vertices are queued, and no other");
    require(vertex.position == 0 || open_.is_due_by(vertex, calculate_key(cell, vertex)),
            "D* Lite: a queued key is a lower bound of the vertex's key");
  }
}

template class RepairingSearch<GridSpace<4>, DStarLiteVertex>;
template class RepairingSearch<GridSpace<8>, DStarLiteVertex>;
template class RepairingSearch<VoxelSpace, DStarLiteVertex>;
template class DStarLite<GridSpace<4>>;
template class DStarLite<GridSpace<8>>;
template class DStarLite<VoxelSpace>;

}  // namespace dynamic_planners
