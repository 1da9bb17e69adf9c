#include "dynamic_planners/realtime/global_ad.hpp"

#include <limits>

namespace dynamic_planners {

template <Space S>
void GlobalAD<S>::restart(Cell goal) {
  Base::restart(goal);
  epsilon_.start_over();
  offset_ = 0;
  incons_ = {};
  reopening_ = false;
  search_ = 1;
}

template <Space S>
void GlobalAD<S>::note(std::span<const CellChange> changes) {
  Base::note(changes);
  if (!changes.empty()) epsilon_.raise();
}

/// The keys of underconsistent states are not inflated: no state that depends on such a one has a
/// smaller key, however large epsilon is.
template <Space S>
Cost GlobalAD<S>::key(Cell cell, const Vertex& vertex) const {
  const Cost g = vertex.g;
  const Cost rhs = vertex.rhs;
  const Cost inflation = g > rhs ? epsilon_.value() : Epsilon::kOne;
  return Epsilon::kOne * std::min(g, rhs) + inflation * h_(cell) + offset_;
}

/// That of a state which is to be lowered, whether it still is or not.
template <Space S>
Cost GlobalAD<S>::start_key() const {
  return Epsilon::kOne * Cost{vertices_.touched(start_).rhs} + epsilon_.value() * h_(start_) +
         offset_;
}

template <Space S>
void GlobalAD<S>::update_state(Cell cell, Vertex& vertex) {
  if (vertex.links.slot != 0) take_out(cell, vertex);
  const Cost g = vertex.g;
  const Cost rhs = vertex.rhs;
  if (g == rhs) return;
  if (g > rhs && vertex.closed_by == search_ && !epsilon_.is_one()) {
    incons_.push_back(vertices_, cell, kInIncons);
  } else {
    this->put_into_open(cell, vertex, key(cell, vertex));
  }
}

template <Space S>
void GlobalAD<S>::take_out(Cell cell, const Vertex& vertex) {
  if (vertex.links.slot == kInIncons) {
    incons_.remove(vertices_, cell);
  } else {
    open_.remove(cell);
  }
}

template <Space S>
void GlobalAD<S>::initialize() {
  Vertex& vertex = vertices_[goal_];
  vertex.rhs = 0;
  update_state(goal_, vertex);
}

/// CLOSED is empty from now on, and the states of INCONS have to go into OPEN.
template <Space S>
void GlobalAD<S>::begin_search() {
  ++search_;
  reopening_ = true;
}

template <Space S>
void GlobalAD<S>::lower_epsilon() {
  const Cost before = epsilon_.value();
  epsilon_.lower(std::numeric_limits<double>::infinity());
  offset_ += (before - epsilon_.value()) * longest_;
  begin_search();
}

template <Space S>
void GlobalAD<S>::repair(Work& work, StepCounts& counts) {
  while (reopen(work, counts) && compute_or_improve_path(work, counts)) {
    this->arrive();
    if (this->has_pending() || epsilon_.is_one() || this->cost() == kInfinity) return;
    lower_epsilon();
  }
}

template <Space S>
bool GlobalAD<S>::reopen(Work& work, StepCounts& counts) {
  if (!reopening_) return true;
  while (!incons_.empty()) {
    if (!work.spend_requeueing()) return false;
    ++counts.requeued;
    const Cell cell = incons_.first();
    update_state(cell, vertices_.touched(cell));
  }
  reopening_ = false;
  return true;
}

template <Space S>
bool GlobalAD<S>::compute_or_improve_path(Work& work, StepCounts& counts) {
  const Vertex& start = vertices_[start_];
  while (!open_.empty()) {
    const Cell cell = open_.top();
    if (Cost{start.rhs} <= Cost{start.g} && open_.front() > open_.bucket_of(start_key())) break;
    Vertex& vertex = vertices_.touched(cell);
    this->prefetch_after(vertex);
    const Cost key_now = key(cell, vertex);
    if (open_.is_too_early(key_now)) {
      if (!work.spend_requeueing()) return false;
      ++counts.requeued;
      this->put_into_open(cell, vertex, key_now);
    } else {
      if (!work.spend_expansions(1)) return false;
      ++counts.global_expansions;
      expand(cell, vertex);
    }
  }
  return true;
}

template <Space S>
void GlobalAD<S>::expand(Cell cell, Vertex& vertex) {
  const auto update = [&](Cell next, Vertex& changed) { update_state(next, changed); };
  if (Cost{vertex.g} > Cost{vertex.rhs}) {
    vertex.g = vertex.rhs;
    open_.remove(cell);
    vertex.closed_by = search_;
    spread_lower_g(space_, vertices_, cell, vertex.g, update);
  } else {
    const Cost g_old = vertex.g;
    vertex.g = kInfinity;
    spread_raised_g(space_, vertices_, cell, g_old, goal_, update);
    update_state(cell, vertex);
  }
}

template <Space S>
void GlobalAD<S>::check() const {
  for (Cell cell = 0; cell < vertices_.size(); ++cell) {
    const Vertex vertex = vertices_.peek(cell);
    const Cost rhs = cell == goal_ ? 0 : least_through_neighbours(space_, vertices_, cell);
    require(Cost{vertex.rhs} == rhs, "RTD*: rhs is the least cost through a neighbour");
    require((Cost{vertex.g} != rhs) == (vertex.links.slot != 0),
            "RTD*: the inconsistent states are in OPEN or INCONS, and no other");
  }
}

template class GlobalAD<GridSpace<4>>;
template class GlobalAD<GridSpace<8>>;

}  // namespace dynamic_planners
