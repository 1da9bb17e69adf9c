#include "dynamic_planners/search/ad.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "dynamic_planners/search/registry.hpp"
#include "test/support/drawn.hpp"

namespace dynamic_planners {
namespace {

PlannerConfig with_epsilon(double epsilon) {
  PlannerConfig config;
  config.anytime.epsilon = epsilon;
  return config;
}

/// Pillars in rows that are half a gap apart.
Grid pillars(int side) {
  Grid grid(side, side);
  for (int y = 2; y < side; y += 3) {
    for (int x = y % 2; x < side; x += 4) grid.set(grid.cell(x, y), kLethal);
  }
  return grid;
}

TEST(AnytimeDStar, FindsItsFirstPathWithFewerExpansions) {
  const Grid grid = pillars(200);
  const Query query{grid.cell(199, 199), 0};
  const Plan best = make_planner("dstar_lite", grid)->plan(query);
  const Plan soon = make_planner("ad", grid, with_epsilon(3.0))->plan(query);
  ASSERT_EQ(soon.status, PlanStatus::kFound);
  EXPECT_LT(soon.counts.expansions, best.counts.expansions / 4);
  EXPECT_LE(soon.bound, 3.0);
}

TEST(AnytimeDStar, WithEpsilonOneItIsDStarLite) {
  const Grid grid = pillars(60);
  const Query query{grid.cell(59, 59), 0};
  const Plan plan = make_planner("ad", grid, with_epsilon(1.0))->plan(query);
  const Plan best = make_planner("dstar_lite", grid)->plan(query);
  EXPECT_EQ(plan.bound, 1.0);
  EXPECT_EQ(plan.cost, best.cost);
  EXPECT_EQ(plan.counts.expansions, best.counts.expansions);
}

/// In the open, the path along the heuristic is the best one, and this can be proven at once.
TEST(AnytimeDStar, StatesTheBoundItHasProvenAndNotJustEpsilon) {
  const Grid grid(50, 50);
  const Plan plan = make_planner("ad", grid, with_epsilon(5.0))->plan({0, grid.size() - 1});
  EXPECT_EQ(plan.bound, 1.0);
  EXPECT_EQ(plan.cost, 49 * kDiagonal);
}

TEST(AnytimeDStar, ImprovesWhileTheRobotDrivesInAWorldThatStays) {
  const Grid grid = pillars(100);
  const auto planner = make_planner("ad", grid, with_epsilon(3.0));
  Query query{grid.cell(99, 99), 0};
  Plan plan = planner->plan(query);
  EXPECT_GT(plan.bound, 1.0);
  for (int step = 0; step < 20; ++step) {
    query.start = grid.cell(static_cast<int>(plan.points[1].x), static_cast<int>(plan.points[1].y));
    plan = planner->plan(query);
    EXPECT_EQ(plan.counts.restarts, 0U);
  }
  EXPECT_EQ(plan.bound, 1.0);
}

TEST(AnytimeDStar, KeepsItsPathWhenTheBudgetForABetterOneRunsOut) {
  const Grid grid = pillars(100);
  const auto planner = make_planner("ad", grid, with_epsilon(3.0));
  const Query query{grid.cell(99, 99), 0};
  const Plan first = planner->plan(query);
  Budget budget;
  budget.max_expansions = 10;
  const Plan same = planner->plan(query, budget);
  EXPECT_EQ(same.status, PlanStatus::kFound);
  EXPECT_EQ(same.points, first.points);
  EXPECT_EQ(same.bound, first.bound);
  Plan plan = same;
  for (int calls = 0; plan.bound > 1.0; ++calls) {
    ASSERT_LT(calls, 100000);
    plan = planner->plan(query, budget);
    ASSERT_EQ(plan.status, PlanStatus::kFound);
    ASSERT_LE(plan.counts.expansions, 10U);
  }
  EXPECT_EQ(plan.cost, make_planner("astar", grid)->plan(query).cost);
}

TEST(AnytimeDStar, RaisesItsBoundAfterAChangeAndLowersItAgain) {
  Grid grid = pillars(100);
  PlannerConfig config = with_epsilon(3.0);
  config.anytime.epsilon_increase = 0.2;
  const auto planner = make_planner("ad", grid, config);
  const Query query{grid.cell(99, 99), 0};
  Plan plan = planner->plan(query);
  while (plan.bound > 1.0) plan = planner->plan(query);
  const auto [x, y, z] = plan.points[3];
  planner->update(
      std::vector{*grid.set(grid.cell(static_cast<int>(x), static_cast<int>(y)), kLethal)});
  plan = planner->plan(query);
  EXPECT_EQ(plan.counts.restarts, 0U);
  EXPECT_LE(plan.bound, 1.2);
  while (plan.bound > 1.0) plan = planner->plan(query);
  EXPECT_EQ(plan.cost, make_planner("astar", grid)->plan(query).cost);
}

TEST(AnytimeDStar, StartsOverAfterASignificantChange) {
  Grid grid(20, 20);
  PlannerConfig config = with_epsilon(2.0);
  config.anytime.significant_change = 0.01;  // four cells
  const auto planner = make_planner("ad", grid, config);
  const Query query{0, grid.size() - 1};
  planner->plan(query);
  std::vector<CellChange> changes;
  for (int x = 0; x < 4; ++x) changes.push_back(*grid.set(grid.cell(5 + x, 1), kLethal));
  planner->update(changes);
  EXPECT_EQ(planner->plan(query).counts.restarts, 0U);
  changes.clear();
  for (int x = 0; x < 5; ++x) changes.push_back(*grid.set(grid.cell(5 + x, 15), kLethal));
  planner->update(changes);
  EXPECT_EQ(planner->plan(query).counts.restarts, 1U);
}

/// With a large epsilon a new search expands little more than the path.
TEST(AnytimeDStar, StartsOverWhereARepairWouldTakeLonger) {
  Grid grid(100, 100);
  const Query query{0, grid.cell(99, 0)};
  const auto cut = [&](int x) {
    const auto planner = make_planner("ad", grid, with_epsilon(3.0));
    planner->plan(query);
    planner->update(std::vector{*grid.set(grid.cell(x, 0), kLethal)});
    const Plan plan = planner->plan(query);
    grid.set(grid.cell(x, 0), kFree);
    return plan.counts.restarts;
  };
  EXPECT_EQ(cut(10), 0U);
  EXPECT_EQ(cut(90), 1U);
}

TEST(AnytimeDStar, DrivesForEver) {
  Grid grid(40, 1);
  const auto planner = make_planner("ad", grid, with_epsilon(1000.0));
  std::uint64_t restarts = 0;
  for (int i = 0; i < 40000; ++i) {
    const Plan plan = planner->plan({static_cast<Cell>(i % 2 == 0 ? 0 : 38), 39});
    ASSERT_EQ(plan.cost, (i % 2 == 0 ? 39 : 1) * kStraight);
    restarts += plan.counts.restarts;
  }
  EXPECT_GT(restarts, 1U) << "the keys were to grow so far that a new search is begun";
}

TEST(AnytimeDStar, RefusesWhatIsOutOfRange) {
  const Grid grid(10, 10);
  EXPECT_THROW(make_planner("ad", grid, with_epsilon(0.99)), std::invalid_argument);
  EXPECT_THROW(make_planner("ad", grid, with_epsilon(1001.0)), std::invalid_argument);
  PlannerConfig config;
  config.anytime.significant_change = 1.5;
  EXPECT_THROW(make_planner("ad", grid, config), std::invalid_argument);
  for (const double decrease : {-0.1, 0.0}) {
    config.anytime = {.epsilon_decrease = decrease};
    EXPECT_THROW(make_planner("ad", grid, config), std::invalid_argument);
  }
}

}  // namespace
}  // namespace dynamic_planners
