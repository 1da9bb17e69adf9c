#include "dynamic_planners/lab/terrain.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace dynamic_planners {
namespace {

constexpr int kDoorPercent = 80;

bool chance(Random& random, int percent) {
  return random.below(100) < static_cast<std::uint64_t>(percent);
}

/// One of first … last.
int between(Random& random, int first, int last) {
  const int count = last - first + 1;
  return first + static_cast<int>(random.below(static_cast<std::uint64_t>(count)));
}

/// All cells that straight moves reach, the first one included; they are marked as seen.
std::vector<Cell> reachable(const Grid& grid, Cell from, std::vector<bool>& seen) {
  std::vector<Cell> cells = {from};
  seen[from] = true;
  // NOLINTNEXTLINE(modernize-loop-convert): it grows as we go
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto [x, y] = grid.position(cells[i]);
    const auto visit = [&](int to_x, int to_y) {
      if (!grid.contains(to_x, to_y)) return;
      const Cell cell = grid.cell(to_x, to_y);
      if (seen[cell] || grid[cell] > kMaxPassable) return;
      seen[cell] = true;
      cells.push_back(cell);
    };
    visit(x, y - 1);
    visit(x - 1, y);
    visit(x + 1, y);
    visit(x, y + 1);
  }
  return cells;
}

/// The largest set of cells that can reach each other by straight moves.
std::vector<Cell> largest_region(const Grid& grid) {
  std::vector<bool> seen(grid.size(), false);
  std::vector<Cell> largest;
  for (Cell cell = 0; cell < grid.size(); ++cell) {
    if (seen[cell] || grid[cell] > kMaxPassable) continue;
    std::vector<Cell> region = reachable(grid, cell, seen);
    if (region.size() > largest.size()) largest = std::move(region);
  }
  return largest;
}

}  // namespace

Grid rooms_terrain(Random& random, int size, int pitch) {
  Grid grid(size, size);
  for (int wall = 0; wall < size; wall += pitch) {
    for (int along = 0; along < size; ++along) {
      grid.set(grid.cell(wall, along), kLethal);
      grid.set(grid.cell(along, wall), kLethal);
    }
  }
  // The walls of the map's edge have rooms on one side only.
  for (int wall = pitch; wall + 1 < size; wall += pitch) {
    for (int room = 1; room < size; room += pitch) {
      const int last = std::min(room + pitch - 1, size) - 1;
      if (chance(random, kDoorPercent)) {
        grid.set(grid.cell(wall, between(random, room, last)), kFree);
      }
      if (chance(random, kDoorPercent)) {
        grid.set(grid.cell(between(random, room, last), wall), kFree);
      }
    }
  }
  return grid;
}

Grid maze_terrain(Random& random, int size, int corridor) {
  const int pitch = corridor + 1;
  const int chambers = (size - 1) / pitch;
  if (chambers < 1) throw std::invalid_argument("a maze needs room for a corridor");
  Grid grid(size, size, kLethal);
  const auto clear = [&](int x0, int y0, int width, int height) {
    for (int y = y0; y < y0 + height; ++y) {
      for (int x = x0; x < x0 + width; ++x) grid.set(grid.cell(x, y), kFree);
    }
  };
  struct Chamber {
    int column;
    int row;
  };
  const auto index = [&](const Chamber& chamber) {
    const int number = chamber.row * chambers + chamber.column;
    return static_cast<std::size_t>(number);
  };
  std::vector<bool> visited(static_cast<std::size_t>(chambers) * chambers, false);
  const auto enter = [&](const Chamber& chamber) {
    visited[index(chamber)] = true;
    clear(chamber.column * pitch + 1, chamber.row * pitch + 1, corridor, corridor);
    return chamber;
  };
  // A randomized depth-first search takes away the walls it goes through.
  std::vector<Chamber> way = {
      enter({between(random, 0, chambers - 1), between(random, 0, chambers - 1)})};
  while (!way.empty()) {
    const Chamber here = way.back();
    std::vector<Chamber> untried;
    for (const Chamber& next : {Chamber{here.column, here.row - 1},
                                {here.column - 1, here.row},
                                {here.column + 1, here.row},
                                {here.column, here.row + 1}}) {
      const bool inside =
          next.column >= 0 && next.row >= 0 && next.column < chambers && next.row < chambers;
      if (inside && !visited[index(next)]) untried.push_back(next);
    }
    if (untried.empty()) {
      way.pop_back();
      continue;
    }
    const Chamber next = untried[random.below(untried.size())];
    if (next.column != here.column) {
      clear(std::max(next.column, here.column) * pitch, here.row * pitch + 1, 1, corridor);
    } else {
      clear(here.column * pitch + 1, std::max(next.row, here.row) * pitch, corridor, 1);
    }
    way.push_back(enter(next));
  }
  return grid;
}

Grid scattered_terrain(Random& random, int size, int percent) {
  Grid grid(size, size);
  for (Cell cell = 0; cell < grid.size(); ++cell) {
    if (chance(random, percent)) grid.set(cell, kLethal);
  }
  return grid;
}

Query draw_problem(Random& random, const Grid& grid) {
  const std::vector<Cell> region = largest_region(grid);
  if (region.size() < 2) {
    throw std::invalid_argument("no two cells of the map can reach each other");
  }
  const std::size_t start = random.below(region.size());
  const std::size_t goal = random.below(region.size() - 1);
  return {region[start], region[goal < start ? goal : goal + 1]};
}

}  // namespace dynamic_planners
