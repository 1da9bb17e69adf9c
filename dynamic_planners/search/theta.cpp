#include "dynamic_planners/search/theta.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "dynamic_planners/search/answer.hpp"
#include "dynamic_planners/search/line.hpp"

namespace dynamic_planners {
namespace {

/// No other heuristic is a lower bound of lines at any angle.
TraversalConfig with_straight_lines(TraversalConfig config) {
  config.heuristic = Heuristic::kEuclidean;
  return config;
}

}  // namespace

ThetaStar::ThetaStar(const S& space, const PlannerConfig& config)
    : space_(space.grid(), with_straight_lines(config.traversal)),
      vertices_(space.size()),
      open_(vertices_, kStraight),
      h_(space_.heuristic_to(0)) {}

void ThetaStar::update(std::span<const CellChange> changes) {
  if (changes.empty()) return;
  changed_cells_ += changes.size();
  unfinished_.reset();
}

Plan ThetaStar::plan(const Query& query, const Budget& budget) {
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
  for (const Point& point : to_points(space_.grid(), cells)) append_point(plan.points, point);
  plan.cost = path_cost(space_, plan.points);
  return plan;
}

void ThetaStar::begin(const Query& query) {
  unfinished_ = query;
  vertices_.start_over();
  open_.clear();
  h_ = space_.heuristic_to(query.goal);
  update_vertex(query.start, query.start, 0);
  if (query.start == query.goal) return;
  const Cost line = line_of_sight(query.start, query.goal);
  if (line < kInfinity) update_vertex(query.goal, query.start, line);
}

/// Of two cells with the same f, the one with the larger g has the smaller h.
Key ThetaStar::calculate_key(Cell cell) const {
  const Cost h = h_(cell);
  return {vertices_.touched(cell).g + h, h};
}

auto ThetaStar::search(const Query& query, Meter& meter) -> Progress {
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
    expand(cell, meter);
  }
}

void ThetaStar::expand(Cell cell, Meter& meter) {
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
      const Cost line = line_of_sight(parent, neighbour);
      if (line <= g + step - parent_g) {
        update_vertex(neighbour, parent, parent_g + line);
        return;
      }
    }
    // Path 1, the step.
    update_vertex(neighbour, cell, g + step);
  });
}

void ThetaStar::update_vertex(Cell cell, Cell parent, Cost g) {
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

/// What the line between the centres of two cells costs; kInfinity if it touches a blocked cell, be
/// it only at a corner, as a diagonal step past one would.
///
/// A line of dx by dy cells passes from column to column at the odd multiples of dy, and from row
/// to row at the odd multiples of dx, of 2 dx dy parts: all of it is exact.
Cost ThetaStar::line_of_sight(Cell from, Cell to) const {
  constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
  const Grid& grid = space_.grid();
  const auto [x0, y0] = grid.position(from);
  const auto [x1, y1] = grid.position(to);
  const auto dx = static_cast<std::uint64_t>(std::abs(x1 - x0));
  const auto dy = static_cast<std::uint64_t>(std::abs(y1 - y0));
  const Cell step_x = x1 > x0 ? Cell{1} : ~Cell{0};
  const auto width = static_cast<Cell>(grid.width());
  const Cell step_y = y1 > y0 ? width : ~width + 1;
  const std::uint64_t part_x = std::max<std::uint64_t>(dy, 1);
  const std::uint64_t part_y = std::max<std::uint64_t>(dx, 1);
  const std::uint64_t end = 2 * part_x * part_y;

  std::uint64_t levels = 0;
  std::uint64_t at = 0;
  std::uint64_t next_x = dx == 0 ? kNever : part_x;
  std::uint64_t next_y = dy == 0 ? kNever : part_y;
  for (Cell cell = from;;) {
    const unsigned level = space_.level(cell);
    if (level >= S::kBlocked) return kInfinity;
    const std::uint64_t next = std::min({next_x, next_y, end});
    levels += level * (next - at);
    if (next == end) break;
    at = next;
    if (next_x == next_y && (space_.blocked(cell + step_x) || space_.blocked(cell + step_y))) {
      return kInfinity;
    }
    if (next_x == at) {
      cell += step_x;
      next_x += 2 * part_x;
    }
    if (next_y == at) {
      cell += step_y;
      next_y += 2 * part_y;
    }
  }
  const double length = std::hypot(static_cast<double>(dx), static_cast<double>(dy));
  const double level = static_cast<double>(levels) / static_cast<double>(end);
  return static_cast<Cost>(std::lround(kStraight * length * space_.weight_of_level(level)));
}

void ThetaStar::check() const {
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

}  // namespace dynamic_planners
