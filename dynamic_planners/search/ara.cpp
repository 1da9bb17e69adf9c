#include "dynamic_planners/search/ara.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "dynamic_planners/search/answer.hpp"
#include "dynamic_planners/search/trace.hpp"

namespace dynamic_planners {

template <Space S>
AnytimeRepairingAStar<S>::AnytimeRepairingAStar(const S& space, const PlannerConfig& config)
    : space_(space),
      epsilon_(config.anytime),
      vertices_(space.size()),
      open_(vertices_, Epsilon::kOne * kStraight),
      incons_(space.size()),
      h_(space.heuristic_to(0)),
      keys_(space, epsilon_) {}

template <Space S>
void AnytimeRepairingAStar<S>::update(std::span<const CellChange> changes) {
  if (changes.empty()) return;
  changed_cells_ += changes.size();
  query_.reset();
}

template <Space S>
Plan AnytimeRepairingAStar<S>::plan(const Query& query, const Budget& budget) {
  if (const auto blocked = blocked_answer(space_, query)) return *blocked;

  const std::uint64_t operations = open_.operations();
  reexpansions_ = 0;
  const bool is_new = query_ != query;
  if (is_new) begin(query);
  Meter meter(budget);
  Plan plan = answer(meter);
  plan.counts.restarts = is_new ? 1 : 0;
  plan.counts.expansions = meter.expansions();
  plan.counts.reexpansions = reexpansions_;
  plan.counts.changed_cells = std::exchange(changed_cells_, 0);
  plan.counts.queue_operations = open_.operations() - operations;
  return plan;
}

template <Space S>
Plan AnytimeRepairingAStar<S>::answer(Meter& meter) {
  if (!answer_.is_there()) {
    if (search(meter) == Progress::kSpent) return Plan{.status = meter.status()};
    publish(meter);
  } else if (answer_.can_improve()) {
    if (!improving_) lower_epsilon();
    improving_ = search(meter) == Progress::kSpent;
    if (!improving_) publish(meter);
  }
  return answer_.plan();
}

template <Space S>
void AnytimeRepairingAStar<S>::begin(const Query& query) {
  query_ = query;
  answer_.reset();
  improving_ = false;
  epsilon_.start_over();
  keys_.start_over();
  vertices_.start_over();
  open_.clear();
  incons_.clear();
  search_ = 1;
  reopening_ = false;
  h_ = space_.heuristic_to(query.goal);
  Vertex& start = vertices_[query.start];
  start.g = 0;
  open_.insert(query.start, fvalue(query.start, start));
}

/// CLOSED is empty from now on, and the states of INCONS have to go into OPEN.
template <Space S>
void AnytimeRepairingAStar<S>::lower_epsilon() {
  const Cost before = epsilon_.value();
  epsilon_.lower(answer_.plan().bound);
  keys_.epsilon_changed(before, epsilon_.value());
  ++search_;
  reopening_ = true;
  open_.rewind();  // the keys of what was near are too small now
}

/// Of two states with the same f, the one with the larger g has the smaller h.
template <Space S>
Key AnytimeRepairingAStar<S>::fvalue(Cell cell, const Vertex& vertex) const {
  const Cost h = h_(cell);
  return {Epsilon::kOne * vertex.g + epsilon_.value() * h + keys_.offset(), h};
}

template <Space S>
Progress AnytimeRepairingAStar<S>::search(Meter& meter) {
  for (;;) {
    Progress progress = reopen(meter);
    if (progress == Progress::kDone) progress = improve_path(meter);
    if (progress != Progress::kFull) return progress;
    open_.grow();
  }
}

template <Space S>
Progress AnytimeRepairingAStar<S>::reopen(Meter& meter) {
  if (!reopening_) return Progress::kDone;
  const Progress progress = incons_.empty_into(
      vertices_, meter, [&] { return open_.has_room(); },
      [&](Cell cell, Vertex& vertex) { open_.insert(cell, fvalue(cell, vertex)); });
  reopening_ = progress != Progress::kDone;
  return progress;
}

template <Space S>
Progress AnytimeRepairingAStar<S>::improve_path(Meter& meter) {
  const Vertex& goal = vertices_[query_->goal];
  const auto key_of = [&](Cell cell) {
    space_.for_each_row_around(cell, [&](Cell other) { vertices_.prefetch(other); });
    return fvalue(cell, vertices_.touched(cell));
  };
  for (;;) {
    if (!open_.bring_near(key_of)) return Progress::kFull;
    if (open_.empty()) return Progress::kDone;
    if (open_.top_key().first >= Epsilon::kOne * goal.g + keys_.offset()) return Progress::kDone;
    if (meter.spent()) return Progress::kSpent;
    const Cell cell = open_.top();
    Vertex& vertex = vertices_.touched(cell);
    open_.remove(cell);
    meter.expanded(cell);
    expand(cell, vertex);
  }
}

template <Space S>
void AnytimeRepairingAStar<S>::expand(Cell cell, Vertex& vertex) {
  reexpansions_ += vertex.was_expanded;
  vertex.was_expanded = true;
  vertex.closed_by = search_;
  const Cost g = vertex.g;
  space_.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
    Vertex& next = vertices_[neighbour];
    if (next.g <= g + step) return;
    next.g = g + step;
    if (next.closed_by == search_) {
      incons_.add(neighbour, next);
    } else if (next.position == 0) {
      open_.insert(neighbour, fvalue(neighbour, next));
    } else {
      open_.update(neighbour, fvalue(neighbour, next));
    }
  });
}

