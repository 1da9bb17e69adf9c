#include "bench/textbook.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace textbook {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

State state_of(const Grid& grid, Cell cell) {
  const auto [x, y] = grid.position(cell);
  return {x, y};
}

double heuristic(const State& a, const State& b) {
  const double dx = std::abs(a.x - b.x);
  const double dy = std::abs(a.y - b.y);
  return std::max(dx, dy) + (std::sqrt(2.0) - 1.0) * std::min(dx, dy);
}

bool passable(const Grid& grid, int x, int y) {
  return grid.contains(x, y) && grid[grid.cell(x, y)] <= dynamic_planners::kMaxPassable;
}

std::vector<std::pair<State, double>> neighbours(const Grid& grid, const State& state) {
  std::vector<std::pair<State, double>> result;
  const auto [x, y] = state;
  if (!passable(grid, x, y)) return result;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if ((dx == 0 && dy == 0) || !passable(grid, x + dx, y + dy)) continue;
      const bool diagonal = dx != 0 && dy != 0;
      if (diagonal && (!passable(grid, x + dx, y) || !passable(grid, x, y + dy))) continue;
      const double mean = (grid[grid.cell(x, y)] + grid[grid.cell(x + dx, y + dy)]) / 2.0;
      const double length = diagonal ? std::sqrt(2.0) : 1.0;
      result.push_back({{x + dx, y + dy}, length * (1.0 + 3.0 * mean / 252.0)});
    }
  }
  return result;
}

}  // namespace

Result astar(const Grid& grid, Cell start_cell, Cell goal_cell) {
  struct Queued {
    double f;
    State state;
    bool operator>(const Queued& other) const { return f > other.f; }
  };
  const State start = state_of(grid, start_cell);
  const State goal = state_of(grid, goal_cell);
  std::priority_queue<Queued, std::vector<Queued>, std::greater<>> open;
  std::unordered_map<State, double, StateHash> cost_so_far;
  std::unordered_map<State, State, StateHash> came_from;
  std::unordered_map<State, bool, StateHash> closed;
  std::uint64_t expansions = 0;
  cost_so_far[start] = 0.0;
  open.push({heuristic(start, goal), start});
  while (!open.empty()) {
    const State state = open.top().state;
    open.pop();
    if (state == goal) {
      std::vector<State> path{goal};
      while (!(path.back() == start)) path.push_back(came_from[path.back()]);
      std::reverse(path.begin(), path.end());
      return {cost_so_far[goal], expansions, path};
    }
    if (closed[state]) continue;
    closed[state] = true;
    ++expansions;
    for (const auto& [next, step] : neighbours(grid, state)) {
      const double through = cost_so_far[state] + step;
      if (cost_so_far.count(next) != 0 && cost_so_far[next] <= through) continue;
      cost_so_far[next] = through;
      came_from[next] = state;
      open.push({through + heuristic(next, goal), next});
    }
  }
  return {kInfinity, expansions, {}};
}

DStarLite::DStarLite(const Grid& grid, Cell start, Cell goal)
    : grid_(&grid), start_(state_of(grid, start)), goal_(state_of(grid, goal)) {
  vertex(goal_).rhs = 0.0;
  update_vertex(goal_);
}

DStarLite::Vertex& DStarLite::vertex(const State& state) {
  return vertices_.try_emplace(state, Vertex{kInfinity, kInfinity}).first->second;
}

DStarLite::Key DStarLite::calculate_key(const State& state) {
  const double least = std::min(vertex(state).g, vertex(state).rhs);
  return {least + heuristic(start_, state), least};
}

void DStarLite::update_vertex(const State& state) {
  queued_.erase(state);
  if (vertex(state).g == vertex(state).rhs) return;
  const Key key = calculate_key(state);
  queued_[state] = key;
  open_.push({key, state});
}

void DStarLite::drop_outdated() {
  while (!open_.empty()) {
    const auto found = queued_.find(open_.top().state);
    if (found != queued_.end() && found->second == open_.top().key) return;
    open_.pop();
  }
}

double DStarLite::least_through_neighbours(const State& state) {
  double least = kInfinity;
  for (const auto& [next, step] : neighbours(*grid_, state)) {
    least = std::min(least, step + vertex(next).g);
  }
  return least;
}

void DStarLite::update_cell(Cell cell) {
  const auto [x, y] = grid_->position(cell);
  for (int at_y = y - 1; at_y <= y + 1; ++at_y) {
    for (int at_x = x - 1; at_x <= x + 1; ++at_x) {
      if (!grid_->contains(at_x, at_y)) continue;
      const State near{at_x, at_y};
      if (!(near == goal_)) vertex(near).rhs = least_through_neighbours(near);
      update_vertex(near);
    }
  }
}

Result DStarLite::compute_shortest_path() {
  std::uint64_t expansions = 0;
  for (drop_outdated(); !open_.empty(); drop_outdated()) {
    const auto [old_key, state] = open_.top();
    if (!(old_key < calculate_key(start_)) && vertex(start_).rhs <= vertex(start_).g) break;
    if (old_key < calculate_key(state)) {
      update_vertex(state);
      continue;
    }
    ++expansions;
    if (vertex(state).g > vertex(state).rhs) {
      vertex(state).g = vertex(state).rhs;
      update_vertex(state);
      for (const auto& [next, step] : neighbours(*grid_, state)) {
        if (next == goal_) continue;
        vertex(next).rhs = std::min(vertex(next).rhs, step + vertex(state).g);
        update_vertex(next);
      }
    } else {
      const double g_old = vertex(state).g;
      vertex(state).g = kInfinity;
      for (const auto& [next, step] : neighbours(*grid_, state)) {
        if (vertex(next).rhs == step + g_old && !(next == goal_)) {
          vertex(next).rhs = least_through_neighbours(next);
        }
        update_vertex(next);
      }
      update_vertex(state);
    }
  }
  return {vertex(start_).rhs, expansions, path()};
}

std::vector<State> DStarLite::path() {
  if (vertex(start_).rhs == kInfinity) return {};
  std::vector<State> path{start_};
  while (!(path.back() == goal_)) {
    const auto candidates = neighbours(*grid_, path.back());
    path.push_back(
        std::min_element(candidates.begin(), candidates.end(), [&](const auto& a, const auto& b) {
          return a.second + vertex(a.first).g < b.second + vertex(b.first).g;
        })->first);
  }
  return path;
}

}  // namespace textbook
