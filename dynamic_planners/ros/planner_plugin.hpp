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

  /// What was asked last, and what was answered.
  struct Request {
    geometry_msgs::msg::PoseStamped start;
    geometry_msgs::msg::PoseStamped goal;
    /// The start was where the robot stood, so the path is to follow the robot.
    bool follows_robot;
    Clock::time_point when;
  };
  struct Answer {
    Cell goal;
    std::vector<Point> points;
    Cost cost;
    /// The search may yet find a better one.
    bool can_improve;
  };

  // All of these hold the mutex.
  nav_msgs::msg::Path plan_between(const geometry_msgs::msg::PoseStamped& start,
                                   const geometry_msgs::msg::PoseStamped& goal,
                                   const Budget& budget);
  void take_in_costmap();
  void take_in(CostmapFeed::Outcome outcome);
  void move_answer(const Shift& shift);
  Plan plan_to_reachable(Cell start, Cell goal, const Budget& budget);
  void commit(Plan& plan, Cell start, Cell goal) const;

  template <typename Message>
  void on_message(const Message& message);
  void repair_in_background();
  void improve_in_background();
  bool has_fresh_request() const;
  std::optional<nav_msgs::msg::Path> plan_in_background(Budget budget);
  rcl_interfaces::msg::SetParametersResult on_set_parameters(
      const std::vector<rclcpp::Parameter>& changed);
  void publish_report(const Plan& plan, Clock::duration search, Clock::duration path);
  void publish_search(const std::vector<Cell>& expanded);
  std_msgs::msg::Header header() const;
  std::optional<geometry_msgs::msg::PoseStamped> robot_pose() const;
  bool passable(Cell cell) const;

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
  std::optional<Answer> answer_;
  bool active_ = false;

  rclcpp::Publisher<nav_msgs::msg::Path>::SharedPtr path_publisher_;
  rclcpp::Publisher<PlanReport>::SharedPtr report_publisher_;
  rclcpp::Publisher<nav_msgs::msg::OccupancyGrid>::SharedPtr search_publisher_;
  rclcpp::Subscription<nav2_msgs::msg::Costmap>::SharedPtr costmap_subscription_;
  rclcpp::Subscription<nav2_msgs::msg::CostmapUpdate>::SharedPtr update_subscription_;
  rclcpp::node_interfaces::OnSetParametersCallbackHandle::SharedPtr parameter_callback_;

  /// The costmap's messages have a thread of their own, so that a long repair blocks nobody else.
  rclcpp::CallbackGroup::SharedPtr callback_group_;
  std::unique_ptr<rclcpp::executors::SingleThreadedExecutor> executor_;
  std::atomic<bool> listening_{false};
  std::thread thread_;
};

}  // namespace dynamic_planners::ros
