#include "dynamic_planners/ros/former_paths.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "dynamic_planners/search/path_cost.hpp"

namespace dynamic_planners::ros {
namespace {

/// What is left of a path for somebody who is within reach of it; empty for anybody else.
std::vector<Point> rest_of(const std::vector<Point>& path, const Point& here, double reach) {
  double least = reach * reach;
  std::size_t next = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const double dx = path[i].x - path[i - 1].x;
    const double dy = path[i].y - path[i - 1].y;
    const double along = (here.x - path[i - 1].x) * dx + (here.y - path[i - 1].y) * dy;
    const double share = std::clamp(along / std::max(dx * dx + dy * dy, 1e-9), 0.0, 1.0);
    const double off_x = path[i - 1].x + share * dx - here.x;
    const double off_y = path[i - 1].y + share * dy - here.y;
    const double square = off_x * off_x + off_y * off_y;
    if (square > least) continue;
    least = square;
    next = i;
  }
  if (next == 0) return {};
  std::vector<Point> rest{here};
  if (path[next] == here) ++next;
  rest.insert(rest.end(), path.begin() + static_cast<std::ptrdiff_t>(next), path.end());
  return rest;
}

/// What it costs, if it is free. Its first step leads back onto the path, at any angle.
std::optional<Cost> cost_of(const Grid& grid, const TraversalConfig& traversal,
                            std::span<const Point> rest) {
  TraversalConfig at_any_angle = traversal;
  at_any_angle.connectivity = 8;
  const auto back =
      path_cost(grid, at_any_angle, rest.first(std::min<std::size_t>(2, rest.size())));
  const auto on = path_cost(grid, traversal, rest.subspan(1));
  if (!back || !on) return std::nullopt;
  return *back + *on;
}

}  // namespace

FormerPaths::Choice FormerPaths::choose(const Grid& grid, const TraversalConfig& traversal,
                                        const Commitment& commitment, Cell goal, Plan& plan) const {
  const FormerPath* const former = find(goal);
  if (former == nullptr) return Choice::kBetter;
  std::vector<Point> rest = rest_of(former->points, plan.points.front(), commitment.reach);
  if (rest == plan.points) return Choice::kNoBetter;
  std::optional<Cost> cost;
  if (!rest.empty() && rest.back() == plan.points.back()) cost = cost_of(grid, traversal, rest);
  // Who is on the former path compares costs. For anybody else it is better when more is proven.
  if (!cost) return plan.bound < former->bound ? Choice::kBetter : Choice::kNoBetter;
  const auto best = static_cast<double>(plan.cost);
  const auto costs = static_cast<double>(*cost);
  if (commitment.share > 0.0 && plan.cost > 0 && costs <= (1.0 + commitment.share) * best) {
    plan.bound = std::max(plan.bound * costs / best, 1.0);
    plan.cost = *cost;
    plan.points = std::move(rest);
    return Choice::kFormer;
  }
  return plan.cost < *cost ? Choice::kBetter : Choice::kNoBetter;
}

const Point* FormerPaths::end(Cell goal) const {
  const FormerPath* const former = find(goal);
  return former == nullptr ? nullptr : &former->points.back();
}

void FormerPaths::remember(FormerPath path, std::size_t goals) {
  std::erase_if(paths_, [&](const FormerPath& one) { return one.goal == path.goal; });
  paths_.insert(paths_.begin(), std::move(path));
  if (paths_.size() > goals) paths_.resize(goals);
}

void FormerPaths::move(const Grid& grid, const Shift& shift) {
  const auto is_outside = [&](const Point& point) {
    return !grid.contains(static_cast<int>(std::lround(point.x)),
                          static_cast<int>(std::lround(point.y)));
  };
  for (FormerPath& path : paths_) {
    path.goal = grid.shifted(path.goal, shift);
    for (Point& point : path.points) {
      point.x -= shift.dx;
      point.y -= shift.dy;
    }
    // The robot has been there.
    const auto inside = std::find_if_not(path.points.begin(), path.points.end(), is_outside);
    path.points.erase(path.points.begin(), inside);
  }
  std::erase_if(paths_, [&](const FormerPath& path) {
    return path.goal == kNoCell || path.points.empty() ||
           std::any_of(path.points.begin(), path.points.end(), is_outside);
  });
}

const FormerPath* FormerPaths::find(Cell goal) const {
  const auto former = std::find_if(paths_.begin(), paths_.end(),
                                   [&](const FormerPath& path) { return path.goal == goal; });
  return former == paths_.end() ? nullptr : &*former;
}

}  // namespace dynamic_planners::ros
