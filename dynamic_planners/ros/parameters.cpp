#include "dynamic_planners/ros/parameters.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "rcl_interfaces/msg/parameter_descriptor.hpp"

namespace dynamic_planners::ros {
namespace {

template <typename T>
struct Number {
  std::string_view name;
  T Parameters::*member;
  T min;
  T max;
  std::string_view description;

  void check(const T& value) const {
    if (value >= min && value <= max) return;  // written so that NaN fails
    std::ostringstream message;
    message << name << " must be from " << min << " to " << max << ", not " << value;
    throw std::invalid_argument(message.str());
  }
};

struct Flag {
  std::string_view name;
  bool Parameters::*member;
  std::string_view description;

  void check(bool /*value*/) const {}
};

struct Choice {
  std::string_view name;
  std::string Parameters::*member;
  std::vector<std::string> allowed;
  std::string_view description;

  void check(const std::string& value) const {
    if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return;
    std::string message = std::string(name) + " must be one of";
    for (const std::string& one : allowed) message += " " + one;
    throw std::invalid_argument(message + ", not '" + value + "'");
  }
};

constexpr double kNoLimit = 1e9;

/// Calls `visit` for the rule of each parameter.
template <typename Visit>
void for_each_rule(Visit&& visit) {
  visit(Flag{"allow_unknown", &Parameters::allow_unknown, "Whether paths may cross unknown cells"});
  visit(Number<double>{"tolerance", &Parameters::tolerance, 0.0, 1000.0,
                       "How far from a blocked goal a path may end [m]"});
  visit(Number<double>{"start_tolerance", &Parameters::start_tolerance, 0.0, 1000.0,
                       "How far a path may lead out of an obstacle that the robot stands in [m]"});
  visit(Number<double>{"max_planning_time", &Parameters::max_planning_time, 1e-3, kNoLimit,
                       "How long a plan may take [s]"});
  visit(Flag{"use_final_approach_orientation", &Parameters::use_final_approach_orientation,
             "Whether the last pose is oriented along the path instead of as the goal"});
  visit(Number<int>{"terminal_checking_interval", &Parameters::terminal_checking_interval, 1,
                    std::numeric_limits<int>::max(),
                    "Cancel and time are looked at once in so many expansions"});
  visit(Number<double>{"path_commitment", &Parameters::path_commitment, 0.0, 10.0,
                       "The former path is kept while it costs at most this share more than the "
                       "best one; 0 means always the best"});
  visit(Number<double>{"background_timeout", &Parameters::background_timeout, 0.0, kNoLimit,
                       "Repaired paths are published for so long after a request [s]"});
  visit(Number<double>{"cost_weight", &Parameters::cost_weight, 0.0, 1000.0,
                       "A step costs its length times 1 + cost_weight * cost / 252"});
  visit(Number<int>{"connectivity", &Parameters::connectivity, 4, 8, "4 or 8 neighbours"});
  visit(Choice{"heuristic",
               &Parameters::heuristic,
               {"natural", "euclidean"},
               "The lower bound that guides the search"});
  visit(Number<int>{"kept_searches", &Parameters::kept_searches, 1, 1000,
                    "At most so many goals have their search kept alive"});
  visit(Number<int>{"memory_limit_mb", &Parameters::memory_limit_mb, 1, 1 << 20,
                    "Kept searches take no more memory than this [MiB]"});
  visit(Number<double>{"epsilon", &Parameters::epsilon, 1.0, 100.0,
                       "ARA*, AD*: a first path may cost this many times the best one"});
  visit(Number<double>{"epsilon_decrease", &Parameters::epsilon_decrease, 0.01, 100.0,
                       "ARA*, AD*: epsilon falls by so much with every improvement"});
  visit(Number<double>{"epsilon_increase", &Parameters::epsilon_increase, 0.0, 100.0,
                       "ARA*, AD*: epsilon rises by so much after a change"});
  visit(Number<double>{"significant_change", &Parameters::significant_change, 0.0, 1.0,
                       "ARA*, AD*: a change of a larger share of all cells starts them over"});
  visit(Choice{"ties",
               &Parameters::ties,
               {"larger_g", "fifo", "smaller_g"},
               "MPAA*: which of two cells with the same f comes first"});
}

std::string full_name(const std::string& planner_name, std::string_view parameter) {
  return planner_name + "." + std::string(parameter);
}

/// A parameter's value as the type that a rule wants. A whole number serves as a fraction too.
template <typename T>
T value_of(const rclcpp::Parameter& parameter, std::string_view name) {
  try {
    if constexpr (std::is_same_v<T, double>) {
      if (parameter.get_type() == rclcpp::ParameterType::PARAMETER_INTEGER) {
        return static_cast<double>(parameter.as_int());
      }
      return parameter.as_double();
    } else if constexpr (std::is_same_v<T, int>) {
      return static_cast<int>(std::clamp<std::int64_t>(
          parameter.as_int(), std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
    } else {
      return parameter.get_value<T>();
    }
  } catch (const rclcpp::ParameterTypeException& error) {
    throw std::invalid_argument(std::string(name) + ": " + error.what());
  }
}

void check_together(const Parameters& parameters) {
  if (parameters.connectivity != 4 && parameters.connectivity != 8) {
    throw std::invalid_argument("connectivity must be 4 or 8, not " +
                                std::to_string(parameters.connectivity));
  }
}

template <typename Rule>
using ValueOf =
    std::remove_cvref_t<decltype(std::declval<Parameters>().*std::declval<Rule>().member)>;

}  // namespace

PlannerConfig Parameters::planner_config() const {
  PlannerConfig config;
  config.traversal.connectivity = connectivity;
  config.traversal.heuristic =
      heuristic == "euclidean" ? Heuristic::kEuclidean : Heuristic::kNatural;
  config.traversal.cost_weight = cost_weight;
  config.traversal.allow_unknown = allow_unknown;
  config.anytime = {epsilon, epsilon_decrease, epsilon_increase, significant_change};
  config.ties = ties == "fifo"        ? Ties::kFifo
                : ties == "smaller_g" ? Ties::kSmallerG
                                      : Ties::kLargerG;
  config.kept_searches = kept_searches;
  config.memory_limit = static_cast<std::size_t>(memory_limit_mb) << 20U;
  return config;
}

Parameters declare_parameters(LifecycleNode& node, const std::string& planner_name) {
  Parameters parameters;
  for_each_rule([&](const auto& rule) {
    using T = ValueOf<decltype(rule)>;
    const std::string name = full_name(planner_name, rule.name);
    if (!node.has_parameter(name)) {
      rcl_interfaces::msg::ParameterDescriptor descriptor;
      descriptor.description = rule.description;
      // A whole number in YAML is fine where a fraction is meant; the rule checks the rest.
      descriptor.dynamic_typing = std::is_same_v<T, double>;
      node.declare_parameter(name, rclcpp::ParameterValue(parameters.*rule.member), descriptor);
    }
    T value = value_of<T>(node.get_parameter(name), rule.name);
    rule.check(value);
    parameters.*rule.member = value;
  });
  check_together(parameters);
  return parameters;
}

void update_parameters(const std::vector<rclcpp::Parameter>& changed,
                       const std::string& planner_name, Parameters& parameters) {
  Parameters updated = parameters;
  for (const rclcpp::Parameter& parameter : changed) {
    for_each_rule([&](const auto& rule) {
      if (parameter.get_name() != full_name(planner_name, rule.name)) return;
      const auto value = value_of<ValueOf<decltype(rule)>>(parameter, rule.name);
      rule.check(value);
      updated.*rule.member = value;
    });
  }
  check_together(updated);
  parameters = updated;
}

}  // namespace dynamic_planners::ros
