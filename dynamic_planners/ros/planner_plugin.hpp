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
#include "dynamic_planners/ros/route_planner.hpp"
#include "dynamic_planners/ros/unreported_changes.hpp"
#include "dynamic_planners_msgs/msg/plan_report.hpp"
#include "nav2_core/global_planner.hpp"
#include "nav_msgs/msg/occupancy_grid.hpp"
#include "nav_msgs/msg/path.hpp"
#include "rclcpp/rclcpp.hpp"

namespace dynamic_planners::ros {

/// Every planner of the registry as a global planner of Nav2. One class for all: which algorithm it
/// runs it learns from the name it was loaded under (`<planner>.plugin` in the configuration).
///
/// It keeps a grid equal to the costmap and tells the RoutePlanner what changed. A path is repaired
/// and published as soon as the costmap publishes a change, and when Nav2 asks.
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

  /// What was asked last, for work in the background to go on with.
  struct Request {
    /// Where the robot is by now, if the path is to follow it.
    PoseStamped start;
    /// Where the path has to lead, one after the other. Empty when these are too many to be
    /// repaired.
    std::vector<PoseStamped> stops;
    /// The start was where the robot stood, so the path is to follow the robot.
    bool follows_robot;
    Clock::time_point when;
    /// The path that was answered, which of its places is each of the stops, and to which of them
    /// the robot has come.
    std::vector<geometry_msgs::msg::Point> way = {};
    std::vector<std::size_t> stops_at = {};
    std::size_t come_to = 0;
    /// Where the path of the last request ends, and whether there may be a better one.
    std::optional<geometry_msgs::msg::Point> end = {};
    bool can_improve = false;
  };

  std::optional<PoseStamped> robot_pose() const;
  /// Locks the mutex; work in the background gives way.
  std::unique_lock<std::mutex> lock_for_request();

  // All of these hold the mutex.
  void note_request(const PoseStamped& start, const std::vector<PoseStamped>& stops,
                    const std::optional<PoseStamped>& robot);
  Route plan(const PoseStamped& start, const std::vector<PoseStamped>& stops, Budget budget);
  void remember(Route& route);

  void take_in_costmap();
  void take_in(CostmapFeed::Outcome outcome);

  void begin_to_listen();
  void listen();
  template <typename Message>
  void on_message(const Message& message);
  void work_in_background();
  void patrol();
  bool has_fresh_request() const;
  void follow_robot();
  void repair_or_improve();
  std::optional<Route> plan_in_background(Budget budget);

  rcl_interfaces::msg::SetParametersResult check_parameters(
      const std::vector<rclcpp::Parameter>& changed);
  void take_over_parameters(const std::vector<rclcpp::Parameter>& changed);
  bool concerns_us(const std::vector<rclcpp::Parameter>& changed) const;

  void publish_reports(const std::vector<Leg>& legs, std::size_t changed_cells);
  void publish_search(const std::vector<Cell>& changed, const std::vector<Cell>& expanded);
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
  std::unique_ptr<RoutePlanner> routes_;
  std::vector<CellChange> changes_;  // that the last look at the costmap has found
  // Since the last report: what has changed, and how long it took to find that.
  UnreportedChanges unreported_;
  Clock::duration comparison_time_{};
  std::optional<Request> request_;
  bool repair_is_due_ = false;  // the path that was answered last knows less than we do
  rclcpp::Time idle_since_;     // when the thread had last done something
  Clock::time_point patrolled_;

  rclcpp::Publisher<nav_msgs::msg::Path>::SharedPtr path_publisher_;
  rclcpp::Publisher<PlanReport>::SharedPtr report_publisher_;
  rclcpp::Publisher<nav_msgs::msg::OccupancyGrid>::SharedPtr search_publisher_;
  rclcpp::Subscription<nav2_msgs::msg::Costmap>::SharedPtr costmap_subscription_;
  rclcpp::Subscription<nav2_msgs::msg::CostmapUpdate>::SharedPtr update_subscription_;
  rclcpp::node_interfaces::OnSetParametersCallbackHandle::SharedPtr parameter_check_;
  rclcpp::node_interfaces::PostSetParametersCallbackHandle::SharedPtr parameter_takeover_;

  /// The costmap's messages have a thread of their own, so that a long repair blocks nobody else.
  /// It begins with the first request: planners that nobody asks take nothing.
  std::mutex thread_mutex_;
  bool active_ = false;
  rclcpp::CallbackGroup::SharedPtr callback_group_;
  std::unique_ptr<rclcpp::executors::SingleThreadedExecutor> executor_;
  std::atomic<bool> listening_{false};
  std::thread thread_;
};

}  // namespace dynamic_planners::ros
