#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "diagnostic_updater/diagnostic_updater.hpp"
#include "dynamic_planners/realtime/real_time_planner.hpp"
#include "dynamic_planners/ros/message_feed.hpp"
#include "dynamic_planners/ros/message_numbers.hpp"
#include "dynamic_planners/ros/nav2_version.hpp"
#include "dynamic_planners/ros/rtd_parameters.hpp"
#include "dynamic_planners/ros/step_reporter.hpp"
#include "dynamic_planners/ros/velocity_controller.hpp"
#include "dynamic_planners_msgs/msg/step_command.hpp"
#include "dynamic_planners_msgs/srv/reset_search.hpp"
#include "geometry_msgs/msg/pose_stamped.hpp"
#include "geometry_msgs/msg/twist.hpp"
#include "geometry_msgs/msg/twist_stamped.hpp"
#include "nav2_msgs/action/navigate_to_pose.hpp"
#include "nav2_msgs/srv/get_costmap.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rclcpp_action/rclcpp_action.hpp"

namespace dynamic_planners {

/// Drives a robot with RTD*: with every period one bounded step of search, and a velocity. Knows
/// the costmap by its messages and the robot by its transform. docs/rtd_node.md tells what it
/// promises.
///
/// Everything happens in the callbacks of whoever spins the node, one at a time.
class RTDStarNode : public ros::ServerNode {
 public:
  explicit RTDStarNode(const rclcpp::NodeOptions& options = rclcpp::NodeOptions());
  RTDStarNode(const RTDStarNode&) = delete;
  RTDStarNode& operator=(const RTDStarNode&) = delete;
  ~RTDStarNode() override;

  using CallbackReturn = rclcpp_lifecycle::node_interfaces::LifecycleNodeInterface::CallbackReturn;
  CallbackReturn on_configure(const rclcpp_lifecycle::State& state) override;
  CallbackReturn on_activate(const rclcpp_lifecycle::State& state) override;
  CallbackReturn on_deactivate(const rclcpp_lifecycle::State& state) override;
  CallbackReturn on_cleanup(const rclcpp_lifecycle::State& state) override;
  CallbackReturn on_shutdown(const rclcpp_lifecycle::State& state) override;
  CallbackReturn on_error(const rclcpp_lifecycle::State& state) override;

 private:
  using SteadyClock = std::chrono::steady_clock;
  using Time = ros::MessageFeed::Time;  // of the node's clock
  using NavigateToPose = nav2_msgs::action::NavigateToPose;
  using GoalHandle = rclcpp_action::ServerGoalHandle<NavigateToPose>;
  using GetCostmap = nav2_msgs::srv::GetCostmap;
  using ResetSearch = dynamic_planners_msgs::srv::ResetSearch;
  using StepCommand = dynamic_planners_msgs::msg::StepCommand;
  using PoseStamped = geometry_msgs::msg::PoseStamped;

  /// Why a goal cannot be reached, with the codes that Nav2's planners have for it.
  struct Failure {
    std::uint16_t code;
    std::string reason;
  };
  enum class Ending { kReached, kCancelled, kFailed };

  struct Goal {
    PoseStamped pose;                    // in the frame of the costmap
    std::shared_ptr<GoalHandle> handle;  // none for a goal from the topic
    Time since;
    bool on_map = false;   // it was seen to lie on free ground
    bool arrived = false;  // the robot is there and only has to turn
    /// It had to stand, and has not known a path since. Driving without one does not count.
    std::optional<Time> stands_since = {};
  };
  /// What the robot does in the next period, and whether the goal is over with it.
  struct Decision {
    ros::Velocity velocity = {};
    std::optional<Failure> failure = {};
    bool reached = false;
  };
  struct SeenPose {
    ros::RobotPose pose;
    Time seen;
  };

  // Lifecycle.
  void subscribe();
  void release();

  // Goals.
  rclcpp_action::GoalResponse on_goal_offered();
  void on_goal_accepted(const std::shared_ptr<GoalHandle>& handle);
  void take_goal(PoseStamped pose, const std::shared_ptr<GoalHandle>& handle);
  std::optional<Failure> bring_to_map_frame(PoseStamped& pose) const;
  std::optional<Failure> check_on_map(const PoseStamped& pose) const;
  void finish(Ending ending, const Failure& failure = {});
  void end(GoalHandle& handle, Ending ending, const Failure& failure) const;

