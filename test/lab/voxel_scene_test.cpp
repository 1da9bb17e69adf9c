#include "dynamic_planners/lab/voxel_scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace dynamic_planners {
namespace {

/// Whether a box and a cube have a place in common, by trying many places of the box.
bool overlaps_somewhere(const VoxelBox& box, double angle, const Point& cube, double half_side) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  constexpr int kParts = 40;
  const auto part = [](int i) { return 2.0 * i / kParts - 1.0; };
  for (int i = 0; i <= kParts; ++i) {
    for (int j = 0; j <= kParts; ++j) {
      for (int k = 0; k <= kParts; ++k) {
        Point at{part(i) * box.half.x, part(j) * box.half.y, part(k) * box.half.z};
        if (box.axis == 2) at = {c * at.x - s * at.y, s * at.x + c * at.y, at.z};
        if (box.axis == 0) at = {at.x, c * at.y - s * at.z, s * at.y + c * at.z};
        const double far = std::max({std::abs(at.x + box.centre.x - cube.x),
                                     std::abs(at.y + box.centre.y - cube.y),
                                     std::abs(at.z + box.centre.z - cube.z)});
        if (far < half_side) return true;
      }
    }
  }
  return false;
}

TEST(VoxelBox, OverlapsWhatItHasAPlaceInCommonWith) {
  std::mt19937 random(1);
  const auto draw = [&](double least, double most) {
    return least + (most - least) * static_cast<double>(random() % 1000) / 1000.0;
  };
  int overlapping = 0;
  for (int i = 0; i < 400; ++i) {
    VoxelBox box{.centre = {draw(-1, 1), draw(-1, 1), draw(-1, 1)},
                 .half = {draw(0.2, 3), draw(0.2, 3), draw(0.2, 3)},
                 .axis = i % 2 == 0 ? 2 : 0};
    const double angle = draw(-7, 7);
    box.turn(angle);
    const Point cube{draw(-4, 4), draw(-4, 4), draw(-4, 4)};
    // Places are up to 0.15 apart: cubes a little smaller and larger bracket the truth.
    if (overlaps_somewhere(box, angle, cube, 0.5)) {
      EXPECT_TRUE(box.overlaps(cube, 0.5)) << i;
      ++overlapping;
    }
    if (box.overlaps(cube, 0.5)) {
      EXPECT_TRUE(overlaps_somewhere(box, angle, cube, 0.65)) << i;
    }
  }
  EXPECT_GT(overlapping, 50);
}

std::vector<std::uint8_t> costs_of(const Voxels& voxels) {
  return {voxels.costs().begin(), voxels.costs().end()};
}

TEST(VoxelScene, IsTheSameForTheSameSeedAndMoves) {
  VoxelScene one(4);
  VoxelScene same(4);
  VoxelScene other(5);
  const auto before = costs_of(one.graph());
  EXPECT_EQ(before, costs_of(same.graph()));
  EXPECT_NE(before, costs_of(other.graph()));
  for (int i = 0; i < 10; ++i) {
    one.step(VoxelScene::start());
    same.step(VoxelScene::start());
  }
  EXPECT_EQ(costs_of(one.graph()), costs_of(same.graph()));
  EXPECT_NE(costs_of(one.graph()), before);
}

TEST(VoxelScene, StartAndDestinationAreAlwaysFree) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    VoxelScene scene(seed);
    double lowest = 1e9;
    double highest = -1e9;
    for (int step = 0; step < 400; ++step, scene.step(VoxelScene::start())) {
      const Point goal = scene.destination(true);
      lowest = std::min(lowest, goal.y);
      highest = std::max(highest, goal.y);
      ASSERT_FALSE(scene.touches(VoxelScene::start()));
      ASSERT_FALSE(scene.touches(goal));
      if (step % 20 != 0) continue;
      const Voxels& graph = scene.graph();
      ASSERT_EQ(graph[graph.cell(2, 3, 8)], kFree);
      ASSERT_EQ(graph[graph.cell(static_cast<int>(goal.x), static_cast<int>(goal.y), 8)], kFree);
    }
    EXPECT_EQ(lowest, 8.0);
    EXPECT_EQ(highest, 48.0);
    EXPECT_EQ(scene.destination(false), (Point{61, 48, 8}));
  }
}

/// Planners are told of more than there is, never of less.
TEST(VoxelScene, WhatTouchesIsBlocked) {
  std::mt19937 random(2);
  int touching = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    VoxelScene scene(seed);
    for (int step = 0; step < 20; ++step, scene.step(VoxelScene::start())) {
      const Voxels& graph = scene.graph();
      for (int i = 0; i < 200; ++i) {
        const Cell cell = static_cast<Cell>(random() % graph.size());
        const auto [x, y, z] = graph.position(cell);
        const Point at{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
        if (!scene.touches(at)) continue;
        ASSERT_EQ(graph[cell], kLethal);
        ++touching;
      }
    }
  }
  EXPECT_GT(touching, 500);
}

TEST(VoxelScene, NothingAppearsNearTheRobot) {
  VoxelScene scene(3);
  const auto is_there = [&] {
    std::vector<bool> all;
    for (const VoxelObstacle& obstacle : scene.obstacles()) all.push_back(obstacle.is_there);
    return all;
  };
  const VoxelObstacle* near = nullptr;
  for (const VoxelObstacle& obstacle : scene.obstacles()) {
    if (obstacle.motion == VoxelMotion::kAppears) near = &obstacle;
  }
  ASSERT_NE(near, nullptr);
  const bool was_there = near->is_there;
  const auto before = is_there();
  for (int i = 0; i < 100; ++i) {
    scene.step(near->box.centre);
    ASSERT_EQ(near->is_there, was_there);
  }
  EXPECT_NE(is_there(), before);
}

}  // namespace
}  // namespace dynamic_planners
