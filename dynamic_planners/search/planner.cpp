#include "dynamic_planners/search/planner.hpp"

namespace dynamic_planners {

std::string_view to_string(PlanStatus status) {
  switch (status) {
    case PlanStatus::kFound:
      return "found";
    case PlanStatus::kNoPath:
      return "no_path";
    case PlanStatus::kStartBlocked:
      return "start_blocked";
    case PlanStatus::kGoalBlocked:
      return "goal_blocked";
    case PlanStatus::kOutOfBudget:
      return "out_of_budget";
    case PlanStatus::kCancelled:
      return "cancelled";
  }
  return "unknown";
}

}  // namespace dynamic_planners
