#include "dynamic_planners/search/dstar_lite.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "dynamic_planners/search/registry.hpp"
#include "test/support/drawn.hpp"

namespace dynamic_planners {
namespace {

std::unique_ptr<Planner> make(const Grid& grid, const PlannerConfig& config = {}) {
  return make_planner("dstar_lite", grid, config);
}

/// A lethal disc comes or goes.
std::vector<CellChange> disc(Grid& grid, int x0, int y0, int radius, std::uint8_t cost) {
  std::vector<CellChange> changes;
  for (int y = y0 - radius; y <= y0 + radius; ++y) {
    for (int x = x0 - radius; x <= x0 + radius; ++x) {
      if (std::hypot(x - x0, y - y0) > radius) continue;
      if (const auto change = grid.set(grid.cell(x, y), cost)) changes.push_back(*change);
    }
  }
  return changes;
}

TEST(DStarLite, AskedTheSameAgainItHasTheAnswer) {
  const Grid grid(100, 100, 5);
  const auto planner = make(grid);
  const Query query{0, grid.cell(70, 90)};
  const Plan first = planner->plan(query);
  const Plan again = planner->plan(query);
  EXPECT_EQ(again.counts.expansions, 0U);
  EXPECT_EQ(again.cost, first.cost);
  EXPECT_EQ(again.points, first.points);
}

TEST(DStarLite, FollowingItsOwnPathTakesNoSearch) {
  const Grid grid(100, 100, 5);
  const auto planner = make(grid);
  const Cell goal = grid.cell(70, 90);
  const Plan first = planner->plan({0, goal});
  for (const Point& point : first.points) {
    const Cell start = grid.cell(static_cast<int>(point.x), static_cast<int>(point.y));
    const Plan plan = planner->plan({start, goal});
    EXPECT_EQ(plan.status, PlanStatus::kFound);
    EXPECT_EQ(plan.counts.expansions, 0U);
  }
}

TEST(DStarLite, AChangeNearTheRobotTakesASmallRepair) {
  Grid grid(300, 300, 60);
  const auto planner = make(grid);
  const Query query{grid.cell(10, 10), grid.cell(290, 200)};
  planner->plan(query);
  const auto changes = disc(grid, 20, 18, 6, kLethal);
  planner->update(changes);
  const Plan repaired = planner->plan(query);
  EXPECT_EQ(repaired.counts.changed_cells, changes.size());
  EXPECT_GT(repaired.counts.expansions, 0U);
  const Plan anew = make(grid)->plan(query);
  EXPECT_EQ(repaired.cost, anew.cost);
  EXPECT_LT(repaired.counts.expansions, anew.counts.expansions / 5);
}

TEST(DStarLite, ARepairThatTakesTooLongIsGivenUpForANewSearch) {
  Grid grid(200, 200);
  const auto planner = make(grid);
  const Query query{grid.cell(3, 100), grid.cell(196, 100)};
  const Plan first = planner->plan(query);
  // All the ways it knows are cut right at the goal, where everything depends on them.
  std::vector<CellChange> changes;
  for (int y = 0; y < 199; ++y) changes.push_back(*grid.set(grid.cell(190, y), kLethal));
  planner->update(changes);
  const Plan plan = planner->plan(query);
  const Plan anew = make(grid)->plan(query);
  EXPECT_EQ(plan.cost, anew.cost);
  EXPECT_EQ(plan.counts.restarts, 1U);
  EXPECT_LE(plan.counts.expansions, first.counts.expansions + anew.counts.expansions);
}

TEST(DStarLite, EveryRepairIsGivenUpAsSoonAsTheFirst) {
  Grid grid(300, 300);
  const auto planner = make(grid);
  const Query query{grid.cell(0, 150), grid.cell(299, 150)};
  planner->plan(query);
  std::mt19937 random(1);
  // Looks at the budget, one for each piece of work.
  std::uint64_t work = 0;
  Budget counting;
  counting.check_interval = 1;
  counting.cancelled = [&] { return ++work == 0; };
  for (int round = 0; round < 15; ++round) {
    // Much changes, and nothing of it is on the way: a new search goes straight through.
    std::vector<CellChange> changes;
    for (int i = 0; i < 4000; ++i) {
      const Cell cell = random() % grid.size();
      if (grid.position(cell).y == 150) continue;
      const auto cost = static_cast<std::uint8_t>(random() % (kMaxPassable + 1));
      if (const auto change = grid.set(cell, cost)) changes.push_back(*change);
    }
    work = 0;
    make(grid)->plan(query, counting);
    const std::uint64_t work_anew = std::exchange(work, 0);
    planner->update(changes);
    const Plan plan = planner->plan(query, counting);
    EXPECT_EQ(plan.counts.restarts, 1U);
    EXPECT_LE(work, 5 * work_anew / 2) << round;
  }
}

TEST(DStarLite, WhatIsKnownMovesWithTheGrid) {
  Grid grid(300, 300, 5);
  const auto planner = make(grid);
  const Plan first = planner->plan({grid.cell(10, 20), grid.cell(290, 200)});
  const Shift shift{2, -1};
  grid.move(shift);
  planner->move(shift);
  std::vector<CellChange> changes;
  grid.for_each_leaving(-shift, [&](Cell cell) { changes.push_back(*grid.set(cell, 5)); });
  planner->update(changes);
  const Plan moved = planner->plan({grid.cell(8, 21), grid.cell(288, 201)});
  EXPECT_EQ(moved.cost, first.cost);
  EXPECT_EQ(moved.counts.restarts, 0U);
  EXPECT_LT(moved.counts.expansions, first.counts.expansions / 10);
}

TEST(DStarLite, ADiscTouchesEachAffectedVertexOnce) {
  Grid grid(200, 200, 60);
  const auto planner = make(grid);
  const Cell goal = grid.cell(190, 100);
  planner->plan({grid.cell(5, 5), goal});
  // The robot is nearly there now: what changes far behind it concerns it no more.
  planner->plan({grid.cell(187, 100), goal});
  const auto changes = disc(grid, 60, 50, 8, kLethal);
  std::set<Cell> affected;
  for (const CellChange& change : changes) {
    const auto [x, y] = grid.position(change.cell);
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) affected.insert(grid.cell(x + dx, y + dy));
    }
  }
  planner->update(changes);
  const Plan plan = planner->plan({grid.cell(187, 100), goal});
  EXPECT_EQ(plan.status, PlanStatus::kFound);
  EXPECT_EQ(plan.counts.expansions, 0U);
  EXPECT_GT(plan.counts.queue_operations, 0U);
  EXPECT_LE(plan.counts.queue_operations, affected.size());
}

