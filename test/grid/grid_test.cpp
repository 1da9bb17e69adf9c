#include "dynamic_planners/grid/grid.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace dynamic_planners {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Changes = std::vector<CellChange>;

Bytes costs_of(const Grid& grid) {
  return {grid.costs().begin(), grid.costs().end()};
}

// --- cells -------------------------------------------------------------------------------------

TEST(Grid, IsRowMajor) {
  const Grid grid(3, 2, 7);
  EXPECT_EQ(grid.width(), 3);
  EXPECT_EQ(grid.height(), 2);
  EXPECT_EQ(grid.size(), 6U);
  EXPECT_EQ(costs_of(grid), Bytes(6, 7));
  EXPECT_EQ(grid.cell(0, 0), 0U);
  EXPECT_EQ(grid.cell(2, 0), 2U);
  EXPECT_EQ(grid.cell(0, 1), 3U);
  EXPECT_EQ(grid.position(5), (Grid::Position{2, 1}));
}

TEST(Grid, ANewGridIsFree) {
  EXPECT_EQ(costs_of(Grid(2, 2)), Bytes(4, kFree));
}

TEST(Grid, CellAndPositionAreInverse) {
  for (const auto& [width, height] :
       {std::pair{1, 1}, {1, 500}, {500, 1}, {2, 3}, {7, 11}, {640, 480}, {1021, 33}}) {
    const Grid grid(width, height);
    Cell cell = 0;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x, ++cell) {
        ASSERT_EQ(grid.cell(x, y), cell);
        ASSERT_EQ(grid.position(cell), (Grid::Position{x, y})) << width << " x " << height;
      }
    }
  }
}

TEST(Grid, KnowsWhatItContains) {
  const Grid grid(3, 2);
  EXPECT_TRUE(grid.contains(0, 0));
  EXPECT_TRUE(grid.contains(2, 1));
  for (const auto& [x, y] : {std::pair{-1, 0}, {0, -1}, {3, 0}, {0, 2}, {2, 2}, {3, 1}}) {
    EXPECT_FALSE(grid.contains(x, y)) << x << ", " << y;
  }
}

TEST(Grid, RefusesSizesThatAreNone) {
  const int huge = std::numeric_limits<int>::max();
  for (const auto& [width, height] : {std::pair{0, 1},
                                      {1, 0},
                                      {-1, 1},
                                      {1, -1},
                                      {-4, -4},
                                      {huge, huge},
                                      {65536, 65536},
                                      {16384, 16385},
                                      {1, (1 << 28) + 1}}) {
    EXPECT_THROW(Grid(width, height), std::invalid_argument) << width << " x " << height;
  }
}

TEST(FastDivider, DividesEveryNumberExactly) {
  constexpr std::uint32_t kMax = std::numeric_limits<std::uint32_t>::max();
  std::mt19937 random(1);
  std::vector<std::uint32_t> divisors = {1,        2,        3,        5,     7,     10,
                                         641,      16384,    65535,    65536, 65537, (1U << 28) - 1,
                                         1U << 28, 1U << 31, kMax - 1, kMax};
  for (int i = 0; i < 500; ++i) divisors.push_back(1 + random() % (1U << (1 + random() % 28)));
  for (const std::uint32_t divisor : divisors) {
    const FastDivider divide(divisor);
    const auto check = [&](std::uint32_t dividend) {
      ASSERT_EQ(divide(dividend), dividend / divisor) << dividend << " / " << divisor;
    };
    for (const std::uint32_t dividend : {0U, 1U, kMax - 1, kMax, kMax / 2}) check(dividend);
    // A quotient that is off is off where it steps.
    for (int i = 0; i < 500; ++i) {
      const std::uint32_t multiple = random() / divisor * divisor;
      check(multiple);
      check(multiple - 1);
      check(multiple + (divisor - 1));
    }
  }
}

// --- changes -----------------------------------------------------------------------------------

TEST(Grid, SetReportsAChangeAndOnlyAChange) {
  Grid grid(3, 2);
  EXPECT_EQ(grid.set(4, kLethal), (CellChange{4, kFree, kLethal}));
  EXPECT_EQ(costs_of(grid), (Bytes{0, 0, 0, 0, kLethal, 0}));
  EXPECT_EQ(grid.set(4, kLethal), std::nullopt);
  EXPECT_EQ(grid.set(4, kUnknown), (CellChange{4, kLethal, kUnknown}));
  EXPECT_EQ(grid[4], kUnknown);
}

TEST(Grid, AssignsAWindowAndReportsWhatReallyChanged) {
  Grid grid(4, 3);
  grid.set(grid.cell(2, 1), 9);
  Changes changes = {{0, 1, 2}};  // from before: it stays
  grid.assign({1, 1, 2, 2}, Bytes{5, 9, 0, 6}, 2, changes);
  EXPECT_EQ(costs_of(grid), (Bytes{0, 0, 0, 0,  //
                                   0, 5, 9, 0,  //
                                   0, 0, 6, 0}));
  EXPECT_EQ(changes, (Changes{{0, 1, 2}, {5, 0, 5}, {10, 0, 6}}));
}

