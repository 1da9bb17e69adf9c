#include "dynamic_planners/search/ara.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "dynamic_planners/search/registry.hpp"
#include "test/support/drawn.hpp"

namespace dynamic_planners {
namespace {

/// The heuristic leads into a pocket.
Grid pocket() {
  Grid grid(60, 60);
  for (int i = 10; i < 50; ++i) {
    grid.set(grid.cell(45, i), kLethal);
    grid.set(grid.cell(i - 4, 10), kLethal);
    grid.set(grid.cell(i - 4, 49), kLethal);
  }
  return grid;
}

TEST(AnytimeRepairingAStar, LowersItsBoundStepByStepAndReusesWhatItFound) {
  const Grid grid = pocket();
  const Query query{grid.cell(20, 30), grid.cell(55, 28)};
  const Plan best = make_planner("astar", grid)->plan(query);
  const auto planner = make_planner("ara", grid);
  Plan plan = planner->plan(query);
  EXPECT_EQ(plan.counts.restarts, 1U);
  EXPECT_LE(plan.bound, 3.0);
  EXPECT_GT(plan.bound, 1.0);
  while (plan.bound > 1.0) {
    const Plan better = planner->plan(query);
    ASSERT_LT(better.bound, plan.bound);
    ASSERT_LE(better.cost, plan.cost);
    ASSERT_EQ(better.counts.restarts, 0U);
    plan = better;
  }
  EXPECT_EQ(plan.cost, best.cost);
  EXPECT_EQ(planner->plan(query).counts.expansions, 0U) << "there is nothing left to improve";
}

TEST(AnytimeRepairingAStar, KeepsItsPathWhenTheBudgetForABetterOneRunsOut) {
  const Grid grid = pocket();
  const Query query{grid.cell(20, 30), grid.cell(55, 28)};
  const auto planner = make_planner("ara", grid);
  const Plan first = planner->plan(query);
  Budget budget;
  budget.max_expansions = 0;
  const Plan same = planner->plan(query, budget);
  EXPECT_EQ(same.status, PlanStatus::kFound);
  EXPECT_EQ(same.points, first.points);
  EXPECT_EQ(same.bound, first.bound);
}

TEST(AnytimeRepairingAStar, StartsOverWhenAnythingChanges) {
  Grid grid = pocket();
  const auto planner = make_planner("ara", grid);
  const Query query{grid.cell(20, 30), grid.cell(55, 28)};
  planner->plan(query);
  EXPECT_EQ(planner->plan({query.start + 1, query.goal}).counts.restarts, 1U);
  planner->update({});
  EXPECT_EQ(planner->plan({query.start + 1, query.goal}).counts.restarts, 0U);
  planner->update(std::vector{*grid.set(0, kLethal)});
  EXPECT_EQ(planner->plan({query.start + 1, query.goal}).counts.restarts, 1U);
}

}  // namespace
}  // namespace dynamic_planners
