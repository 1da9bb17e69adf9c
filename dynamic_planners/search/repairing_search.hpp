#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/search/answer.hpp"
#include "dynamic_planners/search/changed_cells.hpp"
#include "dynamic_planners/search/meter.hpp"
#include "dynamic_planners/search/open_list.hpp"
#include "dynamic_planners/search/planner.hpp"
#include "dynamic_planners/search/trace.hpp"
#include "dynamic_planners/search/vertices.hpp"

namespace dynamic_planners {

/// What the searches have in common that are rooted at the goal, follow a moving start and repair
/// what a change of the world has made wrong: everything but the repair itself. For PerGoal.
///
/// A repair that turns out to be more work than the last search from scratch is given up for a new
/// one, so whatever changes, planning takes at most about twice as long as if nothing were kept.
///
/// `Vertex` has, besides what Vertices and OpenList ask for, the flags `marked` and `was_expanded`,
/// cost_to_goal(), and kNamesOthers: whether it has the numbers of other cells. `Heuristic` is made
/// of the space's own.
template <Space S, typename Vertex, typename Heuristic = typename S::HeuristicTo>
class RepairingSearch {
 public:
  explicit RepairingSearch(const S& space)
      : space_(space),
        vertices_(space.size()),
        open_(vertices_, kStraight),
        h_(space.heuristic_to(0)) {}
  RepairingSearch(const RepairingSearch&) = delete;
  RepairingSearch& operator=(const RepairingSearch&) = delete;
  virtual ~RepairingSearch() = default;

  /// Forgets everything and is for this goal from now on.
  void restart(Cell goal);
  Cell goal() const { return goal_; }
  const Grid& grid() const requires PlanarSpace<S> { return space_.grid(); }

  /// Remembers that cells have changed, for the next plan().
  void note(std::span<const CellChange> changes);

  /// The grid moved over the world.
  void move(const Shift& shift) requires PlanarSpace<S>;

  Plan plan(Cell start, const Budget& budget);

  std::size_t memory_bytes() const {
    return vertices_.memory_bytes() + open_.memory_bytes() + changed_.memory_bytes();
  }

 protected:
  /// Begins with the goal alone; all vertices are as new.
  virtual void initialize() = 0;
  /// The moves of this vertex may have changed. It is touched; there is room in the open list for
  /// it and its neighbours.
  virtual void update_changed(Cell cell, Vertex& vertex) = 0;
  /// Repairs until the cost from the start is final, after all changes are taken in.
  virtual Progress repair(Meter& meter) = 0;
  /// What the way from the start costs, after that.
  virtual Cost cost() const { return vertices_.peek(start_).cost_to_goal(); }
  /// Fills in a path that was found. If that takes long, the budget may end it: the status says so.
  virtual void publish(Plan& plan, const Budget& budget);
  /// Throws when an invariant of the search is broken.
  virtual void check() const {}

  /// The key of a vertex from which the goal costs so much. k_m grows as the start moves, so that
  /// queued keys stay lower bounds of what they ought to be.
  Key key(Cell cell, Cost cost) const { return {cost + h_(cell) + k_m_, cost}; }

  void put_into_open(Cell cell, const Vertex& vertex, const Key& key) {
    if (vertex.position != 0) {
      open_.update(cell, key);
    } else {
      open_.insert(cell, key);
    }
  }

  /// Another number whenever the path may be another one.
  std::uint64_t state() const { return state_; }

  /// Brings the next vertex to expand to the top of the open list, if there is one. False when the
  /// list must grow first. `key_of` is the key that a vertex ought to have: one that has become too
  /// small since it was queued is set right here.
  template <typename KeyOf>
  bool bring_near(KeyOf&& key_of) {
    return open_.bring_near([&](Cell cell) {
      space_.for_each_row_around(cell, [&](Cell other) { vertices_.prefetch(other); });
      return key_of(cell, vertices_.touched(cell));
    });
  }

  void count_expansion(Cell cell, Vertex& vertex, Meter& meter) {
    meter.expanded(cell);
    counts_.reexpansions += vertex.was_expanded;
    vertex.was_expanded = true;
  }

  S space_;
  Vertices<Vertex> vertices_;
  OpenList<Vertex> open_;
  Cell goal_ = kNoCell;
  Cell start_ = kNoCell;  // kNoCell before the first search
  Heuristic h_;           // h(s_start, .)
  Cost k_m_ = 0;

 private:
  void move_start(Cell start);
  void begin(Cell start);
  Progress take_in_changes(Meter& meter);
  Progress search(Meter& meter);

  ChangedCells changed_;
  PlanCounts counts_;  // of the plan() under way
  std::uint64_t state_ = 0;

