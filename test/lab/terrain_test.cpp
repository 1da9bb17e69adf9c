#include "dynamic_planners/lab/terrain.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <stdexcept>
#include <vector>

#include "test/support/oracle.hpp"

namespace dynamic_planners {
namespace {

std::vector<std::uint8_t> costs_of(const Grid& grid) {
  return {grid.costs().begin(), grid.costs().end()};
}

int free_cells(const Grid& grid) {
  int free = 0;
  for (const std::uint8_t cost : grid.costs()) free += cost == kFree;
  return free;
}

/// How many cells can reach the first free one.
int connected_cells(const Grid& grid) {
  Cell first = 0;
  while (grid[first] != kFree) ++first;
  const oracle::World world{
      .width = grid.width(), .height = grid.height(), .costs = costs_of(grid), .connectivity = 4};
  int connected = 0;
  for (const auto cost : oracle::costs_to(world, static_cast<int>(first))) connected += cost >= 0;
  return connected;
}

TEST(Terrain, IsTheSameForTheSameSeed) {
  const auto all = [](std::uint64_t seed) {
    Random random(seed);
    std::vector<std::uint8_t> bytes = costs_of(rooms_terrain(random, 65, 16));
    for (const Grid& grid : {maze_terrain(random, 65, 3), scattered_terrain(random, 65, 40)}) {
      bytes.insert(bytes.end(), grid.costs().begin(), grid.costs().end());
    }
    return bytes;
  };
  EXPECT_EQ(all(7), all(7));
  EXPECT_NE(all(7), all(8));
}

TEST(Terrain, RoomsHaveADoorInFourOfFiveWalls) {
  Random random(1);
  constexpr int kPitch = 16;
  const Grid grid = rooms_terrain(random, 512, kPitch);
  int walls = 0;
  int doors = 0;
  for (int wall = kPitch; wall < 512; wall += kPitch) {
    EXPECT_EQ(grid[grid.cell(wall, 0)], kLethal);
    for (int room = 0; room < 512; room += kPitch) {
      int here = 0;
      EXPECT_EQ(grid[grid.cell(wall, room)], kLethal) << "where walls meet";
      for (int y = room + 1; y < room + kPitch; ++y) here += grid[grid.cell(wall, y)] == kFree;
      EXPECT_LE(here, 1);
      doors += here;
      ++walls;
    }
  }
  EXPECT_NEAR(static_cast<double>(doors) / walls, 0.8, 0.05);
  for (int i = 0; i < 512; ++i) {
    EXPECT_EQ(grid[grid.cell(i, 0)], kLethal);
    EXPECT_EQ(grid[grid.cell(0, i)], kLethal);
  }
}

TEST(Terrain, AMazeIsConnectedAndHasNoLoop) {
  for (const int corridor : {1, 2, 4, 32}) {
    Random random(3);
    const int chambers = 7;
    const int size = chambers * (corridor + 1) + 1;
    const Grid grid = maze_terrain(random, size, corridor);
    // A tree of chambers: all of them, and one opening less than there are.
    EXPECT_EQ(free_cells(grid),
              chambers * chambers * corridor * corridor + (chambers * chambers - 1) * corridor);
    EXPECT_EQ(connected_cells(grid), free_cells(grid));
    for (int i = 0; i < size; ++i) {
      EXPECT_EQ(grid[grid.cell(i, 0)], kLethal);
      EXPECT_EQ(grid[grid.cell(size - 1, i)], kLethal);
    }
  }
  Random random(0);
  EXPECT_THROW(maze_terrain(random, 4, 4), std::invalid_argument);
}

TEST(Terrain, IsBlockedAsOftenAsAsked) {
  Random random(5);
  for (const int percent : {10, 40}) {
    const Grid grid = scattered_terrain(random, 200, percent);
    EXPECT_NEAR(free_cells(grid) / 400.0, 100 - percent, 2.0);
  }
}

TEST(Terrain, AProblemHasAWay) {
  Random random(9);
  for (int i = 0; i < 50; ++i) {
    const Grid grid = scattered_terrain(random, 30, 45);
    const Query query = draw_problem(random, grid);
    EXPECT_NE(query.start, query.goal);
    const oracle::World world{
        .width = 30, .height = 30, .costs = costs_of(grid), .connectivity = 4};
    EXPECT_GT(oracle::costs_to(world, static_cast<int>(query.goal))[query.start], 0);
  }
  EXPECT_THROW(draw_problem(random, Grid(3, 3, kLethal)), std::invalid_argument);
  EXPECT_THROW(draw_problem(random, Grid(1, 1)), std::invalid_argument);
}

TEST(Terrain, AProblemIsNotInAPocket) {
  Random random(11);
  // A wall with three cells to its left and twelve to its right.
  Grid grid(6, 3);
  for (int y = 0; y < 3; ++y) grid.set(grid.cell(1, y), kLethal);
  std::set<Cell> drawn;
  for (int i = 0; i < 300; ++i) {
    const Query query = draw_problem(random, grid);
    EXPECT_NE(query.start, query.goal);
    drawn.insert({query.start, query.goal});
  }
  EXPECT_EQ(drawn.size(), 12U);
  for (const Cell cell : drawn) EXPECT_GT(grid.position(cell).x, 1);
}

}  // namespace
}  // namespace dynamic_planners
