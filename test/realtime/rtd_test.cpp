#include "dynamic_planners/realtime/rtd.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "dynamic_planners/realtime/registry.hpp"
#include "dynamic_planners/search/registry.hpp"
#include "test/support/allocations.hpp"
#include "test/support/drawn.hpp"

namespace dynamic_planners {
namespace {

using test_support::drawn;

std::unique_ptr<RealTimePlanner> make(const Grid& grid, const RealTimeConfig& config = {}) {
  return make_real_time_planner("rtd", grid, config);
}

/// Lets so many cells, drawn at random, take another cost.
std::vector<CellChange> disturb(Grid& grid, std::size_t count, std::mt19937_64& random, Cell robot,
                                Cell goal) {
  std::vector<CellChange> changes;
  while (changes.size() < count) {
    const auto cell = static_cast<Cell>(random() % grid.size());
    if (cell == robot || cell == goal) continue;
    const auto cost = static_cast<std::uint8_t>(grid[cell] == kLethal ? random() % 200 : kLethal);
    if (const auto change = grid.set(cell, cost)) changes.push_back(*change);
  }
  return changes;
}

TEST(RTDStar, WithAnUnlimitedBudgetMakesTheMovesOfDStarLite) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937_64 random(seed);
    Grid grid(40, 30);
    const Cell goal = grid.cell(38, 3);
    Cell at = grid.cell(1, 27);
    disturb(grid, 250, random, at, goal);
    const auto rtd = make(grid);
    const auto dstar_lite = make_planner("dstar_lite", grid);
    for (int event = 0; event < 8 && at != goal; ++event) {
      const auto changes = disturb(grid, 30, random, at, goal);
      rtd->update(changes);
      dstar_lite->update(changes);
      for (int moves = 0; moves < 5 && at != goal; ++moves) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", event " + std::to_string(event));
        const Plan plan = dstar_lite->plan({at, goal});
        const Step step = rtd->step(at, goal, kUnlimited);
        if (plan.status != PlanStatus::kFound) {
          ASSERT_EQ(step.status, StepStatus::kNoPath);
          ASSERT_EQ(step.next, at);
          continue;
        }
        ASSERT_EQ(step.status, StepStatus::kFullyInformed);
        ASSERT_EQ(step.cost, plan.cost);
        // Of several equally good moves it may make another one.
        const Cost move = GridSpace<8>(grid, {}).step_cost(at, step.next);
        ASSERT_EQ(move + dstar_lite->plan({step.next, goal}).cost, plan.cost);
        at = step.next;
      }
    }
  }
}

TEST(RTDStar, IsPartiallyInformedUntilTheGlobalSearchArrives) {
  const Grid grid(60, 60);
  const auto planner = make(grid, {.local_ratio = 0.25});
  const Cell goal = grid.cell(59, 30);
  Cell at = grid.cell(0, 30);
  const Step first = planner->step(at, goal, 16);
  EXPECT_EQ(first.status, StepStatus::kPartiallyInformed);
  EXPECT_EQ(first.counts.local_expansions, 4U);
  EXPECT_EQ(first.counts.global_expansions, 12U);
  Step step = first;
  for (int i = 0; i < 60 && step.status != StepStatus::kFullyInformed; ++i) {
    at = step.next;
    step = planner->step(at, goal, 16);
  }
  EXPECT_EQ(step.status, StepStatus::kFullyInformed);
  EXPECT_NE(at, goal);
  const Step next = planner->step(step.next, goal, 16);
  EXPECT_EQ(next.status, StepStatus::kFullyInformed);
  EXPECT_EQ(next.counts.local_expansions, 0U) << "the path is known";
}

/// A robot does not drive by our steps: it is seen at the goal, and later where it was to go first.
TEST(RTDStar, KnowsNothingOfWhereItHasNotBeenSince) {
  for (const auto global : {GlobalSearchKind::kDStarLite, GlobalSearchKind::kAD}) {
    Grid grid = drawn({".........",  //
                       ".........",  //
                       "........."});
    const auto planner = make(grid, {.global = global});
    const Cell goal = grid.cell(8, 1);
    const Step first = planner->step(grid.cell(0, 1), goal, kUnlimited);
    ASSERT_EQ(first.status, StepStatus::kFullyInformed);
    planner->update(
        std::vector{*grid.set(grid.cell(4, 0), kLethal), *grid.set(grid.cell(4, 1), kLethal)});
    planner->step(goal, goal, 100);
    const Step next = planner->step(first.next, goal, kUnlimited);
    EXPECT_EQ(next.status, StepStatus::kFullyInformed);
    EXPECT_EQ(next.cost, find_planner("astar").make(grid, {})->plan({first.next, goal}).cost);
  }
}

