#include "dynamic_planners/search/lpa.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "dynamic_planners/search/registry.hpp"

namespace dynamic_planners {
namespace {

std::unique_ptr<Planner> make(const Grid& grid) {
  return make_planner("lpa", grid);
}

TEST(LifelongPlanningAStar, ARobotThatHasMovedTakesANewSearchAndItSaysSo) {
  const Grid grid(100, 100, 5);
  const auto planner = make(grid);
  const Cell goal = grid.cell(70, 90);
  const Plan first = planner->plan({0, goal});
  EXPECT_EQ(first.counts.restarts, 1U);
  EXPECT_GT(first.counts.expansions, 0U);
  const Plan again = planner->plan({0, goal});
  EXPECT_EQ(again.counts.restarts, 0U);
  EXPECT_EQ(again.counts.expansions, 0U);
  EXPECT_EQ(again.points, first.points);
  const Plan moved = planner->plan({1, goal});
  EXPECT_EQ(moved.counts.restarts, 1U);
  EXPECT_GT(moved.counts.expansions, 0U);
}

TEST(LifelongPlanningAStar, AChangeNearTheGoalTakesASmallRepair) {
  Grid grid(300, 300, 60);
  const auto planner = make(grid);
  const Query query{grid.cell(10, 10), grid.cell(290, 200)};
  planner->plan(query);
  std::vector<CellChange> changes;
  for (int y = 190; y < 203; ++y) changes.push_back(*grid.set(grid.cell(283, y), kLethal));
  planner->update(changes);
  const Plan repaired = planner->plan(query);
  EXPECT_EQ(repaired.counts.restarts, 0U);
  EXPECT_EQ(repaired.counts.changed_cells, changes.size());
  const Plan anew = make(grid)->plan(query);
  EXPECT_EQ(repaired.cost, anew.cost);
  EXPECT_LT(repaired.counts.expansions, anew.counts.expansions / 5);
}

TEST(LifelongPlanningAStar, KeepsASearchPerGoal) {
  const Grid grid(80, 80, 3);
  const auto planner = make(grid);
  const Cell a = grid.cell(70, 10);
  const Cell b = grid.cell(10, 70);
  planner->plan({0, a});
  planner->plan({0, b});
  EXPECT_EQ(planner->plan({0, a}).counts.restarts, 0U);
  EXPECT_EQ(planner->plan({0, b}).counts.restarts, 0U);
}

TEST(LifelongPlanningAStar, ThePathLeadsFromTheStartToTheGoal) {
  const Grid grid(9, 1);
  const Plan plan = make(grid)->plan({2, 6});
  ASSERT_EQ(plan.points.size(), 5U);
  EXPECT_EQ(plan.points.front(), (Point{2, 0}));
  EXPECT_EQ(plan.points.back(), (Point{6, 0}));
}

}  // namespace
}  // namespace dynamic_planners
