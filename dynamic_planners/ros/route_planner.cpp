#include "dynamic_planners/ros/route_planner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "dynamic_planners/ros/ends.hpp"
#include "dynamic_planners/ros/poses.hpp"
#include "dynamic_planners/search/path_cost.hpp"

namespace dynamic_planners::ros {
namespace {

using geometry_msgs::msg::PoseStamped;

/// Who is no farther from the former path is still on it: so far controllers and localisation are
/// off, and so far off it one may have cut a corner [m].
constexpr double kOnPath = 0.5;

/// One leg begins where the one before it ends.
void append(std::vector<PoseStamped> poses, std::vector<PoseStamped>& path) {
  if (path.empty()) {
    path = std::move(poses);
  } else if (poses.size() == 1) {  // it is there already
    path.back().pose.orientation = poses.front().pose.orientation;
  } else {
    path.insert(path.end(), poses.begin() + 1, poses.end());
  }
}

}  // namespace

TraversalConfig traversal_of(const PlannerInfo& algorithm, const Parameters& parameters) {
  TraversalConfig config = parameters.planner_config().traversal;
  if (algorithm.promise == Promise::kAnyAngle) config.connectivity = 8;  // as the planners do
  return config;
}

void RoutePlanner::take_in(CostmapFeed::Outcome outcome, std::span<const CellChange> changes) {
  if (outcome == CostmapFeed::Outcome::kNewGrid) forget();
  if (outcome == CostmapFeed::Outcome::kMoved) {
    if (planner_ != nullptr) planner_->move(feed_.shift());
    former_.move(*feed_.grid(), feed_.shift());
  }
  if (outcome != CostmapFeed::Outcome::kChanged || !changes.empty()) reached_.clear();
  if (planner_ != nullptr && !changes.empty()) planner_->update(changes);
}

void RoutePlanner::forget() {
  planner_.reset();
  former_.clear();
  reached_.clear();
}

Route RoutePlanner::plan(const PoseStamped& start, const std::vector<PoseStamped>& stops,
                         const Budget& budget, const std_msgs::msg::Header& header) {
  if (planner_ == nullptr) {
    planner_ = algorithm_.make(*feed_.grid(), parameters_.planner_config());
  }
  Route route;
  route.path.header = header;
  Pose from = start.pose;
  for (const PoseStamped& stop : stops) {
    route.legs.push_back(plan_leg(from, stop.pose, budget, route));
    if (route.legs.back().status != Leg::PlanReport::FOUND) break;
    route.stops_at.push_back(route.path.poses.size() - 1);
    from = route.path.poses.back().pose;  // not at the stop itself where that is blocked
  }
  return route;
}

void RoutePlanner::remember(std::vector<FormerPath> answers) {
  for (FormerPath& answer : answers) {
    former_.remember(std::move(answer), static_cast<std::size_t>(parameters_.kept_searches));
  }
}

Leg RoutePlanner::plan_leg(const Pose& start, const Pose& goal, const Budget& budget,
                           Route& route) {
  const Grid& grid = *feed_.grid();
  const Frame& frame = feed_.frame();
  Leg leg{start.position, goal.position};
  const auto start_at = frame.cell_at(start.position.x, start.position.y);
  const auto goal_at = frame.cell_at(goal.position.x, goal.position.y);
  if (!start_at || !goal_at) {
    leg.status = start_at ? Leg::PlanReport::GOAL_OUTSIDE : Leg::PlanReport::START_OUTSIDE;
    return leg;
  }
  const Cell from = grid.cell(start_at->x, start_at->y);
  const Cell to = grid.cell(goal_at->x, goal_at->y);

  const auto begin = Clock::now();
  std::vector<Cell> exit;
  leg.plan = plan_from_reachable(from, to, budget, exit);
  const auto searched = Clock::now();
  leg.search_time = searched - begin;
  leg.status = static_cast<std::uint8_t>(leg.plan.status);
  if (leg.plan.status != PlanStatus::kFound) return leg;

  const bool is_bounded = algorithm_.promise == Promise::kBounded;
  route.can_improve = route.can_improve || (is_bounded && leg.plan.bound > 1.0);
  const FormerPaths::Commitment commitment{parameters_.path_commitment,
                                           std::max(1.5, kOnPath / frame.resolution)};
  const auto choice =
      former_.choose(grid, traversal_of(algorithm_, parameters_), commitment, to, leg.plan);
  route.is_better = route.is_better || choice == FormerPaths::Choice::kBetter;
  route.answers.push_back({to, leg.plan.points, leg.plan.bound});

  std::vector<Point> points = std::exchange(leg.plan.points, {});
  if (!exit.empty()) {  // which ends where the path begins
    exit.pop_back();
    std::vector<Point> way;
    for (const Cell cell : exit) {
      const auto [x, y] = grid.position(cell);
      way.push_back({static_cast<double>(x), static_cast<double>(y)});
    }
    points.insert(points.begin(), way.begin(), way.end());
  }
  // A former path is left at any angle too: by a line from here to where it goes on.
  if (algorithm_.promise == Promise::kAnyAngle || choice == FormerPaths::Choice::kFormer) {
    keep_ends_free(points, start, goal);
  }
  append(to_poses(points, frame, start, goal, parameters_.use_final_approach_orientation,
                  route.path.header),
         route.path.poses);
  leg.path_time = Clock::now() - searched;
  return leg;
}

/// A robot that stands in an obstacle first leaves it, by the `exit`: the cheapest way within the
/// tolerance to a cell from which there is a path.
Plan RoutePlanner::plan_from_reachable(Cell start, Cell goal, const Budget& budget,
                                       std::vector<Cell>& exit) {
  const Grid& grid = *feed_.grid();
  const Passable passable{grid, parameters_.allow_unknown};
  if (passable(start)) return plan_to_reachable(start, goal, budget);
  const double radius = parameters_.start_tolerance / feed_.frame().resolution;
  Meter meter(budget);
  Plan plan{.status = PlanStatus::kStartBlocked};
  std::vector<bool> leads_nowhere(grid.size());
  for (;;) {
    auto way = way_out(
        grid, start, radius, [&](Cell cell) { return passable(cell) && !leads_nowhere[cell]; },
        meter);
    if (!way) return Plan{.status = meter.status(), .counts = plan.counts};
    if (way->empty()) return plan;
    exit = std::move(*way);
    const PlanCounts before = plan.counts;
    plan = plan_to_reachable(exit.back(), goal, budget);
    plan.counts += before;
    if (plan.status != PlanStatus::kNoPath) return plan;
    if (!look_from(exit.back(), meter)) {
      return Plan{.status = meter.status(), .counts = plan.counts};
    }
    std::transform(leads_nowhere.begin(), leads_nowhere.end(), reached_.begin(),
                   leads_nowhere.begin(), std::logical_or<>());
  }
}

/// Where the goal is blocked, or no way leads there, the nearest free cell within the tolerance
/// that can be reached.
Plan RoutePlanner::plan_to_reachable(Cell start, Cell goal, const Budget& budget) {
  const Grid& grid = *feed_.grid();
  const Passable passable{grid, parameters_.allow_unknown};
  const double radius = parameters_.tolerance / feed_.frame().resolution;
  Meter meter(budget);
  Plan plan = search({start, goal}, budget);
  const auto out_of_budget = [&] { return Plan{.status = meter.status(), .counts = plan.counts}; };
  Cell tried = goal;
  const auto try_nearest = [&](const std::function<bool(Cell)>& wanted) {
    const auto cell = nearest_around(grid, goal, radius, wanted, meter);
    if (cell == kNoCell) return;
    const PlanCounts before = plan.counts;
    if (cell) tried = or_former_end(*cell, goal, radius, wanted);
    plan = cell ? search({start, tried}, budget) : Plan{.status = meter.status()};
    plan.counts += before;
  };
  if (plan.status == PlanStatus::kGoalBlocked) try_nearest(passable);
  if (plan.status != PlanStatus::kNoPath || radius < 1.0) return plan;
  // What leads to the one that was tried is no better. Mostly there is nothing else around.
  const auto pocket = reachable_from(passable, tried, window_around(grid, goal, radius), meter);
  if (!pocket) return out_of_budget();
  const auto is_apart = [&](Cell cell) { return passable(cell) && !(*pocket)[cell]; };
  const auto other = nearest_around(grid, goal, radius, is_apart, meter);
  if (!other) return out_of_budget();
  if (other == kNoCell) return plan;
  // To ask the search cell by cell might take long: where the start is closed in, each time.
  if (!look_from(start, meter)) return out_of_budget();
  try_nearest([&](Cell cell) { return reached_[cell]; });
  return plan;
}

/// The rims of obstacles flicker, and now one place around the goal is the nearest and now another:
/// the one where the former path ends is kept to while it is less than a cell farther off.
Cell RoutePlanner::or_former_end(Cell nearest, Cell goal, double radius,
                                 const std::function<bool(Cell)>& wanted) const {
  const Grid& grid = *feed_.grid();
  const Point* const end = former_.end(goal);
  if (parameters_.path_commitment == 0.0 || end == nullptr) return nearest;
  const Cell former =
      grid.cell(static_cast<int>(std::lround(end->x)), static_cast<int>(std::lround(end->y)));
  const auto distance = [&](Cell cell) {
    const auto [x, y] = grid.position(cell);
    const auto [goal_x, goal_y] = grid.position(goal);
    return std::hypot(x - goal_x, y - goal_y);
  };
  const double limit = std::min(radius, distance(nearest) + 1.0);
  return wanted(former) && distance(former) < limit ? former : nearest;
}

/// Sees to it that `reached_` says what can be reached from there, unless the budget is spent
/// before. While nothing changes, it says that for all who are among these cells.
bool RoutePlanner::look_from(Cell start, Meter& meter) {
  if (!reached_.empty() && reached_[start]) return true;
  const Grid& grid = *feed_.grid();
  auto reached = reachable_from({grid, parameters_.allow_unknown}, start,
                                {0, 0, grid.width(), grid.height()}, meter);
  if (reached) reached_ = std::move(*reached);
  return reached.has_value();
}

/// Anytime planners answer as soon as they have a path: asked with all of the budget, they would
/// spend what is left of it on a better one.
Plan RoutePlanner::search(const Query& query, const Budget& budget) {
  if (algorithm_.promise != Promise::kBounded) return planner_->plan(query, budget);
  Budget slice = budget;
  PlanCounts counts;
  for (;;) {
    slice.deadline = std::min(budget.deadline, Clock::now() + kSlice);
    Plan plan = planner_->plan(query, slice);
    plan.counts += counts;
    if (plan.status != PlanStatus::kOutOfBudget || slice.deadline == budget.deadline) return plan;
    counts = plan.counts;
  }
}

/// A path leads from the middle of a cell to the middle of another, its poses from the very start
/// to the very goal. Where a long line would touch an obstacle by that, the way is over the middle.
void RoutePlanner::keep_ends_free(std::vector<Point>& points, const Pose& start,
                                  const Pose& goal) const {
  if (points.size() < 2) return;
  const Frame& frame = feed_.frame();
  const auto exact = [&](const Pose& pose) {
    return Point{frame.cell_x_of(pose.position.x), frame.cell_y_of(pose.position.y)};
  };
  TraversalConfig at_any_angle = traversal_of(algorithm_, parameters_);
  at_any_angle.connectivity = 8;
  const auto is_free = [&](const Point& from, const Point& to) {
    return path_cost(*feed_.grid(), at_any_angle, std::array{from, to}).has_value();
  };
  const bool is_one_line = points.size() == 2;
  if (is_one_line && is_free(exact(start), exact(goal))) return;
  const Point first = points.front();
  const Point last = points.back();
  if (is_one_line || !is_free(points[points.size() - 2], exact(goal))) points.push_back(last);
  if (is_one_line || !is_free(exact(start), points[1])) points.insert(points.begin(), first);
}

}  // namespace dynamic_planners::ros