  // In work as Meter counts it.
  bool is_new_ = false;           // nothing has been found yet
  std::uint64_t effort_ = 0;      // since the last plan that was found
  std::uint64_t new_effort_ = 0;  // what the last new search took
};

template <Space S, typename Vertex, typename Heuristic>
void RepairingSearch<S, Vertex, Heuristic>::restart(Cell goal) {
  goal_ = goal;
  start_ = kNoCell;
  k_m_ = 0;
  vertices_.start_over();
  open_.clear();
  changed_.clear();
}

template <Space S, typename Vertex, typename Heuristic>
void RepairingSearch<S, Vertex, Heuristic>::note(std::span<const CellChange> changes) {
  if (start_ == kNoCell) return;  // nothing is known that could have changed
  // More would have to be repaired than found anew.
  if (!changed_.add(changes, space_.size() / 4)) restart(goal_);
}

template <Space S, typename Vertex, typename Heuristic>
Plan RepairingSearch<S, Vertex, Heuristic>::plan(Cell start, const Budget& budget) {
  counts_ = {};
  const std::uint64_t operations = open_.operations();
  move_start(start);
  Meter meter(budget);
  if (!is_new_) meter.set_patience(new_effort_ - std::min(effort_, new_effort_));
  Progress progress = search(meter);
  std::uint64_t abandoned = 0;  // is no part of what the new search takes
  if (progress == Progress::kSpent && meter.gave_up()) {
    abandoned = meter.work();
    restart(goal_);
    begin(start);
    meter.set_patience(std::numeric_limits<std::uint64_t>::max());
    progress = search(meter);
  }
  effort_ += meter.work() - abandoned;
  if (meter.work() > 0) ++state_;
  counts_.expansions = meter.expansions();
  counts_.queue_operations = open_.operations() - operations;
  Plan plan;
  plan.counts = counts_;
  if (progress == Progress::kSpent) {
    plan.status = meter.status();
    return plan;
  }
  if (std::exchange(is_new_, false)) new_effort_ = effort_;
  effort_ = 0;
#ifdef DYNAMIC_PLANNERS_CHECKS
  require(open_.valid(), "the open list is in order");
  check();
#endif
  if (cost() == kInfinity) return plan;
  plan.status = PlanStatus::kFound;
  publish(plan, budget);
  return plan;
}

template <Space S, typename Vertex, typename Heuristic>
void RepairingSearch<S, Vertex, Heuristic>::publish(Plan& plan, const Budget& /*budget*/) {
  plan.cost = cost();
  plan.bound = 1.0;
  const std::vector<Cell> cells =
      trace(space_, start_, goal_, [&](Cell cell) { return vertices_.peek(cell).cost_to_goal(); });
  plan.points = to_points(space_, cells);
}

template <Space S, typename Vertex, typename Heuristic>
void RepairingSearch<S, Vertex, Heuristic>::move(const Shift& shift) requires PlanarSpace<S> {
  const Grid& grid = space_.grid();
  const Cell goal = moved(grid, goal_, shift);
  const Cell start = moved(grid, start_, shift);
  if (Vertex::kNamesOthers || start == kNoCell || goal == kNoCell) {
    restart(goal);
    return;
  }
  open_.rewind();
  grid.for_each_leaving(shift, [&](Cell cell) {
    if (vertices_.peek(cell).position != 0) open_.remove(cell);
  });
  vertices_.move(grid, shift);
  open_.move(grid, shift);
  changed_.move(grid, shift);
  // Where cells have left, the moves to them are gone.
  if (shift.dx != 0) {
    const int x = shift.dx > 0 ? 0 : grid.width() - 1;
    for (int y = 0; y < grid.height(); ++y) changed_.add(grid.cell(x, y));
  }
  if (shift.dy != 0) {
    const int y = shift.dy > 0 ? 0 : grid.height() - 1;
    for (int x = 0; x < grid.width(); ++x) changed_.add(grid.cell(x, y));
  }
  goal_ = goal;
  start_ = start;
  h_ = Heuristic(space_.heuristic_to(start));
  ++state_;
}

template <Space S, typename Vertex, typename Heuristic>
void RepairingSearch<S, Vertex, Heuristic>::move_start(Cell start) {
  if (start == start_) return;
  // Keys must not grow for ever: who has driven further than any path is long gets a new search.
  if (k_m_ > space_.max_path_cost()) restart(goal_);
  if (start_ == kNoCell) {
    begin(start);
    return;
  }
  k_m_ += h_(start);
  start_ = start;
  ++state_;
  h_ = Heuristic(space_.heuristic_to(start));
  open_.rewind();  // the keys of what was near are too small now
}

template <Space S, typename Vertex, typename Heuristic>
void RepairingSearch<S, Vertex, Heuristic>::begin(Cell start) {
  start_ = start;
  h_ = Heuristic(space_.heuristic_to(start));
  ++counts_.restarts;
  ++state_;
  is_new_ = true;
  effort_ = 0;
  initialize();
}

template <Space S, typename Vertex, typename Heuristic>
Progress RepairingSearch<S, Vertex, Heuristic>::search(Meter& meter) {
  for (;;) {
    Progress progress = take_in_changes(meter);
    if (progress == Progress::kDone) progress = repair(meter);
    if (progress != Progress::kFull) return progress;
    open_.grow();
  }
}

template <Space S, typename Vertex, typename Heuristic>
Progress RepairingSearch<S, Vertex, Heuristic>::take_in_changes(Meter& meter) {
  if (changed_.empty()) return Progress::kDone;
  open_.rewind();
  return changed_.take_in(
      space_, vertices_, meter, counts_.changed_cells, [&] { return open_.has_room(); },
      [&](Cell cell, Vertex& vertex) { update_changed(cell, vertex); });
}

}  // namespace dynamic_planners
