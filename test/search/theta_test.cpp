#include "dynamic_planners/search/theta.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "dynamic_planners/search/registry.hpp"
#include "test/support/any_angle.hpp"
#include "test/support/drawn.hpp"

namespace dynamic_planners {
namespace {

using test_support::drawn;

Plan plan(const Grid& grid, const Query& query, const PlannerConfig& config = {}) {
  return make_planner("theta", grid, config)->plan(query);
}

oracle::World world_of(const Grid& grid) {
  return {.width = grid.width(),
          .height = grid.height(),
          .costs = {grid.costs().begin(), grid.costs().end()}};
}

TEST(ThetaStar, GoesStraightWhereNothingIsInTheWay) {
  for (const int connectivity : {4, 8}) {
    PlannerConfig config;
    config.traversal.connectivity = connectivity;
    const Grid grid(100, 60);
    const Plan straight = plan(grid, {grid.cell(3, 5), grid.cell(90, 41)}, config);
    EXPECT_EQ(straight.points, (std::vector<Point>{{3, 5}, {90, 41}}));
    EXPECT_EQ(straight.cost, static_cast<Cost>(std::ceil(kStraight * std::hypot(87, 36))));
  }
}

TEST(ThetaStar, IsAtMostOnePercentLongerThanTheStraightLineInSight) {
  std::mt19937 random(7);
  int in_sight = 0;
  while (in_sight < 500) {
    Grid grid(60, 60);
    for (Cell cell = 0; cell < grid.size(); ++cell) {
      if (random() % 100 < 5) grid.set(cell, kLethal);
    }
    const Query query{static_cast<Cell>(random() % grid.size()),
                      static_cast<Cell>(random() % grid.size())};
    const auto [x0, y0] = grid.position(query.start);
    const auto [x1, y1] = grid.position(query.goal);
    const auto line = oracle::line_cost(world_of(grid), x0, y0, x1, y1);
    if (!line) continue;
    ++in_sight;
    EXPECT_LE(static_cast<double>(plan(grid, query).cost), 1.01 * line->most + 1);
  }
}

TEST(ThetaStar, TurnsAroundCornersAndCutsNone) {
  const Grid grid = drawn({
      "........",
      "...@....",
      "...@....",
      "........",
  });
  // The straight line from (0, 2) to (7, 0) would touch the wall.
  const Plan found = plan(grid, {grid.cell(0, 2), grid.cell(7, 0)});
  ASSERT_EQ(found.status, PlanStatus::kFound);
  for (std::size_t i = 1; i < found.points.size(); ++i) {
    EXPECT_TRUE(oracle::line_cost(world_of(grid), found.points[i - 1].x, found.points[i - 1].y,
                                  found.points[i].x, found.points[i].y));
  }
  EXPECT_LT(in_cells(found.cost), 5 + 2 * std::sqrt(2.0)) << "from cell to cell";
}

TEST(ThetaStar, NeverPassesTheCornerOfABlockedCell) {
  // From corner to corner of the map the line touches what is blocked just there.
  EXPECT_EQ(plan(drawn({".@", "@."}), {0, 3}).status, PlanStatus::kNoPath);
  EXPECT_EQ(plan(drawn({".@", ".."}), {0, 3}).points, (std::vector<Point>{{0, 0}, {0, 1}, {1, 1}}));
  // (0, 0) to (3, 1) passes the corner between (1, 0) and (2, 1).
  EXPECT_EQ(plan(drawn({"....", "...."}), {0, 7}).points.size(), 2U);
  EXPECT_GT(plan(drawn({"..@.", "...."}), {0, 7}).points.size(), 2U);
  EXPECT_GT(plan(drawn({"....", ".@.."}), {0, 7}).points.size(), 2U);
}

TEST(ThetaStar, GoesRoundWhatIsDear) {
  const Grid grid = drawn({
      ".........",
      "...999...",
      "...999...",
      "...999...",
      ".........",
  });
  const Plan round = plan(grid, {grid.cell(0, 2), grid.cell(8, 2)});
  EXPECT_GT(round.points.size(), 2U);
  EXPECT_LT(in_cells(round.cost), 10.0);
  PlannerConfig all_alike;
  all_alike.traversal.cost_weight = 0.0;
  EXPECT_EQ(plan(grid, {grid.cell(0, 2), grid.cell(8, 2)}, all_alike).points.size(), 2U);
}

TEST(ThetaStar, NeedsAtMost24BytesPerCellWithTheGrid) {
  const Grid grid(1000, 1000, 1);
  const auto planner = make_planner("theta", grid);
  planner->plan({0, grid.cell(100, 50)});
  EXPECT_LE(static_cast<double>(planner->memory_bytes()) / grid.size() + 1, 24.0);
}

}  // namespace
}  // namespace dynamic_planners