TEST(RTDStar, TakesChangesInInPortionsAndSeesThemAtOnce) {
  Grid grid(100, 100);
  const auto planner = make(grid);
  const Cell goal = grid.cell(99, 50);
  const Cell at = grid.cell(50, 50);
  EXPECT_EQ(planner->step(at, goal, kUnlimited).status, StepStatus::kFullyInformed);
  // A wall right before the robot, and much else.
  std::vector<CellChange> changes;
  for (int x = 51; x < 90; ++x) {
    for (int y = 45; y < 56; ++y) changes.push_back(*grid.set(grid.cell(x, y), kLethal));
  }
  planner->update(changes);
  std::uint64_t taken_in = 0;
  for (int i = 0; taken_in < changes.size(); ++i) {
    ASSERT_LT(i, 200);
    const Step step = planner->step(at, goal, 20);
    EXPECT_NE(step.counts.changed_cells, 0U);
    EXPECT_LE(step.counts.in_expansions(), 20U);
    EXPECT_NE(grid[step.next], kLethal);
    taken_in += step.counts.changed_cells;
    if (taken_in < changes.size()) {
      EXPECT_EQ(step.status, StepStatus::kPartiallyInformed);
    }
  }
  EXPECT_EQ(taken_in, changes.size());
  const Step step = planner->step(at, goal, kUnlimited);
  EXPECT_EQ(step.status, StepStatus::kFullyInformed);
  EXPECT_EQ(step.cost, make_planner("astar", grid)->plan({at, goal}).cost);
}

TEST(RTDStar, ACellThatChangesAgainBeforeItIsTakenInIsTakenInOnce) {
  Grid grid(50, 50);
  const auto planner = make(grid);
  const Cell goal = grid.cell(49, 49);
  planner->step(0, goal, kUnlimited);
  for (int i = 0; i < 7; ++i) {
    const std::uint8_t cost = i % 2 == 0 ? kLethal : kFree;
    planner->update({{*grid.set(grid.cell(20, 20), cost)}});
  }
  EXPECT_EQ(planner->step(0, goal, kUnlimited).counts.changed_cells, 1U);
}

