#include "dynamic_planners/lab/suites/real_time.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "dynamic_planners/lab/replay.hpp"
#include "dynamic_planners/lab/worlds.hpp"

namespace dynamic_planners {
namespace {

/// A robot that has not arrived by then does not arrive.
constexpr std::int64_t kMaxSteps = 20'000;

struct Contender {
  std::string title;
  std::string_view planner;
  RealTimeConfig config = {};
  bool heeds_limit = true;
};

std::vector<Contender> contenders() {
  using enum GlobalSearchKind;
  using enum LocalSearchKind;
  std::vector<Contender> all{{"LRTA*", "lrta"}, {"LSS-LRTA*", "lss_lrta"}};
  for (const auto& [global, global_title] : {std::pair{kDStarLite, "D* Lite"}, {kAD, "AD*"}}) {
    for (const auto& [local, local_title] : {std::pair{kLRTA, "LRTA*"}, {kLSSLRTA, "LSS-LRTA*"}}) {
      for (const int percent : {25, 50, 75}) {
        all.push_back({fmt::format("RTD* {} + {} {} %", global_title, local_title, percent),
                       "rtd",
                       {.global = global, .local = local, .local_ratio = percent / 100.0}});
      }
    }
    all.push_back({fmt::format("RTD* NoOp {}", global_title),
                   "rtd",
                   {.global = global, .local = kNoOp, .local_ratio = 0.0}});
  }
  all.push_back({"Non-RTD*", "rtd", {}, false});
  return all;
}

/// A world, and the way of a robot that knows it from the beginning and is not hindered by changes.
struct Problem {
  Recording recording;
  ReplayResult reference;
};

ReplayResult reference_way(const Recording& recording, Grid grid) {
  const Recording known{.grid = std::move(grid),
                        .connectivity = recording.connectivity,
                        .start = recording.start,
                        .goal = recording.goal};
  return replay(known, find_planner("astar"));
}

/// A world that does not change but is seen from 7 cells away only. The paper has maps of a game;
/// these have scattered obstacles, or rooms most of whose doors are closed.
Problem unknown_world(WorldKind kind, int size, std::uint64_t seed) {
  Recording recording =
      record_world({.kind = kind, .size = size, .seed = seed, .connectivity = 8, .steps = 0});
  ReplayResult way = reference_way(recording, recording.grid);
  recording.visibility = 7;
  return {std::move(recording), std::move(way)};
}

/// Rooms of whose doors a tenth changes at a time; measured by the way with all doors open.
Problem dynamic_rooms(int size, std::int64_t every, std::uint64_t seed) {
  const WorldConfig world{.kind = WorldKind::kRooms,
                          .size = size,
                          .change_percent = 10.0,
                          .seed = seed,
                          .connectivity = 8,
                          .every = every,
                          .steps = kMaxSteps};
  Recording recording = record_world(world);
  Grid open = recording.grid;
  const DynamicWorld as_it_was(world);
  for (const DynamicObstacle& door : as_it_was.obstacles()) {
    for (const Cell cell : door) open.set(cell, kFree);
  }
  ReplayResult way = reference_way(recording, std::move(open));
  return {std::move(recording), std::move(way)};
}

std::vector<Measurement> measure(const Problem& problem, std::uint64_t limit) {
  std::vector<Measurement> measurements;
  for (const Contender& contender : contenders()) {
    const RealTimeReplayConfig config{
        .planner = contender.config, .expansion_limit = contender.heeds_limit ? limit : kUnlimited};
    const ReplayResult result =
        replay(problem.recording, *find_real_time_planner(contender.planner), config, kMaxSteps);
    const auto asked = static_cast<double>(result.episodes.size());
    const ReplayResult& reference = problem.reference;
    measurements.push_back(
        {contender.title,
         {result.time_us / asked,
          static_cast<double>(result.steps) / static_cast<double>(reference.steps),
          static_cast<double>(result.travelled) / static_cast<double>(reference.travelled),
          static_cast<double>(result.expansions) / asked, result.reached ? 1.0 : 0.0}});
  }
  return measurements;
}

}  // namespace

Suite real_time_suite(const RealTimeSuiteConfig& config) {
  Suite suite{.name = "real-time",
              .version = 2,
              .parameters = {{"unknown", fmt::format("{0} x {0} cells", config.unknown_size)},
                             {"rooms", fmt::format("{0} x {0} cells", config.rooms_size)},
                             {"seeds", "the number of the run"},
                             {"steps", fmt::format("{}", kMaxSteps)}},
              .quantities = {{"time_per_step", true},
                             {"steps_ratio"},
                             {"length_ratio"},
                             {"nodes_per_step"},
                             {"reached"}}};
  for (std::uint64_t run = 1; run <= config.runs; ++run) {
    for (const WorldKind kind : {WorldKind::kRandom, WorldKind::kRooms}) {
      const std::string_view name = kind == WorldKind::kRandom ? "obstacles" : "rooms";
      for (const std::uint64_t limit : config.limits) {
        suite.jobs.push_back(
            {fmt::format("unknown {}-{}", name, limit), run,
             [=] { return measure(unknown_world(kind, config.unknown_size, run), limit); }});
      }
    }
    for (const std::int64_t every : {50, 10}) {
      for (const std::uint64_t limit : config.limits) {
        suite.jobs.push_back({fmt::format("rooms every {} steps-{}", every, limit), run, [=] {
                                return measure(dynamic_rooms(config.rooms_size, every, run), limit);
                              }});
      }
    }
  }
  return suite;
}

}  // namespace dynamic_planners
