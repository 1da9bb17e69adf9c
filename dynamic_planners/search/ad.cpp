#include "dynamic_planners/search/ad.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "dynamic_planners/search/answer.hpp"
#include "dynamic_planners/search/rhs.hpp"
#include "dynamic_planners/search/trace.hpp"

namespace dynamic_planners {

template <Space S>
AnytimeDStar<S>::AnytimeDStar(const S& space, const PlannerConfig& config)
    : space_(space),
      epsilon_(config.anytime),
      significant_change_(config.anytime.significant_change),
      vertices_(space.size()),
      open_(vertices_, Epsilon::kOne * kStraight),
      incons_(space.size()),
      h_(space.heuristic_to(0)),
      keys_(space, epsilon_) {
  if (!(significant_change_ >= 0.0 && significant_change_ <= 1.0)) {
    throw std::invalid_argument("significant_change must be from 0 to 1, not " +
                                std::to_string(significant_change_));
  }
}

template <Space S>
void AnytimeDStar<S>::restart(Cell goal) {
  goal_ = goal;
  start_ = kNoCell;
  epsilon_.start_over();
  vertices_.start_over();
  open_.clear();
  incons_.clear();
  search_ = 1;
  reopening_ = false;
  keys_.start_over();
  changed_.clear();
  changes_noted_ = false;
  answer_.reset();
  world_is_answered_ = false;
  improving_ = false;
  path_.clear();
  expansions_ = 0;
}

template <Space S>
void AnytimeDStar<S>::note(std::span<const CellChange> changes) {
  if (start_ == kNoCell || changes.empty()) return;  // nothing is known that could have changed
  const double most = significant_change_ * space_.size();
  if (!changed_.add(changes, static_cast<std::size_t>(most))) {
    restart(goal_);
    return;
  }
  changes_noted_ = true;
  answer_.reset();
  world_is_answered_ = false;
  improving_ = false;
}

template <Space S>
Plan AnytimeDStar<S>::plan(Cell start, const Budget& budget) {
  counts_ = {};
  const std::uint64_t operations = open_.operations();
  Meter meter(budget);
  const bool exhausted =
      keys_.exhausted() || search_ > std::numeric_limits<std::uint32_t>::max() / 2;
  if (exhausted || (changes_noted_ && !repair_pays(start))) restart(goal_);
  move_start(start);
  if (std::exchange(changes_noted_, false)) {
    Epsilon raised = epsilon_;
    raised.raise();
    set_epsilon(raised);
  }
  Plan plan = answer(meter);
  counts_.expansions = meter.expansions();
  expansions_ += meter.expansions();
  counts_.queue_operations = open_.operations() - operations;
  plan.counts = counts_;
  return plan;
}

template <Space S>
Plan AnytimeDStar<S>::answer(Meter& meter) {
  if (!answer_.is_there()) {
    if (search(meter) == Progress::kSpent) return Plan{.status = meter.status()};
    publish(meter);
    if (!std::exchange(world_is_answered_, true)) return answer_.plan();
  }
  if (answer_.can_improve()) improve(meter);
  return answer_.plan();
}

template <Space S>
std::size_t AnytimeDStar<S>::memory_bytes() const {
  return vertices_.memory_bytes() + open_.memory_bytes() + incons_.memory_bytes() +
         changed_.memory_bytes();
}

/// The keys of underconsistent states are not inflated: no state that depends on such a one has a
/// smaller key, however large epsilon is.
template <Space S>
Key AnytimeDStar<S>::key(Cell cell, const Vertex& vertex) const {
  const Cost g = vertex.g;
  const Cost rhs = vertex.rhs;
  if (g > rhs) {
    return {Epsilon::kOne * rhs + epsilon_.value() * h_(cell) + keys_.offset(), kOverconsistent};
  }
  return {Epsilon::kOne * (g + h_(cell)) + keys_.offset(), kUnderconsistent};
}

template <Space S>
void AnytimeDStar<S>::update_state(Cell cell, Vertex& vertex) {
  const bool queued = vertex.position != 0;
  if (Cost{vertex.g} == Cost{vertex.rhs}) {
    if (queued) open_.remove(cell);
  } else if (vertex.closed_by == search_) {
    incons_.add(cell, vertex);
  } else if (queued) {
    open_.update(cell, key(cell, vertex));
  } else {
    open_.insert(cell, key(cell, vertex));
  }
}

template <Space S>
void AnytimeDStar<S>::initialize() {
  Vertex& vertex = vertices_[goal_];
  vertex.rhs = 0;
  open_.insert(goal_, key(goal_, vertex));
}

template <Space S>
void AnytimeDStar<S>::move_start(Cell start) {
  if (start == start_) return;
  answer_.reset();
  improving_ = false;
  const bool is_new = start_ == kNoCell;
  if (!is_new) keys_.end_moved(h_(start), epsilon_);
  start_ = start;
  h_ = space_.heuristic_to(start);
  if (is_new) {
    ++counts_.restarts;
    initialize();
  } else {
    begin_search();
  }
}

template <Space S>
void AnytimeDStar<S>::set_epsilon(Epsilon epsilon) {
  keys_.epsilon_changed(epsilon_.value(), epsilon.value());
  epsilon_ = epsilon;
  begin_search();
}

/// CLOSED is empty from now on, and the states of INCONS have to go into OPEN.
template <Space S>
void AnytimeDStar<S>::begin_search() {
  ++search_;
  reopening_ = true;
  open_.rewind();  // the keys of what was near are too small now
}

/// Where the last path is cut, all that lies between the start and the cut has to be expanded
/// twice: to forget what it costs, and to find it out again. With a large epsilon, a new search
/// expands little more than the cells of a path; then a cut far from the start is not worth a
/// repair.
template <Space S>
bool AnytimeDStar<S>::repair_pays(Cell start) const {
  const auto here = std::find(path_.begin(), path_.end(), start);
  auto cut = here;
  for (auto at = here; at != path_.end() && at + 1 != path_.end(); ++at) {
    if (space_.step_cost(*at, *(at + 1)) == kInfinity) cut = at + 1;
  }
  const double anew = expansions_per_step_ * static_cast<double>(path_.end() - here);
  return 2.0 * static_cast<double>(cut - here) <= anew;
}

template <Space S>
Progress AnytimeDStar<S>::search(Meter& meter) {
  for (;;) {
    Progress progress = take_in_changes(meter);
    if (progress == Progress::kDone) progress = reopen(meter);
    if (progress == Progress::kDone) progress = compute_or_improve_path(meter);
    if (progress != Progress::kFull) return progress;
    open_.grow();
  }
}

template <Space S>
Progress AnytimeDStar<S>::take_in_changes(Meter& meter) {
  if (changed_.empty()) return Progress::kDone;
  return changed_.take_in(
      space_, vertices_, meter, counts_.changed_cells, [&] { return open_.has_room(); },
      [&](Cell cell, Vertex& vertex) {
        if (cell == goal_) return;
        const Cost rhs = least_through_neighbours(space_, vertices_, cell);
        if (rhs == Cost{vertex.rhs}) return;
        vertex.rhs = rhs;
        update_state(cell, vertex);
      });
}

template <Space S>
Progress AnytimeDStar<S>::reopen(Meter& meter) {
  if (!reopening_) return Progress::kDone;
  const Progress progress = incons_.empty_into(
      vertices_, meter, [&] { return open_.has_room(); },
      [&](Cell cell, Vertex& vertex) { update_state(cell, vertex); });
  reopening_ = progress != Progress::kDone;
  return progress;
}

template <Space S>
Progress AnytimeDStar<S>::compute_or_improve_path(Meter& meter) {
  const Vertex& start = vertices_[start_];
  const auto update = [&](Cell next, Vertex& changed) { update_state(next, changed); };
  // Keys that have become too small since they were queued are set right as they are brought near.
  const auto key_of = [&](Cell cell) {
    space_.for_each_row_around(cell, [&](Cell other) { vertices_.prefetch(other); });
    return key(cell, vertices_.touched(cell));
  };
  for (;;) {
    if (!open_.bring_near(key_of)) return Progress::kFull;
    if (open_.empty()) return Progress::kDone;
    // Once the start is due there is no need to make it consistent: its rhs is the path's cost.
    const Cost rhs = start.rhs;
    const Key key_of_start{Epsilon::kOne * rhs + keys_.offset(), kOverconsistent};
    if (rhs <= start.g && open_.top_key() >= key_of_start) return Progress::kDone;
    if (meter.spent()) return Progress::kSpent;
    const Cell cell = open_.top();
    Vertex& vertex = vertices_.touched(cell);
    meter.expanded(cell);
    counts_.reexpansions += vertex.was_expanded;
    vertex.was_expanded = true;
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
}

template <Space S>
void AnytimeDStar<S>::improve(Meter& meter) {
  if (!improving_) {
    Epsilon lowered = epsilon_;
    lowered.lower(answer_.plan().bound);
    set_epsilon(lowered);
    improving_ = true;
  }
  if (search(meter) == Progress::kSpent) return;
  improving_ = false;
  publish(meter);
}

template <Space S>
void AnytimeDStar<S>::publish(Meter& meter) {
  check();
  if (vertices_.peek(start_).rhs == kInfinity) {
    answer_.publish_no_path();
    return;
  }
  if (!epsilon_.is_one()) prove_least(meter);
  // No state on this walk is underconsistent: it would have come before the start. So rhs falls by
  // what each step costs or more, and the path may well be cheaper than the start's rhs says.
  std::vector<Cell> cells =
      trace(space_, start_, goal_, [&](Cell cell) -> Cost { return vertices_.peek(cell).g; });
  answer_.publish(space_, cells, epsilon_);
  const bool is_first = path_.empty();
  path_ = std::move(cells);
  if (is_first) {
    const auto effort = static_cast<double>(expansions_ + meter.expansions());
    expansions_per_step_ = effort / static_cast<double>(path_.size());
  }
}

/// On the best path, the vertex nearest to the goal that is inconsistent has an rhs that is no more
/// than what the path costs from there. If there is none, the start's own rhs is the best.
template <Space S>
void AnytimeDStar<S>::prove_least(Meter& meter) {
  Cost least = vertices_.peek(start_).rhs;
  const auto look_at = [&](Cell cell) {
    const Vertex& vertex = vertices_.touched(cell);
    if (Cost{vertex.g} != Cost{vertex.rhs}) least = std::min<Cost>(least, vertex.rhs + h_(cell));
    meter.worked();
    return !meter.spent();
  };
  // Who runs out of time has what epsilon proves.
  const auto waiting = incons_.cells();
  if (!open_.for_each(look_at) || !std::all_of(waiting.begin(), waiting.end(), look_at)) return;
  answer_.prove_least(least);
}

template <Space S>
void AnytimeDStar<S>::check() const {
#ifdef DYNAMIC_PLANNERS_CHECKS
  require(open_.valid(), "AD*: the open list is in order");
  for (Cell cell = 0; cell < vertices_.size(); ++cell) {
    const Vertex vertex = vertices_.peek(cell);
    const Cost g = vertex.g;
    const Cost rhs = cell == goal_ ? 0 : least_through_neighbours(space_, vertices_, cell);
    const bool closed = vertex.closed_by == search_;
    require(Cost{vertex.rhs} == rhs, "AD*: rhs is the least cost through a neighbour");
    require((g != rhs && !closed) == (vertex.position != 0),
            "AD*: the inconsistent states that are not closed are queued, and no other");
    require(!(g != rhs && closed) || vertex.in_incons,
            "AD*: closed inconsistent ones are in INCONS");
    require(!(g < rhs && closed), "AD*: no closed state is underconsistent");
    require(vertex.position == 0 || open_.is_due_by(vertex, key(cell, vertex)),
            "AD*: a queued key is a lower bound of the state's key");
  }
#endif
}

template class AnytimeDStar<GridSpace<4>>;
template class AnytimeDStar<GridSpace<8>>;
template class AnytimeDStar<VoxelSpace>;

}  // namespace dynamic_planners
