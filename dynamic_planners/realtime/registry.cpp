#include "dynamic_planners/realtime/registry.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "dynamic_planners/realtime/lrta.hpp"
#include "dynamic_planners/realtime/lss_lrta.hpp"
#include "dynamic_planners/realtime/rtd.hpp"

namespace dynamic_planners {
namespace {

template <template <typename> typename PlannerOver, int kConnectivity>
std::unique_ptr<RealTimePlanner> make_over(const Grid& grid, const RealTimeConfig& config) {
  using S = GridSpace<kConnectivity>;
  const S space(grid, config.traversal);
  if constexpr (std::is_constructible_v<PlannerOver<S>, const S&, const RealTimeConfig&>) {
    return std::make_unique<PlannerOver<S>>(space, config);
  } else {
    return std::make_unique<PlannerOver<S>>(space);
  }
}

template <template <typename> typename PlannerOver>
std::unique_ptr<RealTimePlanner> make(const Grid& grid, const RealTimeConfig& config) {
  switch (config.traversal.connectivity) {
    case 4:
      return make_over<PlannerOver, 4>(grid, config);
    case 8:
      return make_over<PlannerOver, 8>(grid, config);
    default:
      throw std::invalid_argument("connectivity must be 4 or 8, not " +
                                  std::to_string(config.traversal.connectivity));
  }
}

constexpr std::array kPlanners{
    RealTimePlannerInfo{"lrta", "LRTA*", make<LRTAStar>},
    RealTimePlannerInfo{"lss_lrta", "LSS-LRTA*", make<LSSLRTAStar>},
    RealTimePlannerInfo{"rtd", "RTD*", make<RTDStar>},
};

}  // namespace

std::span<const RealTimePlannerInfo> real_time_planners() {
  return kPlanners;
}

const RealTimePlannerInfo* find_real_time_planner(std::string_view name) {
  const auto* const found =
      std::find_if(kPlanners.begin(), kPlanners.end(),
                   [&](const RealTimePlannerInfo& info) { return info.name == name; });
  return found == kPlanners.end() ? nullptr : found;
}

std::unique_ptr<RealTimePlanner> make_real_time_planner(std::string_view name, const Grid& grid,
                                                        const RealTimeConfig& config) {
  if (const RealTimePlannerInfo* info = find_real_time_planner(name)) {
    return info->make(grid, config);
  }
  throw std::invalid_argument("unknown real-time planner '" + std::string(name) +
                              "', expected one of lrta, lss_lrta, rtd");
}

}  // namespace dynamic_planners
