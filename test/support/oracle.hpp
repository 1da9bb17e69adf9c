#pragma once

#include <cstdint>
#include <optional>
#include <vector>

/// The truth that planners are measured against: plain Dijkstra from scratch, in its own words.
/// It shares no code with the library: costs, moves and blocked cells are derived here once more.
namespace oracle {

struct World {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> costs;  // row-major, Nav2's meaning
  int connectivity = 8;
  double cost_weight = 3.0;
  bool allow_unknown = true;
  int unknown_cost = 128;

  int index(int x, int y) const { return y * width + x; }
};

inline constexpr std::int64_t kUnreachable = -1;

bool blocked(const World& world, int cell);

/// The cost of one move in units of 1/985 cell, or nothing where it is not a move.
std::optional<std::int64_t> move_cost(const World& world, int from, int to);

/// The cost from every cell to `goal`, kUnreachable where there is no path.
std::vector<std::int64_t> costs_to(const World& world, int goal);

}  // namespace oracle
