#include "dynamic_planners/grid/space.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "dynamic_planners/grid/grid.hpp"
#include "test/support/drawn.hpp"

namespace dynamic_planners {
namespace {

using Rows = std::vector<std::string>;
using test_support::drawn;

template <typename S>
TraversalConfig config_for(TraversalConfig config = {}) {
  config.connectivity = S::kMaxNeighbours;
  return config;
}

using Moves = std::map<Cell, Cost>;

/// The moves from a cell. No neighbour may be visited twice.
template <typename S>
Moves moves_from(const S& space, Cell cell) {
  Moves moves;
  space.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
    EXPECT_TRUE(moves.emplace(neighbour, step).second) << cell << " to " << neighbour;
  });
  return moves;
}

/// The moves from the middle of 3 x 3 cells as a drawing: '+' straight, 'x' diagonal, ' ' none.
template <int kConnectivity>
Rows moves_in(const Rows& rows, const TraversalConfig& config = {}) {
  const Grid grid = drawn(rows);
  using S = GridSpace<kConnectivity>;
  const S space(grid, config_for<S>(config));
  Rows result = {"   ", " o ", "   "};
  for (const auto& [cell, step] : moves_from(space, grid.cell(1, 1))) {
    const auto [x, y] = grid.position(cell);
    result.at(y).at(x) = step == kStraight ? '+' : step == kDiagonal ? 'x' : '?';
  }
  return result;
}

/// A grid of random size and costs, for a random configuration.
struct RandomCase {
  explicit RandomCase(std::uint32_t seed) : random(seed), grid(1 + draw(12), 1 + draw(12)) {
    constexpr double kWeights[] = {0.0, 0.7, 3.0, 25.0};
    config.cost_weight = kWeights[draw(4)];
    config.heuristic = draw(2) == 0 ? Heuristic::kNatural : Heuristic::kEuclidean;
    config.allow_unknown = draw(2) == 0;
    config.unknown_cost = static_cast<std::uint8_t>(draw(kMaxPassable + 1));
    const bool weighted = draw(2) == 0;
    for (Cell cell = 0; cell < grid.size(); ++cell) {
      grid.set(cell, weighted ? draw_cost() : draw(3) == 0 ? kLethal : kFree);
    }
  }

