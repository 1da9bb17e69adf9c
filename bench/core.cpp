// The core's speed and size: A* and D* Lite beside their textbook versions, in one run, since only
// ratios mean something on a shared machine. `./run bench core`.

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/textbook.hpp"
#include "bench/worlds.hpp"
#include "dynamic_planners/search/registry.hpp"

namespace {

using dynamic_planners::Cell;
using dynamic_planners::CellChange;
using dynamic_planners::Grid;
using dynamic_planners::Plan;
using dynamic_planners::Planner;
using dynamic_planners::Query;

double milliseconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

void require_same(double ours, double theirs, std::string_view where) {
  if (std::isinf(ours) && std::isinf(theirs)) return;
  // Ours rounds each step to 1/985 of a cell.
  if (std::abs(ours - theirs) <= 0.001 * theirs) return;
  fmt::print(stderr, "{}: ours {} and the textbook's {} differ\n", where, ours, theirs);
  std::exit(1);
}

double cost_of(const Plan& plan) {
  return plan.status == dynamic_planners::PlanStatus::kFound
             ? dynamic_planners::in_cells(plan.cost)
             : std::numeric_limits<double>::infinity();
}

struct World {
  std::string_view name;
  Grid grid;
};

std::vector<World> worlds(int size) {
  return {{"scattered 20 %", bench::scattered(size, 20, 1)},
          {"rooms", bench::rooms(size, 1)},
          {"hills", bench::hills(size)}};
}

/// First plans: expansions per second.
void first_plans(int size, int rounds) {
  fmt::print("\nA first plan from corner to corner, {0} x {0} cells\n", size);
  fmt::print("  {:<16}{:<12}{:>12}{:>12}{:>16}{:>16}{:>8}\n", "world", "search", "ours ms",
             "textbook ms", "ours exp/s", "textbook exp/s", "ratio");
  for (const World& world : worlds(size)) {
    const Query query = bench::across(world.grid);
    for (const std::string_view name : {"astar", "dstar_lite"}) {
      std::vector<double> ours;
      std::vector<double> theirs;
      double our_expansions = 0;
      double their_expansions = 0;
      const auto planner = dynamic_planners::make_planner(name, world.grid);
      for (int round = 0; round < rounds; ++round) {
        Plan plan;
        textbook::Result result{};
        ours.push_back(milliseconds([&] {
          planner->reset();
          plan = planner->plan(query);
        }));
        theirs.push_back(milliseconds([&] {
          result = name == "astar" ? textbook::astar(world.grid, query.start, query.goal)
                                   : textbook::DStarLite(world.grid, query.start, query.goal)
                                         .compute_shortest_path();
        }));
        require_same(cost_of(plan), result.cost, world.name);
        our_expansions = static_cast<double>(plan.counts.expansions);
        their_expansions = static_cast<double>(result.expansions);
      }
      const double our_rate = our_expansions / median(ours) * 1e3;
      const double their_rate = their_expansions / median(theirs) * 1e3;
      fmt::print("  {:<16}{:<12}{:>12.2f}{:>12.1f}{:>16.3g}{:>16.3g}{:>8.1f}\n", world.name, name,
                 median(ours), median(theirs), our_rate, their_rate, our_rate / their_rate);
    }
  }
}

/// Repairs after a share of all cells has changed, and again after they have changed back.
void repairs(int size, int rounds) {
  fmt::print(
      "\nA repair by D* Lite after cells changed at random, {0} x {0} cells, scattered 20 %\n",
      size);
  fmt::print("  {:<12}{:>12}{:>14}{:>12}{:>14}{:>16}{:>8}\n", "changed", "ours ms", "textbook ms",
             "A* ms", "expansions", "textbook exp.", "ratio");
  for (const double share : {0.001, 0.01, 0.1}) {
    Grid grid = bench::scattered(size, 20, 2);
    const Query query = bench::across(grid);
    const auto planner = dynamic_planners::make_planner("dstar_lite", grid);
    const auto from_scratch = dynamic_planners::make_planner("astar", grid);
    textbook::DStarLite book(grid, query.start, query.goal);
    planner->plan(query);
    book.compute_shortest_path();
    std::vector<double> ours;
    std::vector<double> theirs;
    std::vector<double> anew;
    std::vector<Cell> cells;
    Plan plan;
    textbook::Result result{};
    for (int round = 0; round < rounds; ++round) {
      if (round % 2 == 0) {
        cells = bench::draw_cells(grid, static_cast<std::size_t>(share * grid.size()),
                                  static_cast<std::uint64_t>(round));
      }
      const auto changes = bench::toggle(grid, cells);
      ours.push_back(milliseconds([&] {
        planner->update(changes);
        plan = planner->plan(query);
      }));
      theirs.push_back(milliseconds([&] {
        for (const CellChange& change : changes) book.update_cell(change.cell);
        result = book.compute_shortest_path();
      }));
      anew.push_back(milliseconds([&] { from_scratch->plan(query); }));
      require_same(cost_of(plan), result.cost, "repair");
    }
    fmt::print("  {:<12}{:>12.3f}{:>14.2f}{:>12.2f}{:>14}{:>16}{:>8.1f}\n",
               fmt::format("{:g} %", 100 * share), median(ours), median(theirs), median(anew),
               plan.counts.expansions, result.expansions, median(theirs) / median(ours));
  }
}

/// The same change, near the robot, on maps of different sizes.
void sizes(const std::vector<int>& sides, int rounds) {
  fmt::print(
      "\nThe same change on larger maps: a disc of radius 10 with its rim comes and goes, 30\n"
      "cells before the robot, rooms. What a repair costs must not grow with the map.\n");
  fmt::print("  {:<14}{:>14}{:>14}{:>14}{:>14}{:>16}\n", "map", "first plan ms", "repair ms",
             "search ms", "expansions", "bytes per cell");
  for (const int side : sides) {
    Grid grid = bench::rooms(side, 4);
    const Query query = bench::across(grid);
    const auto planner = dynamic_planners::make_planner("dstar_lite", grid);
    Plan plan;
    const double first = milliseconds([&] { plan = planner->plan(query); });
    std::vector<double> times;
    std::vector<double> searches;
    double expansions = 0;
    for (int round = 0; round < rounds; ++round) {
      const auto changes = bench::put_disc(grid, 30, 30, 10, round % 2 == 1);
      times.push_back(milliseconds([&] {
        planner->update(changes);
        plan = planner->plan(query);
      }));
      expansions += static_cast<double>(plan.counts.expansions) / rounds;
      // Asked the same again, nothing is left but to walk the path.
      searches.push_back(times.back() - milliseconds([&] { planner->plan(query); }));
    }
    const double bytes = static_cast<double>(planner->memory_bytes()) / grid.size() + 1;
    fmt::print("  {:<14}{:>14.1f}{:>14.3f}{:>14.3f}{:>14.0f}{:>16.2f}\n",
               fmt::format("{0} x {0}", side), first, median(times), median(searches), expansions,
               bytes);
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("  (the most the process ever had resident: {} MiB)\n", usage.ru_maxrss / 1024);
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::string_view(argv[1]) == "--quick";
  first_plans(quick ? 300 : 1000, quick ? 1 : 5);
  repairs(quick ? 300 : 1000, quick ? 2 : 6);
  sizes(quick ? std::vector{250, 500} : std::vector{500, 2000, 8000}, quick ? 4 : 40);
  return 0;
}
