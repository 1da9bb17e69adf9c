#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/lab/recording.hpp"
#include "dynamic_planners/realtime/registry.hpp"
#include "dynamic_planners/search/planner.hpp"
#include "dynamic_planners/search/registry.hpp"

namespace dynamic_planners {

/// The planner was told what had changed and asked once.
struct Episode {
  /// Time steps passed.
  std::int64_t step = 0;
  Cell at = 0;
  PlanStatus status = PlanStatus::kNoPath;
  Cost cost = kInfinity;
  double bound = std::numeric_limits<double>::infinity();
  std::uint64_t expansions = 0;
  /// Searches that were begun anew; of global planners alone.
  std::uint64_t restarts = 0;
  /// Cells whose cost became another one in what the robot knows, since the last episode.
  std::size_t changed = 0;
  /// Of the processor, in the planner's update() and plan() and nothing else.
  double time_us = 0.0;
};

/// Percentiles by nearest rank; all zero where there is nothing.
struct TimeSummary {
  double mean = 0.0;
  double p50 = 0.0;
  double p99 = 0.0;
};

TimeSummary summarise(std::vector<double> times);

struct ReplayResult {
  std::string_view planner = {};
  bool reached = false;
  /// Time steps passed, waiting included.
  std::int64_t steps = 0;
  /// The cost of the moves made.
  Cost travelled = 0;
  /// Sums over the episodes.
  std::uint64_t expansions = 0;
  double time_us = 0.0;
  /// Over the episodes after the first.
  TimeSummary recompute_us = {};
  std::vector<Episode> episodes = {};
  /// The cells the robot was on, from the start, waiting not counted.
  std::vector<Cell> route = {};
};

/// How a real-time planner thinks on its way. The connectivity is the recording's.
struct RealTimeReplayConfig {
  RealTimeConfig planner = {};
  /// Per step.
  std::uint64_t expansion_limit = 128;
};

/// Ten times the number of cells on the map's border.
std::int64_t default_max_steps(const Grid& grid);

/// How a global planner drives. The connectivity is the recording's.
struct GlobalReplayConfig {
  PlannerConfig planner = {};
  /// Asked before every step while its bound is more than 1, and not only when something has
  /// changed: so an anytime planner improves its path on the way.
  bool improves_on_the_way = false;
};

/// Sends a robot with this planner through the recording; docs/recording.md has the rules. The run
/// ends as not reached after `max_steps` time steps, by default default_max_steps(). Throws
/// std::invalid_argument when the planner cannot be made for the map.
ReplayResult replay(const Recording& recording, const PlannerInfo& planner,
                    const GlobalReplayConfig& config = {},
                    std::optional<std::int64_t> max_steps = std::nullopt);

/// The same with a planner that is asked before every step; each is an episode, found when the step
/// was fully informed and out of budget when it was partially informed.
ReplayResult replay(const Recording& recording, const RealTimePlannerInfo& planner,
                    const RealTimeReplayConfig& config,
                    std::optional<std::int64_t> max_steps = std::nullopt);

}  // namespace dynamic_planners