  int draw(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
  Cell draw_cell() { return static_cast<Cell>(draw(static_cast<int>(grid.size()))); }
  std::uint8_t draw_cost() {
    constexpr std::uint8_t kKinds[] = {kFree, kMaxPassable, kInscribed, kLethal, kUnknown};
    return draw(2) == 0 ? kKinds[draw(5)] : static_cast<std::uint8_t>(draw(256));
  }

  std::mt19937 random;
  Grid grid;
  TraversalConfig config;
};

/// Both kinds of grid.
template <typename S>
class SpaceTest : public testing::Test {};
using Spaces = testing::Types<GridSpace<4>, GridSpace<8>>;
TYPED_TEST_SUITE(SpaceTest, Spaces);

// --- moves -------------------------------------------------------------------------------------

TEST(Space4, MovesStraightToPassableCells) {
  EXPECT_EQ(moves_in<4>({"...",  //
                         "...",  //
                         "..."}),
            (Rows{" + ",  //
                  "+o+",  //
                  " + "}));
  EXPECT_EQ(moves_in<4>({".@.",  //
                         "..i",  //
                         "..."}),
            (Rows{"   ",  //
                  "+o ",  //
                  " + "}));
  EXPECT_EQ(moves_in<4>({"...",  //
                         ".@.",  //
                         "..."}),
            (Rows{"   ",  //
                  " o ",  //
                  "   "}));
}

TEST(Space8, MovesToAllNeighboursInTheOpen) {
  EXPECT_EQ(moves_in<8>({"...",  //
                         "...",  //
                         "..."}),
            (Rows{"x+x",  //
                  "+o+",  //
                  "x+x"}));
}

TEST(Space8, NeverCutsACorner) {
  // A blocked cell beside a diagonal takes the diagonal away, and one is enough.
  EXPECT_EQ(moves_in<8>({".@.",  //
                         "...",  //
                         "..."}),
            (Rows{"   ",  //
                  "+o+",  //
                  "x+x"}));
  EXPECT_EQ(moves_in<8>({"...",  //
                         "..i",  //
                         "..."}),
            (Rows{"x+ ",  //
                  "+o ",  //
                  "x+ "}));
  EXPECT_EQ(moves_in<8>({".@.",  //
                         "@.@",  //
                         ".@."}),
            (Rows{"   ",  //
                  " o ",  //
                  "   "}));
  // A blocked cell at its end takes away nothing else.
  EXPECT_EQ(moves_in<8>({"@..",  //
                         "...",  //
                         "..@"}),
            (Rows{" +x",  //
                  "+o+",  //
                  "x+ "}));
  EXPECT_EQ(moves_in<8>({"...",  //
                         ".@.",  //
                         "..."}),
            (Rows{"   ",  //
                  " o ",  //
                  "   "}));
}

TYPED_TEST(SpaceTest, NoMoveLeavesTheGridOrWrapsAround) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 4}, {4, 1}, {2, 2}, {5, 3}}) {
    const Grid grid(width, height);
    const TypeParam space(grid, config_for<TypeParam>());
    for (Cell from = 0; from < grid.size(); ++from) {
      std::set<Cell> reached;
      for (const auto& [to, step] : moves_from(space, from)) reached.insert(to);
      std::set<Cell> expected;
      for (Cell to = 0; to < grid.size(); ++to) {
        const int dx = std::abs(grid.position(to).x - grid.position(from).x);
        const int dy = std::abs(grid.position(to).y - grid.position(from).y);
        const bool diagonal = dx == 1 && dy == 1 && TypeParam::kMaxNeighbours == 8;
        if (dx + dy == 1 || diagonal) expected.insert(to);
      }
      EXPECT_EQ(reached, expected) << width << " x " << height << ", cell " << from;
      for (const Cell to : {grid.size(), from + grid.size(), from - grid.size(), kNoCell}) {
        EXPECT_EQ(space.step_cost(from, to), kInfinity);
      }
    }
  }
}

TYPED_TEST(SpaceTest, AMoveIsTheSameBothWaysAndEverywhere) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomCase world(seed);
    const TypeParam space(world.grid, config_for<TypeParam>(world.config));
    for (Cell a = 0; a < space.size(); ++a) {
      const Moves moves = moves_from(space, a);
      ASSERT_TRUE(moves.empty() || !space.blocked(a));
      for (Cell b = 0; b < space.size(); ++b) {
        const auto move = moves.find(b);
        ASSERT_EQ(space.step_cost(a, b), move == moves.end() ? kInfinity : move->second);
        ASSERT_EQ(space.step_cost(a, b), space.step_cost(b, a)) << a << ", " << b;
        ASSERT_TRUE(space.step_cost(a, b) == kInfinity || !space.blocked(b));
      }
    }
  }
}

TYPED_TEST(SpaceTest, ReadsTheGridLive) {
  Grid grid(2, 1);
  const TypeParam space(grid, config_for<TypeParam>());
  EXPECT_EQ(space.step_cost(0, 1), kStraight);
  grid.set(1, kLethal);
  EXPECT_EQ(space.step_cost(0, 1), kInfinity);
  EXPECT_TRUE(space.blocked(1));
  grid.set(1, kFree);
  EXPECT_EQ(space.step_cost(0, 1), kStraight);
}

// --- costs -------------------------------------------------------------------------------------

TYPED_TEST(SpaceTest, CostsArePassableUpTo252) {
  Grid grid(256, 1);
  for (Cell cost = 0; cost < 256; ++cost) grid.set(cost, static_cast<std::uint8_t>(cost));
  TraversalConfig config = config_for<TypeParam>();
  config.allow_unknown = false;
  const TypeParam space(grid, config);
  for (Cell cost = 0; cost < 256; ++cost) EXPECT_EQ(space.blocked(cost), cost >= 253) << cost;
}

