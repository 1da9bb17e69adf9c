#include "dynamic_planners/ros/ends.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "test/support/drawn.hpp"

namespace dynamic_planners::ros {
namespace {

using test_support::drawn;

const Budget kUnlimited;

TEST(Ends, TheWindowAroundACellEndsWhereTheGridDoes) {
  const Grid grid(8, 6);
  const auto expect = [&](int x, int y, double radius, const Window& wanted) {
    const Window window = window_around(grid, grid.cell(x, y), radius);
    EXPECT_EQ(window.x, wanted.x);
    EXPECT_EQ(window.y, wanted.y);
    EXPECT_EQ(window.width, wanted.width);
    EXPECT_EQ(window.height, wanted.height);
  };
  expect(3, 3, 1.9, {2, 2, 3, 3});
  expect(0, 5, 2.0, {0, 3, 3, 3});
  expect(7, 0, 1e9, {0, 0, 8, 6});
}

/// The two halves are linked, but not within the window.
TEST(Ends, WhatIsReachedIsReachedWithinTheWindow) {
  const Grid grid = drawn({"...@....",  //
                           "...@....",  //
                           "...@....",  //
                           "........"});
  const Passable passable{grid, true};
  Meter meter(kUnlimited);
  const auto in_all = reachable_from(passable, grid.cell(1, 1), {0, 0, 8, 4}, meter);
  ASSERT_TRUE(in_all);
  EXPECT_EQ(std::count(in_all->begin(), in_all->end(), true), 29);
  const auto in_window = reachable_from(passable, grid.cell(1, 1), {1, 0, 6, 3}, meter);
  ASSERT_TRUE(in_window);
  EXPECT_EQ(std::count(in_window->begin(), in_window->end(), true), 6);
  EXPECT_FALSE((*in_window)[grid.cell(0, 1)]);
  EXPECT_FALSE((*in_window)[grid.cell(4, 1)]);
}

TEST(Ends, NobodyReachesAnythingFromAnObstacle) {
  const Grid grid = drawn({"..@", "..?"});
  Meter meter(kUnlimited);
  const auto reached = reachable_from({grid, false}, grid.cell(2, 1), {0, 0, 3, 2}, meter);
  ASSERT_TRUE(reached);
  EXPECT_EQ(std::count(reached->begin(), reached->end(), true), 0);
}

}  // namespace
}  // namespace dynamic_planners::ros
