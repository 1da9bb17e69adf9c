#include "dynamic_planners/ros/ends.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <utility>

namespace dynamic_planners::ros {
namespace {

/// No farther than there are cells.
int reach_of(const Grid& grid, double radius) {
  return static_cast<int>(std::min<double>(radius, std::max(grid.width(), grid.height())));
}

}  // namespace

std::optional<Cell> nearest_around(const Grid& grid, Cell centre, double radius,
                                   const std::function<bool(Cell)>& wanted, Meter& meter) {
  const auto [x0, y0] = grid.position(centre);
  const int reach = reach_of(grid, radius);
  Cell nearest = kNoCell;
  double least = radius;
  const auto look_at = [&, x0 = x0, y0 = y0](int dx, int dy) {
    if (!grid.contains(x0 + dx, y0 + dy)) return;
    const double distance = std::hypot(dx, dy);
    if (distance > least || (nearest != kNoCell && distance == least)) return;
    const Cell cell = grid.cell(x0 + dx, y0 + dy);
    if (!wanted(cell)) return;
    nearest = cell;
    least = distance;
  };
  // Ring by ring; what lies on a ring is at least as far as the ring.
  for (int ring = 0; ring <= reach && ring <= least; ++ring) {
    if (meter.spent()) return std::nullopt;
    for (int i = -ring; i <= ring; ++i) {
      look_at(i, -ring);
      look_at(i, ring);
      look_at(-ring, i);
      look_at(ring, i);
    }
    meter.worked(1 + 8 * static_cast<std::uint64_t>(ring));
  }
  return nearest;
}

std::optional<std::vector<Cell>> way_out(const Grid& grid, Cell from, double radius,
                                         const std::function<bool(Cell)>& is_exit, Meter& meter) {
  // So many times as far one goes around rather than through.
  constexpr double kThroughLethal = 10.0;
  using Reached = std::pair<double, Cell>;
  const auto [x0, y0] = grid.position(from);
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
  std::map<Cell, std::pair<double, Cell>> best;  // cost, parent
  best[from] = {0.0, from};
  open.push({0.0, from});
  while (!open.empty()) {
    if (meter.spent()) return std::nullopt;
    meter.worked();
    const auto [cost, cell] = open.top();
    open.pop();
    if (cost > best[cell].first) continue;
    if (is_exit(cell)) {
      std::vector<Cell> way{cell};
      while (way.back() != from) way.push_back(best[way.back()].second);
      std::reverse(way.begin(), way.end());
      return way;
    }
    const auto [x, y] = grid.position(cell);
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        if (dx == 0 && dy == 0) continue;
        if (!grid.contains(x + dx, y + dy) || std::hypot(x + dx - x0, y + dy - y0) > radius) {
          continue;
        }
        const Cell next = grid.cell(x + dx, y + dy);
        const double through =
            cost + std::hypot(dx, dy) * (grid[next] == kLethal ? kThroughLethal : 1.0);
        const auto known = best.find(next);
        if (known != best.end() && known->second.first <= through) continue;
        best[next] = {through, cell};
        open.push({through, next});
      }
    }
  }
  return std::vector<Cell>{};
}

Window window_around(const Grid& grid, Cell centre, double radius) {
  const auto [x, y] = grid.position(centre);
  const int reach = reach_of(grid, radius);
  const int left = std::max(0, x - reach);
  const int bottom = std::max(0, y - reach);
  return {left, bottom, std::min(grid.width(), x + reach + 1) - left,
          std::min(grid.height(), y + reach + 1) - bottom};
}

/// Run by run: the cells to the left and to the right that are not reached yet, and then the runs
/// above and below them.
std::optional<std::vector<bool>> reachable_from(const Passable& passable, Cell from,
                                                const Window& within, Meter& meter) {
  const Grid& grid = passable.grid;
  std::vector<bool> reached(grid.size());
  const auto is_new = [&](Cell cell) { return !reached[cell] && passable(cell); };
  const int first_x = within.x;
  const int last_x = within.x + within.width - 1;
  const int last_y = within.y + within.height - 1;
  std::vector<Cell> waiting{from};
  while (!waiting.empty()) {
    if (meter.spent()) return std::nullopt;
    const Cell cell = waiting.back();
    waiting.pop_back();
    if (!is_new(cell)) continue;
    const auto [x, y] = grid.position(cell);
    int left = x;
    int right = x;
    while (left > first_x && is_new(grid.cell(left - 1, y))) --left;
    while (right < last_x && is_new(grid.cell(right + 1, y))) ++right;
    for (int i = left; i <= right; ++i) reached[grid.cell(i, y)] = true;
    for (const int beside : {y - 1, y + 1}) {
      if (beside < within.y || beside > last_y) continue;
      bool in_run = false;
      for (int i = left; i <= right; ++i) {
        const Cell next = grid.cell(i, beside);
        const bool goes_on = is_new(next);
        if (goes_on && !in_run) waiting.push_back(next);
        in_run = goes_on;
      }
    }
    meter.worked(static_cast<std::uint64_t>(right - left) + 1);
  }
  return reached;
}

}  // namespace dynamic_planners::ros
