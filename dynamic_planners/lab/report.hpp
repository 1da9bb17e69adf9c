#pragma once

#include <ostream>
#include <span>
#include <string>

#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/grid/moving_ai.hpp"
#include "dynamic_planners/lab/replay.hpp"
#include "dynamic_planners/search/planner.hpp"

/// Results as the program prints them: JSON Lines for programs, tables for people.
namespace dynamic_planners {

/// A plan and how long it took to make.
struct TimedPlan {
  Plan plan;
  double time_us = 0.0;
};

/// The line of `plan --json`.
std::string plan_line(std::string_view planner, const TimedPlan& timed);

/// A line of `scen --json`: the problem with this number in its file.
std::string problem_line(std::string_view planner, const TimedPlan& timed, std::size_t number,
                         const Problem& problem);

/// The lines of `replay --json`: one per episode and one for all.
void write_replay_lines(std::ostream& output, const Grid& grid, const ReplayResult& result);

/// One row per planner.
void write_replay_table(std::ostream& output, std::span<const ReplayResult> results);

/// A cost in cells; "-" where there is none.
std::string cost_text(const Plan& plan);

}  // namespace dynamic_planners