TEST(DStarLite, KeepsSearchesPerGoalAndDropsTheLeastRecentlyUsed) {
  const Grid grid(80, 80, 3);
  PlannerConfig config;
  config.kept_searches = 2;
  const auto planner = make(grid, config);
  const Cell a = grid.cell(70, 10);
  const Cell b = grid.cell(10, 70);
  const Cell c = grid.cell(70, 70);
  const auto expansions = [&](Cell goal) { return planner->plan({0, goal}).counts.expansions; };
  EXPECT_GT(expansions(a), 0U);
  EXPECT_GT(expansions(b), 0U);
  EXPECT_EQ(expansions(a), 0U);
  EXPECT_EQ(expansions(b), 0U);
  EXPECT_GT(expansions(c), 0U);  // takes the place of a
  EXPECT_EQ(expansions(b), 0U);
  EXPECT_GT(expansions(a), 0U);  // takes the place of c
  EXPECT_EQ(expansions(b), 0U);
}

TEST(DStarLite, KeepsNoMoreSearchesThanFitIntoTheMemory) {
  const Grid grid(80, 80, 3);
  PlannerConfig config;
  config.memory_limit = make(grid)->memory_bytes() * 5 / 2;
  const auto planner = make(grid, config);
  for (Cell goal = 100; goal < 110; ++goal) planner->plan({0, goal});
  EXPECT_LE(planner->memory_bytes(), config.memory_limit);
  EXPECT_EQ(planner->plan({0, 108}).counts.expansions, 0U);
  EXPECT_GT(planner->plan({0, 107}).counts.expansions, 0U);
}

TEST(DStarLite, AllKeptSearchesHearOfAChange) {
  Grid grid = test_support::drawn({"..@..", "..@..", "....."});
  const auto planner = make(grid);
  EXPECT_EQ(planner->plan({0, 4}).status, PlanStatus::kFound);
  EXPECT_EQ(planner->plan({0, 9}).status, PlanStatus::kFound);
  planner->update(std::vector{*grid.set(grid.cell(2, 2), kLethal)});
  EXPECT_EQ(planner->plan({0, 4}).status, PlanStatus::kNoPath);
  EXPECT_EQ(planner->plan({0, 9}).status, PlanStatus::kNoPath);
}

TEST(DStarLite, DrivesForEver) {
  // k_m grows with every move of the start; long before a key could overflow it begins anew.
  const Grid grid(20, 2);
  const auto planner = make(grid);
  const Cell goal = grid.cell(10, 1);
  std::uint64_t restarts = 0;
  for (int lap = 0; lap < 3000; ++lap) {
    const Plan plan = planner->plan({lap % 2 == 0 ? grid.cell(0, 0) : grid.cell(19, 0), goal});
    ASSERT_EQ(plan.cost, (lap % 2 == 0 ? 9U : 8U) * kStraight + kDiagonal);
    restarts += plan.counts.restarts;
  }
  EXPECT_GT(restarts, 1U) << "the keys were to grow so far that a new search is begun";
}

TEST(DStarLite, NeedsAtMost24BytesPerCellWithTheGrid) {
  const Grid grid(1000, 1000);
  const auto planner = make(grid);
  planner->plan({0, grid.size() - 1});
  EXPECT_LE(static_cast<double>(planner->memory_bytes()) / grid.size() + 1, 24.0);
}

}  // namespace
}  // namespace dynamic_planners