  // The costmap.
  void on_window_number(const rmw_message_info_t& info);
  template <typename Message>
  void on_costmap(const Message& message);
  void take_in(ros::MessageFeed::Outcome outcome, const std::string& reason);
  void request_costmap();
  void make_room_for_way();
  void make_planner();
  void on_clock_jumped_back();

  // A step.
  void on_step(const rclcpp::TimerInfo& timer);
  Decision decide(StepCommand& command, SteadyClock::time_point thinks_until);
  Decision drive(const Step& step, Cell start, Cell goal, StepCommand& command);
  Decision stand(std::uint8_t status, const Failure& why, StepCommand& command);
  Decision wait(const ros::Velocity& velocity, const Failure& why, StepCommand& command);
  std::optional<std::string> what_ails_the_costmap() const;
  bool see_robot(std::string& reason);
  std::optional<Cell> cell_of(double x, double y) const;
  void find_places(Cell start, Cell goal);
  ros::RobotPose pose_of_step(Cell start, Cell next) const;

  // What is told.
  Time time() const;
  std_msgs::msg::Header header() const;
  void publish(const ros::Velocity& velocity);
  void publish_feedback(double distance);
  void diagnose(diagnostic_updater::DiagnosticStatusWrapper& status);

  // Parameters and services.
  rcl_interfaces::msg::SetParametersResult check_parameters(
      const std::vector<rclcpp::Parameter>& changed);
  void take_over_parameters(const std::vector<rclcpp::Parameter>& changed);
  void on_reset(const ResetSearch::Request& request, ResetSearch::Response& response);

  /// A node that is about to be shut down is deactivated from another thread.
  std::mutex mutex_;
  bool active_ = false;
  ros::RTDParameters parameters_;
  std::optional<ros::MessageFeed> feed_;
  ros::MessageNumbers window_numbers_;
  std::vector<CellChange> changes_;
  std::unique_ptr<RealTimePlanner> planner_;
  std::string unsearchable_;  // why there is no planner
  std::optional<ros::VelocityController> controller_;
  ros::Commands commands_;
  std::optional<Goal> goal_;
  int stops_left_ = 0;  // how often it is still told to stand, after its goal has ended
  SeenPose robot_{};
  std::vector<Cell> way_;      // what the step intends; its memory is there beforehand
  std::vector<Point> places_;  // the same in the world
  bool reaches_goal_ = false;  // the last place is the goal
  std::shared_ptr<NavigateToPose::Feedback> feedback_ =
      std::make_shared<NavigateToPose::Feedback>();
  Time last_step_{};
  std::optional<SteadyClock::time_point> asked_for_costmap_;
  // Since the node was activated.
  std::uint64_t refused_messages_ = 0;
  std::uint64_t gaps_ = 0;  // in the windows of the costmap

  ros::TransformBufferPtr tf_;
  std::shared_ptr<ros::TransformListener> tf_listener_;
  rclcpp::TimerBase::SharedPtr timer_;
  rclcpp::Subscription<nav2_msgs::msg::Costmap>::SharedPtr costmap_subscription_;
  rclcpp::Subscription<nav2_msgs::msg::CostmapUpdate>::SharedPtr update_subscription_;
  rclcpp::Subscription<PoseStamped>::SharedPtr goal_subscription_;
  rclcpp::Client<GetCostmap>::SharedPtr costmap_client_;
  rclcpp::Publisher<geometry_msgs::msg::TwistStamped>::SharedPtr stamped_velocity_publisher_;
  rclcpp::Publisher<geometry_msgs::msg::Twist>::SharedPtr velocity_publisher_;
  std::optional<ros::StepReporter> reporter_;
  rclcpp_action::Server<NavigateToPose>::SharedPtr action_server_;
  rclcpp::Service<ResetSearch>::SharedPtr reset_service_;
  std::unique_ptr<diagnostic_updater::Updater> diagnostics_;
  rclcpp::node_interfaces::OnSetParametersCallbackHandle::SharedPtr parameter_check_;
  rclcpp::node_interfaces::PostSetParametersCallbackHandle::SharedPtr parameter_takeover_;
};

}  // namespace dynamic_planners
