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
#include "dynamic_planners/search/meter.hpp"
#include "dynamic_planners/search/open_list.hpp"
#include "dynamic_planners/search/planner.hpp"
#include "dynamic_planners/search/trace.hpp"
#include "dynamic_planners/search/vertices.hpp"

namespace dynamic_planners {

/// One A* after the other, each from where the start is then to one and the same goal, with a
/// heuristic that every search makes better for the next. Adaptive A* and its relatives differ in
/// when a search may end and in whom they prefer among equals.
///
/// - A search that ends with f* at the top of OPEN teaches h(s) := f* - g(s) for all of CLOSED.
/// That
///   is as consistent as the old h (S. Koenig, M. Likhachev, "Adaptive A*", AAMAS 2005). This holds
///   for a search that was left in the middle too, and if OPEN ran empty, CLOSED cannot reach the
///   goal at all.
/// - Costs that rise leave h consistent. Where costs fall, h is lowered until it is again
///   (X. Sun, S. Koenig, W. Yeoh, "Generalized Adaptive A*", AAMAS 2008).
///
/// `Vertex` has g, h, search (16 bits), generation and position; if it has an `order`, that is the
/// number of its insertion into OPEN.
template <Space S, typename Vertex>
class AdaptiveSearch {
 public:
  explicit AdaptiveSearch(const S& space)
      : space_(space),
        vertices_(space.size()),
        open_(vertices_, kStraight),
        h_(space.heuristic_to(0)) {
    closed_.reserve(space.size());
  }
  AdaptiveSearch(const AdaptiveSearch&) = delete;
  AdaptiveSearch& operator=(const AdaptiveSearch&) = delete;

  void restart(Cell goal) {
    goal_ = goal;
    if (goal != kNoCell) h_ = space_.heuristic_to(goal);
    stage_ = Stage::kNew;
    vertices_.start_over();
    open_.clear();
    closed_.clear();
    fallen_.clear();
    taken_in_ = 0;
    search_ = 0;
  }
  Cell goal() const { return goal_; }

  void note(std::span<const CellChange> changes) {
    if (stage_ == Stage::kNew || changes.empty()) return;  // nothing is known that could be wrong
    world_changed_ = true;
    changed_cells_ += changes.size();
    for (const CellChange& change : changes) {
      const bool rose = change.before < change.after && change.after != kUnknown;
      if (!rose) fallen_.push_back(change.cell);
    }
    // More would have to be unlearned than learned anew.
    if (fallen_.size() > space_.size() / 4) merge_fallen();
    if (fallen_.size() > space_.size() / 4) restart(goal_);
  }

  /// Searches until `goal_condition(cell)` holds for the cell at the top of OPEN, whose order is
  /// `key(cell, vertex)`, the first part of which is f. Goes on where it was when nothing has
  /// changed. The answer lacks the way from the cell where the search ended to the goal.
  template <typename KeyOf, typename GoalCondition>
  Progress run(Cell start, Meter& meter, PlanCounts& counts, KeyOf&& key,
               GoalCondition&& goal_condition) {
    const std::uint64_t operations = open_.operations();
    if (search_ > kMaxSearch) restart(goal_);
    if (stage_ == Stage::kNew) {
      ++counts.restarts;
      begin(start, key);
    }
    Progress progress = advance(start, meter, key, goal_condition);
    while (progress == Progress::kFull) {
      open_.grow();
      progress = advance(start, meter, key, goal_condition);
    }
    counts.expansions = meter.expansions();
    counts.changed_cells = std::exchange(changed_cells_, 0);
    counts.queue_operations = open_.operations() - operations;
    return progress;
  }

  /// Where the search ended; kNoCell when there is no path.
  Cell end() const { return end_; }
  /// f of the path through it.
  Cost cost() const { return vertices_.peek(end_).g + h(end_); }
  /// The cells from the start to there.
  std::vector<Cell> cells() const {
    std::vector<Cell> cells = trace(space_, end_, start_, [&](Cell cell) -> Cost {
      const Vertex& vertex = vertices_.peek(cell);
      return vertex.search == search_ ? Cost{vertex.g} : kInfinity;
    });
    std::reverse(cells.begin(), cells.end());
    return cells;
  }

