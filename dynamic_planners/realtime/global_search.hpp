#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/realtime/bucket_queue.hpp"
#include "dynamic_planners/realtime/real_time_planner.hpp"
#include "dynamic_planners/search/answer.hpp"
#include "dynamic_planners/search/open_list.hpp"
#include "dynamic_planners/search/rhs.hpp"
#include "dynamic_planners/search/vertices.hpp"

namespace dynamic_planners {

/// The half of RTD* that searches from the goal to the robot, a little with every step.
template <Space S>
class GlobalSearch {
 public:
  GlobalSearch() = default;
  GlobalSearch(const GlobalSearch&) = delete;
  GlobalSearch& operator=(const GlobalSearch&) = delete;
  virtual ~GlobalSearch() = default;

  /// Forgets everything and is for this goal from now on.
  virtual void restart(Cell goal) = 0;
  virtual Cell goal() const = 0;
  /// Remembers that cells have changed.
  virtual void note(std::span<const CellChange> changes) = 0;

  /// Goes on for as long as `limit` and `deadline` allow. Whether it is complete: it knows a path
  /// from the start in the world as it is, or that there is none.
  virtual bool compute_shortest_path(Cell start, std::uint64_t limit, Deadline deadline,
                                     StepCounts& counts) = 0;

  // What it has found, when it is complete.

  /// kInfinity when there is no path.
  virtual Cost cost() const = 0;
  /// The first step of the path. Among equally good ones it keeps its direction, as paths of all
  /// planners do.
  virtual Cell take_first_step() = 0;
  /// The path from that step on, as many cells as there is room for; how many they are.
  virtual std::size_t way(std::span<Cell> cells) const = 0;

  virtual std::size_t memory_bytes() const = 0;
};

/// What is left of a step's limit while a search spends it. To spend is to be told whether there
/// was enough. When the deadline is over nothing is left.
class Work {
 public:
  Work(std::uint64_t expansions, Deadline deadline)
      : left_(std::min(expansions, kUnlimited / kExpansion) * kExpansion), deadline_(deadline) {}

  std::uint64_t expansions_left() const { return left_ / kExpansion; }
  bool spend_expansions(std::uint64_t count) { return spend(count * kExpansion); }
  bool spend_requeueing() { return spend(1); }

 private:
  static constexpr std::uint64_t kExpansion = StepCounts::kRequeuedPerExpansion;

  bool spend(std::uint64_t work) {
    if (left_ < work) return false;
    left_ -= work;
    unwatched_ += work;
    if (unwatched_ >= RealTimePlanner::kUnwatched * kExpansion) {
      unwatched_ = 0;
      if (is_over(deadline_)) left_ = 0;
    }
    return true;
  }

