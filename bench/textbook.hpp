#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dynamic_planners/grid/grid.hpp"

/// A* and D* Lite as public implementations have them: a state is its x and y, costs are doubles,
/// the open list is a std::priority_queue with lazy deletion, what is known of a state lies in a
/// std::unordered_map, neighbours come as a vector. The yardstick of bench_core; no planner uses
/// it.
///
/// A* after the well-known introduction of A. Patel (Red Blob Games, "Implementation of A*"), D*
/// Lite after the often copied one of J. Neufeld (2009).
namespace textbook {

using dynamic_planners::Cell;
using dynamic_planners::Grid;

struct State {
  int x;
  int y;

  bool operator==(const State&) const = default;
};

struct StateHash {
  std::size_t operator()(const State& state) const {
    return std::hash<int>()(state.x ^ (state.y << 16));
  }
};

struct Result {
  double cost;  // in cells, infinity when there is no path
  std::uint64_t expansions;
  std::vector<State> path;
};

/// A* from scratch.
Result astar(const Grid& grid, Cell start, Cell goal);

/// D* Lite, the optimised version (Koenig, Likhachev 2002, figure 4).
class DStarLite {
 public:
  DStarLite(const Grid& grid, Cell start, Cell goal);

  /// The cell has changed in the grid: updates its vertex and those around it.
  void update_cell(Cell cell);
  Result compute_shortest_path();

 private:
  using Key = std::pair<double, double>;
  struct Vertex {
    double g;
    double rhs;
  };
  struct Queued {
    Key key;
    State state;
    bool operator>(const Queued& other) const { return key > other.key; }
  };

  Vertex& vertex(const State& state);
  Key calculate_key(const State& state);
  void update_vertex(const State& state);
  void drop_outdated();
  double least_through_neighbours(const State& state);
  std::vector<State> path();

  const Grid* grid_;
  State start_;
  State goal_;
  std::unordered_map<State, Vertex, StateHash> vertices_;
  std::unordered_map<State, Key, StateHash> queued_;  // the entries of open_ that still count
  std::priority_queue<Queued, std::vector<Queued>, std::greater<>> open_;
};

}  // namespace textbook
