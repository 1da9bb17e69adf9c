#include "test/support/oracle.hpp"

#include <cmath>
#include <cstdlib>
#include <queue>
#include <utility>

namespace oracle {

bool blocked(const World& world, int cell) {
  const int cost = world.costs[cell];
  if (cost == 255) return !world.allow_unknown;
  return cost == 253 || cost == 254;
}

std::optional<std::int64_t> move_cost(const World& world, int from, int to) {
  const int from_x = from % world.width;
  const int from_y = from / world.width;
  const int to_x = to % world.width;
  const int to_y = to / world.width;
  const int dx = std::abs(from_x - to_x);
  const int dy = std::abs(from_y - to_y);
  if (dx > 1 || dy > 1 || dx + dy == 0) return std::nullopt;
  if (dx + dy == 2 && world.connectivity == 4) return std::nullopt;
  if (blocked(world, from) || blocked(world, to)) return std::nullopt;
  if (dx + dy == 2 &&
      (blocked(world, world.index(from_x, to_y)) || blocked(world, world.index(to_x, from_y)))) {
    return std::nullopt;
  }
  const auto worth = [&](int cell) {
    return world.costs[cell] == 255 ? world.unknown_cost : static_cast<int>(world.costs[cell]);
  };
  const double mean = (worth(from) + worth(to)) / 2.0;
  const double length = dx + dy == 2 ? 1393.0 : 985.0;
  return std::llround(length * (1.0 + world.cost_weight * mean / 252.0));
}

std::vector<std::int64_t> costs_to(const World& world, int goal) {
  std::vector<std::int64_t> best(world.costs.size(), kUnreachable);
  if (blocked(world, goal)) return best;
  using Entry = std::pair<std::int64_t, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  open.emplace(0, goal);
  while (!open.empty()) {
    const auto [cost, cell] = open.top();
    open.pop();
    if (best[cell] != kUnreachable) continue;
    best[cell] = cost;
    const int x = cell % world.width;
    const int y = cell / world.width;
    for (int ny = y - 1; ny <= y + 1; ++ny) {
      for (int nx = x - 1; nx <= x + 1; ++nx) {
        if (nx < 0 || ny < 0 || nx >= world.width || ny >= world.height) continue;
        const int next = world.index(nx, ny);
        if (best[next] != kUnreachable) continue;
        if (const auto step = move_cost(world, cell, next)) open.emplace(cost + *step, next);
      }
    }
  }
  return best;
}

}  // namespace oracle
