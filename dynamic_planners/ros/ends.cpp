#include "dynamic_planners/ros/ends.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <set>
#include <utility>

namespace dynamic_planners::ros {
namespace {

template <typename Visit>
void for_each_around(const Grid& grid, Cell cell, bool diagonals, Visit&& visit) {
  const auto [x, y] = grid.position(cell);
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if ((dx == 0 && dy == 0) || (dx != 0 && dy != 0 && !diagonals)) continue;
      if (grid.contains(x + dx, y + dy)) visit(grid.cell(x + dx, y + dy), std::hypot(dx, dy));
    }
  }
}

}  // namespace

std::vector<Cell> passable_around(const Grid& grid, const Passable& passable, Cell centre,
                                  double radius) {
  const auto [x0, y0] = grid.position(centre);
  const int reach = static_cast<int>(std::min(radius, 1e6));
  std::vector<std::pair<double, Cell>> found;
  for (int y = std::max(0, y0 - reach); y <= std::min(grid.height() - 1, y0 + reach); ++y) {
    for (int x = std::max(0, x0 - reach); x <= std::min(grid.width() - 1, x0 + reach); ++x) {
      const double distance = std::hypot(x - x0, y - y0);
      const Cell cell = grid.cell(x, y);
      if (distance <= radius && passable(cell)) found.emplace_back(distance, cell);
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<Cell> cells;
  cells.reserve(found.size());
  for (const auto& [distance, cell] : found) cells.push_back(cell);
  return cells;
}

std::vector<Cell> way_out(const Grid& grid, Cell from, const std::vector<Cell>& exits,
                          double radius) {
  // So many times as far one goes around rather than through.
  constexpr double kThroughLethal = 10.0;
  using Reached = std::pair<double, Cell>;
  const std::set<Cell> out(exits.begin(), exits.end());
  const auto [x0, y0] = grid.position(from);
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
  std::map<Cell, std::pair<double, Cell>> best;  // cost, parent
  best[from] = {0.0, from};
  open.push({0.0, from});
  while (!open.empty()) {
    const auto [cost, cell] = open.top();
    open.pop();
    if (cost > best[cell].first) continue;
    if (out.contains(cell)) {
      std::vector<Cell> way{cell};
      while (way.back() != from) way.push_back(best[way.back()].second);
      std::reverse(way.begin(), way.end());
      return way;
    }
    for_each_around(grid, cell, true, [&, here = cell, so_far = cost](Cell next, double step) {
      const auto [x, y] = grid.position(next);
      if (std::hypot(x - x0, y - y0) > radius) return;
      const double through = so_far + step * (grid[next] == kLethal ? kThroughLethal : 1.0);
      const auto known = best.find(next);
      if (known != best.end() && known->second.first <= through) return;
      best[next] = {through, here};
      open.push({through, next});
    });
  }
  return {};
}

void drop_connected(const Grid& grid, Cell cell, std::vector<Cell>& cells) {
  std::set<Cell> left(cells.begin(), cells.end());
  std::vector<Cell> waiting{cell};
  left.erase(cell);
  while (!waiting.empty()) {
    const Cell here = waiting.back();
    waiting.pop_back();
    for_each_around(grid, here, false, [&](Cell next, double /*step*/) {
      if (left.erase(next) != 0) waiting.push_back(next);
    });
  }
  std::erase_if(cells, [&](Cell one) { return !left.contains(one); });
}

}  // namespace dynamic_planners::ros
