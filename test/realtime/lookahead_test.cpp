// LRTA* and LSS-LRTA*, alone.

#include "dynamic_planners/realtime/lookahead.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "dynamic_planners/realtime/registry.hpp"
#include "test/support/allocations.hpp"
#include "test/support/drawn.hpp"
#include "test/support/oracle.hpp"

namespace dynamic_planners {
namespace {

using test_support::drawn;

/// How many steps the robot takes to the goal; -1 when it does not arrive within 10,000.
int drive(RealTimePlanner& planner, Cell start, Cell goal, std::uint64_t limit) {
  for (int steps = 0; steps < 10'000; ++steps) {
    if (start == goal) return steps;
    start = planner.step(start, goal, limit).next;
  }
  return -1;
}

const std::vector<std::string> kPocket{
    "...........",  //
    ".@@@@@@@@@.",  //
    ".........@.",  //
    ".........@.",  //
    ".........@.",  //
    ".@@@@@@@@@.",  //
    "...........",
};

class Lookaheads : public testing::TestWithParam<std::string> {};

TEST_P(Lookaheads, LeaveAPocket) {
  const Grid grid = drawn(kPocket);
  for (const std::uint64_t limit : {1U, 3U, 10U, 1000U}) {
    const auto planner = make_real_time_planner(GetParam(), grid);
    EXPECT_GT(drive(*planner, grid.cell(4, 3), grid.cell(10, 3), limit), 0) << limit;
  }
}

TEST_P(Lookaheads, WithALargeLimitTakeTheBestPath) {
  const Grid grid = drawn(kPocket);
  const auto planner = make_real_time_planner(GetParam(), grid);
  const Cell goal = grid.cell(10, 3);
  const oracle::World world{.width = grid.width(),
                            .height = grid.height(),
                            .costs = {grid.costs().begin(), grid.costs().end()}};
  const auto costs = oracle::costs_to(world, static_cast<int>(goal));
  for (Cell at = grid.cell(4, 3); at != goal;) {
    const Step step = planner->step(at, goal, 1000);
    ASSERT_EQ(step.status, StepStatus::kFullyInformed);
    ASSERT_EQ(static_cast<std::int64_t>(step.cost), costs[at]);
    ASSERT_EQ(*oracle::move_cost(world, static_cast<int>(at), static_cast<int>(step.next)) +
                  costs[step.next],
              costs[at]);
    at = step.next;
  }
}

TEST_P(Lookaheads, LearnSoThatTheSecondWayIsShorter) {
  const Grid grid = drawn(kPocket);
  const auto planner = make_real_time_planner(GetParam(), grid);
  const Cell start = grid.cell(4, 3);
  const Cell goal = grid.cell(10, 3);
  const int first = drive(*planner, start, goal, 5);
  EXPECT_LT(drive(*planner, start, goal, 5), first);
  planner->reset();
  EXPECT_EQ(drive(*planner, start, goal, 5), first) << "what was learned is forgotten";
}

TEST_P(Lookaheads, StayWhereThereIsNoPathAndGoOnWhenOneOpens) {
  Grid grid = drawn({"..@..", "..@..", "..@.."});
  const auto planner = make_real_time_planner(GetParam(), grid);
  const Cell goal = grid.cell(4, 1);
  for (int i = 0; i < 5; ++i) {
    const Step step = planner->step(0, goal, 100);
    EXPECT_EQ(step.next, 0U);
    EXPECT_EQ(step.status, StepStatus::kNoPath);
  }
  planner->update({{*grid.set(grid.cell(2, 1), kFree)}});
  EXPECT_EQ(drive(*planner, 0, goal, 100), 4);
}

TEST_P(Lookaheads, SpendWhatTheyMayAndAllocateNothing) {
  const Grid grid(300, 300);
  const auto planner = make_real_time_planner(GetParam(), grid);
  const Cell goal = grid.cell(299, 150);
  const std::size_t before = test_support::allocations();
  Cell at = 0;
  for (int i = 0; i < 50; ++i) {
    const Step step = planner->step(at, goal, 64);
    EXPECT_EQ(step.counts.local_expansions, 64U);
    EXPECT_EQ(step.status, StepStatus::kPartiallyInformed);
    at = step.next;
  }
  EXPECT_EQ(test_support::allocations(), before);
}

TEST_P(Lookaheads, RefuseCellsOutsideTheGridAndNoLimit) {
  const Grid grid(3, 3);
  const auto planner = make_real_time_planner(GetParam(), grid);
  EXPECT_THROW(planner->step(0, 9, 1), std::out_of_range);
  EXPECT_THROW(planner->step(9, 0, 1), std::out_of_range);
  EXPECT_THROW(planner->step(0, 8, 0), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(All, Lookaheads, testing::Values("lrta", "lss_lrta"),
                         [](const auto& tested) { return tested.param; });

TEST(LRTAStar, BeginsAnewWithAnotherGoal) {
  const Grid grid = drawn(kPocket);
  const Cell start = grid.cell(4, 3);
  const auto fresh = make_real_time_planner("lrta", grid);
  const auto planner = make_real_time_planner("lrta", grid);
  const int first = drive(*planner, start, grid.cell(10, 3), 5);
  EXPECT_LT(drive(*planner, start, grid.cell(10, 3), 5), first);
  const Cell other = grid.cell(10, 4);
  EXPECT_EQ(drive(*planner, start, other, 5), drive(*fresh, start, other, 5));
}

TEST(LSSLRTAStar, RemembersBeyondAnotherGoal) {
  const Grid grid = drawn(kPocket);
  const auto planner = make_real_time_planner("lss_lrta", grid);
  const Cell start = grid.cell(4, 3);
  const int first = drive(*planner, start, grid.cell(10, 3), 5);
  EXPECT_LT(drive(*planner, start, grid.cell(10, 4), 5), first) << "the same pocket is in the way";
}

/// A path that A* finds with what was learned is the best one only if that is a lower bound.
TEST(LSSLRTAStar, KnowsNothingThatIsTooMuchForAnotherGoal) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    Grid grid(20, 20);
    for (Cell cell = 0; cell < grid.size(); ++cell) {
      if (random() % 10 < 3) grid.set(cell, kLethal);
    }
    const oracle::World world{.width = grid.width(),
                              .height = grid.height(),
                              .costs = {grid.costs().begin(), grid.costs().end()}};
    const auto planner = make_real_time_planner("lss_lrta", grid);
    const std::uint64_t limit = 1 + seed % 10;
    for (int trip = 0; trip < 5; ++trip) {
      const auto at = static_cast<Cell>(random() % grid.size());
      const auto goal = static_cast<Cell>(random() % grid.size());
      const auto costs = oracle::costs_to(world, static_cast<int>(goal));
      if (at == goal || costs[at] == oracle::kUnreachable) continue;
      if (trip < 4) {
        ASSERT_GT(drive(*planner, at, goal, limit), 0) << "seed " << seed;
        continue;
      }
      for (Cell start = 0; start < grid.size(); ++start) {
        const Step step = planner->step(start, goal, kUnlimited);
        if (step.status != StepStatus::kFullyInformed) continue;
        ASSERT_EQ(static_cast<std::int64_t>(step.cost), costs[start]) << "seed " << seed;
      }
    }
  }
}

TEST(LearnedHeuristicTest, ShiftsWhatItKnowsToANewGoal) {
  const Grid grid(20, 1);
  const GridSpace<8> space(grid, {});
  LearnedHeuristic<GridSpace<8>> h(space);
  h.set_goal(10);
  EXPECT_EQ(h(0), 10 * kStraight);
  h.learn(0, 15 * kStraight);
  EXPECT_EQ(h(0), 15 * kStraight);
  h.set_goal(11);
  EXPECT_EQ(h(0), 14 * kStraight) << "what was learned, less the way from goal to goal";
  EXPECT_EQ(h(11), 0U);
  EXPECT_EQ(h(1), 10 * kStraight);
  h.set_goal(19);
  EXPECT_EQ(h(0), 19 * kStraight) << "now the plain heuristic is more";
  h.forget();
  h.set_goal(10);
  EXPECT_EQ(h(0), 10 * kStraight);
}

TEST(LearnedHeuristicTest, ForgetsHoweverOftenItHasForgotten) {
  const Grid grid(20, 1);
  LearnedHeuristic<GridSpace<8>> h(GridSpace<8>(grid, {}));
  constexpr int kOften = (1 << 23) + 1;  // twice this, in steps of kInfinity, is more than 2^64
  for (int i = 0; i < kOften; ++i) h.forget();
  h.set_goal(10);
  h.learn(0, 15 * kStraight);
  for (int i = 0; i < kOften; ++i) h.forget();
  h.set_goal(10);
  EXPECT_EQ(h(0), 10 * kStraight);
}

}  // namespace
}  // namespace dynamic_planners
