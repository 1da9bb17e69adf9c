#include "dynamic_planners/realtime/global_dstar_lite.hpp"

#include <algorithm>

namespace dynamic_planners {

template <Space S>
void GlobalDStarLite<S>::restart(Cell goal) {
  Base::restart(goal);
  k_m_ = 0;
}

template <Space S>
Cost GlobalDStarLite<S>::calculate_key(Cell cell, const Vertex& vertex) const {
  return std::min<Cost>(vertex.g, vertex.rhs) + h_(cell) + k_m_;
}

template <Space S>
void GlobalDStarLite<S>::update_vertex(Cell cell, Vertex& vertex) {
  if (Cost{vertex.g} != Cost{vertex.rhs}) {
    this->put_into_open(cell, vertex, calculate_key(cell, vertex));
  } else if (vertex.links.slot != 0) {
    open_.remove(cell);
  }
}

template <Space S>
void GlobalDStarLite<S>::initialize() {
  Vertex& vertex = vertices_[goal_];
  vertex.rhs = 0;
  update_vertex(goal_, vertex);
}

/// Lines 2 to 13 of the paper.
template <Space S>
void GlobalDStarLite<S>::repair(Work& work, StepCounts& counts) {
  const Vertex& start = vertices_[start_];
  while (!open_.empty()) {
    const Cell cell = open_.top();
    if (Cost{start.rhs} <= Cost{start.g} &&
        open_.front() > open_.bucket_of(calculate_key(start_, start))) {
      break;
    }
    Vertex& vertex = vertices_.touched(cell);
    this->prefetch_after(vertex);
    const Cost key = calculate_key(cell, vertex);
    if (open_.is_too_early(key)) {
      if (!work.spend_requeueing()) return;
      ++counts.requeued;
      this->put_into_open(cell, vertex, key);
    } else {
      if (!work.spend_expansions(1)) return;
      ++counts.global_expansions;
      expand(cell, vertex);
    }
  }
  this->arrive();
}

template <Space S>
void GlobalDStarLite<S>::expand(Cell cell, Vertex& vertex) {
  const auto update = [&](Cell next, Vertex& changed) { update_vertex(next, changed); };
  if (Cost{vertex.g} > Cost{vertex.rhs}) {
    vertex.g = vertex.rhs;
    open_.remove(cell);
    spread_lower_g(space_, vertices_, cell, vertex.g, update);
  } else {
    const Cost g_old = vertex.g;
    vertex.g = kInfinity;
    spread_raised_g(space_, vertices_, cell, g_old, goal_, update);
    update_vertex(cell, vertex);
  }
}

template <Space S>
void GlobalDStarLite<S>::check() const {
  for (Cell cell = 0; cell < vertices_.size(); ++cell) {
    const Vertex vertex = vertices_.peek(cell);
    const Cost rhs = cell == goal_ ? 0 : least_through_neighbours(space_, vertices_, cell);
    require(Cost{vertex.rhs} == rhs, "RTD*: rhs is the least cost through a neighbour");
    require((Cost{vertex.g} != rhs) == (vertex.links.slot != 0),
            "RTD*: the inconsistent vertices are queued, and no other");
  }
}

template class GlobalDStarLite<GridSpace<4>>;
template class GlobalDStarLite<GridSpace<8>>;

}  // namespace dynamic_planners
