#include "dynamic_planners/lab/commands.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "dynamic_planners/grid/input_error.hpp"
#include "dynamic_planners/grid/map_yaml.hpp"
#include "dynamic_planners/grid/moving_ai.hpp"
#include "dynamic_planners/lab/output_file.hpp"
#include "dynamic_planners/lab/progress.hpp"
#include "dynamic_planners/lab/recording.hpp"
#include "dynamic_planners/lab/replay.hpp"
#include "dynamic_planners/lab/report.hpp"
#include "dynamic_planners/lab/stopwatch.hpp"
#include "dynamic_planners/lab/table.hpp"
#include "dynamic_planners/simulation/world.hpp"
#include "dynamic_planners/simulation/world_files.hpp"

namespace dynamic_planners {
namespace {

/// What a planner finds wrong with a map is wrong with its file.
template <typename Use>
auto blaming(const std::filesystem::path& file, Use&& use) {
  try {
    return use();
  } catch (const std::invalid_argument& error) {
    throw InputError(file.string(), 0, error.what());
  }
}

TimedPlan timed_plan(Planner& planner, const Query& query) {
  const Stopwatch stopwatch;
  Plan plan = planner.plan(query);
  return {.plan = std::move(plan), .time_us = stopwatch.us()};
}

[[noreturn]] void refuse(std::string_view option, const Grid::Position& place,
                         const std::string& why) {
  throw InputError(fmt::format("{} {},{}: {}", option, place.x, place.y, why));
}

Cell cell_inside(const Grid& grid, const std::filesystem::path& map, std::string_view option,
                 const Grid::Position& place) {
  if (grid.contains(place.x, place.y)) return grid.cell(place.x, place.y);
  refuse(option, place,
         fmt::format("expected a cell of {}, which has {} x {} cells", map.string(), grid.width(),
                     grid.height()));
}

/// The points where a path begins, turns and ends: as much of it as people want to read.
std::string turning_points(std::span<const Point> points) {
  std::string text;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i > 0 && i + 1 < points.size()) {
      const Point& before = points[i - 1];
      const Point& here = points[i];
      const Point& after = points[i + 1];
      if (here.x - before.x == after.x - here.x && here.y - before.y == after.y - here.y) continue;
    }
    text += fmt::format(" {},{}", points[i].x, points[i].y);
  }
  return text;
}

void write_plan_table(std::ostream& output, std::string_view planner, const TimedPlan& timed) {
  const Plan& plan = timed.plan;
  const bool found = plan.status == PlanStatus::kFound;
  Table table({"planner", "status", "cost", "bound", "expansions", "time"});
  table.add({std::string(planner), std::string(to_string(plan.status)), cost_text(plan),
             found ? fmt::format("{:.3f}", plan.bound) : "-",
             std::to_string(plan.counts.expansions), time_text(timed.time_us)});
  output << table;
  if (found) output << "turns at" << turning_points(plan.points) << '\n';
}

/// How a planner did on all problems.
struct Score {
  /// The stated lengths are rounded, and the fixed-point diagonal is off by less than 1e-6.
  static constexpr double kTolerance = 0.02;

  std::size_t problems = 0;
  std::size_t solved = 0;
  std::size_t right = 0;
  /// Over the problems that were solved.
  double largest_difference = 0.0;
  std::uint64_t expansions = 0;
  double time_us = 0.0;

  void add(const TimedPlan& timed, double optimal, Promise promise) {
    ++problems;
    expansions += timed.plan.counts.expansions;
    time_us += timed.time_us;
    if (timed.plan.status != PlanStatus::kFound) return;
    ++solved;
    const double longer = in_cells(timed.plan.cost) - optimal;
    // Nothing is wrong with a path that is shorter because it need not lead from cell to cell.
    const double difference =
        promise == Promise::kAnyAngle ? std::max(longer, 0.0) : std::abs(longer);
    if (difference <= kTolerance) ++right;
    largest_difference = std::max(largest_difference, difference);
  }
};

}  // namespace

void run_plan(const PlanOptions& options, std::ostream& output) {
  const Grid grid = read_map(options.map);
  const Query query{.start = cell_inside(grid, options.map, "--start", options.start),
                    .goal = cell_inside(grid, options.map, "--goal", options.goal)};
  PlannerConfig config;
  config.traversal.connectivity = options.connectivity;
  const auto planner = blaming(options.map, [&] { return options.planner->make(grid, config); });
  const TimedPlan timed = timed_plan(*planner, query);
  const std::string blocked = "expected a free cell, which it is not in " + options.map.string();
  if (timed.plan.status == PlanStatus::kStartBlocked) refuse("--start", options.start, blocked);
  if (timed.plan.status == PlanStatus::kGoalBlocked) refuse("--goal", options.goal, blocked);
  if (options.json) {
    output << plan_line(options.planner->name, timed) << '\n';
  } else {
    write_plan_table(output, options.planner->name, timed);
  }
}

