#include "dynamic_planners/search/theta.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "dynamic_planners/search/answer.hpp"
#include "dynamic_planners/search/line.hpp"

namespace dynamic_planners {
namespace {

Cost hundredths(double inflation) {
  if (!(inflation >= 1.0 && inflation <= 100.0)) {
    throw std::invalid_argument("inflation must be from 1 to 100, not " +
                                std::to_string(inflation));
  }
  return static_cast<Cost>(std::llround(inflation * 100.0));
}

}  // namespace

template <Space S>
ThetaStar<S>::ThetaStar(const S& space, const PlannerConfig& config)
    : space_(space.with_heuristic(Heuristic::kEuclidean)),  // no other is a lower bound of lines
      inflation_(hundredths(config.inflation)),
      vertices_(space.size()),
      open_(vertices_, kStraight),
      h_(space_.heuristic_to(0)) {}

template <Space S>
void ThetaStar<S>::update(std::span<const CellChange> changes) {
  if (changes.empty()) return;
  changed_cells_ += changes.size();
  unfinished_.reset();
}

template <Space S>
Plan ThetaStar<S>::plan(const Query& query, const Budget& budget) {
  if (const auto blocked = blocked_answer(space_, query)) return *blocked;

  Plan plan;
  const std::uint64_t operations = open_.operations();
  Meter meter(budget);
  if (unfinished_ != query) {
    begin(query);
    plan.counts.restarts = 1;
  }
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
  if (vertices_.peek(query.goal).g == kInfinity) return plan;
  plan.status = PlanStatus::kFound;
  std::vector<Cell> cells{query.goal};
  while (cells.back() != query.start) cells.push_back(vertices_.touched(cells.back()).parent);
  std::reverse(cells.begin(), cells.end());
  for (const Point& point : to_points(space_, cells)) append_point(plan.points, point);
  double lines = 0.0;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    lines += line_of_sight(space_, cells[i - 1], cells[i]);
  }
  plan.cost = rounded_up_cost(lines);
  return plan;
}

template <Space S>
void ThetaStar<S>::begin(const Query& query) {
  unfinished_ = query;
  vertices_.start_over();
  open_.clear();
  h_ = space_.heuristic_to(query.goal);
  update_vertex(query.start, query.start, 0);
  if (query.start == query.goal) return;
  const Cost line = line_to(query.start, query.goal);
  if (line < kInfinity) update_vertex(query.goal, query.start, line);
}

/// Of two cells with the same f, the one with the larger g has the smaller h.
template <Space S>
Key ThetaStar<S>::calculate_key(Cell cell) const {
  const Cost h = h_(cell);
  return {vertices_.touched(cell).g + inflation_ * h / 100, h};
}

template <Space S>
Progress ThetaStar<S>::search(const Query& query, Meter& meter) {
  const auto key_of = [&](Cell cell) {
    space_.for_each_row_around(cell, [&](Cell other) { vertices_.prefetch(other); });
    return calculate_key(cell);
  };
  for (;;) {
    if (!open_.bring_near(key_of)) return Progress::kFull;
    if (open_.empty() || open_.top() == query.goal) return Progress::kDone;
    if (meter.spent()) return Progress::kSpent;
    const Cell cell = open_.top();
    open_.remove(cell);
    meter.expanded(cell);
    expand(cell, meter);
  }
}

template <Space S>
void ThetaStar<S>::expand(Cell cell, Meter& meter) {
  Vertex& vertex = vertices_.touched(cell);
  vertex.closed = true;
  const Cost g = vertex.g;
  const Cell parent = vertex.parent;
  const Cost parent_g = vertices_.touched(parent).g;
  const auto h_to_parent = space_.heuristic_to(parent);
  space_.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
    const Vertex& next = vertices_[neighbour];
    if (next.closed) return;
    // Path 2 of the paper, the line from the parent, unless it cannot be of use.
    const Cost distance = h_to_parent(neighbour);
    if (parent != cell && parent_g + distance <= std::min<Cost>(next.g, g + step) + 1) {
      meter.worked(distance / (kCellsPerExpansion * kStraight));
      const Cost line = line_to(parent, neighbour);
      if (line <= g + step - parent_g) {
        update_vertex(neighbour, parent, parent_g + line);
        return;
      }
    }
    // Path 1, the step.
    update_vertex(neighbour, cell, g + step);
  });
}

template <Space S>
void ThetaStar<S>::update_vertex(Cell cell, Cell parent, Cost g) {
  Vertex& vertex = vertices_[cell];
  if (Cost{vertex.g} <= g) return;
  vertex.g = g;
  vertex.parent = parent;
  const Key key = calculate_key(cell);
  if (vertex.position == 0) {
    open_.insert(cell, key);
  } else {
    open_.update(cell, key);
  }
}

/// What the line between two cells costs, kInfinity where there is none.
template <Space S>
Cost ThetaStar<S>::line_to(Cell from, Cell to) const {
  const double cost = line_of_sight(space_, from, to);
  return std::isinf(cost) ? kInfinity : static_cast<Cost>(std::lround(cost));
}

template <Space S>
void ThetaStar<S>::check() const {
#ifdef DYNAMIC_PLANNERS_CHECKS
  require(open_.valid(), "Theta*: the open list is in order");
  for (Cell cell = 0; cell < vertices_.size(); ++cell) {
    const Vertex vertex = vertices_.peek(cell);
    require(!vertex.closed || vertex.position == 0, "Theta*: a closed cell is not open");
    if (vertex.position == 0) continue;
    require(open_.is_due_by(vertex, calculate_key(cell)), "Theta*: no cell waits too long");
  }
#endif
}

template class ThetaStar<GridSpace<8>>;
template class ThetaStar<VoxelSpace>;

}  // namespace dynamic_planners
