#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "dynamic_planners/ros/costmap_feed.hpp"
#include "dynamic_planners/ros/former_paths.hpp"
#include "dynamic_planners/ros/parameters.hpp"
#include "dynamic_planners/search/meter.hpp"
#include "dynamic_planners/search/registry.hpp"
#include "dynamic_planners_msgs/msg/plan_report.hpp"
#include "geometry_msgs/msg/pose_stamped.hpp"
#include "nav_msgs/msg/path.hpp"

namespace dynamic_planners::ros {

/// What was done from one place to the next.
struct Leg {
  using PlanReport = dynamic_planners_msgs::msg::PlanReport;

  geometry_msgs::msg::Point start;
  geometry_msgs::msg::Point goal;
  std::uint8_t status = PlanReport::NO_PATH;  // one of the report's
  Plan plan = {};                             // without the points, which are the route's
  std::chrono::steady_clock::duration search_time = {};
  std::chrono::steady_clock::duration path_time = {};
};

/// A path through several places.
struct Route {
  /// One for each of the places, or up to the one that was not reached.
  std::vector<Leg> legs;
  nav_msgs::msg::Path path;
  /// The pose of each of the places.
  std::vector<std::size_t> stops_at;
  std::vector<FormerPath> answers;
  /// The search may yet find a better one.
  bool can_improve = false;
  /// It is better than what is left of the one that was answered before.
  bool is_better = false;
};

/// How this planner moves over the costmap. At any angle there are no neighbours to choose.
TraversalConfig traversal_of(const PlannerInfo& algorithm, const Parameters& parameters);

/// Plans from pose to pose with a search that is kept alive: out of an obstacle if the start lies
/// in one, to the goal or as near as one gets, and along the path that was answered before while
/// that is good enough.
class RoutePlanner {
 public:
  using Clock = std::chrono::steady_clock;

  /// Anytime planners answer with what they have found in a slice of so long.
  static constexpr std::chrono::milliseconds kSlice{10};

  /// All three stay where they are.
  RoutePlanner(const PlannerInfo& algorithm, const Parameters& parameters, const CostmapFeed& feed)
      : algorithm_(algorithm), parameters_(parameters), feed_(feed) {}

  /// The feed has found this.
  void take_in(CostmapFeed::Outcome outcome, std::span<const CellChange> changes);
  /// Begins anew, with the parameters as they are by then.
  void forget();

  /// To each of the stops, one after the other. The last leg says how it ended.
  Route plan(const geometry_msgs::msg::PoseStamped& start,
             const std::vector<geometry_msgs::msg::PoseStamped>& stops, const Budget& budget,
             const std_msgs::msg::Header& header);
  /// The route was answered, or published: these are what the next one is compared with.
  void remember(std::vector<FormerPath> answers);

 private:
  using Pose = geometry_msgs::msg::Pose;

  Leg plan_leg(const Pose& start, const Pose& goal, const Budget& budget, Route& route);
  Plan plan_from_reachable(Cell start, Cell goal, const Budget& budget, std::vector<Cell>& exit);
  Plan plan_to_reachable(Cell start, Cell goal, const Budget& budget);
  Cell or_former_end(Cell nearest, Cell goal, double radius,
                     const std::function<bool(Cell)>& wanted) const;
  bool look_from(Cell start, Meter& meter);
  Plan search(const Query& query, const Budget& budget);
  void keep_ends_free(std::vector<Point>& points, const Pose& start, const Pose& goal) const;

  const PlannerInfo& algorithm_;
  const Parameters& parameters_;
  const CostmapFeed& feed_;
  std::unique_ptr<Planner> planner_;
  FormerPaths former_;
  std::vector<bool> reached_;  // from where a path was last sought in vain; empty if not known
};

}  // namespace dynamic_planners::ros
