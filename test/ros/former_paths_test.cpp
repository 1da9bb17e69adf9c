#include "dynamic_planners/ros/former_paths.hpp"

#include <gtest/gtest.h>

#include "dynamic_planners/search/path_cost.hpp"
#include "dynamic_planners/search/registry.hpp"

namespace dynamic_planners::ros {
namespace {

using Choice = FormerPaths::Choice;

constexpr double kCommitment = 0.05;
constexpr double kReach = 2.0;

/// A block in the middle: the ways above it and below it cost the same.
class Commitment : public testing::Test {
 protected:
  Commitment() {
    for (int y = 5; y <= 15; ++y) set(15, y, kLethal);
  }

  void set(int x, int y, std::uint8_t cost) { grid_.set(grid_.cell(x, y), cost); }
  Plan best(int x, int y) {
    return find_planner("astar").make(grid_, config_)->plan({grid_.cell(x, y), goal_});
  }
  static bool is_above(const Plan& plan) {
    for (const Point& point : plan.points) {
      if (point.y > 15.0) return true;
    }
    return false;
  }
  Choice choose(Plan& plan, double commitment = kCommitment) {
    return former_.choose(grid_, config_.traversal, {commitment, kReach}, goal_, plan);
  }
  void remember(const Plan& plan) { former_.remember({goal_, plan.points, plan.bound}, 4); }
  /// One of the ways is dearer now.
  void make_dear(bool above, std::uint8_t cost) {
    for (int y = above ? 16 : 0; y < (above ? 21 : 5); ++y) set(15, y, cost);
  }