bool run_scen(const ScenOptions& options, std::ostream& output) {
  const Grid grid = read_map(options.map);
  const std::vector<Problem> problems = read_scenario(options.scenario, grid);
  Table table({"planner", "problems", "solved", fmt::format("right within {}", Score::kTolerance),
               "largest difference", "expansions", "total time"});
  bool all_right = true;
  // Who cannot take this map says so before anybody has printed a line.
  for (const PlannerInfo* info : options.planners) {
    blaming(options.map, [&] { return info->make(grid, {}); });
  }
  for (const PlannerInfo* info : options.planners) {
    const auto planner = blaming(options.map, [&] { return info->make(grid, {}); });
    Score score;
    for (std::size_t k = 0; k < problems.size(); k += options.every) {
      const auto& [start, goal, optimal] = problems[k];
      planner->reset();  // no problem helps the next one
      const TimedPlan timed =
          timed_plan(*planner, {grid.cell(start.x, start.y), grid.cell(goal.x, goal.y)});
      score.add(timed, optimal, info->promise);
      if (options.json) output << problem_line(info->name, timed, k, problems[k]) << '\n';
    }
    table.add({std::string(info->name), std::to_string(score.problems),
               std::to_string(score.solved), std::to_string(score.right),
               fmt::format("{:.4f}", score.largest_difference), std::to_string(score.expansions),
               time_text(score.time_us)});
    // Who promises less than the best path is not wrong when it finds a longer one.
    if (info->promise == Promise::kOptimal) all_right = all_right && score.right == score.problems;
  }
  if (!options.json) output << table;
  return all_right;
}

void run_replay(const ReplayCommandOptions& options, std::ostream& output) {
  const Recording recording = read_recording(options.recording);
  std::vector<ReplayResult> results;
  for (const AnyPlanner& planner : options.planners) {
    results.push_back(blaming(options.recording, [&] {
      if (const auto* const global = std::get_if<const PlannerInfo*>(&planner)) {
        return replay(recording, **global, {}, options.max_steps);
      }
      return replay(recording, *std::get<const RealTimePlannerInfo*>(planner), options.real_time,
                    options.max_steps);
    }));
  }
  if (!options.json) {
    write_replay_table(output, results);
    return;
  }
  for (const ReplayResult& result : results) write_replay_lines(output, recording.grid, result);
}

void run_record(const RecordOptions& options, std::ostream& output) {
  OutputFile file(options.file);
  DynamicWorld world(options.world);
  write_recording_header(file.stream(), recording_of(world));
  std::size_t events = 0;
  record_events(world, [&](const RecordedEvent& event) {
    write_recording_event(file.stream(), world.grid(), event);
    file.check();
    ++events;
  });
  file.commit();
  output << fmt::format("{}: {} x {} cells, {} dynamic obstacles, {} events\n",
                        options.file.string(), world.grid().width(), world.grid().height(),
                        world.obstacles().size(), events);
}

void run_bench(const BenchOptions& options, std::ostream& output) {
  const std::filesystem::path directory =
      options.directory.value_or(std::filesystem::path("results") / options.suite->name);
  const Suite suite = options.suite->make(options.of_suite);
  std::vector<SummaryRow> summary;
  {
    ProgressBar bar(std::cerr, isatty(STDERR_FILENO) != 0);
    summary = run_suite(suite, directory, [&](std::size_t done, std::size_t all, const Job& next) {
      bar.show(done, all, fmt::format("{}, run {}", next.scenario, next.run));
    });
  }
  write_summary_tables(output, suite, summary);
  output << fmt::format("\nThe records and these tables are in {}.\n", directory.string());
}

void run_world(const WorldFilesOptions& options, std::ostream& output) {
  const World world = read_world(options.world);
  make_directory(options.directory);
  OutputFile image(options.directory / "map.pgm");
  OutputFile map(options.directory / "map.yaml");
  OutputFile sdf(options.directory / "world.sdf");
  OutputFile bridge(options.directory / "bridge.yaml");
  write_map_image(image.stream(), map_of(world));
  write_map_yaml(map.stream(), world, "map.pgm");
  write_sdf(sdf.stream(), world);
  write_bridge(bridge.stream(), world);
  for (OutputFile* file : {&image, &map, &sdf, &bridge}) file->commit();
  output << "map.yaml, map.pgm, world.sdf and bridge.yaml of " << world.name << " are in "
         << options.directory.string() << '\n';
}

}  // namespace dynamic_planners
