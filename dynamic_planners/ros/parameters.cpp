#include "dynamic_planners/ros/parameters.hpp"

#include <limits>
#include <stdexcept>

#include "dynamic_planners/ros/parameter_rules.hpp"

namespace dynamic_planners::ros {
namespace {

template <typename T>
using Number = NumberRule<Parameters, T>;
using Flag = FlagRule<Parameters>;
using Choice = ChoiceRule<Parameters>;

constexpr double kNoLimit = 1e9;

/// Calls `visit` for the rule of each parameter.
template <typename Visit>
void for_each_rule(Visit&& visit) {
  visit(Flag{"allow_unknown", &Parameters::allow_unknown, "Whether paths may cross unknown cells"});
  visit(Number<double>{"tolerance", &Parameters::tolerance, 0.0, 1000.0,
                       "How far a path may end from a goal that is blocked or out of reach [m]"});
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

void check_together(const Parameters& parameters) {
  if (parameters.connectivity != 4 && parameters.connectivity != 8) {
    throw std::invalid_argument("connectivity must be 4 or 8, not " +
                                std::to_string(parameters.connectivity));
  }
}

constexpr auto kRules = [](auto&& visit) { for_each_rule(visit); };

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
  auto parameters = declare_by_rules<Parameters>(node, planner_name + ".", kRules);
  check_together(parameters);
  return parameters;
}

void update_parameters(const std::vector<rclcpp::Parameter>& changed,
                       const std::string& planner_name, Parameters& parameters) {
  const Parameters updated = updated_by_rules(parameters, changed, planner_name + ".", kRules);
  check_together(updated);
  parameters = updated;
}

}  // namespace dynamic_planners::ros
