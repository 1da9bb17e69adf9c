#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string_view>
#include <variant>
#include <vector>

#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/lab/replay.hpp"
#include "dynamic_planners/lab/suites/registry.hpp"
#include "dynamic_planners/lab/worlds.hpp"
#include "dynamic_planners/realtime/registry.hpp"
#include "dynamic_planners/search/registry.hpp"

/// The program's commands: each takes its options, prints to `output`, and throws InputError where
/// an option or a file is not as it should be.
namespace dynamic_planners {

/// The planner of every command that was not told another one.
inline constexpr std::string_view kDefaultPlanner = "dstar_lite";

struct PlanOptions {
  std::filesystem::path map = {};
  Grid::Position start = {};
  Grid::Position goal = {};
  const PlannerInfo* planner = &find_planner(kDefaultPlanner);
  int connectivity = 8;
  bool json = false;
};
void run_plan(const PlanOptions& options, std::ostream& output);

struct ScenOptions {
  std::filesystem::path scenario = {};
  std::filesystem::path map = {};
  std::vector<const PlannerInfo*> planners = {&find_planner(kDefaultPlanner)};
  /// Every Nth problem.
  std::size_t every = 1;
  bool json = false;
};
/// Whether every planner's every length was right.
bool run_scen(const ScenOptions& options, std::ostream& output);

/// A robot can be driven by either kind.
using AnyPlanner = std::variant<const PlannerInfo*, const RealTimePlannerInfo*>;

struct ReplayCommandOptions {
  std::filesystem::path recording = {};
  std::vector<AnyPlanner> planners = {&find_planner(kDefaultPlanner)};
  RealTimeReplayConfig real_time = {};
  std::optional<std::int64_t> max_steps = std::nullopt;
  bool json = false;
};
void run_replay(const ReplayCommandOptions& options, std::ostream& output);

struct RecordOptions {
  WorldConfig world = {};
  std::filesystem::path file = {};
};
void run_record(const RecordOptions& options, std::ostream& output);

struct BenchOptions {
  const SuiteInfo* suite = nullptr;
  SuiteOptions of_suite = {};
  /// By default results/SUITE.
  std::optional<std::filesystem::path> directory = std::nullopt;
};
void run_bench(const BenchOptions& options, std::ostream& output);

struct WorldFilesOptions {
  std::filesystem::path world = {};
  std::filesystem::path directory = {};
};
void run_world(const WorldFilesOptions& options, std::ostream& output);

}  // namespace dynamic_planners
