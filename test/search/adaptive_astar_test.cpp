#include "dynamic_planners/search/adaptive_astar.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "dynamic_planners/search/registry.hpp"
#include "test/support/drawn.hpp"

namespace dynamic_planners {
namespace {

/// A pocket that faces the robot: the heuristic leads into it.
Grid pocket() {
  Grid grid(60, 60);
  for (int i = 10; i < 50; ++i) {
    grid.set(grid.cell(45, i), kLethal);
    grid.set(grid.cell(i - 4, 10), kLethal);
    grid.set(grid.cell(i - 4, 49), kLethal);
  }
  return grid;
}

TEST(AdaptiveAStar, LearnsFromASearchForTheNext) {
  Grid grid = pocket();
  const auto planner = make_planner("adaptive_astar", grid);
  Query query{grid.cell(20, 30), grid.cell(55, 28)};
  const Plan first = planner->plan(query);
  query.start = grid.cell(21, 30);
  const Plan second = planner->plan(query);
  EXPECT_EQ(second.counts.restarts, 0U);
  EXPECT_LT(second.counts.expansions, first.counts.expansions);
  EXPECT_EQ(second.cost, make_planner("astar", grid)->plan(query).cost);
}

TEST(AdaptiveAStar, AskedTheSameAgainItHasTheAnswer) {
  const Grid grid = pocket();
  const auto planner = make_planner("adaptive_astar", grid);
  const Query query{grid.cell(20, 30), grid.cell(55, 28)};
  const Plan first = planner->plan(query);
  const Plan again = planner->plan(query);
  EXPECT_EQ(again.counts.expansions, 0U);
  EXPECT_EQ(again.points, first.points);
}

/// What it learned is wrong where a door opens; without the repair it would go the long way.
TEST(AdaptiveAStar, UnlearnsWhereCostsFall) {
  Grid grid = pocket();
  const auto planner = make_planner("adaptive_astar", grid);
  const Query query{grid.cell(20, 30), grid.cell(55, 28)};
  const Plan round = planner->plan(query);
  planner->update(std::vector{*grid.set(grid.cell(45, 30), kFree)});
  const Plan through = planner->plan(query);
  EXPECT_LT(through.cost, round.cost);
  EXPECT_EQ(through.cost, make_planner("astar", grid)->plan(query).cost);
}

TEST(AdaptiveAStar, LearnsThatThereIsNoWayUntilOneOpens) {
  Grid grid = test_support::drawn({
      "....@....",
      "....@....",
      "....@....",
  });
  const auto planner = make_planner("adaptive_astar", grid);
  EXPECT_EQ(planner->plan({0, 8}).status, PlanStatus::kNoPath);
  const Plan again = planner->plan({1, 8});
  EXPECT_EQ(again.status, PlanStatus::kNoPath);
  EXPECT_EQ(again.counts.expansions, 0U);
  planner->update(std::vector{*grid.set(4, kFree)});
  EXPECT_EQ(planner->plan({1, 8}).status, PlanStatus::kFound);
}

TEST(AdaptiveAStar, LearnsFromASearchThatWasLeftInTheMiddle) {
  const Grid grid = pocket();
  const auto planner = make_planner("adaptive_astar", grid);
  Query query{grid.cell(20, 30), grid.cell(55, 28)};
  const std::uint64_t whole = make_planner("astar", grid)->plan(query).counts.expansions;
  Budget budget;
  budget.max_expansions = whole * 3 / 4;
  EXPECT_EQ(planner->plan(query, budget).status, PlanStatus::kOutOfBudget);
  query.start += 1;
  const Plan plan = planner->plan(query);
  EXPECT_LT(plan.counts.expansions, whole);
  EXPECT_EQ(plan.cost, make_planner("astar", grid)->plan(query).cost);
}

TEST(AdaptiveAStar, SearchesForEver) {
  const Grid grid(8, 1);
  const auto planner = make_planner("adaptive_astar", grid);
  std::uint64_t restarts = 0;
  for (int i = 0; i < 140000; ++i) {
    const auto start = static_cast<Cell>(i % 7);
    const Plan plan = planner->plan({start, 7});
    ASSERT_EQ(plan.cost, (7 - start) * kStraight);
    restarts += plan.counts.restarts;
  }
  EXPECT_EQ(restarts, 3U) << "searches are counted in 16 bits";
}

}  // namespace
}  // namespace dynamic_planners
