#include "dynamic_planners/ros/step_reporter.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamic_planners/ros/poses.hpp"

namespace dynamic_planners::ros {
namespace {

double milliseconds_of(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

}  // namespace

geometry_msgs::msg::Pose to_pose(const RobotPose& robot) {
  geometry_msgs::msg::Pose pose;
  pose.position.x = robot.x;
  pose.position.y = robot.y;
  pose.orientation.z = std::sin(robot.yaw / 2.0);
  pose.orientation.w = std::cos(robot.yaw / 2.0);
  return pose;
}

double Intention::distance_remaining() const {
  Point at{robot.x, robot.y};
  double distance = 0.0;
  const auto go_on = [&](const Point& to) {
    distance += std::hypot(to.x - at.x, to.y - at.y);
    at = to;
  };
  for (const Point& place : places) go_on(place);
  go_on({goal.pose.position.x, goal.pose.position.y});
  return distance;
}

StepReporter::StepReporter(rclcpp::node_interfaces::NodeTopicsInterface::SharedPtr topics)
    : plan_publisher_(rclcpp::create_publisher<nav_msgs::msg::Path>(topics, "plan", 1)),
      step_publisher_(rclcpp::create_publisher<StepCommand>(topics, "step", 10)),
      pose_publisher_(
          rclcpp::create_publisher<geometry_msgs::msg::PoseStamped>(topics, "step_pose", 1)) {}

void StepReporter::publish(StepCommand& command, const rclcpp::TimerInfo& timer,
                           SteadyClock::time_point begin, std::chrono::nanoseconds deadline) {
  const auto step_time =
      std::chrono::duration_cast<std::chrono::nanoseconds>(SteadyClock::now() - begin);
  const auto delay = std::max(
      std::chrono::nanoseconds((timer.actual_call_time - timer.expected_call_time).nanoseconds()),
      std::chrono::nanoseconds(0));
  command.delay = rclcpp::Duration(delay);
  command.step_time = rclcpp::Duration(step_time);
  command.deadline = rclcpp::Duration(deadline);
  command.deadline_missed = delay + step_time > deadline;
  statistics_.longest_step = std::max(statistics_.longest_step, step_time);
  statistics_.longest_delay = std::max(statistics_.longest_delay, delay);
  ++statistics_.steps;
  if (command.deadline_missed) ++statistics_.misses;
  command.steps = statistics_.steps;
  command.deadline_misses = statistics_.misses;
  step_publisher_->publish(command);
  if (pose_publisher_->get_subscription_count() == 0) return;
  geometry_msgs::msg::PoseStamped pose;
  pose.header = command.header;
  pose.pose = command.next;
  pose_publisher_->publish(pose);
}

void StepReporter::publish_plan(const Intention& intention, const Frame& frame,
                                const std_msgs::msg::Header& header) {
  if (plan_publisher_->get_subscription_count() == 0) return;
  nav_msgs::msg::Path plan;
  plan.header = header;
  if (!intention.places.empty()) {
    const auto in_cells = [&](double x, double y) -> Point {
      return {frame.cell_x_of(x), frame.cell_y_of(y)};
    };
    std::vector<Point> points{in_cells(intention.robot.x, intention.robot.y)};
    for (const Point& place : intention.places) points.push_back(in_cells(place.x, place.y));
    plan.poses = to_poses(points, frame, to_pose(intention.robot), intention.goal.pose,
                          !intention.reaches_goal, plan.header);
  }
  plan_publisher_->publish(plan);
}

std::uint64_t StepReporter::new_misses() {
  return statistics_.misses - std::exchange(statistics_.misses_shown, statistics_.misses);
}

void StepReporter::show(diagnostic_updater::DiagnosticStatusWrapper& status) const {
  status.add("Steps", statistics_.steps);
  status.add("Deadline misses", statistics_.misses);
  status.add("Longest step [ms]", milliseconds_of(statistics_.longest_step));
  status.add("Longest delay [ms]", milliseconds_of(statistics_.longest_delay));
}

}  // namespace dynamic_planners::ros
