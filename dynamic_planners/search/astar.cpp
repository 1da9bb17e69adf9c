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
  plan.points = to_points(space_, cells);
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

template <Space S>
Key AStar<S>::calculate_key(Cell cell) const {
  return {vertices_.touched(cell).g + h_(cell), 0};
}

template <Space S>
Progress AStar<S>::search(const Query& query, Meter& meter) {
  const auto key_of = [&](Cell cell) {
    space_.for_each_row_around(cell, [&](Cell other) { vertices_.prefetch(other); });
    return calculate_key(cell);
  };
  const Vertex& goal = vertices_[query.goal];
  for (;;) {
    if (!open_.bring_near(key_of)) return Progress::kFull;
    if (open_.empty() || open_.top_key().first >= goal.g) return Progress::kDone;
    if (meter.spent()) return Progress::kSpent;
    const Cell cell = open_.top();
    open_.remove(cell);
    meter.expanded(cell);
    expand(cell);
  }
}

template <Space S>
void AStar<S>::expand(Cell cell) {
  const Cost g = vertices_.touched(cell).g;
  space_.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
    if (vertices_.peek(neighbour).g > g + step) reach(neighbour, g + step);
  });
}

template <Space S>
void AStar<S>::reach(Cell cell, Cost g) {
  Vertex& vertex = vertices_[cell];
  vertex.g = g;
  const Key key = calculate_key(cell);
  if (vertex.position == 0) {
    open_.insert(cell, key);
  } else {
    open_.update(cell, key);
  }
}

template <Space S>
void AStar<S>::check() const {
#ifdef DYNAMIC_PLANNERS_CHECKS
  require(open_.valid(), "A*: the open list is in order");
  for (Cell cell = 0; cell < vertices_.size(); ++cell) {
    const Vertex vertex = vertices_.peek(cell);
    if (vertex.position == 0) continue;
    require(open_.is_due_by(vertex, calculate_key(cell)), "A*: no cell waits too long");
  }
#endif
}

template class AStar<GridSpace<4>>;
template class AStar<GridSpace<8>>;
template class AStar<VoxelSpace>;

}  // namespace dynamic_planners
