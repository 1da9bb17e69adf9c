#include "dynamic_planners/search/dstar.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "dynamic_planners/search/registry.hpp"
#include "test/support/drawn.hpp"

namespace dynamic_planners {
namespace {

std::unique_ptr<Planner> make(const Grid& grid, const PlannerConfig& config = {}) {
  return make_planner("dstar", grid, config);
}

/// Gives the cells of a rectangle a cost.
std::vector<CellChange> fill(Grid& grid, const Window& window, std::uint8_t cost) {
  std::vector<CellChange> changes;
  for (int y = window.y; y < window.y + window.height; ++y) {
    for (int x = window.x; x < window.x + window.width; ++x) {
      if (const auto change = grid.set(grid.cell(x, y), cost)) changes.push_back(*change);
    }
  }
  return changes;
}

TEST(DStar, FollowingItsOwnPathTakesNoSearch) {
  const Grid grid(100, 100, 5);
  const auto planner = make(grid);
  const Cell goal = grid.cell(70, 90);
  const Plan first = planner->plan({0, goal});
  for (const Point& point : first.points) {
    const Cell start = grid.cell(static_cast<int>(point.x), static_cast<int>(point.y));
    EXPECT_EQ(planner->plan({start, goal}).counts.expansions, 0U);
  }
}

TEST(DStar, AChangeNearTheRobotTakesASmallRepair) {
  Grid grid(300, 300);
  const auto planner = make(grid);
  const Query query{grid.cell(10, 10), grid.cell(290, 200)};
  planner->plan(query);
  for (const std::uint8_t cost : {kLethal, std::uint8_t{100}, kFree}) {
    const auto changes = fill(grid, {16, 8, 3, 20}, cost);
    planner->update(changes);
    const Plan repaired = planner->plan(query);
    EXPECT_EQ(repaired.counts.changed_cells, changes.size());
    EXPECT_EQ(repaired.counts.restarts, 0U);
    const Plan anew = make(grid)->plan(query);
    EXPECT_EQ(repaired.cost, anew.cost);
    EXPECT_LT(repaired.counts.expansions, anew.counts.expansions / 5);
  }
}

TEST(DStar, AChangeBehindTheRobotTakesNoExpansion) {
  Grid grid(200, 200);
  const auto planner = make(grid);
  const Cell goal = grid.cell(190, 100);
  planner->plan({grid.cell(5, 5), goal});
  const Query query{grid.cell(187, 100), goal};
  planner->plan(query);
  planner->update(fill(grid, {50, 40, 20, 20}, kLethal));
  EXPECT_EQ(planner->plan(query).counts.expansions, 0U);
}

/// The robot's way is shut near the goal, so a wave of raised costs runs back to it; on the way,
/// states that are equal in f are yet to be raised when the robot's own cost first looks final.
TEST(DStar, EndsOnlyWhenTheCostOfTheRobotsCellIsFinal) {
  Grid grid = test_support::drawn({
      ".........",
      ".@@@@@@@.",
      ".........",
      ".@@@@@@@.",
      ".........",
  });
  PlannerConfig config;
  config.traversal.connectivity = 4;
  const auto planner = make(grid, config);
  const Query query{grid.cell(0, 2), grid.cell(8, 2)};
  EXPECT_EQ(planner->plan(query).cost, 8 * kStraight);
  planner->update(fill(grid, {7, 2, 1, 1}, kLethal));
  EXPECT_EQ(planner->plan(query).cost, 12 * kStraight);
  planner->update(fill(grid, {7, 0, 1, 1}, kLethal));
  EXPECT_EQ(planner->plan(query).cost, 12 * kStraight);
  planner->update(fill(grid, {7, 4, 1, 1}, kLethal));
  EXPECT_EQ(planner->plan(query).status, PlanStatus::kNoPath);
  planner->update(fill(grid, {7, 2, 1, 1}, kFree));
  EXPECT_EQ(planner->plan(query).cost, 8 * kStraight);
}

/// In a closed room nothing is right any more; the raised costs must not chase each other for ever.
TEST(DStar, AClosedRoomIsRaisedOnce) {
  Grid grid(60, 60);
  const auto planner = make(grid);
  const Query query{grid.cell(5, 30), grid.cell(55, 30)};
  planner->plan(query);
  planner->update(fill(grid, {50, 0, 1, 60}, kLethal));
  const Plan plan = planner->plan(query);
  EXPECT_EQ(plan.status, PlanStatus::kNoPath);
  EXPECT_LE(plan.counts.expansions, 2U * grid.size());
}

TEST(DStar, DrivesForEver) {
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

TEST(DStar, NeedsAtMost28BytesPerCellWithTheGrid) {
  const Grid grid(1000, 1000);
  const auto planner = make(grid);
  planner->plan({0, grid.size() - 1});
  EXPECT_LE(static_cast<double>(planner->memory_bytes()) / grid.size() + 1, 28.0);
}

}  // namespace
}  // namespace dynamic_planners
