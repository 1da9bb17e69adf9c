// How far real-time planners travel, by their limit of expansions per step: tables like figures 3
// and 4 of D. M. Bond, N. A. Widger, W. Ruml, X. Sun, "Real-Time Search in Dynamic Worlds", SoCS
// 2010, in worlds of our own. `./run bench real-time`.

#include <fmt/core.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "dynamic_planners/lab/replay.hpp"
#include "dynamic_planners/lab/worlds.hpp"

namespace {

using namespace dynamic_planners;

constexpr std::int64_t kMaxSteps = 20'000;

struct Contender {
  std::string_view title;
  std::string_view planner;
  RealTimeConfig config;
  /// Does not heed the limit.
  bool unlimited = false;
};

RealTimeConfig config(GlobalSearchKind global, LocalSearchKind local, double local_ratio) {
  return {.global = global, .local = local, .local_ratio = local_ratio};
}

const std::vector<Contender>& contenders() {
  using enum GlobalSearchKind;
  using enum LocalSearchKind;
  static const std::vector<Contender> all{
      {"LRTA*", "lrta", {}},
      {"RTD*, D* Lite + LRTA*, 25 %", "rtd", config(kDStarLite, kLRTA, 0.25)},
      {"LSS-LRTA*", "lss_lrta", {}},
      {"RTD*, D* Lite + LSS-LRTA*, 50 %", "rtd", config(kDStarLite, kLSSLRTA, 0.5)},
      {"RTD*, D* Lite + LSS-LRTA*, 75 %", "rtd", config(kDStarLite, kLSSLRTA, 0.75)},
      {"RTD*, AD* + LSS-LRTA*, 50 %", "rtd", config(kAD, kLSSLRTA, 0.5)},
      {"RTD* NoOp", "rtd", config(kDStarLite, kNoOp, 0.5)},
      {"unlimited", "rtd", config(kDStarLite, kLSSLRTA, 0.5), true},
  };
  return all;
}

/// What a run is measured by: the way of a robot that knows everything from the beginning.
struct Problem {
  Recording recording;
  ReplayResult reference;
};

ReplayResult reference(const Recording& recording, Grid grid) {
  Recording known{.grid = std::move(grid),
                  .connectivity = recording.connectivity,
                  .start = recording.start,
                  .goal = recording.goal};
  return replay(known, find_planner("astar"));
}

/// Rooms of 100 x 100 cells whose doors open and close; measured by the way with all doors open.
Problem dynamic_rooms(std::uint64_t seed, std::int64_t every) {
  const WorldConfig world{.kind = WorldKind::kRooms,
                          .size = 100,
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
  ReplayResult way = reference(recording, std::move(open));
  return {std::move(recording), std::move(way)};
}

/// Scattered obstacles on 161 x 161 cells that do not change but are seen from 7 cells away only.
Problem unknown_terrain(std::uint64_t seed) {
  Recording recording = record_world(
      {.kind = WorldKind::kRandom, .size = 161, .seed = seed, .connectivity = 8, .steps = 0});
  ReplayResult way = reference(recording, recording.grid);
  recording.visibility = 7;
  return {std::move(recording), std::move(way)};
}

double relative(const ReplayResult& result, const ReplayResult& reference, bool in_time_steps) {
  return in_time_steps
             ? static_cast<double>(result.steps) / static_cast<double>(reference.steps)
             : static_cast<double>(result.travelled) / static_cast<double>(reference.travelled);
}

/// One row per contender, one column per limit: the mean over the worlds. A run that has not
/// arrived after kMaxSteps counts as it is then; its number is marked.
void print_table(const std::vector<Problem>& problems, bool in_time_steps) {
  constexpr std::uint64_t kLimits[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
  fmt::print("{:<34}", "expansions per step");
  for (const std::uint64_t limit : kLimits) fmt::print("{:>9}", limit);
  fmt::print("\n");
  for (const Contender& contender : contenders()) {
    fmt::print("{:<34}", contender.title);
    const RealTimePlannerInfo& info = *find_real_time_planner(contender.planner);
    for (const std::uint64_t limit : kLimits) {
      double sum = 0.0;
      int missing = 0;
      for (const Problem& problem : problems) {
        const ReplayResult result =
            replay(problem.recording, info,
                   {.planner = contender.config,
                    .expansion_limit = contender.unlimited ? kUnlimited : limit},
                   kMaxSteps);
        sum += relative(result, problem.reference, in_time_steps);
        missing += !result.reached;
      }
      const double mean = sum / static_cast<double>(problems.size());
      fmt::print("{:>9}", fmt::format("{}{:.3f}", missing > 0 ? ">" : "", mean));
      std::fflush(stdout);
      if (contender.unlimited) break;
    }
    fmt::print("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::string_view(argv[1]) == "--quick";
  const int worlds = quick ? 5 : 100;
  std::vector<Problem> problems;
  for (int seed = 1; seed <= worlds; ++seed) problems.push_back(unknown_terrain(seed));
  fmt::print(
      "Unknown terrain, {} worlds of 161 x 161 cells, seen from 7 cells away (figure 3): time "
      "steps,\n"
      "relative to A* that knows everything. '>': some did not arrive within {} steps.\n\n",
      worlds, kMaxSteps);
  print_table(problems, true);
  for (const std::int64_t every : {50, 10}) {
    problems.clear();
    for (int seed = 1; seed <= worlds; ++seed) problems.push_back(dynamic_rooms(seed, every));
    fmt::print(
        "\nDynamic rooms, {} worlds of 100 x 100 cells, a tenth of the doors change every {} "
        "steps\n"
        "(figure 4): the way travelled, relative to A* with all doors open.\n\n",
        worlds, every);
    print_table(problems, false);
  }
  return 0;
}
