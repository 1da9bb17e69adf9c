#pragma once

#include <string>
#include <vector>

#include "dynamic_planners/ros/nav2_version.hpp"
#include "dynamic_planners/search/planner.hpp"
#include "rclcpp/parameter.hpp"

namespace dynamic_planners::ros {

/// What a user can tell a planner in YAML, under the planner's name. docs/nav2.md explains each.
struct Parameters {
  bool allow_unknown = true;
  double tolerance = 0.5;
  double start_tolerance = 0.5;
  double max_planning_time = 2.0;
  bool use_final_approach_orientation = false;
  int terminal_checking_interval = 1000;
  double path_commitment = 0.05;
  double background_timeout = 30.0;

  double cost_weight = 3.0;
  int connectivity = 8;
  std::string heuristic = "natural";
  int kept_searches = 4;
  int memory_limit_mb = 2048;

  double epsilon = 3.0;
  double epsilon_decrease = 0.5;
  double epsilon_increase = 0.5;
  double significant_change = 0.1;
  std::string ties = "larger_g";

  bool operator==(const Parameters&) const = default;

  /// The part that concerns the core: when it differs, the planner must be made anew.
  PlannerConfig planner_config() const;
};

/// Declares all of them with their defaults and reads what the user has set. Throws
/// std::invalid_argument when a value is not allowed.
Parameters declare_parameters(LifecycleNode& node, const std::string& planner_name);

/// Takes over those of `changed` that belong to the planner. Throws std::invalid_argument that
/// names the allowed values, and leaves `parameters` as they were, when one is not allowed.
void update_parameters(const std::vector<rclcpp::Parameter>& changed,
                       const std::string& planner_name, Parameters& parameters);

}  // namespace dynamic_planners::ros
