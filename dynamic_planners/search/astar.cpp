#include "dynamic_planners/search/astar.hpp"

#include <algorithm>
#include <utility>

#include "dynamic_planners/search/answer.hpp"
#include "dynamic_planners/search/trace.hpp"

namespace dynamic_planners {

template <Space S>
AStar<S>::AStar(const S& space, const PlannerConfig& /*config*/)
    : space_(space),
      vertices_(space.size()),
      open_(vertices_, kStraight),
      h_(space.heuristic_to(0)) {}

template <Space S>
void AStar<S>::update(std::span<const CellChange> changes) {
  if (changes.empty()) return;
  changed_cells_ += changes.size();
  unfinished_.reset();
}

template <Space S>
Plan AStar<S>::plan(const Query& query, const Budget& budget) {
  if (const auto blocked = blocked_answer(space_, query)) return *blocked;

  Plan plan;
  const std::uint64_t operations = open_.operations();
  if (unfinished_ != query) {
    begin(query);
    plan.counts.restarts = 1;
  }
  Meter meter(budget);
  Progress progress = search(query, meter);
  while (progress == Progress::kFull) {
    open_.grow();
    progress = search(query, meter);
  }

  plan.counts.expansions = meter.expansions();
  plan.counts.changed_cells = std::exchange(changed_cells_, 0);
  plan.counts.queue_operations = open_.operations() - operations;
  if (progress == Progress::kSpent) {
    plan.status = meter.status();
    return plan;
  }
  unfinished_.reset();
  check();
  plan.cost = vertices_.peek(query.goal).g;
  if (plan.cost == kInfinity) return plan;
  plan.status = PlanStatus::kFound;
  plan.bound = 1.0;
  // Costs are known from the start: walk back from the goal.
  std::vector<Cell> cells = trace(space_, query.goal, query.start,
                                  [&](Cell cell) -> Cost { return vertices_.peek(cell).g; });
  std::reverse(cells.begin(), cells.end());
  plan.points = to_points(space_.grid(), cells);
  return plan;
}

template <Space S>
void AStar<S>::begin(const Query& query) {
  unfinished_ = query;
  vertices_.start_over();
  open_.clear();
  h_ = space_.heuristic_to(query.goal);
  vertices_[query.start].g = 0;
  open_.insert(query.start, calculate_key(query.start));
}

/// Of two cells with the same f, the one with the larger g has the smaller h.
template <Space S>
Key AStar<S>::calculate_key(Cell cell) const {
  const Cost h = h_(cell);
  return {vertices_.touched(cell).g + h, h};
}

template <Space S>
Progress AStar<S>::search(const Query& query, Meter& meter) {
  const auto key_of = [&](Cell cell) {
    space_.for_each_row_around(cell, [&](Cell other) { vertices_.prefetch(other); });
    return calculate_key(cell);
  };
  for (;;) {
    if (open_.room() < S::kMaxNeighbours || !open_.bring_near(key_of)) return Progress::kFull;
    if (open_.empty() || open_.top() == query.goal) return Progress::kDone;
    if (meter.spent()) return Progress::kSpent;
    const Cell cell = open_.top();
    open_.remove(cell);
    meter.expanded(cell);
    expand(cell);
  }
}

template <Space S>
void AStar<S>::expand(Cell cell) {
  Vertex& vertex = vertices_.touched(cell);
  vertex.closed = true;
  const Cost g = vertex.g;
  space_.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
    Vertex& next = vertices_[neighbour];
    if (next.closed || next.g <= g + step) return;
    next.g = g + step;
    const Key key = calculate_key(neighbour);
    if (next.position == 0) {
      open_.insert(neighbour, key);
    } else {
      open_.update(neighbour, key);
    }
  });
}

template <Space S>
void AStar<S>::check() const {
#ifdef DYNAMIC_PLANNERS_CHECKS
  require(open_.valid(), "A*: the open list is in order");
  for (Cell cell = 0; cell < vertices_.size(); ++cell) {
    const Vertex vertex = vertices_.peek(cell);
    require(!vertex.closed || vertex.position == 0, "A*: a closed cell is not open");
    if (vertex.position == 0) continue;
    require(open_.is_due_by(vertex, calculate_key(cell)), "A*: no cell waits too long");
  }
#endif
}

template class AStar<GridSpace<4>>;
template class AStar<GridSpace<8>>;

}  // namespace dynamic_planners