  std::uint64_t left_;
  Deadline deadline_;
  std::uint64_t unwatched_ = 0;  // spent since the clock was looked at
};

/// Cells that changed and wait to be taken in, the oldest first. The caller lets no cell be there
/// twice, so there is always room.
class PendingCells {
 public:
  explicit PendingCells(std::size_t cells) : ring_(cells) {
    std::fill_n(&ring_[0], cells, kNoCell);  // has the memory handed out now
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  void clear() { size_ = 0; }
  void push(Cell cell) { ring_[wrapped(first_ + size_++)] = cell; }
  Cell operator[](std::size_t index) const { return ring_[wrapped(first_ + index)]; }
  void drop(std::size_t count) {
    first_ = wrapped(first_ + count);
    size_ -= count;
  }
  std::size_t memory_bytes() const { return ring_.memory_bytes(); }

 private:
  std::size_t wrapped(std::size_t index) const {
    return index < ring_.size() ? index : index - ring_.size();
  }

  RawArray<Cell> ring_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

/// What D* Lite and AD* have in common as global searches, and what sets them apart from those of
/// dynamic_planners/search: nothing they do takes longer on a larger map or after a larger change.
///
/// Changed cells are taken in in portions. In between, the search knows the grid as it is, since it
/// reads it live, but some vertices have an rhs that is not yet right. That does no harm: rhs and g
/// are consistent again once every vertex whose moves changed has been updated, in whatever order
/// that and the expansions happen. Only then is the search complete.
///
/// Keys are made for a focus, a cell not far from the robot, and not for the robot itself. Were
/// they made for it, every move would let the keys at the front of the open list be too small, more
/// of them the larger the map, and to set them right could take all of the limit for ever. The
/// search ends when the robot's vertex is done, as in the paper, whatever cell it heads for. Once
/// the robot follows the path, the focus goes with it.
///
/// `Vertex` has `g`, `rhs`, `links`, and the bits `noted` and `marked`.
template <Space S, typename Vertex>
class PortionedSearch : public GlobalSearch<S> {
 public:
  /// Buckets of the open list are 2^bucket_shift wide.
  PortionedSearch(const S& space, int bucket_shift)
      : space_(space),
        vertices_(space.size()),
        open_(vertices_, bucket_shift),
        h_(space.heuristic_to(0)),
        pending_(space.size()) {
    vertices_.prefault();
  }

  void restart(Cell goal) override;
  Cell goal() const override { return goal_; }
  void note(std::span<const CellChange> changes) override;
  bool compute_shortest_path(Cell start, std::uint64_t limit, Deadline deadline,
                             StepCounts& counts) override;
  Cost cost() const override { return vertices_.peek(start_).rhs; }
  Cell take_first_step() override;
  std::size_t way(std::span<Cell> cells) const override;
  std::size_t memory_bytes() const override {
    return vertices_.memory_bytes() + open_.memory_bytes() + pending_.memory_bytes();
  }

 protected:
  using End = typename BucketQueue<Vertex>::End;

  /// Begins with the goal alone; all vertices are as new.
  virtual void initialize() = 0;
  /// The focus moves by so much, as the heuristic has it; `h_` is still that of the old one.
  virtual void focus_moves(Cost by) = 0;
  /// A portion of changes is about to be taken in.
  virtual void begin_portion() {}
  /// The rhs of this vertex is not what it was.
  virtual void rhs_changed(Cell cell, Vertex& vertex) = 0;
  /// Expands until the work is spent; calls arrive() where a path from the start is found.
  virtual void repair(Work& work, StepCounts& counts) = 0;
  /// Throws when an invariant of the search is broken.
  virtual void check() const {}

  /// The search has come to the start. While changes wait that means nothing yet.
  void arrive() {
    complete_ = pending_.empty();
#ifdef DYNAMIC_PLANNERS_CHECKS
    if (complete_) check();
#endif
  }
  bool has_pending() const {
    return !pending_.empty();
  }

  /// Queues it, under a key that it may have had already.
  ///
  /// Underconsistent vertices go to the front of their bucket: what depends on one of them has a
  /// key that is no less, so no vertex is lowered to a value that was wrong.
  void put_into_open(Cell cell, const Vertex& vertex, Cost key) {
    if (vertex.links.slot != 0) open_.remove(cell);
    open_.insert(cell, key, Cost{vertex.g} < Cost{vertex.rhs} ? End::kFront : End::kBack);
  }

  /// The cells around the one that comes next will be needed in memory.
  void prefetch_after(const Vertex& vertex) const {
    const Cell next = vertex.links.next;
    if (next == kNoCell) return;
    vertices_.prefetch(next);
    space_.for_each_row_around(next, [&](Cell other) { vertices_.prefetch(other); });
  }

  S space_;
  Vertices<Vertex> vertices_;
  BucketQueue<Vertex> open_;
  Cell goal_ = kNoCell;
  Cell start_ = kNoCell;       // kNoCell before the first search
  typename S::HeuristicTo h_;  // h(focus, .)

 private:
  /// The focus is no further from the robot than one in so many parts of the way to the goal.
  static constexpr Cost kFocus = 16;

  Cell best_step(Cell from, Cell direction) const;
  void move_start(Cell start);
  void take_in_changes(Work& work, StepCounts& counts);
  void take_in_oldest(std::uint64_t count);

  /// So many changes are taken in before the clock is looked at. In fewer at a time, more vertices
  /// would have to be updated more than once.
  static constexpr std::uint64_t kTogether = 512;

  PendingCells pending_;
  /// A path from the start is known, or that there is none. It stays so while the robot follows the
  /// path and nothing changes: no vertex on it is underconsistent, whatever is expanded meanwhile.
  bool complete_ = false;
  Cell next_ = kNoCell;  // where the last step led
  Cell direction_ = 0;   // of that step: the difference of two indices, modulo 2^32
};

template <Space S, typename Vertex>
void PortionedSearch<S, Vertex>::restart(Cell goal) {
  goal_ = goal;
  start_ = kNoCell;
  vertices_.start_over();
  open_.clear();
  pending_.clear();
  complete_ = false;
  next_ = kNoCell;
  direction_ = 0;
}

template <Space S, typename Vertex>
void PortionedSearch<S, Vertex>::note(std::span<const CellChange> changes) {
  if (start_ == kNoCell || changes.empty()) return;  // nothing is known that could have changed
  for (const CellChange& change : changes) {
    Vertex& vertex = vertices_[change.cell];
    if (!vertex.noted) pending_.push(change.cell);
    vertex.noted = true;
  }
  complete_ = false;
  direction_ = 0;
}

template <Space S, typename Vertex>
bool PortionedSearch<S, Vertex>::compute_shortest_path(Cell start, std::uint64_t limit,
                                                       Deadline deadline, StepCounts& counts) {
  Work work(limit, deadline);
  move_start(start);
  take_in_changes(work, counts);
  repair(work, counts);
  return complete_;
}

template <Space S, typename Vertex>
void PortionedSearch<S, Vertex>::move_start(Cell start) {
  if (start == start_) return;
  const bool is_new = start_ == kNoCell;
  start_ = start;
  if (is_new) {
    h_ = space_.heuristic_to(start);
    initialize();
    return;
  }
  if (start == next_ || h_(start) > space_.heuristic(start, goal_) / kFocus) {
    focus_moves(h_(start));
    h_ = space_.heuristic_to(start);
  }
  if (start != next_) {
    complete_ = false;
    direction_ = 0;
  }
  next_ = kNoCell;  // of the new start, until that is taken
}

/// Half of the work, rounded up, goes into changes at most, so that a world which changes faster
/// than it can be taken in does not stop the search.
template <Space S, typename Vertex>
void PortionedSearch<S, Vertex>::take_in_changes(Work& work, StepCounts& counts) {
  const std::uint64_t left = work.expansions_left();
  auto count = std::min<std::uint64_t>(pending_.size(), left / 2 + left % 2);
  if (count == 0) return;
  begin_portion();
  while (count > 0) {
    const auto some = std::min(count, kTogether);
    if (!work.spend_expansions(some)) return;
    counts.changed_cells += some;
    take_in_oldest(some);
    count -= some;
  }
}

/// First all are marked and then each is updated, so that none is updated twice.
template <Space S, typename Vertex>
void PortionedSearch<S, Vertex>::take_in_oldest(std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    vertices_[pending_[i]].noted = false;
    space_.for_each_affected(pending_[i], [&](Cell cell) { vertices_[cell].marked = true; });
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    space_.for_each_affected(pending_[i], [&](Cell cell) {
      Vertex& vertex = vertices_.touched(cell);
      if (!vertex.marked) return;
      vertex.marked = false;
      if (cell == goal_) return;
      const Cost rhs = least_through_neighbours(space_, vertices_, cell);
      if (rhs == Cost{vertex.rhs}) return;
      vertex.rhs = rhs;
      rhs_changed(cell, vertex);
    });
  }
  pending_.drop(count);
}

template <Space S, typename Vertex>
Cell PortionedSearch<S, Vertex>::take_first_step() {
  next_ = best_step(start_, direction_);
  direction_ = next_ - start_;
  return next_;
}

template <Space S, typename Vertex>
std::size_t PortionedSearch<S, Vertex>::way(std::span<Cell> cells) const {
  Cell before = start_;
  Cell cell = next_;
  std::size_t size = 0;
  while (size < cells.size() && cell != before) {
    cells[size++] = cell;
    if (cell == goal_) break;
    const Cell next = best_step(cell, cell - before);
    before = cell;
    cell = next;
  }
  return size;
}

/// The cell itself when nothing leads on.
template <Space S, typename Vertex>
Cell PortionedSearch<S, Vertex>::best_step(Cell from, Cell direction) const {
  Cost best_cost = kInfinity;
  Cell best = from;
  space_.for_each_neighbour(from, [&](Cell neighbour, Cost step) {
    const Cost through = step + vertices_.peek(neighbour).g;
    if (through < best_cost || (through == best_cost && neighbour - from == direction)) {
      best_cost = through;
      best = neighbour;
    }
  });
  return best;
}

}  // namespace dynamic_planners
