#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "dynamic_planners/ros/nav2_version.hpp"
#include "rcl_interfaces/msg/parameter_descriptor.hpp"
#include "rclcpp/parameter.hpp"

/// Parameters of a node that are members of a struct, each with a rule that says what it may be.
///
/// `for_each_rule` calls what it is given with the rule of each parameter.
namespace dynamic_planners::ros {

template <typename Parameters, typename T>
struct NumberRule {
  std::string_view name;
  T Parameters::*member;
  T min;
  T max;
  std::string_view description;
  bool read_only = false;  // once the node runs

  void check(const T& value) const {
    if (value >= min && value <= max) return;  // written so that NaN fails
    std::ostringstream message;
    message << name << " must be from " << min << " to " << max << ", not " << value;
    throw std::invalid_argument(message.str());
  }
};

template <typename Parameters>
struct FlagRule {
  std::string_view name;
  bool Parameters::*member;
  std::string_view description;
  bool read_only = false;  // once the node runs

  void check(bool /*value*/) const {}
};

template <typename Parameters>
struct ChoiceRule {
  std::string_view name;
  std::string Parameters::*member;
  std::vector<std::string> allowed;
  std::string_view description;
  bool read_only = false;  // once the node runs

  void check(const std::string& value) const {
    if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return;
    std::string message = std::string(name) + " must be one of";
    for (const std::string& one : allowed) message += " " + one;
    throw std::invalid_argument(message + ", not '" + value + "'");
  }
};

/// A name of a frame, a topic or a service.
template <typename Parameters>
struct NameRule {
  std::string_view name;
  std::string Parameters::*member;
  std::string_view description;
  bool read_only = false;

  void check(const std::string& value) const {
    if (value.empty()) throw std::invalid_argument(std::string(name) + " must not be empty");
  }
};

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

template <typename Parameters, typename Rule>
using ValueOf =
    std::remove_cvref_t<decltype(std::declval<Parameters>().*std::declval<Rule>().member)>;

/// Declares the parameters, those that are not there yet with their defaults, under names that
/// begin with `prefix`, and reads what the user has set. Throws std::invalid_argument when a value
/// is not allowed.
template <typename Parameters, typename ForEachRule>
Parameters declare_by_rules(rclcpp_lifecycle::LifecycleNode& node, const std::string& prefix,
                            ForEachRule&& for_each_rule) {
  Parameters parameters;
  for_each_rule([&](const auto& rule) {
    using T = ValueOf<Parameters, decltype(rule)>;
    const std::string name = prefix + std::string(rule.name);
    if (!node.has_parameter(name)) {
      rcl_interfaces::msg::ParameterDescriptor descriptor;
      descriptor.description = rule.description;
      descriptor.read_only = rule.read_only;
      // A whole number in YAML is fine where a fraction is meant; the rule checks the rest.
      descriptor.dynamic_typing = std::is_same_v<T, double>;
      node.declare_parameter(name, rclcpp::ParameterValue(parameters.*rule.member), descriptor);
    }
    T value = value_of<T>(node.get_parameter(name), rule.name);
    rule.check(value);
    parameters.*rule.member = value;
  });
  return parameters;
}

/// What the parameters are when those of `changed` that are among them have been taken over. Throws
/// std::invalid_argument when a value is not allowed.
template <typename Parameters, typename ForEachRule>
Parameters updated_by_rules(const Parameters& parameters,
                            const std::vector<rclcpp::Parameter>& changed,
                            const std::string& prefix, ForEachRule&& for_each_rule) {
  Parameters updated = parameters;
  for (const rclcpp::Parameter& parameter : changed) {
    for_each_rule([&](const auto& rule) {
      if (parameter.get_name() != prefix + std::string(rule.name)) return;
      const auto value = value_of<ValueOf<Parameters, decltype(rule)>>(parameter, rule.name);
      rule.check(value);
      updated.*rule.member = value;
    });
  }
  return updated;
}

}  // namespace dynamic_planners::ros
