#include "dynamic_planners/grid/voxels.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <tuple>

#include "dynamic_planners/grid/voxel_space.hpp"

namespace dynamic_planners {
namespace {

TEST(Voxels, AreLayersOfRows) {
  for (const auto& [width, height, depth] :
       {std::tuple{1, 1, 1}, {5, 1, 1}, {1, 5, 1}, {1, 1, 5}, {3, 4, 5}, {64, 56, 16}}) {
    const Voxels voxels(width, height, depth);
    EXPECT_EQ(voxels.width(), width);
    EXPECT_EQ(voxels.height(), height);
    EXPECT_EQ(voxels.depth(), depth);
    Cell cell = 0;
    for (int z = 0; z < depth; ++z) {
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x, ++cell) {
          ASSERT_EQ(voxels.cell(x, y, z), cell);
          ASSERT_EQ(voxels.position(cell), (Voxels::Position{x, y, z}));
          ASSERT_TRUE(voxels.contains(x, y, z));
        }
      }
    }
    EXPECT_EQ(voxels.size(), cell);
    for (const auto& [x, y, z] : {std::tuple{-1, 0, 0},
                                  {0, -1, 0},
                                  {0, 0, -1},
                                  std::tuple{width, 0, 0},
                                  {0, height, 0},
                                  {0, 0, depth}}) {
      EXPECT_FALSE(voxels.contains(x, y, z));
    }
  }
}

TEST(Voxels, RefuseSizesThatAreNone) {
  for (const auto& [width, height, depth] : {std::tuple{0, 1, 1},
                                             {1, 0, 1},
                                             {1, 1, 0},
                                             {-1, 1, 1},
                                             {1, -2, -2},
                                             {1024, 1024, 257},
                                             {1, 65536, 65536}}) {
    EXPECT_THROW(Voxels(width, height, depth), std::invalid_argument)
        << width << " x " << height << " x " << depth;
  }
}

TEST(Voxels, TellWhatChanged) {
  Voxels voxels(2, 2, 2);
  EXPECT_EQ(voxels.set(5, kLethal), (CellChange{5, kFree, kLethal}));
  EXPECT_EQ(voxels.set(5, kLethal), std::nullopt);
  EXPECT_EQ(voxels[5], kLethal);
}

constexpr TraversalConfig kSix{.connectivity = 6};

using Moves = std::map<Cell, Cost>;

Moves moves_from(const VoxelSpace& space, Cell cell) {
  Moves moves;
  space.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
    EXPECT_TRUE(moves.emplace(neighbour, step).second) << cell << " to " << neighbour;
  });
  return moves;
}

Voxels random_voxels(std::mt19937& random) {
  const auto side = [&] { return 1 + static_cast<int>(random() % 5); };
  Voxels voxels(side(), side(), side());
  for (Cell cell = 0; cell < voxels.size(); ++cell) {
    voxels.set(cell, random() % 3 == 0 ? kLethal : static_cast<std::uint8_t>(random() % 256));
  }
  return voxels;
}

TEST(VoxelSpace, MovesToThePassableCellsThatShareASide) {
  std::mt19937 random(1);
  for (int world = 0; world < 200; ++world) {
    const Voxels voxels = random_voxels(random);
    const VoxelSpace space(voxels, kSix);
    for (Cell from = 0; from < voxels.size(); ++from) {
      const Moves moves = moves_from(space, from);
      const auto a = voxels.position(from);
      for (Cell to = 0; to < voxels.size(); ++to) {
        const auto b = voxels.position(to);
        const int distance = std::abs(a.x - b.x) + std::abs(a.y - b.y) + std::abs(a.z - b.z);
        const bool is_move = distance == 1 && !space.blocked(from) && !space.blocked(to);
        ASSERT_EQ(moves.contains(to), is_move) << from << " to " << to;
        ASSERT_EQ(space.step_cost(from, to), is_move ? moves.at(to) : kInfinity);
        ASSERT_EQ(space.step_cost(from, to), space.step_cost(to, from));
      }
    }
  }
}

TEST(VoxelSpace, AStepCostsWhatItCostsOnAGrid) {
  Voxels voxels(2, 1, 2);
  voxels.set(0, 40);
  voxels.set(1, 100);
  voxels.set(2, 100);
  Grid grid(2, 1);
  grid.set(0, 40);
  grid.set(1, 100);
  const Cost step = GridSpace<4>(grid, {.connectivity = 4}).step_cost(0, 1);
  const VoxelSpace space(voxels, kSix);
  EXPECT_EQ(space.step_cost(0, 1), step);
  EXPECT_EQ(space.step_cost(0, 2), step);
  EXPECT_EQ(space.max_path_cost(), 4 * Cost{4 * kStraight});
}

TEST(VoxelSpace, AffectedIsWhoseMovesChangeAndNobodyElse) {
  for (const auto& [width, height, depth] : {std::tuple{1, 1, 1}, {2, 2, 2}, {4, 3, 3}}) {
    Voxels voxels(width, height, depth);
    const VoxelSpace space(voxels, kSix);
    for (Cell cell = 0; cell < voxels.size(); ++cell) {
      std::set<Cell> expected{cell};
      for (const auto& [neighbour, step] : moves_from(space, cell)) expected.insert(neighbour);
      std::set<Cell> affected;
      space.for_each_affected(cell,
                              [&](Cell other) { EXPECT_TRUE(affected.insert(other).second); });
      EXPECT_EQ(affected, expected);
    }
  }
}

TEST(VoxelSpace, HeuristicsAreConsistentAndObeyTheTriangleInequality) {
  std::mt19937 random(2);
  for (int world = 0; world < 200; ++world) {
    const Voxels voxels = random_voxels(random);
    for (const Heuristic heuristic : {Heuristic::kNatural, Heuristic::kEuclidean}) {
      TraversalConfig config = kSix;
      config.heuristic = heuristic;
      const VoxelSpace space(voxels, config);
      const auto draw = [&] { return static_cast<Cell>(random() % voxels.size()); };
      for (int i = 0; i < 20; ++i) {
        const Cell a = draw();
        const Cell b = draw();
        const Cell c = draw();
        ASSERT_EQ(space.heuristic(a, b), space.heuristic(b, a));
        ASSERT_EQ(space.heuristic(a, a), 0U);
        ASSERT_LE(space.heuristic(a, c), space.heuristic(a, b) + space.heuristic(b, c));
        for (const auto& [next, step] : moves_from(space, a)) {
          ASSERT_LE(space.heuristic(a, b), step + space.heuristic(next, b));
        }
      }
    }
  }
}

TEST(VoxelSpace, HeuristicsAreManhattanAndTheStraightLine) {
  const Voxels voxels(64, 56, 16);
  const VoxelSpace space(voxels, kSix);
  const Cell a = voxels.cell(1, 2, 3);
  const Cell b = voxels.cell(3, 5, 9);  // 2, 3 and 6 apart: 7 as the crow flies
  EXPECT_EQ(space.heuristic(a, b), 11 * kStraight);
  EXPECT_EQ(space.with_heuristic(Heuristic::kEuclidean).heuristic(a, b), 7 * kStraight);
}

TEST(VoxelSpace, RefusesWhatAGridSpaceRefuses) {
  const Voxels voxels(2, 2, 2);
  for (const int connectivity : {4, 8, 26}) {
    EXPECT_THROW(VoxelSpace(voxels, {.connectivity = connectivity}), std::invalid_argument);
  }
  EXPECT_THROW(VoxelSpace(voxels, {.connectivity = 6, .cost_weight = -1.0}), std::invalid_argument);
}

}  // namespace
}  // namespace dynamic_planners