template <Space S>
void AnytimeRepairingAStar<S>::publish(Meter& meter) {
  check();
  if (vertices_.peek(query_->goal).g == kInfinity) {
    answer_.publish_no_path();
    return;
  }
  if (!epsilon_.is_one()) prove_least(meter);
  // Every state has a neighbour from which its g came, and whose g may have fallen since: g falls
  // by what each step back costs or more.
  std::vector<Cell> cells = trace(space_, query_->goal, query_->start,
                                  [&](Cell cell) -> Cost { return vertices_.peek(cell).g; });
  std::reverse(cells.begin(), cells.end());
  answer_.publish(space_, cells, epsilon_);
}

/// On the best path there is a state whose g is right and which waits for its expansion, unless the
/// goal's own g is the best.
template <Space S>
void AnytimeRepairingAStar<S>::prove_least(Meter& meter) {
  Cost least = vertices_.peek(query_->goal).g;
  const auto look_at = [&](Cell cell) {
    least = std::min<Cost>(least, vertices_.touched(cell).g + h_(cell));
    meter.worked();
    return !meter.spent();
  };
  // Who runs out of time has what epsilon proves.
  const auto waiting = incons_.cells();
  if (!open_.for_each(look_at) || !std::all_of(waiting.begin(), waiting.end(), look_at)) return;
  answer_.prove_least(least);
}

template <Space S>
void AnytimeRepairingAStar<S>::check() const {
#ifdef DYNAMIC_PLANNERS_CHECKS
  require(open_.valid(), "ARA*: the open list is in order");
  for (Cell cell = 0; cell < vertices_.size(); ++cell) {
    const Vertex vertex = vertices_.peek(cell);
    require(vertex.position == 0 || vertex.closed_by != search_,
            "ARA*: a closed state is not open");
    require(vertex.position == 0 || open_.is_due_by(vertex, fvalue(cell, vertex)),
            "ARA*: a queued key is a lower bound of the state's key");
    if (vertex.position != 0 || vertex.in_incons || vertex.g == kInfinity) continue;
    space_.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
      require(vertices_.peek(neighbour).g <= vertex.g + step,
              "ARA*: what is neither open nor in INCONS has nothing to tell its neighbours");
    });
  }
#endif
}

template class AnytimeRepairingAStar<GridSpace<4>>;
template class AnytimeRepairingAStar<GridSpace<8>>;
template class AnytimeRepairingAStar<VoxelSpace>;

}  // namespace dynamic_planners