  /// What is known of the cost from a cell to the goal.
  Cost h(Cell cell) const {
    const Vertex& vertex = vertices_.peek(cell);
    return vertex.search == 0 ? h_(cell) : Cost{vertex.h};
  }
  Vertices<Vertex>& vertices() { return vertices_; }
  const Vertices<Vertex>& vertices() const { return vertices_; }

  std::size_t memory_bytes() const {
    return vertices_.memory_bytes() + open_.memory_bytes() +
           (closed_.capacity() + fallen_.capacity()) * sizeof(Cell);
  }

  void check() const {
#ifdef DYNAMIC_PLANNERS_CHECKS
    require(open_.valid(), "Adaptive A*: the open list is in order");
    require(h(goal_) == 0, "Adaptive A*: h of the goal is 0");
    for (Cell cell = 0; cell < vertices_.size(); ++cell) {
      space_.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
        require(h(cell) <= step + h(neighbour), "Adaptive A*: h is consistent");
      });
    }
#endif
  }

 private:
  /// In the order in which one follows the other; after kEnded comes kLearning.
  enum class Stage { kNew, kLearning, kRepairing, kSearching, kEnded };
  static constexpr std::uint16_t kMaxSearch = std::numeric_limits<std::uint16_t>::max() - 2;

  template <typename KeyOf, typename GoalCondition>
  Progress advance(Cell start, Meter& meter, KeyOf&& key, GoalCondition&& goal_condition) {
    if (stage_ >= Stage::kSearching && (start != start_ || world_changed_)) {
      if (!open_.bring_near(with_vertex(key))) return Progress::kFull;
      f_ = open_.empty() ? kInfinity : open_.top_key().first;
      stage_ = Stage::kLearning;
    }
    if (stage_ == Stage::kLearning) {
      if (learn(meter) == Progress::kSpent) return Progress::kSpent;
      if (fallen_.empty()) {
        begin(start, key);
      } else {
        stage_ = Stage::kRepairing;
        begin_with_empty_open();
      }
    }
    if (stage_ == Stage::kRepairing) {
      Progress progress = take_in_fallen_costs(meter);
      if (progress == Progress::kDone) progress = make_consistent(meter);
      if (progress != Progress::kDone) return progress;
      begin(start, key);
    }
    return stage_ == Stage::kEnded ? Progress::kDone : search(meter, key, goal_condition);
  }

  template <typename KeyOf>
  auto with_vertex(KeyOf& key) {
    return [&](Cell cell) {
      space_.for_each_row_around(cell, [&](Cell other) { vertices_.prefetch(other); });
      return key(cell, vertices_.touched(cell));
    };
  }

  void begin_with_empty_open() {
    ++search_;
    open_.clear();
  }

  template <typename KeyOf>
  void begin(Cell start, KeyOf& key) {
    stage_ = Stage::kSearching;
    world_changed_ = false;
    start_ = start;
    inserted_ = 0;
    begin_with_empty_open();
    Vertex& vertex = initialize_state(start);
    vertex.g = 0;
    if (vertex.h != kInfinity) open_.insert(start, key(start, vertex));
  }

  /// The vertex as it is at the beginning of a search.
  Vertex& initialize_state(Cell cell) {
    Vertex& vertex = vertices_[cell];
    if (vertex.search != search_) {
      if (vertex.search == 0) vertex.h = h_(cell);
      vertex.search = search_;
      vertex.g = kInfinity;
      vertex.position = 0;
    }
    return vertex;
  }

  template <typename KeyOf, typename GoalCondition>
  Progress search(Meter& meter, KeyOf& key, GoalCondition& goal_condition) {
    const auto key_of = with_vertex(key);
    for (;;) {
      if (!open_.bring_near(key_of)) return Progress::kFull;
      if (open_.empty() || goal_condition(open_.top())) {
        end_ = open_.empty() ? kNoCell : open_.top();
        stage_ = Stage::kEnded;
        return Progress::kDone;
      }
      if (meter.spent()) return Progress::kSpent;
      const Cell cell = open_.top();
      open_.remove(cell);
      meter.expanded(cell);
      closed_.push_back(cell);
      expand(cell, key);
    }
  }

  template <typename KeyOf>
  void expand(Cell cell, KeyOf& key) {
    const Cost g = vertices_.touched(cell).g;
    space_.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
      Vertex& next = initialize_state(neighbour);
      if (next.g <= g + step || next.h == kInfinity) return;
      next.g = g + step;
      if (next.position != 0) {
        open_.update(neighbour, key(neighbour, next));
        return;
      }
      if constexpr (requires { next.order; }) next.order = inserted_++;
      open_.insert(neighbour, key(neighbour, next));
    });
  }

  Progress learn(Meter& meter) {
    for (; !closed_.empty(); closed_.pop_back()) {
      if (meter.spent()) return Progress::kSpent;
      Vertex& vertex = vertices_.touched(closed_.back());
      if (f_ == kInfinity) {
        vertex.h = kInfinity;
      } else if (f_ > vertex.g + vertex.h) {
        vertex.h = f_ - vertex.g;
      }
      meter.worked();
    }
    return Progress::kDone;
  }

  /// Makes the h of a cell no larger than what it is through a neighbour.
  void lower_h(Cell cell, Cost h) {
    Vertex& vertex = initialize_state(cell);
    if (vertex.h <= h) return;
    vertex.h = h;
    if (vertex.position == 0) {
      open_.insert(cell, {h, 0});
    } else {
      open_.update(cell, {h, 0});
    }
  }
  /// Before anybody has learned, h is consistent whatever the costs are.
  bool has_learned(Cell cell) const {
    return vertices_.peek(cell).search != 0;
  }

  /// One of each cell is enough, however often it has changed.
  void merge_fallen() {
    fallen_.erase(fallen_.begin(), fallen_.begin() + static_cast<std::ptrdiff_t>(taken_in_));
    taken_in_ = 0;
    std::sort(fallen_.begin(), fallen_.end());
    fallen_.erase(std::unique(fallen_.begin(), fallen_.end()), fallen_.end());
  }

  Progress take_in_fallen_costs(Meter& meter) {
    for (; taken_in_ < fallen_.size(); ++taken_in_) {
      if (meter.spent()) return Progress::kSpent;
      if (!open_.has_room()) return Progress::kFull;
      if (space_.blocked(fallen_[taken_in_])) continue;
      space_.for_each_affected(fallen_[taken_in_], [&](Cell cell) {
        if (!has_learned(cell) || cell == goal_) return;
        Cost least = kInfinity;
        space_.for_each_neighbour(
            cell, [&](Cell neighbour, Cost step) { least = std::min(least, step + h(neighbour)); });
        lower_h(cell, least);
        meter.worked();
      });
    }
    fallen_.clear();
    taken_in_ = 0;
    return Progress::kDone;
  }

  /// The consistency procedure of Generalized Adaptive A*: h falls from the cells that are queued
  /// outwards, the least first.
  Progress make_consistent(Meter& meter) {
    const auto key_of = [&](Cell cell) { return Key{vertices_.touched(cell).h, 0}; };
    for (;;) {
      if (!open_.bring_near(key_of)) return Progress::kFull;
      if (open_.empty()) return Progress::kDone;
      if (meter.spent()) return Progress::kSpent;
      const Cell cell = open_.top();
      open_.remove(cell);
      meter.expanded(cell);
      const Cost least = vertices_.touched(cell).h;
      space_.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
        if (has_learned(neighbour) && neighbour != goal_) lower_h(neighbour, step + least);
      });
    }
  }

  S space_;
  Vertices<Vertex> vertices_;
  OpenList<Vertex> open_;
  typename S::HeuristicTo h_;  // h(., s_goal) as nobody has learned anything
  Cell goal_ = kNoCell;
  Cell start_ = kNoCell;

  Stage stage_ = Stage::kNew;
  /// A vertex with another number is as new to the search; with 0 it has learned nothing. Repairs
  /// count as searches here.
  std::uint16_t search_ = 0;
  std::uint32_t inserted_ = 0;
  std::vector<Cell> closed_;
  Cell end_ = kNoCell;
  Cost f_ = 0;  // at the top of OPEN when the search was left

  bool world_changed_ = false;
  std::vector<Cell> fallen_;  // cells whose costs may have fallen
  std::size_t taken_in_ = 0;  // of these
  std::uint64_t changed_cells_ = 0;
};

}  // namespace dynamic_planners
