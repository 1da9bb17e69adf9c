// What every planner of the registry promises, whatever its search. A planner joins by being there.

#include "dynamic_planners/search/planner.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "dynamic_planners/search/registry.hpp"
#include "test/support/allocations.hpp"
#include "test/support/drawn.hpp"
#include "test/support/oracle.hpp"

namespace dynamic_planners {
namespace {

using test_support::drawn;

Grid room_with_a_wall() {
  return drawn({
      "..........",
      "...@......",
      "...@......",
      "...@......",
      "...@......",
  });
}

class EveryPlanner : public testing::TestWithParam<PlannerInfo> {
 protected:
  std::unique_ptr<Planner> make(const Grid& grid, PlannerConfig config = {}) const {
    return GetParam().make(grid, config);
  }
};

TEST_P(EveryPlanner, FindsTheWayRoundAWall) {
  const Grid grid = room_with_a_wall();
  const auto planner = make(grid);
  const Plan plan = planner->plan({grid.cell(1, 4), grid.cell(5, 4)});
  ASSERT_EQ(plan.status, PlanStatus::kFound);
  EXPECT_EQ(plan.points.front(), (Point{1, 4}));
  EXPECT_EQ(plan.points.back(), (Point{5, 4}));
  EXPECT_GE(plan.bound, 1.0);
  EXPECT_GT(plan.counts.expansions, 0U);
  EXPECT_GT(plan.counts.queue_operations, 0U);
  if (GetParam().promise == Promise::kOptimal) {
    // No corner is cut: up to row 0, past the wall, down again.
    EXPECT_EQ(plan.cost, 8 * kStraight + 2 * kDiagonal);
    EXPECT_EQ(plan.points.size(), 11U);
    EXPECT_EQ(plan.bound, 1.0);
  }
}

TEST_P(EveryPlanner, StaysWhereItIsWhenThatIsTheGoal) {
  const Grid grid = room_with_a_wall();
  const auto planner = make(grid);
  const Plan plan = planner->plan({7, 7});
  EXPECT_EQ(plan.status, PlanStatus::kFound);
  EXPECT_EQ(plan.cost, 0U);
  EXPECT_EQ(plan.points, (std::vector<Point>{{7, 0}}));
}

TEST_P(EveryPlanner, SaysWhatIsBlocked) {
  const Grid grid = room_with_a_wall();
  const auto planner = make(grid);
  EXPECT_EQ(planner->plan({grid.cell(3, 2), 0}).status, PlanStatus::kStartBlocked);
  EXPECT_EQ(planner->plan({0, grid.cell(3, 2)}).status, PlanStatus::kGoalBlocked);
  EXPECT_THROW(planner->plan({grid.size(), 0}), std::out_of_range);
  EXPECT_THROW(planner->plan({0, grid.size()}), std::out_of_range);
}

TEST_P(EveryPlanner, GoesOnWhenAWayOpensAndNoticesWhenItCloses) {
  Grid grid = drawn({"..@..", "..@..", "..@.."});
  const auto planner = make(grid);
  const Query query{0, 4};
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(planner->plan(query).status, PlanStatus::kNoPath);
    planner->update(std::vector{*grid.set(grid.cell(2, 1), kFree)});
    EXPECT_EQ(planner->plan(query).status, PlanStatus::kFound);
    planner->update(std::vector{*grid.set(grid.cell(2, 1), kLethal)});
  }
}

TEST_P(EveryPlanner, CrossesUnknownGroundOnlyWhereAllowed) {
  const Grid grid = drawn({".?.", ".?."});
  EXPECT_EQ(make(grid)->plan({0, 2}).status, PlanStatus::kFound);
  PlannerConfig config;
  config.traversal.allow_unknown = false;
  EXPECT_EQ(make(grid, config)->plan({0, 2}).status, PlanStatus::kNoPath);
}

TEST_P(EveryPlanner, GoesOnWhereTheBudgetRanOut) {
  const Grid grid(60, 60);
  const auto planner = make(grid);
  const Query query{0, grid.cell(59, 31)};
  const Plan whole = make(grid)->plan(query);
  ASSERT_EQ(whole.status, PlanStatus::kFound);
  Budget budget;
  budget.max_expansions = 5;
  std::uint64_t expansions = 0;
  Plan plan = planner->plan(query, budget);
  for (int calls = 1; plan.status == PlanStatus::kOutOfBudget; ++calls) {
    ASSERT_LT(calls, 100000);
    ASSERT_LE(plan.counts.expansions, 5U);
    ASSERT_TRUE(plan.points.empty());
    expansions += plan.counts.expansions;
    plan = planner->plan(query, budget);
  }
  expansions += plan.counts.expansions;
  EXPECT_EQ(plan.status, PlanStatus::kFound);
  EXPECT_EQ(plan.cost, whole.cost);
  EXPECT_EQ(expansions, whole.counts.expansions) << "nothing is done twice";
}

TEST_P(EveryPlanner, EndsAtItsDeadlineAndWhenCancelled) {
  const Grid grid(300, 300, 1);
  const auto planner = make(grid);
  const Query query{0, grid.size() - 1};
  Budget late;
  late.deadline = Budget::Clock::now() - std::chrono::seconds(1);
  const Plan plan = planner->plan(query, late);
  EXPECT_EQ(plan.status, PlanStatus::kOutOfBudget);
  EXPECT_LE(plan.counts.expansions, late.check_interval);

  int looks = 0;
  Budget cancelled;
  cancelled.cancelled = [&] { return ++looks == 3; };
  const Plan ended = planner->plan(query, cancelled);
  EXPECT_EQ(ended.status, PlanStatus::kCancelled);
  EXPECT_LE(ended.counts.expansions, 3U * cancelled.check_interval);
  EXPECT_EQ(planner->plan(query).status, PlanStatus::kFound);
}

TEST_P(EveryPlanner, ForgetsWhenReset) {
  const Grid grid = room_with_a_wall();
  const auto planner = make(grid);
  const Query query{0, 9};
  const Plan first = planner->plan(query);
  planner->reset();
  const Plan again = planner->plan(query);
  EXPECT_EQ(again.counts.expansions, first.counts.expansions);
  EXPECT_EQ(again.cost, first.cost);
}

/// One long winding corridor: whoever goes through it sees nearly all cells.
Grid winding_corridor() {
  Grid grid(202, 202);
  for (int y = 3; y < grid.height(); y += 4) {
    const int gap = y % 8 == 3 ? grid.width() - 3 : 0;
    for (int x = 0; x < grid.width(); ++x) {
      if (x < gap || x >= gap + 3) grid.set(grid.cell(x, y), kLethal);
    }
  }
  return grid;
}

/// From the first look at the budget to the one before the last expansion: after that, the path is
/// made.
std::size_t allocations_in(Planner& planner, const Query& query) {
  std::vector<Cell> expanded;
  expanded.reserve(1'000'000);
  std::size_t seen = 0;
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t look_before = 0;
  Budget budget;
  budget.check_interval = 1;
  budget.expanded = &expanded;
  budget.cancelled = [&] {
    const std::size_t now = test_support::allocations();
    if (first == 0) first = last = now;
    if (expanded.size() > seen && look_before != 0) last = look_before;
    seen = expanded.size();
    look_before = now;
    return false;
  };
  const std::size_t memory = planner.memory_bytes();
  EXPECT_EQ(planner.plan(query, budget).status, PlanStatus::kFound);
  EXPECT_GT(first, 0U);
  EXPECT_EQ(planner.memory_bytes(), memory);
  return last - first;
}

TEST_P(EveryPlanner, AllocatesNothingWhileItSearches) {
  Grid grid(200, 200);
  grid.set(grid.cell(100, 100), kLethal);  // who sees the goal need not search
  const auto planner = make(grid);
  EXPECT_EQ(allocations_in(*planner, {0, grid.size() - 1}), 0U);
  std::vector<CellChange> changes;
  for (int x = 0; x < 60; ++x) changes.push_back(*grid.set(grid.cell(x, 20), kLethal));
  planner->update(changes);
  EXPECT_EQ(allocations_in(*planner, {1, grid.size() - 1}), 0U);

  const Grid corridor = winding_corridor();
  EXPECT_EQ(allocations_in(*make(corridor), {0, corridor.size() - 1}), 0U);
}

/// A vertex tells by the number of its search whether it is known; these numbers begin again.
TEST_P(EveryPlanner, BeginsAnewAsOftenAsItMust) {
  const Grid grid = drawn({"..@..", ".....", ".@..."});
  PlannerConfig config;
  config.kept_searches = 1;
  const auto planner = make(grid, config);
  constexpr int kSearches = 66'000;  // generations have at most 16 bits
  const Query there{0, grid.cell(4, 2)};
  const Query back{there.goal, there.start};
  const Cost cost = make(grid)->plan(there).cost;
  for (int search = 0; search < kSearches; ++search) {
    const Plan plan = planner->plan(search % 2 == 0 ? there : back);
    ASSERT_EQ(plan.status, PlanStatus::kFound);
    if (GetParam().promise == Promise::kOptimal) {
      ASSERT_EQ(plan.cost, cost);
    }
  }
}

/// Costs in steps of many sizes: more cells wait at once than the list was made for.
TEST_P(EveryPlanner, CopesWhenNearlyEverythingIsQueued) {
  Grid grid(120, 120);
  oracle::World truth{.width = 120, .height = 120, .costs = {}};
  const auto planner = make(grid);
  const Query query{0, grid.size() - 1};
  planner->plan(query);
  for (int round = 0; round < 6; ++round) {
    std::vector<CellChange> changes;
    for (Cell cell = round % 5; cell < grid.size(); cell += 5) {
      if (cell == query.start || cell == query.goal) continue;
      const auto cost = static_cast<std::uint8_t>((cell * 37 + 100 * round) % 252);
      if (const auto change = grid.set(cell, cost)) changes.push_back(*change);
    }
    planner->update(changes);
    const Plan plan = planner->plan(query);
    truth.costs.assign(grid.costs().begin(), grid.costs().end());
    const auto best = oracle::costs_to(truth, static_cast<int>(query.goal))[query.start];
    ASSERT_EQ(plan.status, PlanStatus::kFound);
    EXPECT_LE(static_cast<double>(plan.cost), plan.bound * static_cast<double>(best));
    if (GetParam().promise != Promise::kAnyAngle) {
      EXPECT_GE(static_cast<std::int64_t>(plan.cost), best);
    }
  }
}

/// As many cells as possible come near at once, in a corridor where all are equally far.
TEST_P(EveryPlanner, CopesWhenOneStepBringsEverythingNear) {
  for (const int connectivity : {4, 8}) {
    for (int dearer = 1; dearer < 70; ++dearer) {
      Grid grid(300, 1);
      PlannerConfig config;
      config.traversal.connectivity = connectivity;
      const auto planner = make(grid, config);
      const Query query{grid.size() - 1, 0};
      planner->plan(query);
      std::vector<CellChange> changes;
      for (int i = 0; i < dearer; ++i) changes.push_back(*grid.set(10 + 4 * i, 60));
      changes.push_back(*grid.set(11, 60));
      planner->update(changes);
      const Plan plan = planner->plan(query);
      ASSERT_EQ(plan.status, PlanStatus::kFound);
      ASSERT_EQ(plan.cost, make(grid, config)->plan(query).cost) << dearer;
    }
  }
}

/// A sensor flickers off the path while nobody asks: nothing to begin anew for.
TEST_P(EveryPlanner, TakesACellForOneHoweverOftenItChanges) {
  Grid grid(40, 40);
  const auto planner = make(grid);
  const Query query{0, grid.size() - 1};
  const auto restarts_after = [&](int flickers) {
    for (int i = 0; i < flickers; ++i) {
      planner->update(std::vector{*grid.set(grid.cell(35, 5), kLethal)});
      planner->update(std::vector{*grid.set(grid.cell(35, 5), kFree)});
    }
    return planner->plan(query).counts.restarts;
  };
  EXPECT_EQ(restarts_after(0), 1U);
  EXPECT_EQ(restarts_after(1), restarts_after(1000));
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryPlanner,
                         testing::ValuesIn(planners().begin(), planners().end()),
                         [](const auto& planner) { return std::string(planner.param.name); });

}  // namespace
}  // namespace dynamic_planners
