#include "dynamic_planners/search/mpaa.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "dynamic_planners/search/registry.hpp"
#include "test/support/drawn.hpp"

namespace dynamic_planners {
namespace {

TEST(MultipathAdaptiveAStar, FollowingItsOwnPathTakesNoSearch) {
  const Grid grid(60, 60, 1);
  const auto planner = make_planner("mpaa", grid);
  const Cell goal = grid.cell(57, 31);
  const Plan first = planner->plan({0, goal});
  Cost left = first.cost;
  for (std::size_t i = 1; i < first.points.size(); ++i) {
    const auto [x, y, z] = first.points[i];
    const Plan plan = planner->plan({grid.cell(static_cast<int>(x), static_cast<int>(y)), goal});
    EXPECT_EQ(plan.counts.expansions, 0U);
    EXPECT_LT(plan.cost, left);
    left = plan.cost;
  }
}

/// A search ends where it comes upon what is left of the old path.
TEST(MultipathAdaptiveAStar, ReusesThePathBehindAnObstacle) {
  Grid grid(100, 21);
  const auto planner = make_planner("mpaa", grid);
  const Query query{grid.cell(0, 10), grid.cell(99, 10)};
  planner->plan(query);
  planner->update(std::vector{*grid.set(grid.cell(5, 10), kLethal)});
  const Plan plan = planner->plan(query);
  EXPECT_EQ(plan.cost, make_planner("astar", grid)->plan(query).cost);
  EXPECT_LT(plan.counts.expansions, 50U);
}

/// The old path is as good as ever, but a better one has come.
TEST(MultipathAdaptiveAStar, LeavesItsPathWhereAShorterOneOpens) {
  Grid grid = test_support::drawn({
      "...........",
      "@@@@@.@@@@.",
      "...........",
      ".@@@@@@@@@@",
      "...........",
  });
  const auto planner = make_planner("mpaa", grid);
  const Query query{grid.cell(10, 4), grid.cell(10, 2)};
  const Plan round = planner->plan(query);
  planner->update(std::vector{*grid.set(grid.cell(9, 3), kFree)});
  const Plan through = planner->plan(query);
  EXPECT_LT(through.cost, round.cost);
  EXPECT_EQ(through.cost, 4 * kStraight);
}

/// Where everything is equally good, larger g goes straight to the goal and smaller g looks at all.
TEST(MultipathAdaptiveAStar, BreaksTiesAsItIsTold) {
  const Grid grid(40, 40);
  PlannerConfig config;
  config.traversal.connectivity = 4;
  const auto expansions = [&](Ties ties) {
    config.ties = ties;
    return make_planner("mpaa", grid, config)->plan({0, grid.size() - 1}).counts.expansions;
  };
  EXPECT_EQ(expansions(Ties::kLargerG), 78U);
  EXPECT_EQ(expansions(Ties::kSmallerG), grid.size() - 1);
  EXPECT_EQ(expansions(Ties::kFifo), grid.size() - 1);
}

}  // namespace
}  // namespace dynamic_planners
