#include "dynamic_planners/lab/report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "dynamic_planners/lab/table.hpp"

namespace dynamic_planners {
namespace {

using Json = nlohmann::ordered_json;

Json cost_json(PlanStatus status, Cost cost) {
  return status == PlanStatus::kFound ? Json(in_cells(cost)) : Json();
}

/// No bound is proven without a path; JSON has no infinity either.
Json bound_json(PlanStatus status, double bound) {
  return status == PlanStatus::kFound && std::isfinite(bound) ? Json(bound) : Json();
}

/// Grid planners' points are cells: integers.
Json coordinate_json(double value) {
  const auto whole = static_cast<std::int64_t>(value);
  return static_cast<double>(whole) == value ? Json(whole) : Json(value);
}

Json path_json(std::span<const Point> points) {
  Json path = Json::array();
  for (const Point& point : points) {
    path.push_back(Json::array({coordinate_json(point.x), coordinate_json(point.y)}));
  }
  return path;
}

/// What the lines of `plan` and `scen` have in common.
Json timed_json(std::string_view planner, const TimedPlan& timed) {
  const Plan& plan = timed.plan;
  Json line;
  line["planner"] = planner;
  line["status"] = to_string(plan.status);
  line["cost"] = cost_json(plan.status, plan.cost);
  line["bound"] = bound_json(plan.status, plan.bound);
  line["expansions"] = plan.counts.expansions;
  line["time_us"] = timed.time_us;
  return line;
}

Json episode_json(const Grid& grid, const ReplayResult& result, std::size_t number) {
  const Episode& episode = result.episodes[number];
  const auto [x, y] = grid.position(episode.at);
  Json line;
  line["planner"] = result.planner;
  line["event"] = number;
  line["step"] = episode.step;
  line["at"] = Json::array({x, y});
  line["status"] = to_string(episode.status);
  line["cost"] = cost_json(episode.status, episode.cost);
  line["bound"] = bound_json(episode.status, episode.bound);
  line["expansions"] = episode.expansions;
  line["changed"] = episode.changed;
  line["time_us"] = episode.time_us;
  return line;
}

Json run_json(const ReplayResult& result) {
  Json line;
  line["planner"] = result.planner;
  line["reached"] = result.reached;
  line["steps"] = result.steps;
  line["travelled"] = in_cells(result.travelled);
  line["expansions"] = result.expansions;
  line["time_us"] = result.time_us;
  line["recompute_us"]["mean"] = result.recompute_us.mean;
  line["recompute_us"]["p50"] = result.recompute_us.p50;
  line["recompute_us"]["p99"] = result.recompute_us.p99;
  return line;
}

}  // namespace

std::string plan_line(std::string_view planner, const TimedPlan& timed) {
  Json line = timed_json(planner, timed);
  line["path"] = path_json(timed.plan.points);
  return line.dump();
}

std::string problem_line(std::string_view planner, const TimedPlan& timed, std::size_t number,
                         const Problem& problem) {
  Json line = timed_json(planner, timed);
  line["problem"] = number;
  line["optimal"] = problem.optimal;
  return line.dump();
}

void write_replay_lines(std::ostream& output, const Grid& grid, const ReplayResult& result) {
  for (std::size_t number = 0; number < result.episodes.size(); ++number) {
    output << episode_json(grid, result, number).dump() << '\n';
  }
  output << run_json(result).dump() << '\n';
}

void write_replay_table(std::ostream& output, std::span<const ReplayResult> results) {
  Table table({"planner", "reached", "steps", "travelled", "episodes", "expansions", "total time",
               "recompute mean", "p50", "p99"});
  for (const ReplayResult& result : results) {
    const auto recompute_text = [&](double time) {
      return result.episodes.size() > 1 ? time_text(time) : "-";
    };
    table.add({std::string(result.planner), result.reached ? "yes" : "no",
               std::to_string(result.steps), fmt::format("{:.2f}", in_cells(result.travelled)),
               std::to_string(result.episodes.size()), std::to_string(result.expansions),
               time_text(result.time_us), recompute_text(result.recompute_us.mean),
               recompute_text(result.recompute_us.p50), recompute_text(result.recompute_us.p99)});
  }
  output << table;
}

std::string cost_text(const Plan& plan) {
  return plan.status == PlanStatus::kFound ? fmt::format("{:.4f}", in_cells(plan.cost)) : "-";
}

}  // namespace dynamic_planners
