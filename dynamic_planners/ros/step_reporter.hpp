#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "diagnostic_updater/diagnostic_updater.hpp"
#include "dynamic_planners/ros/frame.hpp"
#include "dynamic_planners/ros/velocity_controller.hpp"
#include "dynamic_planners_msgs/msg/step_command.hpp"
#include "geometry_msgs/msg/pose.hpp"
#include "geometry_msgs/msg/pose_stamped.hpp"
#include "nav_msgs/msg/path.hpp"
#include "rclcpp/rclcpp.hpp"

namespace dynamic_planners::ros {

geometry_msgs::msg::Pose to_pose(const RobotPose& robot);

/// Where the robot is and means to go.
struct Intention {
  const RobotPose& robot;
  const std::vector<Point>& places;  // in the world; none while it stands
  bool reaches_goal;                 // the last place is the goal
  const geometry_msgs::msg::PoseStamped& goal;

  /// Along the places, and from the last one in a straight line.
  double distance_remaining() const;
};

/// Tells of the steps of the RTD* node: each of them on topics, and by diagnostics what they took.
class StepReporter {
 public:
  using SteadyClock = std::chrono::steady_clock;
  using StepCommand = dynamic_planners_msgs::msg::StepCommand;

  explicit StepReporter(rclcpp::node_interfaces::NodeTopicsInterface::SharedPtr topics);

  /// Everything counts from now on.
  void begin() { statistics_ = {}; }
  /// Publishes a step that began then and is over with this: what it took is added to it.
  void publish(StepCommand& command, const rclcpp::TimerInfo& timer, SteadyClock::time_point begin,
               std::chrono::nanoseconds deadline);
  /// No poses while the robot stands.
  void publish_plan(const Intention& intention, const Frame& frame,
                    const std_msgs::msg::Header& header);

  /// How many steps have missed their deadline since it was asked last.
  std::uint64_t new_misses();
  void show(diagnostic_updater::DiagnosticStatusWrapper& status) const;

 private:
  struct Statistics {
    std::uint64_t steps = 0;
    std::uint64_t misses = 0;
    std::uint64_t misses_shown = 0;
    std::chrono::nanoseconds longest_step{};
    std::chrono::nanoseconds longest_delay{};
  };

  Statistics statistics_;
  rclcpp::Publisher<nav_msgs::msg::Path>::SharedPtr plan_publisher_;
  rclcpp::Publisher<StepCommand>::SharedPtr step_publisher_;
  rclcpp::Publisher<geometry_msgs::msg::PoseStamped>::SharedPtr pose_publisher_;  // for RViz
};

}  // namespace dynamic_planners::ros
