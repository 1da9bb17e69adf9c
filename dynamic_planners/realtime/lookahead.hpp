#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/realtime/learned_heuristic.hpp"
#include "dynamic_planners/realtime/real_time_planner.hpp"
#include "dynamic_planners/search/open_list.hpp"
#include "dynamic_planners/search/vertices.hpp"

namespace dynamic_planners {

/// Whether no cell's f is less than that of the cell before it: for a heuristic that learning does
/// not keep consistent. Such a one cannot serve another goal (LearnedHeuristic).
enum class Pathmax { kOff, kOn };

/// What LRTA* and LSS-LRTA* have in common: an A* search from the robot that ends after so many
/// expansions, a step towards the best cell of its frontier, and a heuristic that learns.
///
/// Every step looks anew, so the world as it is now is all it ever sees. Memory is there for every
/// cell of the map; a step touches what its limit allows of it, whatever the size of the map.
template <Space S>
class Lookahead : public RealTimePlanner {
 public:
  Lookahead(const S& space, Pathmax pathmax)
      : space_(space),
        h_(space),
        vertices_(space.size()),
        pathmax_(pathmax),
        heap_(space.size()),
        reached_(space.size()) {
    vertices_.prefault();
  }

  /// The grid is read anew with every step.
  void update(std::span<const CellChange> /*changes*/) override {}
  Step step(Cell start, Cell goal, std::uint64_t limit, Deadline deadline) override;
  /// Not more than kMaxWay cells.
  std::size_t way(std::span<Cell> cells) const override;
  void reset() override {
    h_.forget();
    way_size_ = 0;
  }
  std::size_t memory_bytes() const override;

 protected:
  struct Vertex {
    PackedCost g;
    bool reached;  // g and the parent are set
    bool closed;
    Cell parent;
    std::uint32_t position;  // in the heap, from 1; 0 when it is not there
  };
  static_assert(sizeof(Vertex) == 16);

  /// Learns from the search that has just ended with this least f of its frontier.
  virtual void learn(Cell start, Cost least_f) = 0;

  // A heap of cells by their keys, exactly ordered.
  void push_or_move(Cell cell, const Key& key);
  Cell pop();
  Cost top_f() const { return heap_[0].key.first; }
  /// Lets all cells of the heap have other keys.
  template <typename KeyOf>
  void rekey(KeyOf&& key_of);

  S space_;
  LearnedHeuristic<S> h_;
  ZeroedArray<Vertex> vertices_;  // zero before a step and after it
  std::uint64_t expansions_ = 0;

  /// All cells of this step.
  std::span<const Cell> reached() const { return {&reached_[0], reached_size_}; }

 private:
  struct Entry {
    Key key;
    Cell cell;

    bool operator<(const Entry& other) const {
      return key != other.key ? key < other.key : cell < other.cell;
    }
  };

  void a_star(Cell start, Cell goal, std::uint64_t limit, Deadline deadline);
  void expand(Cell cell, Cost least_f);
  void reach(Cell cell, Cell parent, Cost g, Cost least_f);
  void find_way(Cell best, Cell start);
  void clean_up();

  void place(std::size_t index, const Entry& entry) {
    heap_[index] = entry;
    vertices_[entry.cell].position = static_cast<std::uint32_t>(index + 1);
  }
  void sift_up(std::size_t index, Entry moved);
  void sift_down(std::size_t index, Entry moved);

  static constexpr std::size_t kMaxWay = 1000;

