#include "test/support/voxel_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <queue>
#include <utility>

namespace oracle {
namespace {

int worth(const VoxelWorld& world, int cell) {
  return world.costs[cell] == 255 ? world.unknown_cost : static_cast<int>(world.costs[cell]);
}

}  // namespace

bool VoxelWorld::blocked(int cell) const {
  if (costs[cell] == 255) return !allow_unknown;
  return costs[cell] == 253 || costs[cell] == 254;
}

std::optional<std::int64_t> move_cost(const VoxelWorld& world, int from, int to) {
  const auto a = world.place(from);
  const auto b = world.place(to);
  int distance = 0;
  for (int axis = 0; axis < 3; ++axis) distance += std::abs(a[axis] - b[axis]);
  if (distance != 1 || world.blocked(from) || world.blocked(to)) return std::nullopt;
  const double mean = (worth(world, from) + worth(world, to)) / 2.0;
  return std::llround(985.0 * (1.0 + world.cost_weight * mean / 252.0));
}

std::vector<std::int64_t> costs_to(const VoxelWorld& world, int goal) {
  std::vector<std::int64_t> best(world.costs.size(), -1);
  if (world.blocked(goal)) return best;
  using Entry = std::pair<std::int64_t, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  open.emplace(0, goal);
  while (!open.empty()) {
    const auto [cost, cell] = open.top();
    open.pop();
    if (best[cell] != -1) continue;
    best[cell] = cost;
    for (int axis = 0; axis < 3; ++axis) {
      for (const int by : {-1, 1}) {
        auto at = world.place(cell);
        at[axis] += by;
        if (at[axis] < 0 || at[axis] >= world.sides[axis]) continue;
        const int next = world.index(at[0], at[1], at[2]);
        if (const auto step = move_cost(world, cell, next)) open.emplace(cost + *step, next);
      }
    }
  }
  return best;
}

std::optional<double> line_cost(const VoxelWorld& world, int from, int to) {
  constexpr double kHair = 1e-9;
  const auto a = world.place(from);
  const auto b = world.place(to);
  // All shares of the line at which it may pass from one cell to another.
  std::vector<double> shares{0.0, 1.0};
  double square = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const int way = b[axis] - a[axis];
    square += way * way;
    for (int k = 0; k < std::abs(way); ++k) shares.push_back((k + 0.5) / std::abs(way));
  }
  std::sort(shares.begin(), shares.end());

  // Every cell that a place of the line lies in, on the border or at a corner of. Those in the
  // middle of a cell are in one alone.
  const auto dearest_at = [&](double share) -> std::optional<int> {
    int dearest = 0;
    std::array<std::array<int, 2>, 3> near{};
    for (int axis = 0; axis < 3; ++axis) {
      const double at = a[axis] + share * (b[axis] - a[axis]);
      near[axis] = {static_cast<int>(std::ceil(at - 0.5 - kHair)),
                    static_cast<int>(std::floor(at + 0.5 + kHair))};
    }
    for (int x = near[0][0]; x <= near[0][1]; ++x) {
      for (int y = near[1][0]; y <= near[1][1]; ++y) {
        for (int z = near[2][0]; z <= near[2][1]; ++z) {
          const int cell = world.index(x, y, z);
          if (world.blocked(cell)) return std::nullopt;
          dearest = std::max(dearest, worth(world, cell));
        }
      }
    }
    return dearest;
  };
  double cost = 0.0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (!dearest_at(shares[i])) return std::nullopt;
    if (i == 0 || shares[i] - shares[i - 1] < kHair) continue;
    const auto level = dearest_at((shares[i] + shares[i - 1]) / 2.0);
    if (!level) return std::nullopt;
    cost += 985.0 * std::sqrt(square) * (shares[i] - shares[i - 1]) *
            (1.0 + world.cost_weight * *level / 252.0);
  }
  return cost;
}

}  // namespace oracle
