#include "dynamic_planners/lab/suites/dynamic_grids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "dynamic_planners/lab/replay.hpp"
#include "dynamic_planners/lab/worlds.hpp"

namespace dynamic_planners {
namespace {

struct Global {
  std::string_view planner;
  GlobalReplayConfig config = {};
};

struct RealTime {
  std::string_view planner;
  RealTimeReplayConfig config = {};
};

struct Contender {
  std::string title;
  std::variant<Global, RealTime> planner;
  bool any_angle = false;
};

/// Planners at any angle take half the time of all on large maps and say little here, where the
/// robot follows their lines from cell to cell: they take part in every tenth run, but not in the
/// first one, which is the quick one.
bool takes_part(const Contender& contender, std::uint64_t run) {
  return !contender.any_angle || run % 10 == 2;
}

/// A fixed epsilon: nothing is asked a second time, so nothing lowers it.
GlobalReplayConfig fixed_epsilon(double epsilon) {
  return {.planner = {.anytime = {.epsilon = epsilon}}};
}

/// "It originally started at 2 and was decreased by 0.1 after each step. If any changes happened to
/// the grid, the epsilon-value increased by 0.5" (section 4.3). Ours rises no further than to where
/// it started.
GlobalReplayConfig changing_epsilon() {
  return {
      .planner = {.anytime = {.epsilon = 2.0, .epsilon_decrease = 0.1, .epsilon_increase = 0.5}},
      .improves_on_the_way = true};
}

/// With D* Lite, LSS-LRTA* and a local ratio of 50 % (section 4.3), which are the defaults.
RealTimeReplayConfig limited(std::uint64_t expansions) {
  return {.planner = {}, .expansion_limit = expansions};
}

/// Those of the thesis under its names, then ours.
std::vector<Contender> contenders() {
  std::vector<Contender> all{{"A*", Global{"astar"}}, {"D* Lite", Global{"dstar_lite"}}};
  for (const std::uint64_t limit : {32, 64, 128, 256, 512}) {
    all.push_back({fmt::format("RTD* {}", limit), RealTime{"rtd", limited(limit)}});
  }
  for (const int epsilon : {2, 3, 5}) {
    all.push_back({fmt::format("AD* {}", epsilon), Global{"ad", fixed_epsilon(epsilon)}});
  }
  all.push_back({"AD* changing", Global{"ad", changing_epsilon()}});

  for (const PlannerInfo& info : planners()) {
    const bool is_there = info.name == "astar" || info.name == "dstar_lite" || info.name == "ad";
    if (is_there) continue;
    all.push_back({std::string(info.title), Global{info.name}, info.promise == Promise::kAnyAngle});
  }
  for (const RealTimePlannerInfo& info : real_time_planners()) {
    if (info.name == "rtd") continue;
    all.push_back({fmt::format("{} 512", info.title), RealTime{info.name, limited(512)}});
  }
  return all;
}

/// How many steps of a world are recorded. A robot that has not arrived by then has not arrived: so
/// none ever drives through a world that has come to rest. The longest ways on average in the
/// thesis are 4.9 times the size in rooms and 2.2 times among random obstacles; single ones are
/// longer, and a robot on which an obstacle closes waits until it opens again: 800 steps on average
/// where 2 percent change at a time.
std::int64_t steps(WorldKind kind, int size) {
  return kind == WorldKind::kRooms ? 40 * size : 4000 + 8 * size;
}

/// "The algorithm's average time to find the next node for the agent to move into after a grid
/// change event" (chapter 5), without the initial search. Where the robot's own cell is blocked
/// there is no such node.
double mean_recompute(const ReplayResult& result) {
  double sum = 0.0;
  std::size_t count = 0;
  for (const Episode& episode : result.episodes) {
    const bool after_event = episode.step > 0 && episode.changed > 0;
    if (!after_event || episode.status == PlanStatus::kStartBlocked) continue;
    sum += episode.time_us;
    ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : 0.0;
}

Measurement measure(const Recording& recording, const Contender& contender,
                    std::int64_t max_steps) {
  const ReplayResult result =
      std::holds_alternative<Global>(contender.planner)
          ? replay(recording, find_planner(std::get<Global>(contender.planner).planner),
                   std::get<Global>(contender.planner).config, max_steps)
          : replay(recording,
                   *find_real_time_planner(std::get<RealTime>(contender.planner).planner),
                   std::get<RealTime>(contender.planner).config, max_steps);
  return {contender.title,
          {result.time_us, mean_recompute(result), in_cells(result.travelled),
           static_cast<double>(result.expansions),
           static_cast<double>(result.steps - std::ssize(result.route) + 1),
           result.reached ? 1.0 : 0.0}};
}

std::vector<Measurement> measure_all(const WorldConfig& world) {
  const Recording recording = record_world(world);
  std::vector<Measurement> measurements;
  for (const Contender& contender : contenders()) {
    if (!takes_part(contender, world.seed)) continue;
    measurements.push_back(measure(recording, contender, *world.steps));
  }
  return measurements;
}

}  // namespace

Suite dynamic_grids_suite(const DynamicGridsConfig& config) {
  Suite suite{
      .name = "dynamic-grids",
      .parameters = {{"connectivity", "4"},
                     {"every", "10"},
                     {"seeds", "the number of the run"},
                     {"steps", "40 times the size in rooms, 4000 + 8 times in random"}},
      .quantities =
          {{"total", true}, {"recompute", true}, {"length"}, {"nodes"}, {"waited"}, {"reached"}},
      .jobs = {}};
  // A run that is stopped has more runs of the small maps, which take less time.
  std::vector<std::pair<std::uint64_t, Job>> jobs;
  for (std::uint64_t run = 1; run <= config.runs; ++run) {
    for (const WorldKind kind : {WorldKind::kRooms, WorldKind::kRandom}) {
      for (const int size : config.sizes) {
        for (const int change : config.changes) {
          const WorldConfig world{.kind = kind,
                                  .size = size,
                                  .change_percent = static_cast<double>(change),
                                  .seed = run,
                                  .steps = steps(kind, size)};
          const std::string_view name = kind == WorldKind::kRooms ? "rooms" : "random";
          jobs.push_back({run * static_cast<std::uint64_t>(size * size),
                          {fmt::format("{}-{}-{}", name, size, change), run,
                           [world] { return measure_all(world); }}});
        }
      }
    }
  }
  std::stable_sort(jobs.begin(), jobs.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [turn, job] : jobs) suite.jobs.push_back(std::move(job));
  return suite;
}

}  // namespace dynamic_planners
