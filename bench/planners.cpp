// All planners of the registry beside each other, in one run: what an expansion takes, what a cell
// takes in memory, and how long after a deadline or a cancel the answer comes. `./run bench
// planners`.

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/worlds.hpp"
#include "dynamic_planners/grid/moving_ai.hpp"
#include "dynamic_planners/search/registry.hpp"

namespace {

using dynamic_planners::Budget;
using dynamic_planners::Grid;
using dynamic_planners::Plan;
using dynamic_planners::Planner;
using dynamic_planners::PlannerInfo;
using dynamic_planners::PlanStatus;
using dynamic_planners::Promise;
using dynamic_planners::Query;
using Clock = Budget::Clock;

double milliseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

struct World {
  std::string name;
  Grid grid;
  Query query;
};

/// A map of the Moving AI collection with its longest problem.
World real_world(const std::filesystem::path& collection, const std::string& name) {
  Grid grid = dynamic_planners::read_moving_ai_map(collection / "maps" / (name + ".map"));
  const auto problems =
      dynamic_planners::read_scenario(collection / "scenarios" / (name + ".map.scen"), grid);
  const auto longest =
      std::max_element(problems.begin(), problems.end(),
                       [](const auto& a, const auto& b) { return a.optimal < b.optimal; });
  const Query query{grid.cell(longest->start.x, longest->start.y),
                    grid.cell(longest->goal.x, longest->goal.y)};
  return {name, std::move(grid), query};
}

std::vector<World> worlds(int size) {
  std::vector<World> worlds;
  const auto add = [&](const std::string& name, Grid grid) {
    const Query query = bench::across(grid);
    worlds.push_back({name, std::move(grid), query});
  };
  add("scattered 20 %", bench::scattered(size, 20, 1));
  add("rooms", bench::rooms(size, 1));
  add("hills", bench::hills(size));
  const std::filesystem::path collection = DYNAMIC_PLANNERS_MOVING_AI;
  if (std::filesystem::exists(collection)) {
    for (const char* name : {"London_0_512", "brc202d", "maze512-4-2"}) {
      worlds.push_back(real_world(collection, name));
    }
  }
  return worlds;
}

/// The longest time by which a first plan came after it was due, when it was due at so many times
/// spread over what it takes; in turn by a deadline and by a cancel.
double worst_overrun(Planner& planner, const Query& query, double whole, int times) {
  double worst = 0.0;
  for (int i = 0; i < times; ++i) {
    planner.reset();
    const std::chrono::duration<double, std::milli> allowed(whole * (i + 0.5) / times);
    const auto due = Clock::now() + std::chrono::duration_cast<Clock::duration>(allowed);
    Budget budget;
    if (i % 2 == 0) {
      budget.deadline = due;
    } else {
      budget.cancelled = [due] { return Clock::now() >= due; };
    }
    planner.plan(query, budget);
    worst = std::max(worst, milliseconds(Clock::now() - due));
  }
  return worst;
}

void compare(const World& world, int rounds, int deadlines) {
  fmt::print("\n{}, {} x {} cells: from nothing to the best plan\n", world.name, world.grid.width(),
             world.grid.height());
  fmt::print("  {:<18}{:>10}{:>10}{:>12}{:>12}{:>12}{:>14}{:>12}{:>12}{:>15}\n", "planner", "cost",
             "first ms", "best ms", "expansions", "ns each", "of D* Lite's", "again ms",
             "overrun ms", "bytes per cell");
  std::vector<std::unique_ptr<Planner>> planners;
  for (const PlannerInfo& info : dynamic_planners::planners()) {
    planners.push_back(info.make(world.grid, {}));
  }
  // They take turns, so that what disturbs the machine disturbs all of them.
  std::vector<std::vector<double>> first(planners.size());
  std::vector<std::vector<double>> best(planners.size());
  std::vector<std::vector<double>> again(planners.size());
  std::vector<double> expansions(planners.size());
  std::vector<Plan> plans(planners.size());
  const auto is_bounded = [](std::size_t i) {
    return dynamic_planners::planners()[i].promise == Promise::kBounded;
  };
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < planners.size(); ++i) {
      planners[i]->reset();
      const auto begin = Clock::now();
      plans[i] = planners[i]->plan(world.query);
      first[i].push_back(milliseconds(Clock::now() - begin));
      expansions[i] = static_cast<double>(plans[i].counts.expansions);
      // Whoever begins with a path within a bound is asked until it is the best one: a first path
      // alone takes hardly more expansions than it has cells.
      while (is_bounded(i) && plans[i].bound > 1.0) {
        plans[i] = planners[i]->plan(world.query);
        expansions[i] += static_cast<double>(plans[i].counts.expansions);
      }
      const auto end = Clock::now();
      planners[i]->plan(world.query);
      best[i].push_back(milliseconds(end - begin));
      again[i].push_back(milliseconds(Clock::now() - end));
    }
  }
  const auto per_expansion = [&](std::size_t i) { return median(best[i]) * 1e6 / expansions[i]; };
  double of_dstar_lite = 0.0;
  for (std::size_t i = 0; i < planners.size(); ++i) {
    if (dynamic_planners::planners()[i].name == "dstar_lite") of_dstar_lite = per_expansion(i);
  }
  for (std::size_t i = 0; i < planners.size(); ++i) {
    const bool found = plans[i].status == PlanStatus::kFound;
    const double bytes = static_cast<double>(planners[i]->memory_bytes()) / world.grid.size();
    fmt::print(
        "  "
        "{:<18}{:>10.1f}{:>10.2f}{:>12.2f}{:>12.0f}{:>12.1f}{:>14.2f}{:>12.3f}{:>12.3f}{:>15.1f}\n",
        dynamic_planners::planners()[i].name,
        found ? dynamic_planners::in_cells(plans[i].cost) : 0.0, median(first[i]), median(best[i]),
        expansions[i], per_expansion(i), per_expansion(i) / of_dstar_lite, median(again[i]),
        worst_overrun(*planners[i], world.query, median(first[i]), deadlines), bytes);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::string_view(argv[1]) == "--quick";
  for (const World& world : worlds(quick ? 300 : 1000)) {
    compare(world, quick ? 1 : 5, quick ? 4 : 40);
  }
  return 0;
}
