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

std::vector<Cell> way_out(const Grid& grid, const Passable& passable, Cell from, double radius) {
  using Reached = std::pair<double, Cell>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
  std::map<Cell, std::pair<double, Cell>> best;  // length, parent
  best[from] = {0.0, from};
  open.push({0.0, from});
  while (!open.empty()) {
    const auto [length, cell] = open.top();
    open.pop();
    if (length > best[cell].first) continue;
    if (passable(cell)) {
      std::vector<Cell> way{cell};
      while (way.back() != from) way.push_back(best[way.back()].second);
      std::reverse(way.begin(), way.end());
      return way;
    }
    for_each_around(grid, cell, true, [&, here = cell, so_far = length](Cell next, double step) {
      const double through = so_far + step;
      const auto known = best.find(next);
      if (through > radius || (known != best.end() && known->second.first <= through)) return;
      best[next] = {through, here};
      open.push({through, next});
    });
  }
  return {};
}

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

void drop_connected(const Grid& grid, std::vector<Cell>& cells) {
  if (cells.empty()) return;
  std::set<Cell> left(cells.begin(), cells.end());
  std::vector<Cell> waiting{cells.front()};
  left.erase(cells.front());
  while (!waiting.empty()) {
    const Cell cell = waiting.back();
    waiting.pop_back();
    for_each_around(grid, cell, false, [&](Cell next, double /*step*/) {
      if (left.erase(next) != 0) waiting.push_back(next);
    });
  }
  std::erase_if(cells, [&](Cell cell) { return !left.contains(cell); });
}

}  // namespace dynamic_planners::ros