TEST(RTDStar, ThinksNoLongerThanItsDeadline) {
  // Each half has a million cells to look at before it is known that there is no path.
  Grid grid(2000, 1000);
  for (int y = 0; y < grid.height(); ++y) grid.set(grid.cell(1000, y), kLethal);
  const Cell goal = grid.cell(1999, 500);
  for (const GlobalSearchKind global : {GlobalSearchKind::kDStarLite, GlobalSearchKind::kAD}) {
    const auto planner = make(grid, {.global = global});
    // It takes its time to where the clock is first looked at, and so gets ahead.
    const Step late = planner->step(0, goal, kUnlimited, Deadline());
    EXPECT_EQ(late.status, StepStatus::kPartiallyInformed);
    EXPECT_EQ(late.counts.global_expansions, RealTimePlanner::kUnwatched);
    EXPECT_EQ(late.counts.local_expansions, RealTimePlanner::kUnwatched);
    const auto soon = Budget::Clock::now() + std::chrono::milliseconds(20);
    const Step step = planner->step(0, goal, kUnlimited, soon);
    EXPECT_EQ(step.status, StepStatus::kPartiallyInformed);
    EXPECT_GT(step.counts.global_expansions, RealTimePlanner::kUnwatched);
    EXPECT_LT(step.counts.global_expansions, 900'000U);
    EXPECT_LT(step.counts.local_expansions, 900'000U);
    EXPECT_EQ(planner->step(0, goal, kUnlimited).status, StepStatus::kNoPath);
  }
}

TEST(RTDStar, TakesNoMoreChangesInThanThereIsTimeFor) {
  Grid grid(200, 200);
  const auto planner = make(grid);
  const Cell goal = grid.cell(199, 100);
  planner->step(0, goal, kUnlimited);
  std::vector<CellChange> changes;
  for (int y = 20; y < 60; ++y) {
    for (int x = 20; x < 60; ++x) changes.push_back(*grid.set(grid.cell(x, y), kLethal));
  }
  planner->update(changes);
  EXPECT_EQ(planner->step(0, goal, 100'000, Deadline()).counts.changed_cells, 512U);
  EXPECT_EQ(planner->step(0, goal, 100'000).counts.changed_cells, changes.size() - 512);
}

TEST(RTDStar, GoesOnWhenAPathOpens) {
  for (const GlobalSearchKind global : {GlobalSearchKind::kDStarLite, GlobalSearchKind::kAD}) {
    Grid grid = drawn({"....@....", "....@....", "....@...."});
    const auto planner = make(grid, {.global = global});
    const Cell goal = grid.cell(8, 1);
    for (int i = 0; i < 5; ++i) {
      const Step step = planner->step(0, goal, 200);
      EXPECT_EQ(step.status, StepStatus::kNoPath);
      EXPECT_EQ(step.next, 0U);
    }
    planner->update({{*grid.set(grid.cell(4, 1), kFree)}});
    Cell at = 0;
    for (int i = 0; i < 8; ++i) at = planner->step(at, goal, 200).next;
    EXPECT_EQ(at, goal);
  }
}

TEST(RTDStar, WaitsWhileAnEndIsBlockedAndThinksMeanwhile) {
  Grid grid(30, 30);
  const auto planner = make(grid);
  const Cell goal = grid.cell(29, 29);
  planner->step(0, goal, kUnlimited);
  planner->update({{*grid.set(0, kLethal)}});
  const Step start = planner->step(0, goal, 100);
  EXPECT_EQ(start.status, StepStatus::kStartBlocked);
  EXPECT_EQ(start.next, 0U);
  EXPECT_EQ(start.counts.changed_cells, 1U);
  planner->update({{*grid.set(0, kFree), *grid.set(goal, kLethal)}});
  EXPECT_EQ(planner->step(0, goal, 100).status, StepStatus::kGoalBlocked);
  planner->update({{*grid.set(goal, kFree)}});
  EXPECT_EQ(planner->step(0, goal, kUnlimited).status, StepStatus::kFullyInformed);
}

TEST(RTDStar, NoOpDoesNotMoveBeforeTheGlobalSearchHasArrived) {
  const Grid grid(40, 40);
  const auto planner = make(grid, {.local = LocalSearchKind::kNoOp});
  const Cell goal = grid.cell(39, 20);
  Step step = planner->step(0, goal, 50);
  for (int i = 0; step.status == StepStatus::kPartiallyInformed; ++i) {
    ASSERT_LT(i, 100);
    ASSERT_EQ(step.next, 0U);
    ASSERT_EQ(step.counts.in_expansions(), 50U) << "nothing is kept for a local search";
    step = planner->step(0, goal, 50);
  }
  EXPECT_EQ(step.status, StepStatus::kFullyInformed);
  EXPECT_NE(step.next, 0U);
}

TEST(RTDStar, ADStarFindsAPathWithFewerExpansionsAndImprovesIt) {
  const auto expansions_until_informed = [](const Grid& grid, GlobalSearchKind global) {
    const auto planner = make(grid, {.global = global, .local = LocalSearchKind::kNoOp});
    const Cell goal = grid.cell(99, 95);
    std::uint64_t expansions = 0;
    for (;;) {
      const Step step = planner->step(0, goal, 10);
      expansions += step.counts.global_expansions;
      if (step.status == StepStatus::kFullyInformed) return expansions;
    }
  };
  std::mt19937_64 random(3);
  Grid grid(100, 100);
  disturb(grid, 2000, random, 0, grid.cell(99, 95));
  EXPECT_LT(2 * expansions_until_informed(grid, GlobalSearchKind::kAD),
            expansions_until_informed(grid, GlobalSearchKind::kDStarLite));
}

/// The harness sees that no step does; here it is a step and the changes before it.
TEST(RTDStar, AllocatesNothingInAStep) {
  for (const GlobalSearchKind global : {GlobalSearchKind::kDStarLite, GlobalSearchKind::kAD}) {
    for (const LocalSearchKind local : {LocalSearchKind::kLRTA, LocalSearchKind::kLSSLRTA}) {
      std::mt19937_64 random(1);
      Grid grid(80, 80);
      const auto planner = make(grid, {.global = global, .local = local});
      Cell goal = grid.cell(70, 70);
      Cell at = 0;
      for (int i = 0; i < 300; ++i) {
        if (i % 100 == 99) goal = static_cast<Cell>(random() % grid.size());
        const auto changes = disturb(grid, 20, random, at, goal);
        const std::size_t before = test_support::allocations();
        planner->update(changes);
        at = planner->step(at, goal, i % 50 == 0 ? kUnlimited : 40).next;
        ASSERT_EQ(test_support::allocations(), before);
      }
    }
  }
}

TEST(RTDStar, RefusesWhatIsOutOfRange) {
  const Grid grid(5, 5);
  for (const double ratio : {-0.1, 1.1, std::nan("")}) {
    EXPECT_THROW(make(grid, {.local_ratio = ratio}), std::invalid_argument);
  }
  EXPECT_THROW(make(grid, {.global = GlobalSearchKind::kAD, .anytime = {.epsilon = 0.5}}),
               std::invalid_argument);
  EXPECT_THROW(make(grid, {.traversal = {.connectivity = 6}}), std::invalid_argument);
  EXPECT_THROW(make_real_time_planner("dstar_lite", grid), std::invalid_argument);
  EXPECT_THROW(make(grid)->step(25, 0, 1), std::out_of_range);
  EXPECT_THROW(make(grid)->step(0, 24, 0), std::invalid_argument);
}

}  // namespace
}  // namespace dynamic_planners
