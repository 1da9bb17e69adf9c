#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "dynamic_planners/realtime/real_time_planner.hpp"

namespace dynamic_planners {

/// One real-time planner under its one name.
struct RealTimePlannerInfo {
  std::string_view name;
  std::string_view title;
  std::unique_ptr<RealTimePlanner> (*make)(const Grid& grid, const RealTimeConfig& config);
};

/// All of them, in the order in which people should see them.
std::span<const RealTimePlannerInfo> real_time_planners();

/// Nothing when there is none of this name.
const RealTimePlannerInfo* find_real_time_planner(std::string_view name);

/// A new planner over `grid`, which must outlive it. Throws std::invalid_argument when the name is
/// unknown or the configuration does not fit the grid.
std::unique_ptr<RealTimePlanner> make_real_time_planner(std::string_view name, const Grid& grid,
                                                        const RealTimeConfig& config = {});

}  // namespace dynamic_planners
