#include "bench/worlds.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace bench {

using dynamic_planners::kFree;
using dynamic_planners::kLethal;

namespace {

/// Whether a cell lies near one of the ends of across().
bool near_an_end(const Grid& grid, Cell cell) {
  constexpr int kMargin = 4;
  const auto [x, y] = grid.position(cell);
  return std::max(x, y) < kMargin || std::min(x - grid.width(), y - grid.height()) >= -kMargin;
}

}  // namespace

Grid scattered(int size, int blocked_percent, std::uint64_t seed) {
  Grid grid(size, size);
  std::mt19937_64 random(seed);
  for (Cell cell = 0; cell < grid.size(); ++cell) {
    const bool blocked = random() % 100 < static_cast<std::uint64_t>(blocked_percent);
    if (blocked && !near_an_end(grid, cell)) grid.set(cell, kLethal);
  }
  return grid;
}

Grid rooms(int size, std::uint64_t seed) {
  constexpr int kRoom = 50;
  constexpr int kDoor = 8;
  constexpr int kInflation = 6;
  Grid grid(size, size);
  std::mt19937_64 random(seed);
  const auto draw = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  // Walls stand between the rooms, each with one door; its costs fall with the distance to it.
  const auto wall = [&](int from, int along, bool upright) {
    const int door = from + kInflation + draw(kRoom - kDoor - 2 * kInflation);
    for (int i = from; i < std::min(from + kRoom, size); ++i) {
      if (i >= door && i < door + kDoor) continue;
      for (int d = -kInflation; d <= kInflation; ++d) {
        const int x = upright ? along + d : i;
        const int y = upright ? i : along + d;
        if (!grid.contains(x, y)) continue;
        const int cost = d == 0 ? kLethal : 252 * (kInflation - std::abs(d)) / kInflation;
        const Cell cell = grid.cell(x, y);
        grid.set(cell, std::max(grid[cell], static_cast<std::uint8_t>(cost)));
      }
    }
  };
  for (int along = kRoom; along + kInflation < size; along += kRoom) {
    for (int from = 0; from < size; from += kRoom) {
      wall(from, along, true);
      wall(from, along, false);
    }
  }
  return grid;
}

Grid hills(int size) {
  Grid grid(size, size);
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const double height = std::sin(x / 31.0) + std::sin(y / 23.0) + std::sin((x + y) / 67.0);
      grid.set(grid.cell(x, y), static_cast<std::uint8_t>(42.0 * (height + 3.0)));
    }
  }
  return grid;
}

Query across(const Grid& grid) {
  return {0, grid.size() - 1};
}

std::vector<Cell> draw_cells(const Grid& grid, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<bool> drawn(grid.size());
  std::vector<Cell> cells;
  while (cells.size() < count) {
    const auto cell = static_cast<Cell>(random() % grid.size());
    if (drawn[cell] || near_an_end(grid, cell)) continue;
    drawn[cell] = true;
    cells.push_back(cell);
  }
  return cells;
}

std::vector<CellChange> toggle(Grid& grid, const std::vector<Cell>& cells) {
  std::vector<CellChange> changes;
  for (const Cell cell : cells) {
    changes.push_back(*grid.set(cell, grid[cell] == kLethal ? kFree : kLethal));
  }
  return changes;
}

std::vector<CellChange> put_disc(Grid& grid, int x, int y, int radius, bool removed) {
  std::vector<CellChange> changes;
  for (int at_y = y - 2 * radius; at_y <= y + 2 * radius; ++at_y) {
    for (int at_x = x - 2 * radius; at_x <= x + 2 * radius; ++at_x) {
      const double distance = std::hypot(at_x - x, at_y - y);
      if (distance > 2 * radius || !grid.contains(at_x, at_y)) continue;
      const double share = std::min(1.0, 2.0 - distance / radius);
      const double cost = removed ? 0 : distance <= radius ? kLethal : 252 * share;
      const auto change = grid.set(grid.cell(at_x, at_y), static_cast<std::uint8_t>(cost));
      if (change) changes.push_back(*change);
    }
  }
  return changes;
}

}  // namespace bench
