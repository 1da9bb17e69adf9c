#include "dynamic_planners/search/field_dstar.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "dynamic_planners/search/registry.hpp"
#include "test/support/drawn.hpp"

namespace dynamic_planners {
namespace {

std::unique_ptr<Planner> make(const Grid& grid, const PlannerConfig& config = {}) {
  return make_planner("field_dstar", grid, config);
}

/// A disc comes or goes, with a rim of falling costs as inflation draws it.
std::vector<CellChange> disc(Grid& grid, int x0, int y0, int radius, bool comes) {
  std::vector<CellChange> changes;
  for (int y = y0 - 2 * radius; y <= y0 + 2 * radius; ++y) {
    for (int x = x0 - 2 * radius; x <= x0 + 2 * radius; ++x) {
      const double distance = std::hypot(x - x0, y - y0);
      if (distance > 2 * radius) continue;
      const double share = 2.0 - distance / radius;
      const int cost = distance <= radius ? kLethal : static_cast<int>(kMaxPassable * share);
      const auto change = grid.set(grid.cell(x, y), static_cast<std::uint8_t>(comes ? cost : 0));
      if (change) changes.push_back(*change);
    }
  }
  return changes;
}

struct Turning {
  double sum = 0.0;
  double sharpest = 0.0;
};

Turning turning(const std::vector<Point>& points) {
  Turning turning;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const double before = std::atan2(points[i].y - points[i - 1].y, points[i].x - points[i - 1].x);
    const double after = std::atan2(points[i + 1].y - points[i].y, points[i + 1].x - points[i].x);
    const double turn = std::abs(std::remainder(after - before, 2 * std::numbers::pi));
    turning.sum += turn;
    turning.sharpest = std::max(turning.sharpest, turn);
  }
  return turning;
}

TEST(FieldDStar, GoesStraightAtAnyAngle) {
  const Grid grid(200, 200, 3);
  const auto planner = make(grid);
  for (const auto& [x, y, z] : {Point{190, 70}, Point{190, 20}, Point{100, 190}, Point{37, 11}}) {
    const Plan plan =
        planner->plan({grid.cell(3, 4), grid.cell(static_cast<int>(x), static_cast<int>(y))});
    const double weight = 1.0 + 3.0 * 3 / 252;
    EXPECT_LE(in_cells(plan.cost), 1.001 * weight * std::hypot(x - 3, y - 4));
    EXPECT_LT(turning(plan.points).sum, 0.02);
  }
}

TEST(FieldDStar, IsSmoothOnHillyGround) {
  // The costs are those of an inflation: no step, no flat piece.
  Grid grid(120, 120);
  disc(grid, 60, 55, 20, true);
  const auto query = Query{grid.cell(5, 50), grid.cell(115, 63)};
  const Plan plan = make(grid)->plan(query);
  const Plan stairs = make_planner("dstar_lite", grid)->plan(query);
  EXPECT_LT(plan.cost, stairs.cost);
  EXPECT_LT(turning(plan.points).sum, turning(stairs.points).sum);
  EXPECT_LT(turning(plan.points).sharpest, 0.67 * turning(stairs.points).sharpest);
}

TEST(FieldDStar, PassesACorridorOfOneCell) {
  const Grid grid = test_support::drawn({
      ".@@@@",
      "..@@@",
      "@..@@",
      "@@..@",
      "@@@..",
  });
  const Plan plan = make(grid)->plan({0, grid.size() - 1});
  EXPECT_EQ(plan.status, PlanStatus::kFound);
  EXPECT_EQ(plan.cost, 8 * kStraight);
}

TEST(FieldDStar, NeverPassesTheCornerOfABlockedCell) {
  EXPECT_EQ(make(test_support::drawn({".@", "@."}))->plan({0, 3}).status, PlanStatus::kNoPath);
  EXPECT_EQ(make(test_support::drawn({".@", ".."}))->plan({0, 3}).points,
            (std::vector<Point>{{0, 0}, {0, 1}, {1, 1}}));
}

TEST(FieldDStar, AskedTheSameAgainItHasTheAnswer) {
  const Grid grid(100, 100, 5);
  const auto planner = make(grid);
  const Query query{0, grid.cell(70, 90)};
  const Plan first = planner->plan(query);
  const Plan again = planner->plan(query);
  EXPECT_EQ(again.counts.expansions, 0U);
  EXPECT_EQ(again.points, first.points);
}

TEST(FieldDStar, MovingTowardsTheGoalTakesLittleSearch) {
  const Grid grid(200, 200, 5);
  const auto planner = make(grid);
  const Cell goal = grid.cell(190, 70);
  const std::uint64_t first = planner->plan({grid.cell(10, 10), goal}).counts.expansions;
  std::uint64_t rest = 0;
  for (int x = 11; x < 190; ++x) {
    rest += planner->plan({grid.cell(x, 10 + (x - 10) / 3), goal}).counts.expansions;
  }
  EXPECT_LT(rest, first / 20);
}

TEST(FieldDStar, AChangeNearTheRobotTakesASmallRepair) {
  Grid grid(300, 300);
  const auto planner = make(grid);
  const Query query{grid.cell(10, 10), grid.cell(290, 200)};
  planner->plan(query);
  for (const bool comes : {true, false}) {
    const auto changes = disc(grid, 24, 19, 4, comes);
    planner->update(changes);
    const Plan repaired = planner->plan(query);
    EXPECT_EQ(repaired.counts.changed_cells, changes.size());
    const Plan anew = make(grid)->plan(query);
    EXPECT_EQ(repaired.cost, anew.cost);
    EXPECT_LT(repaired.counts.expansions, anew.counts.expansions / 20);
  }
}

TEST(FieldDStar, RepairsToWhatANewSearchFinds) {
  Grid grid(80, 80);
  const auto planner = make(grid);
  for (int round = 0; round < 40; ++round) {
    const int x = 10 + round * 37 % 60;
    const int y = 10 + round * 53 % 60;
    planner->update(disc(grid, x, y, 2 + round % 4, round % 3 != 0));
    const Query query{grid.cell(1 + round % 5, 1), grid.cell(78, 78 - round % 2)};
    const Plan repaired = planner->plan(query);
    const Plan anew = make(grid)->plan(query);
    EXPECT_EQ(repaired.status, anew.status);
    EXPECT_EQ(repaired.cost, anew.cost);
    EXPECT_EQ(repaired.points, anew.points);
  }
}

TEST(FieldDStar, KeepsSearchesPerGoal) {
  const Grid grid(80, 80, 3);
  const auto planner = make(grid);
  const Cell a = grid.cell(70, 10);
  const Cell b = grid.cell(10, 70);
  EXPECT_EQ(planner->plan({0, a}).counts.restarts, 1U);
  EXPECT_EQ(planner->plan({0, b}).counts.restarts, 1U);
  EXPECT_EQ(planner->plan({0, a}).counts.expansions, 0U);
  EXPECT_EQ(planner->plan({0, b}).counts.expansions, 0U);
}

TEST(FieldDStar, DrivesForEver) {
  const Grid grid(20, 2);
  const auto planner = make(grid);
  const Cell goal = grid.cell(10, 1);
  std::uint64_t restarts = 0;
  for (int lap = 0; lap < 3000; ++lap) {
    const Plan plan = planner->plan({lap % 2 == 0 ? grid.cell(0, 0) : grid.cell(19, 0), goal});
    ASSERT_NEAR(in_cells(plan.cost), std::hypot(lap % 2 == 0 ? 10 : 9, 1), 0.002);
    restarts += plan.counts.restarts;
  }
  EXPECT_GT(restarts, 1U) << "the keys were to grow so far that a new search is begun";
}

TEST(FieldDStar, NeedsAtMost24BytesPerCellWithTheGrid) {
  const Grid grid(1000, 1000);
  const auto planner = make(grid);
  planner->plan({0, grid.size() - 1});
  EXPECT_LE(static_cast<double>(planner->memory_bytes()) / grid.size() + 1, 24.0);
}

TEST(FieldDStar, DrawsItsPathWithinTheBudgetToo) {
  Grid grid(150, 150);
  for (Cell cell = 0; cell < grid.size(); ++cell) {
    grid.set(cell, static_cast<std::uint8_t>(cell * 2654435761U >> 26U));
  }
  const Query query{grid.cell(3, 20), grid.cell(140, 110)};
  const Plan whole = make_planner("field_dstar", grid)->plan(query);
  ASSERT_EQ(whole.status, PlanStatus::kFound);
  const auto planner = make_planner("field_dstar", grid);
  int while_drawing = 0;
  Plan plan;
  do {
    Budget budget;
    budget.check_interval = 1;
    budget.cancelled = [looks = 100]() mutable { return looks-- <= 0; };
    plan = planner->plan(query, budget);
    if (plan.status == PlanStatus::kFound) break;
    ASSERT_EQ(plan.status, PlanStatus::kCancelled);
    ASSERT_TRUE(plan.points.empty());
    while_drawing += plan.counts.expansions == 0 ? 1 : 0;
  } while (while_drawing < 10000);
  EXPECT_GT(while_drawing, 1);
  EXPECT_EQ(plan.cost, whole.cost);
  EXPECT_EQ(plan.points, whole.points);
}

}  // namespace
}  // namespace dynamic_planners