  Grid grid_{31, 21};
  Cell goal_ = grid_.cell(25, 10);
  PlannerConfig config_;
  FormerPaths former_;
};

TEST_F(Commitment, WithoutAFormerPathTheNewOneIsBetter) {
  Plan plan = best(5, 10);
  const auto points = plan.points;
  EXPECT_EQ(choose(plan), Choice::kBetter);
  EXPECT_EQ(plan.points, points);
}

TEST_F(Commitment, TheSamePathIsNoBetter) {
  Plan plan = best(5, 10);
  remember(plan);
  EXPECT_EQ(choose(plan), Choice::kNoBetter);
  // Nor is what is left of it.
  Plan rest = plan;
  rest.points.erase(rest.points.begin(), rest.points.begin() + 3);
  EXPECT_EQ(choose(rest), Choice::kNoBetter);
}

TEST_F(Commitment, TheFormerPathIsKeptWhileItCostsLittleMore) {
  Plan former = best(5, 10);
  remember(former);
  make_dear(is_above(former), 10);
  Plan plan = best(5, 10);
  ASSERT_NE(is_above(plan), is_above(former));
  const Cost cost = plan.cost;
  EXPECT_EQ(choose(plan), Choice::kFormer);
  EXPECT_EQ(plan.points, former.points);
  EXPECT_EQ(plan.cost, path_cost(grid_, config_.traversal, former.points));
  EXPECT_GT(plan.cost, cost);
  EXPECT_NEAR(plan.bound, static_cast<double>(plan.cost) / static_cast<double>(cost), 1e-12);
  EXPECT_LE(plan.bound, 1.0 + kCommitment);
}

TEST_F(Commitment, AMuchBetterPathIsTaken) {
  const Plan former = best(5, 10);
  remember(former);
  make_dear(is_above(former), 252);
  Plan plan = best(5, 10);
  EXPECT_EQ(choose(plan), Choice::kBetter);
  EXPECT_NE(is_above(plan), is_above(former));
}

TEST_F(Commitment, NobodyIsCommittedToNothing) {
  const Plan former = best(5, 10);
  remember(former);
  make_dear(is_above(former), 10);
  Plan plan = best(5, 10);
  EXPECT_EQ(choose(plan, 0.0), Choice::kBetter);
}

TEST_F(Commitment, ABlockedPathIsNotKept) {
  const Plan former = best(5, 10);
  remember(former);
  make_dear(is_above(former), kInscribed);
  Plan plan = best(5, 10);
  EXPECT_EQ(choose(plan, 10.0), Choice::kNoBetter);  // no more is proven than before
  EXPECT_NE(is_above(plan), is_above(former));
}

/// From beside the path a line leads back to it; who is far away is not on it.
TEST_F(Commitment, IsToThePathThatTheRobotIsOn) {
  const Plan former = best(5, 10);
  remember(former);
  make_dear(is_above(former), 10);
  Plan beside = best(6, 10);
  ASSERT_NE(is_above(beside), is_above(former));
  EXPECT_EQ(choose(beside), Choice::kFormer);
  EXPECT_EQ(beside.points.front(), (Point{6.0, 10.0}));
  EXPECT_EQ(is_above(beside), is_above(former));
  Plan elsewhere = best(1, 10);
  EXPECT_EQ(choose(elsewhere), Choice::kNoBetter);
  EXPECT_NE(is_above(elsewhere), is_above(former));
}

/// Nobody moves diagonally here, but the way back to the path is at any angle.
TEST_F(Commitment, IsToAPathOfStraightStepsToo) {
  config_.traversal.connectivity = 4;
  const Plan former = best(5, 10);
  remember(former);
  make_dear(is_above(former), 10);
  Plan beside = best(4, 10);
  ASSERT_NE(is_above(beside), is_above(former));
  EXPECT_EQ(choose(beside), Choice::kFormer);
  EXPECT_EQ(is_above(beside), is_above(former));
  EXPECT_EQ(beside.points.front(), (Point{4.0, 10.0}));
}

TEST_F(Commitment, KnowsWhereTheFormerPathEnds) {
  EXPECT_EQ(former_.end(goal_), nullptr);
  Plan former = best(5, 10);
  former.points.pop_back();
  remember(former);
  ASSERT_NE(former_.end(goal_), nullptr);
  EXPECT_EQ(*former_.end(goal_), former.points.back());
  EXPECT_EQ(former_.end(goal_ + 1), nullptr);
}

TEST_F(Commitment, IsToAPathThatEndsWhereTheNewOneDoes) {
  Plan former = best(5, 10);
  former.points.pop_back();
  remember(former);
  Plan plan = best(5, 10);
  const auto points = plan.points;
  EXPECT_EQ(choose(plan, 10.0), Choice::kNoBetter);
  EXPECT_EQ(plan.points, points);
}

TEST_F(Commitment, MovesWithTheMap) {
  const Plan former = best(5, 10);
  remember(former);
  const Shift shift{3, -2};
  grid_.move(shift);
  grid_.for_each_leaving(-shift, [&](Cell cell) { grid_.set(cell, kFree); });
  former_.move(grid_, shift);
  goal_ = grid_.cell(22, 12);
  for (int y = is_above(former) ? 18 : 0; y < (is_above(former) ? 21 : 7); ++y) set(12, y, 10);
  Plan plan = best(2, 12);
  EXPECT_EQ(choose(plan), Choice::kFormer);
  ASSERT_EQ(plan.points.size(), former.points.size());
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    EXPECT_EQ(plan.points[i], (Point{former.points[i].x - 3, former.points[i].y + 2}));
  }
}

/// Where the robot has been may leave the map, but not where it is to go.
TEST_F(Commitment, EndsWhereThePathLeavesTheMap) {
  const Plan former = best(5, 10);
  remember(former);
  const auto rolls = [&](const Shift& shift) {
    grid_.move(shift);
    grid_.for_each_leaving(-shift, [&](Cell cell) { grid_.set(cell, kFree); });
    former_.move(grid_, shift);
    goal_ = grid_.shifted(goal_, shift);
  };
  rolls({7, 0});
  Plan plan = best(2, 10);
  EXPECT_NE(choose(plan), Choice::kBetter);
  rolls({0, is_above(former) ? -6 : 6});
  plan = best(2, is_above(former) ? 16 : 4);
  EXPECT_EQ(choose(plan), Choice::kBetter);  // than none
}

TEST_F(Commitment, OnlySoManyAreRemembered) {
  const Plan plan = best(5, 10);
  for (Cell goal = 0; goal < 3; ++goal) former_.remember({goal, plan.points, 1.0}, 2);
  const auto is_known = [&](Cell goal) {
    Plan copy = plan;
    return former_.choose(grid_, config_.traversal, {kCommitment, kReach}, goal, copy) !=
           Choice::kBetter;
  };
  EXPECT_FALSE(is_known(0));
  EXPECT_TRUE(is_known(1));
  EXPECT_TRUE(is_known(2));
  former_.clear();
  EXPECT_FALSE(is_known(2));
}

}  // namespace
}  // namespace dynamic_planners::ros
