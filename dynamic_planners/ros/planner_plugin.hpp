#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "dynamic_planners/ros/costmap_feed.hpp"
#include "dynamic_planners/ros/nav2_version.hpp"
#include "dynamic_planners/ros/parameters.hpp"
#include "dynamic_planners/search/registry.hpp"
#include "dynamic_planners_msgs/msg/plan_report.hpp"
#include "nav2_core/global_planner.hpp"
#include "nav_msgs/msg/occupancy_grid.hpp"
#include "nav_msgs/msg/path.hpp"
#include "rclcpp/rclcpp.hpp"

namespace dynamic_planners::ros {

/// Every planner of the registry as a global planner of Nav2. One class for all: which algorithm it
/// runs it learns from the name it was loaded under (`<planner>.plugin` in the configuration).
///
/// It keeps a grid equal to the costmap, tells the persistent search what changed, and turns points
/// into poses. A path is repaired and published as soon as the costmap publishes a change, and when
/// Nav2 asks.
class PlannerPlugin : public nav2_core::GlobalPlanner {
 public:
  PlannerPlugin() = default;
  PlannerPlugin(const PlannerPlugin&) = delete;
  PlannerPlugin& operator=(const PlannerPlugin&) = delete;
  ~PlannerPlugin() override;

  void configure(const LifecycleNode::WeakPtr& parent, std::string name, TransformBufferPtr tf,
                 std::shared_ptr<nav2_costmap_2d::Costmap2DROS> costmap_ros) override;
  void activate() override;
  void deactivate() override;
  void cleanup() override;

#if DYNAMIC_PLANNERS_HAS_VIAPOINTS
  nav_msgs::msg::Path createPlan(const geometry_msgs::msg::PoseStamped& start,
                                 const geometry_msgs::msg::PoseStamped& goal,
                                 const std::vector<geometry_msgs::msg::PoseStamped>& viapoints,
                                 std::function<bool()> cancel_checker) override;
#else
  nav_msgs::msg::Path createPlan(const geometry_msgs::msg::PoseStamped& start,
                                 const geometry_msgs::msg::PoseStamped& goal,
                                 std::function<bool()> cancel_checker) override;
#endif

 private:
  using Clock = std::chrono::steady_clock;
  using PlanReport = dynamic_planners_msgs::msg::PlanReport;
  using PoseStamped = geometry_msgs::msg::PoseStamped;

  /// A path through several places.
  struct Route {
    nav_msgs::msg::Path path;
    Cost cost = 0;
    /// The search may yet find a better one.
    bool can_improve = false;
  };
  /// What was asked last, for work in the background to go on with.
  struct Request {
    PoseStamped start;
    /// Where the path has to lead, one after the other. Empty when these are too many to be
    /// repaired.
    std::vector<PoseStamped> stops;
    /// The start was where the robot stood, so the path is to follow the robot.
    bool follows_robot;
    Clock::time_point when;
    /// Where the path that was answered ends, its cost, and whether there may be a better one.
    std::optional<geometry_msgs::msg::Point> end = {};
    Cost cost = 0;
    bool can_improve = false;
  };
  /// The path that was answered last for a goal.
  struct Answer {
    Cell goal;
    std::vector<Point> points;
  };

  /// Locks the mutex; work in the background gives way.
  std::unique_lock<std::mutex> lock_for_request();

  // All of these hold the mutex.
  void note_request(const PoseStamped& start, const std::vector<PoseStamped>& stops);
  Route plan_through(const PoseStamped& start, const std::vector<PoseStamped>& stops,
                     const Budget& budget);
  void plan_leg(const PoseStamped& start, const PoseStamped& goal, const Budget& budget,
                Route& route);
  Plan plan_from_reachable(Cell start, Cell goal, const Budget& budget, std::vector<Cell>& exit);
  Plan plan_to_reachable(Cell start, Cell goal, const Budget& budget);
  void commit(Plan& plan, Cell start, Cell goal) const;
  void remember(Cell goal, const std::vector<Point>& points);
  void keep_ends_free(std::vector<Point>& points, const PoseStamped& start,
                      const PoseStamped& goal) const;
  bool passable(Cell cell) const;
  TraversalConfig traversal() const;

  void take_in_costmap();
  void take_in(CostmapFeed::Outcome outcome);
  void move_answer(const Shift& shift, Answer& answer) const;

  void listen();
  template <typename Message>
  void on_message(const Message& message);
  void work_in_background();
  bool has_fresh_request() const;
  std::optional<Route> plan_in_background(Budget budget);
  std::optional<PoseStamped> robot_pose() const;

  rcl_interfaces::msg::SetParametersResult check_parameters(
      const std::vector<rclcpp::Parameter>& changed);
  void take_over_parameters(const std::vector<rclcpp::Parameter>& changed);
  bool concerns_us(const std::vector<rclcpp::Parameter>& changed) const;

  void publish_report(const Plan& plan, Clock::duration search, Clock::duration path);
  void publish_search(const std::vector<Cell>& expanded);
  std_msgs::msg::Header header() const;

  LifecycleNode::WeakPtr parent_;
  std::string name_;
  rclcpp::Logger logger_{rclcpp::get_logger("dynamic_planners")};
  rclcpp::Clock::SharedPtr clock_;
  std::shared_ptr<nav2_costmap_2d::Costmap2DROS> costmap_ros_;
  TransformBufferPtr tf_;
  const PlannerInfo* algorithm_ = nullptr;

  /// Guards what follows. Requests come first: work in the background gives way when one waits.
  std::mutex mutex_;
  std::atomic<int> waiting_requests_{0};
  Parameters parameters_;
  std::unique_ptr<CostmapFeed> feed_;
  std::unique_ptr<Planner> planner_;
  std::vector<CellChange> changes_;    // of the last look at the costmap
  Clock::duration comparison_time_{};  // and how long it took
  std::optional<Request> request_;
  bool repair_is_due_ = false;   // the path that was answered last knows less than we do
  std::vector<Answer> answers_;  // the latest first, as many as there are searches kept

  rclcpp::Publisher<nav_msgs::msg::Path>::SharedPtr path_publisher_;
  rclcpp::Publisher<PlanReport>::SharedPtr report_publisher_;
  rclcpp::Publisher<nav_msgs::msg::OccupancyGrid>::SharedPtr search_publisher_;
  rclcpp::Subscription<nav2_msgs::msg::Costmap>::SharedPtr costmap_subscription_;
  rclcpp::Subscription<nav2_msgs::msg::CostmapUpdate>::SharedPtr update_subscription_;
  rclcpp::node_interfaces::OnSetParametersCallbackHandle::SharedPtr parameter_check_;
  rclcpp::node_interfaces::PostSetParametersCallbackHandle::SharedPtr parameter_takeover_;

  /// The costmap's messages have a thread of their own, so that a long repair blocks nobody else.
  rclcpp::CallbackGroup::SharedPtr callback_group_;
  std::unique_ptr<rclcpp::executors::SingleThreadedExecutor> executor_;
  std::atomic<bool> listening_{false};
  std::thread thread_;
};

}  // namespace dynamic_planners::ros
