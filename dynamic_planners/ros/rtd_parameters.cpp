#include "dynamic_planners/ros/rtd_parameters.hpp"

#include <stdexcept>

#include "dynamic_planners/ros/parameter_rules.hpp"

namespace dynamic_planners::ros {
namespace {

using Whole = NumberRule<RTDParameters, int>;
using Number = NumberRule<RTDParameters, double>;
using Flag = FlagRule<RTDParameters>;
using Choice = ChoiceRule<RTDParameters>;
using Name = NameRule<RTDParameters>;
using P = RTDParameters;

constexpr double kNoLimit = 1e9;
constexpr bool kReadOnly = true;

constexpr auto kRules = [](auto&& visit) {
  visit(Number{"rate", &P::rate, 0.1, 1000.0, "Steps per second", kReadOnly});
  visit(Number{"step_deadline", &P::step_deadline, 1e-4, kNoLimit,
               "A step that is not done so long after it was due has missed its deadline, and it "
               "thinks for half of that at most [s]"});
  visit(Whole{"expansion_limit", &P::expansion_limit, 1, 1'000'000'000,
              "What a step may spend, in expansions"});
  visit(Number{"local_ratio", &P::local_ratio, 0.0, 1.0,
               "The share of it that is kept for the local search"});
  visit(Choice{"global_search",
               &P::global_search,
               {"dstar_lite", "ad"},
               "Who searches from the goal to the robot"});
  visit(Choice{"local_search",
               &P::local_search,
               {"lss_lrta", "lrta", "noop"},
               "Who chooses the step until a path is known; noop waits for it"});
  visit(Number{"epsilon", &P::epsilon, 1.0, 100.0,
               "ad: a first path may cost this many times the best one"});
  visit(Number{"epsilon_decrease", &P::epsilon_decrease, 0.01, 100.0,
               "ad: epsilon falls by so much with every improvement"});
  visit(Number{"epsilon_increase", &P::epsilon_increase, 0.0, 100.0,
               "ad: epsilon rises by so much after a change"});
  visit(Number{"cost_weight", &P::cost_weight, 0.0, 1000.0,
               "A step costs its length times 1 + cost_weight * cost / 252"});
  visit(Whole{"connectivity", &P::connectivity, 4, 8, "4 or 8 neighbours"});
  visit(Flag{"allow_unknown", &P::allow_unknown, "Whether to drive through unknown cells"});

  visit(Name{"costmap_topic", &P::costmap_topic,
             "The costmap; its updates are on this topic with _updates added", kReadOnly});
  visit(Name{"costmap_service", &P::costmap_service,
             "The service that answers with all of the costmap", kReadOnly});
  visit(Name{"global_frame", &P::global_frame, "The frame of the costmap", kReadOnly});
  visit(Name{"robot_base_frame", &P::robot_base_frame, "The frame of the robot", kReadOnly});
  visit(Number{"costmap_timeout", &P::costmap_timeout, 1e-3, kNoLimit,
               "The robot stands when the costmap is older [s]", kReadOnly});
  visit(Number{"transform_timeout", &P::transform_timeout, 1e-3, kNoLimit,
               "The robot stands when its pose is older [s]"});
  visit(Number{
      "wait_timeout", &P::wait_timeout, 0.0, kNoLimit,
      "A goal is given up when the robot had to stand for so long since it knew a path [s]"});

  visit(Number{"xy_goal_tolerance", &P::xy_goal_tolerance, 1e-3, 1000.0,
               "So near the goal the robot has arrived [m]"});
  visit(Number{"yaw_goal_tolerance", &P::yaw_goal_tolerance, 1e-3, 7.0,
               "How far it may look away from where the goal looks [rad]"});
  visit(Number{"max_linear_speed", &P::max_linear_speed, 1e-3, 100.0, "[m/s]"});
  visit(Number{"max_angular_speed", &P::max_angular_speed, 1e-3, 100.0, "[rad/s]"});
  visit(Number{"max_linear_acceleration", &P::max_linear_acceleration, 1e-3, 1000.0, "[m/s^2]"});
  visit(Number{"max_linear_deceleration", &P::max_linear_deceleration, 1e-3, 1000.0, "[m/s^2]"});
  visit(
      Number{"max_angular_acceleration", &P::max_angular_acceleration, 1e-3, 1000.0, "[rad/s^2]"});
  visit(Number{"lookahead_distance", &P::lookahead_distance, 1e-3, 100.0,
               "The robot heads for a place so far along its way [m]"});
  visit(Number{"turn_in_place_angle", &P::turn_in_place_angle, 0.01, 1.5,
               "Who looks further away from there turns on the spot first [rad]"});
  visit(Number{"plan_length", &P::plan_length, 0.1, 1000.0,
               "So much of the intended path is followed and published [m]"});
  visit(Flag{"enable_stamped_cmd_vel", &P::enable_stamped_cmd_vel,
             "Whether cmd_vel is TwistStamped or Twist", kReadOnly});
};

void check_together(const RTDParameters& parameters) {
  if (parameters.connectivity != 4 && parameters.connectivity != 8) {
    throw std::invalid_argument("connectivity must be 4 or 8, not " +
                                std::to_string(parameters.connectivity));
  }
}

}  // namespace

RealTimeConfig RTDParameters::planner_config() const {
  RealTimeConfig config;
  config.traversal.connectivity = connectivity;
  config.traversal.cost_weight = cost_weight;
  config.traversal.allow_unknown = allow_unknown;
  config.global = global_search == "ad" ? GlobalSearchKind::kAD : GlobalSearchKind::kDStarLite;
  config.local = local_search == "noop"   ? LocalSearchKind::kNoOp
                 : local_search == "lrta" ? LocalSearchKind::kLRTA
                                          : LocalSearchKind::kLSSLRTA;
  config.local_ratio = local_ratio;
  config.anytime.epsilon = epsilon;
  config.anytime.epsilon_decrease = epsilon_decrease;
  config.anytime.epsilon_increase = epsilon_increase;
  return config;
}

MotionConfig RTDParameters::motion_config() const {
  return {.max_linear_speed = max_linear_speed,
          .max_angular_speed = max_angular_speed,
          .max_linear_acceleration = max_linear_acceleration,
          .max_linear_deceleration = max_linear_deceleration,
          .max_angular_acceleration = max_angular_acceleration,
          .lookahead_distance = lookahead_distance,
          .turn_in_place_angle = turn_in_place_angle};
}

RTDParameters declare_rtd_parameters(rclcpp_lifecycle::LifecycleNode& node) {
  auto parameters = declare_by_rules<RTDParameters>(node, "", kRules);
  check_together(parameters);
  return parameters;
}

RTDParameters updated(const RTDParameters& parameters,
                      const std::vector<rclcpp::Parameter>& changed) {
  auto result = updated_by_rules(parameters, changed, "", kRules);
  check_together(result);
  return result;
}

}  // namespace dynamic_planners::ros