TEST(Space8, AStepWeighsTheMeanOfItsTwoCells) {
  const Grid grid = drawn({".9.",  //
                           "3.."});
  TraversalConfig config;
  config.cost_weight = 3.0;
  const GridSpace<8> space(grid, config);
  const auto step = [&](int x, int y, int to_x, int to_y) {
    return static_cast<double>(space.step_cost(grid.cell(x, y), grid.cell(to_x, to_y)));
  };
  // 9 is 252, 3 is 84: 1 + 3 m / 252 with m = 0, 126, 42, 168.
  EXPECT_EQ(step(1, 1, 2, 1), kStraight);
  EXPECT_EQ(step(1, 1, 2, 0), kDiagonal);
  EXPECT_NEAR(step(0, 0, 1, 0), 2.5 * kStraight, 0.5);
  EXPECT_NEAR(step(0, 0, 0, 1), 1.5 * kStraight, 0.5);
  EXPECT_NEAR(step(0, 0, 1, 1), kDiagonal, 0.0);  // what is beside a diagonal does not count
  EXPECT_NEAR(step(0, 1, 1, 0), 3.0 * kDiagonal, 0.5);
}

TEST(Space4, AStepWeighsTheMeanOfItsTwoCells) {
  const Grid grid = drawn({"99."});
  TraversalConfig config;
  config.connectivity = 4;
  config.cost_weight = 0.7;
  const GridSpace<4> space(grid, config);
  EXPECT_NEAR(static_cast<double>(space.step_cost(0, 1)), 1.7 * kStraight, 0.5);
  EXPECT_NEAR(static_cast<double>(space.step_cost(1, 2)), 1.35 * kStraight, 0.5);
}

TYPED_TEST(SpaceTest, AWeightOfZeroMakesAllPassableCellsAlike) {
  const Grid grid = drawn({".9?9"});
  TraversalConfig config = config_for<TypeParam>();
  config.cost_weight = 0.0;
  const TypeParam space(grid, config);
  for (const Cell cell : {0U, 1U, 2U}) EXPECT_EQ(space.step_cost(cell, cell + 1), kStraight);
}

TYPED_TEST(SpaceTest, UnknownCellsAreBlockedOrCostWhatTheConfigurationSays) {
  const Grid grid = drawn({".?.3."});
  TraversalConfig config = config_for<TypeParam>();
  config.allow_unknown = false;
  const TypeParam strict(grid, config);
  EXPECT_TRUE(strict.blocked(1));
  EXPECT_EQ(strict.step_cost(0, 1), kInfinity);
  EXPECT_TRUE(moves_from(strict, 1).empty());

  config.allow_unknown = true;
  config.unknown_cost = 84;  // as the 3
  const TypeParam bold(grid, config);
  EXPECT_FALSE(bold.blocked(1));
  EXPECT_EQ(bold.step_cost(0, 1), bold.step_cost(2, 3));
  EXPECT_GT(bold.step_cost(0, 1), kStraight);

  config.unknown_cost = 0;
  EXPECT_EQ(TypeParam(grid, config).step_cost(0, 1), kStraight);
}

TEST(Space8, AnUnknownCellBesideADiagonalCountsAsItIsCounted) {
  TraversalConfig config;
  config.unknown_cost = 0;
  EXPECT_EQ(moves_in<8>({".?.",  //
                         "...",  //
                         "..."},
                        config),
            (Rows{"x+x",  //
                  "+o+",  //
                  "x+x"}));
  config.allow_unknown = false;
  EXPECT_EQ(moves_in<8>({".?.",  //
                         "...",  //
                         "..."},
                        config),
            (Rows{"   ",  //
                  "+o+",  //
                  "x+x"}));
}

// --- heuristics --------------------------------------------------------------------------------

TEST(Heuristic, ManhattanOctileAndEuclidean) {
  const Grid grid(10, 10);
  const Cell a = grid.cell(1, 2);
  const Cell b = grid.cell(9, 8);  // 8 and 6 apart, 10 as the crow flies
  TraversalConfig config;
  config.connectivity = 4;
  EXPECT_EQ(GridSpace<4>(grid, config).heuristic(a, b), 14 * kStraight);
  config.connectivity = 8;
  EXPECT_EQ(GridSpace<8>(grid, config).heuristic(a, b), 2 * kStraight + 6 * kDiagonal);
  config.heuristic = Heuristic::kEuclidean;
  const Cost crow = GridSpace<8>(grid, config).heuristic(a, b);
  config.connectivity = 4;
  EXPECT_EQ(GridSpace<4>(grid, config).heuristic(a, b), crow);
  EXPECT_NEAR(in_cells(crow), 10.0, 0.001);
}