TEST(Grid, AssignStepsOverWhatLiesBetweenTheRows) {
  Grid grid(3, 3);
  Changes changes;
  // Rows of four, of which the window takes two; after its last row nothing need follow.
  const Bytes costs = {1, 2, 99, 99,  //
                       3, 4, 99, 99,  //
                       5, 6};
  grid.assign({1, 0, 2, 3}, costs, 4, changes);
  EXPECT_EQ(costs_of(grid), (Bytes{0, 1, 2,  //
                                   0, 3, 4,  //
                                   0, 5, 6}));
  EXPECT_EQ(changes.size(), 6U);
}

/// Costmaps are compared in blocks: nothing may be lost at their edges.
TEST(Grid, AssignFindsEveryChangeInRowsOfAnyLength) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const auto draw = [&](int n) { return static_cast<int>(random() % n); };
    Grid grid(1 + draw(140), 1 + draw(6));
    for (Cell cell = 0; cell < grid.size(); ++cell) {
      grid.set(cell, static_cast<std::uint8_t>(draw(3)));
    }
    Window window{draw(grid.width()), draw(grid.height()), 0, 0};
    window.width = 1 + draw(grid.width() - window.x);
    window.height = 1 + draw(grid.height() - window.y);
    const int stride = window.width + draw(4);
    const int rarity = 1 + draw(60);

    Bytes expected = costs_of(grid);
    Changes expected_changes;
    Bytes costs(static_cast<std::size_t>(stride) * window.height, 77);
    for (int y = 0; y < window.height; ++y) {
      for (int x = 0; x < window.width; ++x) {
        const Cell cell = grid.cell(window.x + x, window.y + y);
        const auto after = static_cast<std::uint8_t>(draw(rarity) == 0 ? draw(256) : grid[cell]);
        costs[y * stride + x] = after;
        expected[cell] = after;
        if (after != grid[cell]) expected_changes.push_back({cell, grid[cell], after});
      }
    }
    Changes changes;
    grid.assign(window, costs, stride, changes);
    ASSERT_EQ(costs_of(grid), expected);
    ASSERT_EQ(changes, expected_changes);
  }
}

TEST(Grid, RefusesAWindowThatReachesOutside) {
  const int huge = std::numeric_limits<int>::max();
  const int least = std::numeric_limits<int>::min();
  Grid grid(4, 3);
  Changes changes;
  const Bytes costs(100, 1);
  for (const Window& window :
       {Window{-1, 0, 2, 2}, Window{0, -1, 2, 2}, Window{3, 0, 2, 1}, Window{0, 2, 1, 2},
        Window{4, 0, 1, 1}, Window{0, 0, 5, 1}, Window{0, 0, 0, 1}, Window{0, 0, 1, 0},
        Window{0, 0, -1, 1}, Window{0, 0, 1, -1}, Window{1, 0, huge, 1}, Window{0, 1, 1, huge},
        Window{huge, 0, 1, 1}, Window{0, huge, 1, huge}, Window{least, 0, 1, 1}}) {
    EXPECT_THROW(grid.assign(window, costs, 10, changes), std::out_of_range)
        << window.x << ", " << window.y << ": " << window.width << " x " << window.height;
  }
  EXPECT_EQ(costs_of(grid), Bytes(12, 0));
  EXPECT_TRUE(changes.empty());
}

TEST(Grid, RefusesCostsThatDoNotFillTheWindow) {
  Grid grid(4, 3);
  Changes changes;
  const Window window{0, 0, 3, 2};
  EXPECT_THROW(grid.assign(window, Bytes(5, 1), 3, changes), std::out_of_range);
  EXPECT_THROW(grid.assign(window, Bytes(6, 1), 4, changes), std::out_of_range);
  EXPECT_THROW(grid.assign(window, Bytes(99, 1), 2, changes), std::out_of_range);  // rows overlap
  EXPECT_THROW(grid.assign(window, Bytes{}, 3, changes), std::out_of_range);
  EXPECT_EQ(costs_of(grid), Bytes(12, 0));
  EXPECT_TRUE(changes.empty());
  grid.assign(window, Bytes(6, 1), 3, changes);
  EXPECT_EQ(changes.size(), 6U);
}

TEST(Grid, MovesOverTheWorld) {
  Grid grid(3, 2, Bytes{1, 2, 3, 4, 5, 6});
  grid.move({1, 0});
  EXPECT_EQ(costs_of(grid), (Bytes{2, 3, 254, 5, 6, 254}));
  grid.move({-1, 1});
  EXPECT_EQ(costs_of(grid), (Bytes{254, 5, 6, 254, 254, 254}));
  grid.move({0, -2});
  EXPECT_EQ(costs_of(grid), Bytes(6, 254));
}

TEST(Grid, KnowsWhichCellsLeaveByAMove) {
  const Grid grid(5, 4);
  for (const Shift& shift :
       {Shift{0, 0}, Shift{1, 0}, Shift{-2, 1}, Shift{0, -3}, Shift{4, 4}, Shift{-9, 0}}) {
    std::set<Cell> leaving;
    grid.for_each_leaving(shift, [&](Cell cell) { EXPECT_TRUE(leaving.insert(cell).second); });
    for (Cell cell = 0; cell < grid.size(); ++cell) {
      EXPECT_EQ(leaving.contains(cell), grid.shifted(cell, shift) == kNoCell) << cell;
    }
  }
}

}  // namespace
}  // namespace dynamic_planners
