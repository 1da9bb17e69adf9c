#include "dynamic_planners/lab/suites/dynamic_grids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "dynamic_planners/lab/replay.hpp"
#include "dynamic_planners/lab/worlds.hpp"

namespace dynamic_planners {
namespace {

/// A* that begins at the goal: what it has in common with D* Lite, and with A* all else.
class AStarFromTheGoal final : public Planner {
 public:
  AStarFromTheGoal(const Grid& grid, const PlannerConfig& config)
      : astar_(make_planner("astar", grid, config)) {}

  void update(std::span<const CellChange> changes) override { astar_->update(changes); }
  Plan plan(const Query& query, const Budget& budget) override {
    Plan plan = astar_->plan({query.goal, query.start}, budget);
    std::reverse(plan.points.begin(), plan.points.end());
    return plan;
  }
  void reset() override { astar_->reset(); }
  std::size_t memory_bytes() const override { return astar_->memory_bytes(); }

 private:
  std::unique_ptr<Planner> astar_;
};

constexpr PlannerInfo kAStarFromTheGoal{
    "astar_from_the_goal",
    "A* from the goal",
    "",
    Promise::kOptimal,
    [](const Grid& grid, const PlannerConfig& config) -> std::unique_ptr<Planner> {
      return std::make_unique<AStarFromTheGoal>(grid, config);
    },
    nullptr};

struct Global {
  const PlannerInfo* planner;
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

/// Those that show what else it could mean that obstacles change.
std::vector<Contender> principal_contenders() {
  return {{"A*", Global{&find_planner("astar")}}, {"D* Lite", Global{&find_planner("dstar_lite")}}};
}

/// Those of the thesis under its names, then ours.
std::vector<Contender> contenders() {
  std::vector<Contender> all = principal_contenders();
  const PlannerInfo* const ad = &find_planner("ad");
  for (const std::uint64_t limit : {32, 64, 128, 256, 512}) {
    all.push_back({fmt::format("RTD* {}", limit), RealTime{"rtd", limited(limit)}});
  }
  for (const int epsilon : {2, 3, 5}) {
    all.push_back({fmt::format("AD* {}", epsilon), Global{ad, fixed_epsilon(epsilon)}});
  }
  all.push_back({"AD* changing", Global{ad, changing_epsilon()}});
  all.push_back({std::string(kAStarFromTheGoal.title), Global{&kAStarFromTheGoal}});

  for (const PlannerInfo& info : planners()) {
    const bool is_there = info.name == "astar" || info.name == "dstar_lite" || info.name == "ad";
    if (is_there) continue;
    all.push_back({std::string(info.title), Global{&info}, info.promise == Promise::kAnyAngle});
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

/// What a planner did right after the changes of the world.
struct Recomputing {
  std::size_t count = 0;
  double time_us = 0.0;
  std::uint64_t restarts = 0;

  double mean_us() const { return count > 0 ? time_us / static_cast<double>(count) : 0.0; }
};

/// "The algorithm's average time to find the next node for the agent to move into after a grid
/// change event" (chapter 5), without the initial search. Where the robot's own cell is blocked
/// there is no such node.
Recomputing recomputing(const ReplayResult& result) {
  Recomputing all;
  for (const Episode& episode : result.episodes) {
    const bool after_event = episode.step > 0 && episode.changed > 0;
    if (!after_event || episode.status == PlanStatus::kStartBlocked) continue;
    ++all.count;
    all.time_us += episode.time_us;
    all.restarts += episode.restarts;
  }
  return all;
}

ReplayResult replay_with(const Recording& recording, const Contender& contender,
                         std::int64_t max_steps) {
  if (const auto* const global = std::get_if<Global>(&contender.planner)) {
    return replay(recording, *global->planner, global->config, max_steps);
  }
  const auto& real_time = std::get<RealTime>(contender.planner);
  return replay(recording, *find_real_time_planner(real_time.planner), real_time.config, max_steps);
}

Measurement measure(const Recording& recording, const Contender& contender,
                    std::int64_t max_steps) {
  const ReplayResult result = replay_with(recording, contender, max_steps);
  const Recomputing after_events = recomputing(result);
  // Steps in which a real-time planner knew no complete path.
  const auto uninformed = std::count_if(
      result.episodes.begin(), result.episodes.end(),
      [](const Episode& episode) { return episode.status == PlanStatus::kOutOfBudget; });
  return {contender.title,
          {result.time_us, after_events.mean_us(), in_cells(result.travelled),
           static_cast<double>(result.expansions),
           static_cast<double>(result.steps - std::ssize(result.route) + 1),
           result.reached ? 1.0 : 0.0, static_cast<double>(after_events.count),
           static_cast<double>(after_events.restarts), static_cast<double>(uninformed)}};
}

std::vector<Measurement> measure_all(const WorldConfig& world,
                                     const std::vector<Contender>& contenders) {
  const Recording recording = record_world(world);
  std::vector<Measurement> measurements;
  for (const Contender& contender : contenders) {
    if (!takes_part(contender, world.seed)) continue;
    measurements.push_back(measure(recording, contender, *world.steps));
  }
  return measurements;
}

/// The other meaning of change is shown where it takes little time.
constexpr int kMaxSwitchedSize = 256;

}  // namespace

Suite dynamic_grids_suite(const DynamicGridsConfig& config) {
  Suite suite{.name = "dynamic-grids",
              .version = 2,
              .parameters = {{"connectivity", "4"},
                             {"every", "10"},
                             {"seeds", "the number of the run"},
                             {"steps", "40 times the size in rooms, 4000 + 8 times in random"}},
              .quantities = {{"total", true},
                             {"recompute", true},
                             {"length"},
                             {"nodes"},
                             {"waited"},
                             {"reached"},
                             {"changes"},
                             {"restarts"},
                             {"uninformed"}},
              .jobs = {}};
  // A run that is stopped has more runs of the small maps, which take less time.
  std::vector<std::pair<std::uint64_t, Job>> jobs;
  for (std::uint64_t run = 1; run <= config.runs; ++run) {
    for (const WorldKind kind : {WorldKind::kRooms, WorldKind::kRandom}) {
      for (const int size : config.sizes) {
        for (const int change : config.changes) {
          WorldConfig world{.kind = kind,
                            .size = size,
                            .change_percent = static_cast<double>(change),
                            .change_kind = ChangeKind::kRedraw,
                            .seed = run,
                            .steps = steps(kind, size)};
          const std::string name =
              fmt::format("{}-{}-{}", kind == WorldKind::kRooms ? "rooms" : "random", size, change);
          const std::uint64_t turn = run * static_cast<std::uint64_t>(size * size);
          jobs.push_back({turn, {name, run, [world] { return measure_all(world, contenders()); }}});
          if (size > kMaxSwitchedSize) continue;
          world.change_kind = ChangeKind::kSwitch;
          jobs.push_back({turn, {name + "-switched", run, [world] {
                                   return measure_all(world, principal_contenders());
                                 }}});
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