/// What every search here relies on, with every cost and every configuration.
TYPED_TEST(SpaceTest, HeuristicsAreConsistent) {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomCase world(seed);
    const TypeParam space(world.grid, config_for<TypeParam>(world.config));
    for (int i = 0; i < 20; ++i) {
      const Cell b = world.draw_cell();
      const auto to_b = space.heuristic_to(b);
      ASSERT_EQ(space.heuristic(b, b), 0U);
      for (Cell a = 0; a < space.size(); ++a) {
        ASSERT_EQ(to_b(a), space.heuristic(a, b));
        ASSERT_EQ(space.heuristic(a, b), space.heuristic(b, a));
        for (const auto& [c, step] : moves_from(space, a)) {
          ASSERT_LE(space.heuristic(a, b), step + space.heuristic(c, b))
              << a << ", " << c << ", " << b;
        }
        const Cell c = world.draw_cell();
        ASSERT_LE(space.heuristic(a, b), space.heuristic(a, c) + space.heuristic(c, b));
      }
    }
  }
}

/// On grids too large to try every cell, and too long for sums of squares to be small.
TYPED_TEST(SpaceTest, HeuristicsAreConsistentOverLongDistances) {
  for (const auto& [width, height] : {std::pair{1 << 22, 1}, {1, 1 << 22}, {2048, 2048}}) {
    const Grid grid(width, height);
    for (const Heuristic heuristic : {Heuristic::kNatural, Heuristic::kEuclidean}) {
      TraversalConfig config = config_for<TypeParam>();
      config.heuristic = heuristic;
      const TypeParam space(grid, config);
      std::mt19937 random(3);
      for (int i = 0; i < 2000; ++i) {
        const Cell a = i == 0 ? 0 : static_cast<Cell>(random() % grid.size());
        const Cell b = i == 0 ? grid.size() - 1 : static_cast<Cell>(random() % grid.size());
        const double dx = grid.position(a).x - grid.position(b).x;
        const double dy = grid.position(a).y - grid.position(b).y;
        ASSERT_GE(in_cells(space.heuristic(a, b)), 0.999999 * std::hypot(dx, dy));
        ASSERT_LE(in_cells(space.heuristic(a, b)), std::abs(dx) + std::abs(dy) + 0.001);
        for (const auto& [c, step] : moves_from(space, a)) {
          ASSERT_LE(space.heuristic(a, b), step + space.heuristic(c, b));
        }
      }
    }
  }
}

/// The costs of the cheapest paths from a cell, by relaxing all moves until nothing improves.
template <typename S>
std::vector<Cost> distances_from(const S& space, Cell start) {
  std::vector<Cost> distances(space.size(), kInfinity);
  distances[start] = 0;
  for (bool improved = true; improved;) {
    improved = false;
    for (Cell cell = 0; cell < space.size(); ++cell) {
      if (distances[cell] == kInfinity) continue;
      for (const auto& [neighbour, step] : moves_from(space, cell)) {
        if (distances[cell] + step >= distances[neighbour]) continue;
        distances[neighbour] = distances[cell] + step;
        improved = true;
      }
    }
  }
  return distances;
}

TYPED_TEST(SpaceTest, TheNaturalHeuristicIsExactWhereNothingIsInTheWay) {
  const Grid grid(9, 7);
  const TypeParam space(grid, config_for<TypeParam>());
  for (const Cell start : {Cell{0}, Cell{31}, grid.size() - 1}) {
    const std::vector<Cost> distances = distances_from(space, start);
    for (Cell cell = 0; cell < grid.size(); ++cell) {
      EXPECT_EQ(space.heuristic(start, cell), distances[cell]) << start << ", " << cell;
    }
  }
}

// --- changes -----------------------------------------------------------------------------------

