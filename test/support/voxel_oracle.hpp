#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

/// The truth among voxels, in its own words: no code is shared with the library.
namespace oracle {

struct VoxelWorld {
  std::array<int, 3> sides{};
  std::vector<std::uint8_t> costs;  // x runs first, then y, then z
  double cost_weight = 3.0;
  bool allow_unknown = true;
  int unknown_cost = 128;

  int index(int x, int y, int z) const { return x + sides[0] * (y + sides[1] * z); }
  std::array<int, 3> place(int cell) const {
    return {cell % sides[0], cell / sides[0] % sides[1], cell / sides[0] / sides[1]};
  }
  bool blocked(int cell) const;
};

/// The cost of one move in units of 1/985 cell, or nothing where it is not a move.
std::optional<std::int64_t> move_cost(const VoxelWorld& world, int from, int to);

/// Plain Dijkstra: the cost from every cell to `goal`, -1 where there is no path.
std::vector<std::int64_t> costs_to(const VoxelWorld& world, int goal);

/// What the straight line between two cells' centres costs; nothing when it touches a blocked cell,
/// be it only at an edge or a corner.
std::optional<double> line_cost(const VoxelWorld& world, int from, int to);

}  // namespace oracle
