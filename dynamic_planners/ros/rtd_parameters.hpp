#pragma once

#include <string>
#include <vector>

#include "dynamic_planners/realtime/real_time_planner.hpp"
#include "dynamic_planners/ros/velocity_controller.hpp"
#include "rclcpp/parameter.hpp"
#include "rclcpp_lifecycle/lifecycle_node.hpp"

namespace dynamic_planners::ros {

/// What a user can tell the RTD* node in YAML. docs/rtd_node.md explains each.
struct RTDParameters {
  double rate = 20.0;
  double step_deadline = 0.05;
  int expansion_limit = 10000;
  double local_ratio = 0.5;
  std::string global_search = "dstar_lite";
  std::string local_search = "lss_lrta";
  double epsilon = 3.0;
  double epsilon_decrease = 0.5;
  double epsilon_increase = 0.1;
  double cost_weight = 3.0;
  int connectivity = 8;
  bool allow_unknown = true;

  std::string costmap_topic = "global_costmap/costmap_raw";
  std::string costmap_service = "global_costmap/get_costmap";
  std::string global_frame = "map";
  std::string robot_base_frame = "base_link";
  double costmap_timeout = 1.0;
  double transform_timeout = 0.3;
  double wait_timeout = 30.0;

  double xy_goal_tolerance = 0.1;
  double yaw_goal_tolerance = 0.1;
  double max_linear_speed = MotionConfig{}.max_linear_speed;
  double max_angular_speed = MotionConfig{}.max_angular_speed;
  double max_linear_acceleration = MotionConfig{}.max_linear_acceleration;
  double max_linear_deceleration = MotionConfig{}.max_linear_deceleration;
  double max_angular_acceleration = MotionConfig{}.max_angular_acceleration;
  double lookahead_distance = MotionConfig{}.lookahead_distance;
  double turn_in_place_angle = MotionConfig{}.turn_in_place_angle;
  double plan_length = 5.0;
  bool enable_stamped_cmd_vel = true;

  /// When it differs, the planner must be made anew.
  RealTimeConfig planner_config() const;
  MotionConfig motion_config() const;
};

/// Declares all of them with their defaults and reads what the user has set. Throws
/// std::invalid_argument that names the allowed values when one is not allowed.
RTDParameters declare_rtd_parameters(rclcpp_lifecycle::LifecycleNode& node);

/// What they are with the changes. Throws std::invalid_argument when a value is not allowed.
RTDParameters updated(const RTDParameters& parameters,
                      const std::vector<rclcpp::Parameter>& changed);

}  // namespace dynamic_planners::ros