template <typename S>
std::vector<Moves> all_moves(const S& space) {
  std::vector<Moves> moves;
  for (Cell cell = 0; cell < space.size(); ++cell) moves.push_back(moves_from(space, cell));
  return moves;
}

template <typename S>
std::set<Cell> affected_by(const S& space, Cell cell) {
  std::set<Cell> affected;
  space.for_each_affected(cell, [&](Cell other) {
    EXPECT_TRUE(affected.insert(other).second) << other << " is visited twice";
  });
  return affected;
}

/// The cells whose moves differ.
std::set<Cell> differing(const std::vector<Moves>& before, const std::vector<Moves>& after) {
  std::set<Cell> cells;
  for (Cell cell = 0; cell < before.size(); ++cell) {
    if (before[cell] != after[cell]) cells.insert(cell);
  }
  return cells;
}

TYPED_TEST(SpaceTest, AffectedAreAllCellsWhoseMovesChange) {
  int changed = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomCase world(seed);
    const TypeParam space(world.grid, config_for<TypeParam>(world.config));
    std::vector<Moves> before = all_moves(space);
    for (int i = 0; i < 30; ++i) {
      const Cell cell = world.draw_cell();
      world.grid.set(cell, world.draw_cost());
      std::vector<Moves> after = all_moves(space);
      const std::set<Cell> affected = affected_by(space, cell);
      for (const Cell other : differing(before, after)) {
        ASSERT_TRUE(affected.contains(other)) << other << " changed with " << cell;
        ++changed;
      }
      before = std::move(after);
    }
  }
  EXPECT_GT(changed, 1000);
}

/// In the open, a cell that closes changes the moves of all it may affect: none is visited in vain.
TYPED_TEST(SpaceTest, AffectedAreNoOthers) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 3}, {3, 1}, {2, 2}, {5, 4}}) {
    Grid grid(width, height);
    const TypeParam space(grid, config_for<TypeParam>());
    for (Cell cell = 0; cell < grid.size(); ++cell) {
      const std::vector<Moves> before = all_moves(space);
      grid.set(cell, kLethal);
      std::set<Cell> expected = differing(before, all_moves(space));
      expected.insert(cell);  // which alone in the world had no moves to lose
      EXPECT_EQ(affected_by(space, cell), expected);
      grid.set(cell, kFree);
    }
  }
}

// --- limits ------------------------------------------------------------------------------------

TYPED_TEST(SpaceTest, RefusesValuesOutOfRange) {
  const Grid grid(2, 2);
  const auto refuses = [&](auto&& change) {
    TraversalConfig config = config_for<TypeParam>();
    change(config);
    EXPECT_THROW(TypeParam(grid, config), std::invalid_argument);
  };
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const double weight : {-0.001, 1000.001, kInf, -kInf, std::nan("")}) {
    refuses([&](TraversalConfig& config) { config.cost_weight = weight; });
  }
  for (const int cost : {253, 254, 255}) {
    refuses(
        [&](TraversalConfig& config) { config.unknown_cost = static_cast<std::uint8_t>(cost); });
  }
  for (const int connectivity : {0, 6, 12 - TypeParam::kMaxNeighbours}) {
    refuses([&](TraversalConfig& config) { config.connectivity = connectivity; });
  }
}

/// The dearest path there can be still fits; one cell more, and it is refused.
TYPED_TEST(SpaceTest, RefusesAGridOnWhichACostMightOverflow) {
  constexpr bool kEight = TypeParam::kMaxNeighbours == 8;
  TraversalConfig config = config_for<TypeParam>();
  config.cost_weight = 1000.0;
  const Cost dearest_step = 1001 * (kEight ? kDiagonal : kStraight);
  const auto most_cells = static_cast<int>((kInfinity - 1) / dearest_step);
  const Grid large(most_cells, 1, kMaxPassable);
  EXPECT_NO_THROW(TypeParam(large, config));
  const Grid too_large(most_cells + 1, 1, kMaxPassable);
  EXPECT_THROW(TypeParam(too_large, config), std::invalid_argument);
  config.cost_weight = 999.0;
  EXPECT_NO_THROW(TypeParam(too_large, config));
}

}  // namespace
}  // namespace dynamic_planners
