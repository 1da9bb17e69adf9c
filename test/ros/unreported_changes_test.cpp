#include "dynamic_planners/ros/unreported_changes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace dynamic_planners::ros {
namespace {

class Unreported : public testing::Test {
 protected:
  Unreported() { unreported_.start_over(grid_); }

  void set(int x, int y, std::uint8_t cost) {
    const auto change = grid_.set(grid_.cell(x, y), cost);
    if (change) unreported_.add({&*change, 1});
  }
  std::vector<Cell> take() {
    auto cells = unreported_.take(grid_);
    std::sort(cells.begin(), cells.end());
    return cells;
  }

  Grid grid_{8, 6};
  UnreportedChanges unreported_;
};

TEST_F(Unreported, IsToldOnce) {
  EXPECT_TRUE(take().empty());
  set(1, 0, 10);
  set(2, 0, 20);
  EXPECT_EQ(take(), (std::vector<Cell>{1, 2}));
  EXPECT_TRUE(take().empty());
  set(2, 0, 30);
  EXPECT_EQ(take(), (std::vector<Cell>{2}));
}

TEST_F(Unreported, IsWhatDiffersAndNotHowItCameAbout) {
  for (int i = 0; i < 100; ++i) {
    set(1, 0, 254);
    set(1, 0, 0);
    set(2, 0, 254);
    set(2, 0, static_cast<std::uint8_t>(i));
  }
  EXPECT_EQ(take(), (std::vector<Cell>{2}));
}

TEST_F(Unreported, MovesWithTheMap) {
  set(1, 1, 10);
  set(5, 3, 20);
  set(6, 3, 20);
  const Shift shift{2, 1};
  grid_.move(shift);
  unreported_.move(grid_, shift);
  set(4, 2, 0);  // (6, 3) is what it was
  EXPECT_EQ(take(), (std::vector<Cell>{grid_.cell(3, 2)}));
  set(4, 2, 20);
  EXPECT_EQ(take(), (std::vector<Cell>{grid_.cell(4, 2)}));
}

TEST_F(Unreported, OfAnotherGridIsNothing) {
  set(7, 5, 10);
  grid_ = Grid(3, 2);
  unreported_.start_over(grid_);
  EXPECT_TRUE(take().empty());
  set(2, 1, 10);
  EXPECT_EQ(take(), (std::vector<Cell>{5}));
}

}  // namespace
}  // namespace dynamic_planners::ros
