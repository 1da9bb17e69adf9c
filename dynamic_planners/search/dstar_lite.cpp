#include "dynamic_planners/search/dstar_lite.hpp"

#include <algorithm>

#include "dynamic_planners/search/answer.hpp"
#include "dynamic_planners/search/rhs.hpp"
#include "dynamic_planners/search/trace.hpp"

namespace dynamic_planners {
template <Space S>
DStarLite<S>::DStarLite(const S& space, const PlannerConfig& /*config*/)
    : space_(space),
      vertices_(space.size()),
      open_(vertices_, 4 * space.max_path_cost()),
      h_(space.heuristic_to(0)) {}

template <Space S>
void DStarLite<S>::restart(Cell goal) {
  goal_ = goal;
  start_ = kNoCell;
  k_m_ = 0;
  vertices_.start_over();
  open_.clear();
  changed_.clear();
}

template <Space S>
void DStarLite<S>::note(std::span<const CellChange> changes) {
  if (start_ == kNoCell) return;  // nothing is known that could have changed
  if (changed_.size() + changes.size() > space_.size() / 4) {
    restart(goal_);  // more would have to be repaired than found anew
    return;
  }
  changed_.add(changes);
}

template <Space S>
Plan DStarLite<S>::plan(Cell start, const Budget& budget) {
  counts_ = {};
  const std::uint64_t operations = open_.operations();
  move_start(start);
  Meter meter(budget);
  Progress progress = Progress::kFull;
  while (progress == Progress::kFull) {
    progress = take_in_changes(meter);
    if (progress == Progress::kDone) progress = compute_shortest_path(meter);
    if (progress == Progress::kFull) open_.grow();
  }
  counts_.expansions = meter.expansions();
  counts_.queue_operations = open_.operations() - operations;
  Plan plan;
  plan.counts = counts_;
  if (progress == Progress::kSpent) {
    plan.status = meter.status();
    return plan;
  }
  check();
  plan.cost = vertices_.peek(start_).rhs;
  if (plan.cost == kInfinity) return plan;
  plan.status = PlanStatus::kFound;
  plan.bound = 1.0;
  const std::vector<Cell> cells =
      trace(space_, start_, goal_, [&](Cell cell) -> Cost { return vertices_.peek(cell).g; });
  plan.points = to_points(space_.grid(), cells);
  return plan;
}

template <Space S>
std::size_t DStarLite<S>::memory_bytes() const {
  return vertices_.memory_bytes() + open_.memory_bytes() + changed_.memory_bytes();
}

template <Space S>
Key DStarLite<S>::calculate_key(Cell cell, const Vertex& vertex) const {
  const Cost least = std::min<Cost>(vertex.g, vertex.rhs);
  return {least + h_(cell) + k_m_, least};
}

template <Space S>
void DStarLite<S>::update_vertex(Cell cell, Vertex& vertex) {
  const bool queued = vertex.position != 0;
  if (Cost{vertex.g} != Cost{vertex.rhs}) {
    if (queued) {
      open_.update(cell, calculate_key(cell, vertex));
    } else {
      open_.insert(cell, calculate_key(cell, vertex));
    }
  } else if (queued) {
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
void DStarLite<S>::move_start(Cell start) {
  if (start == start_) return;
  // Keys must not grow for ever: who has driven further than any path is long gets a new search.
  if (k_m_ > space_.max_path_cost()) restart(goal_);
  const bool is_new = start_ == kNoCell;
  if (!is_new) k_m_ += h_(start);
  start_ = start;
  h_ = space_.heuristic_to(start);
  if (is_new) {
    ++counts_.restarts;
    initialize();
  } else {
    open_.rewind();  // the keys of what was near are too small now
  }
}

template <Space S>
Progress DStarLite<S>::compute_shortest_path(Meter& meter) {
  const Vertex& start = vertices_[start_];
  // Keys that have become too small since they were queued are set right as they are brought near.
  const auto key_of = [&](Cell cell) {
    space_.for_each_row_around(cell, [&](Cell other) { vertices_.prefetch(other); });
    return calculate_key(cell, vertices_.touched(cell));
  };
  for (;;) {
    if (open_.room() <= S::kMaxNeighbours || !open_.bring_near(key_of)) return Progress::kFull;
    if (open_.empty()) return Progress::kDone;
    const Cost rhs = start.rhs;
    if (rhs <= start.g && open_.top_key() >= Key{rhs + k_m_, rhs}) return Progress::kDone;
    if (meter.spent()) return Progress::kSpent;
    const Cell cell = open_.top();
    Vertex& vertex = vertices_.touched(cell);
    meter.expanded();
    counts_.reexpansions += vertex.was_expanded;
    vertex.was_expanded = true;
    if (Cost{vertex.g} > Cost{vertex.rhs}) {
      lower(cell, vertex);
    } else {
      raise(cell, vertex);
    }
  }
}

/// Expands an overconsistent vertex: its neighbours may become cheaper.
template <Space S>
void DStarLite<S>::lower(Cell cell, Vertex& vertex) {
  const Cost g = vertex.rhs;
  vertex.g = g;
  open_.remove(cell);
  spread_lower_g(space_, vertices_, cell, g,
                 [&](Cell next, Vertex& changed) { update_vertex(next, changed); });
}

/// Expands an underconsistent vertex: what was reached through it must look for another way.
template <Space S>
void DStarLite<S>::raise(Cell cell, Vertex& vertex) {
  const Cost g_old = vertex.g;
  vertex.g = kInfinity;
  spread_raised_g(space_, vertices_, cell, g_old, goal_,
                  [&](Cell next, Vertex& changed) { update_vertex(next, changed); });
  update_vertex(cell, vertex);
}

template <Space S>
Progress DStarLite<S>::take_in_changes(Meter& meter) {
  if (changed_.empty()) return Progress::kDone;
  open_.rewind();
  return changed_.take_in(
      space_, vertices_, meter, counts_.changed_cells,
      [&] { return open_.room() > S::kMaxNeighbours; },
      [&](Cell cell, Vertex& vertex) {
        if (cell == goal_) return;
        const Cost rhs = least_through_neighbours(space_, vertices_, cell);
        if (rhs == Cost{vertex.rhs}) return;
        vertex.rhs = rhs;
        update_vertex(cell, vertex);
      });
}

template <Space S>
void DStarLite<S>::check() const {
#ifdef DYNAMIC_PLANNERS_CHECKS
  require(open_.valid(), "D* Lite: the open list is in order");
  for (Cell cell = 0; cell < vertices_.size(); ++cell) {
    const Vertex vertex = vertices_.peek(cell);
    const Cost rhs = cell == goal_ ? 0 : least_through_neighbours(space_, vertices_, cell);
    require(Cost{vertex.rhs} == rhs, "D* Lite: rhs is the least cost through a neighbour");
    require((Cost{vertex.g} != rhs) == (vertex.position != 0),
            "D* Lite: the inconsistent vertices are queued, and no other");
    require(vertex.position == 0 || open_.is_due_by(vertex, calculate_key(cell, vertex)),
            "D* Lite: a queued key is a lower bound of the vertex's key");
  }
#endif
}

template class DStarLite<GridSpace<4>>;
template class DStarLite<GridSpace<8>>;

}  // namespace dynamic_planners
