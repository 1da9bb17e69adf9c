#include "dynamic_planners/search/dstar_extra_lite.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "dynamic_planners/search/registry.hpp"
#include "test/support/drawn.hpp"

namespace dynamic_planners {
namespace {

std::unique_ptr<Planner> make(const Grid& grid, int connectivity = 8) {
  PlannerConfig config;
  config.traversal.connectivity = connectivity;
  return make_planner("dstar_extra_lite", grid, config);
}

TEST(DStarExtraLite, FollowingItsOwnPathTakesNoSearch) {
  const Grid grid(100, 100, 5);
  const auto planner = make(grid);
  const Cell goal = grid.cell(70, 90);
  const Plan first = planner->plan({0, goal});
  for (const Point& point : first.points) {
    const Cell start = grid.cell(static_cast<int>(point.x), static_cast<int>(point.y));
    EXPECT_EQ(planner->plan({start, goal}).counts.expansions, 0U);
  }
}

/// The goal is at the top left. Below it hang two corridors, left and right; what shuts one of them
/// cuts off the rest of that one and nothing else.
TEST(DStarExtraLite, PruningTouchesOnlyTheBranch) {
  std::vector<std::string> rows(41, ".@.");
  rows.front() = "...";
  rows.back() = "...";
  Grid grid = test_support::drawn(rows);
  const auto planner = make(grid, 4);
  const Cell goal = grid.cell(0, 0);
  const Query query{grid.cell(0, 38), goal};
  planner->plan({grid.cell(2, 38), goal});  // so that both corridors are searched
  EXPECT_EQ(planner->plan(query).cost, 38 * kStraight);

  planner->update(std::vector{*grid.set(grid.cell(0, 30), kLethal)});
  const Plan round = planner->plan(query);
  EXPECT_EQ(round.cost, (2 + 40 + 2 + 2) * kStraight);
  // The eight cells behind the obstacle are pruned; the search goes on where it was in the right
  // corridor.
  EXPECT_GT(round.counts.expansions, 0U);
  EXPECT_LE(round.counts.expansions, 12U);
  EXPECT_LE(round.counts.queue_operations, 30U);

  // Shutting the right corridor as well cuts off its rest and what now hangs on it.
  planner->update(std::vector{*grid.set(grid.cell(2, 30), kLethal)});
  const Plan none = planner->plan(query);
  EXPECT_EQ(none.status, PlanStatus::kNoPath);
  EXPECT_LE(none.counts.expansions, 4U);

  planner->update(std::vector{*grid.set(grid.cell(0, 30), kFree)});
  EXPECT_EQ(planner->plan(query).cost, 38 * kStraight);
}

/// Half the tree may lead through the blocked cell; it is hung onto other parents that are as good.
TEST(DStarExtraLite, WhatAnotherParentHoldsAtTheSameCostIsNotPruned) {
  Grid grid(200, 200);
  const auto planner = make(grid, 4);
  const Query query{grid.cell(199, 199), grid.cell(0, 0)};
  const Plan first = planner->plan(query);
  for (int i = 5; i < 150; i += 7) {
    planner->update(std::vector{*grid.set(grid.cell(i, i), kLethal)});
    const Plan plan = planner->plan(query);
    ASSERT_EQ(plan.cost, first.cost);
    ASSERT_EQ(plan.counts.expansions, 0U);
    ASSERT_LE(plan.counts.queue_operations, 10U);
  }
}

TEST(DStarExtraLite, AChangeNearTheRobotTakesASmallRepair) {
  Grid grid(300, 300);
  const auto planner = make(grid);
  const Query query{grid.cell(10, 10), grid.cell(290, 200)};
  planner->plan(query);
  for (const std::uint8_t cost : {kLethal, std::uint8_t{100}, kFree}) {
    std::vector<CellChange> changes;
    for (int y = 8; y < 28; ++y) changes.push_back(*grid.set(grid.cell(17, y), cost));
    planner->update(changes);
    const Plan repaired = planner->plan(query);
    EXPECT_EQ(repaired.counts.changed_cells, changes.size());
    const Plan anew = make(grid)->plan(query);
    EXPECT_EQ(repaired.cost, anew.cost);
    EXPECT_LT(repaired.counts.expansions, anew.counts.expansions / 5);
  }
}

/// Cutting off a large branch takes time and no expansion; it must not miss a deadline for that.
TEST(DStarExtraLite, CuttingCanBeCancelledAndGoneOnWith) {
  Grid grid(300, 300);
  const auto planner = make(grid);
  const Query query{grid.cell(5, 150), grid.cell(295, 150)};
  planner->plan(query);
  std::vector<CellChange> wall;
  for (int y = 0; y < 299; ++y) wall.push_back(*grid.set(grid.cell(285, y), kLethal));
  planner->update(wall);
  int cancelled = 0;
  Plan plan;
  do {
    Budget budget;
    budget.check_interval = 10;
    budget.cancelled = [looks = 0]() mutable { return ++looks > 5; };
    plan = planner->plan(query, budget);
    ASSERT_LE(plan.counts.expansions, 60U);
  } while (plan.status == PlanStatus::kCancelled && ++cancelled < 100000);
  EXPECT_GT(cancelled, 100);
  EXPECT_EQ(plan.cost, make(grid)->plan(query).cost);
}

/// A fall that could not improve the path is remembered for when another way closes.
TEST(DStarExtraLite, AFallThatDidNotMatterMattersAfterARise) {
  Grid grid = test_support::drawn({
      ".....",
      ".@@@.",
      ".@@@.",
      ".....",
  });
  const auto planner = make(grid, 4);
  const Query query{grid.cell(0, 1), grid.cell(4, 1)};
  EXPECT_EQ(planner->plan(query).cost, 6 * kStraight);
  std::vector<CellChange> opened;
  for (int x = 1; x < 4; ++x) opened.push_back(*grid.set(grid.cell(x, 2), kFree));
  planner->update(opened);
  EXPECT_EQ(planner->plan(query).cost, 6 * kStraight);
  planner->update(std::vector{*grid.set(grid.cell(2, 0), kLethal)});
  EXPECT_EQ(planner->plan(query).cost, 6 * kStraight);
  planner->update(std::vector{*grid.set(grid.cell(2, 2), kLethal)});
  EXPECT_EQ(planner->plan(query).cost, 8 * kStraight);
}

TEST(DStarExtraLite, NeedsAtMost24BytesPerCellWithTheGrid) {
  const Grid grid(1000, 1000);
  const auto planner = make(grid);
  planner->plan({0, grid.size() - 1});
  EXPECT_LE(static_cast<double>(planner->memory_bytes()) / grid.size() + 1, 24.0);
}

}  // namespace
}  // namespace dynamic_planners