  Pathmax pathmax_;
  std::array<Cell, kMaxWay> way_{};  // of the last step
  std::size_t way_size_ = 0;
  RawArray<Entry> heap_;
  std::size_t heap_size_ = 0;
  RawArray<Cell> reached_;
  std::size_t reached_size_ = 0;
};

/// The answer when no search is needed to give it.
template <Space S>
bool answered_at_once(const S& space, Cell start, Cell goal, std::uint64_t limit, Step& step) {
  if (limit == 0) throw std::invalid_argument("a step needs a limit of at least 1");
  if (start >= space.size() || goal >= space.size()) {
    throw std::out_of_range("the start and the goal must lie in the grid");
  }
  step.next = start;
  if (space.blocked(start)) {
    step.status = StepStatus::kStartBlocked;
  } else if (space.blocked(goal)) {
    step.status = StepStatus::kGoalBlocked;
  } else if (start == goal) {
    step.status = StepStatus::kFullyInformed;
    step.cost = 0;
  } else {
    return false;
  }
  return true;
}

template <Space S>
Step Lookahead<S>::step(Cell start, Cell goal, std::uint64_t limit, Deadline deadline) {
  Step step;
  way_size_ = 0;
  if (answered_at_once(space_, start, goal, limit, step)) return step;
  if (pathmax_ == Pathmax::kOn && goal != h_.goal()) h_.forget();
  h_.set_goal(goal);
  a_star(start, goal, limit, share_of(deadline, 0.5));  // to learn takes about as long
  step.counts.local_expansions = expansions_;
  if (heap_size_ == 0) {
    // All that can be reached is known, and the goal is not among it. To learn that nothing leads
    // there would be wrong as soon as something opens.
    step.status = StepStatus::kNoPath;
  } else {
    const Cell best = heap_[0].cell;
    find_way(best, start);
    step.next = way_[0];
    if (best == goal) {
      step.status = StepStatus::kFullyInformed;
      step.cost = vertices_[goal].g;
    }
    learn(start, top_f());
  }
  clean_up();
  return step;
}

/// Stops before the goal would be expanded: then it is the best of the frontier.
template <Space S>
void Lookahead<S>::a_star(Cell start, Cell goal, std::uint64_t limit, Deadline deadline) {
  reach(start, kNoCell, 0, 0);
  expand(pop(), 0);
  while (heap_size_ > 0 && heap_[0].cell != goal && expansions_ < limit) {
    if (expansions_ % RealTimePlanner::kUnwatched == 0 && is_over(deadline)) break;
    const Cost least_f = pathmax_ == Pathmax::kOn ? top_f() : 0;
    expand(pop(), least_f);
  }
}

template <Space S>
void Lookahead<S>::expand(Cell cell, Cost least_f) {
  Vertex& vertex = vertices_[cell];
  vertex.closed = true;
  ++expansions_;
  const Cost g = vertex.g;
  space_.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
    const Vertex& next = vertices_[neighbour];
    if (next.closed || (next.reached && Cost{next.g} <= g + step)) return;
    reach(neighbour, cell, g + step, least_f);
  });
}

template <Space S>
void Lookahead<S>::reach(Cell cell, Cell parent, Cost g, Cost least_f) {
  Vertex& vertex = vertices_[cell];
  if (!vertex.reached) reached_[reached_size_++] = cell;
  vertex.reached = true;
  vertex.g = g;
  vertex.parent = parent;
  // Among equals, who has come further goes first.
  push_or_move(cell, {std::max(least_f, g + h_(cell)), kInfinity - g});
}

template <Space S>
void Lookahead<S>::find_way(Cell best, Cell start) {
  std::size_t length = 0;
  for (Cell cell = best; cell != start; cell = vertices_[cell].parent) ++length;
  way_size_ = std::min(length, kMaxWay);
  for (Cell cell = best; cell != start; cell = vertices_[cell].parent) {
    --length;
    if (length < kMaxWay) way_[length] = cell;
  }
}

template <Space S>
std::size_t Lookahead<S>::way(std::span<Cell> cells) const {
  const std::size_t size = std::min(way_size_, cells.size());
  std::copy_n(way_.begin(), size, cells.begin());
  return size;
}

template <Space S>
void Lookahead<S>::clean_up() {
  for (const Cell cell : reached()) vertices_[cell] = Vertex{};
  reached_size_ = 0;
  heap_size_ = 0;
  expansions_ = 0;
}

template <Space S>
std::size_t Lookahead<S>::memory_bytes() const {
  return h_.memory_bytes() + vertices_.size() * sizeof(Vertex) + heap_.memory_bytes() +
         reached_.memory_bytes();
}

template <Space S>
void Lookahead<S>::push_or_move(Cell cell, const Key& key) {
  const std::uint32_t position = vertices_[cell].position;
  sift_up(position == 0 ? heap_size_++ : position - 1, {key, cell});
}

template <Space S>
Cell Lookahead<S>::pop() {
  const Cell cell = heap_[0].cell;
  vertices_[cell].position = 0;
  --heap_size_;
  if (heap_size_ > 0) sift_down(0, heap_[heap_size_]);
  return cell;
}

template <Space S>
template <typename KeyOf>
void Lookahead<S>::rekey(KeyOf&& key_of) {
  for (std::size_t index = 0; index < heap_size_; ++index) {
    heap_[index].key = key_of(heap_[index].cell);
  }
  for (std::size_t index = heap_size_ / 2; index > 0; --index) {
    sift_down(index - 1, heap_[index - 1]);
  }
}

/// Keys only ever fall.
template <Space S>
void Lookahead<S>::sift_up(std::size_t index, const Entry moved) {
  while (index > 0 && moved < heap_[(index - 1) / 2]) {
    place(index, heap_[(index - 1) / 2]);
    index = (index - 1) / 2;
  }
  place(index, moved);
}

template <Space S>
void Lookahead<S>::sift_down(std::size_t index, const Entry moved) {
  for (;;) {
    std::size_t child = 2 * index + 1;
    if (child >= heap_size_) break;
    if (child + 1 < heap_size_ && heap_[child + 1] < heap_[child]) ++child;
    if (!(heap_[child] < moved)) break;
    place(index, heap_[child]);
    index = child;
  }
  place(index, moved);
}

}  // namespace dynamic_planners
