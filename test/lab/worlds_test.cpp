#include "dynamic_planners/lab/worlds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace dynamic_planners {
namespace {

std::vector<WorldConfig> worlds() {
  std::vector<WorldConfig> configs;
  for (const WorldKind kind : {WorldKind::kRooms, WorldKind::kRandom}) {
    for (const int size : {8, 16, 17, 18, 33, 48, 100, 128}) {
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        configs.push_back({.kind = kind, .size = size, .change_percent = 10.0, .seed = seed});
      }
    }
  }
  return configs;
}

std::string name_of(const WorldConfig& config) {
  return std::string(config.kind == WorldKind::kRooms ? "rooms" : "random") + " " +
         std::to_string(config.size) + " seed " + std::to_string(config.seed);
}

/// How many cells a 4-connected robot can reach from `from`.
std::size_t flood(const Grid& grid, Cell from) {
  std::vector<bool> seen(grid.size(), false);
  std::vector<Cell> cells = {from};
  seen[from] = true;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto [x, y] = grid.position(cells[i]);
    for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
      if (!grid.contains(x + dx, y + dy)) continue;
      const Cell next = grid.cell(x + dx, y + dy);
      if (seen[next] || grid[next] != kFree) continue;
      seen[next] = true;
      cells.push_back(next);
    }
  }
  return cells.size();
}

std::size_t count(const Grid& grid, std::uint8_t cost) {
  return static_cast<std::size_t>(std::count(grid.costs().begin(), grid.costs().end(), cost));
}

std::size_t closed_obstacles(const DynamicWorld& world) {
  const auto& obstacles = world.obstacles();
  return static_cast<std::size_t>(std::count_if(
      obstacles.begin(), obstacles.end(),
      [&](const DynamicObstacle& obstacle) { return world.grid()[obstacle.front()] == kLethal; }));
}

void expect_every_free_cell_reaches_the_goal(const DynamicWorld& world) {
  const Grid& grid = world.grid();
  ASSERT_EQ(grid[world.start()], kFree);
  ASSERT_EQ(grid[world.goal()], kFree);
  ASSERT_EQ(flood(grid, world.goal()), count(grid, kFree));
  ASSERT_EQ(count(grid, kFree) + count(grid, kLethal), grid.size());
}

TEST(Worlds, EveryFreeCellReachesTheGoalAfterEveryChange) {
  for (const WorldConfig& config : worlds()) {
    SCOPED_TRACE(name_of(config));
    DynamicWorld world(config);
    expect_every_free_cell_reaches_the_goal(world);
    for (int change = 0; change < 50; ++change) {
      world.change();
      ASSERT_NO_FATAL_FAILURE(expect_every_free_cell_reaches_the_goal(world));
    }
  }
}

TEST(Worlds, StartIsBottomLeftAndGoalTopRight) {
  const DynamicWorld world({.size = 40});
  EXPECT_EQ(world.grid().position(world.start()), (Grid::Position{0, 39}));
  EXPECT_EQ(world.grid().position(world.goal()), (Grid::Position{39, 0}));
}

TEST(Worlds, FourOfFiveObstaclesAreClosed) {
  for (const WorldConfig& config : worlds()) {
    SCOPED_TRACE(name_of(config));
    DynamicWorld world(config);
    const double wanted = 0.8 * static_cast<double>(world.obstacles().size());
    ASSERT_NEAR(static_cast<double>(closed_obstacles(world)), wanted, 0.5);
    for (int change = 0; change < 50; ++change) {
      world.change();
      // An odd number of changes leaves one too many or one too few, for one time.
      ASSERT_NEAR(static_cast<double>(closed_obstacles(world)), wanted, 1.5);
    }
  }
}

TEST(Worlds, ObstaclesChangeAsAWhole) {
  for (const WorldConfig& config : worlds()) {
    SCOPED_TRACE(name_of(config));
    DynamicWorld world(config);
    for (int change = 0; change < 20; ++change) {
      world.change();
      for (const DynamicObstacle& obstacle : world.obstacles()) {
        for (const Cell cell : obstacle) {
          ASSERT_EQ(world.grid()[cell], world.grid()[obstacle.front()]);
        }
      }
    }
  }
}

/// How many obstacles a change touches; it must list just the cells that really change.
std::size_t changed_obstacles(DynamicWorld& world) {
  const Grid before = world.grid();
  const std::vector<CellCost> set = world.change();
  std::set<Cell> cells;
  for (const CellCost& entry : set) {
    EXPECT_NE(before[entry.cell], entry.cost);
    EXPECT_EQ(world.grid()[entry.cell], entry.cost);
    EXPECT_TRUE(cells.insert(entry.cell).second) << "a cell is listed twice";
  }
  std::size_t really = 0;
  for (Cell cell = 0; cell < before.size(); ++cell) really += before[cell] != world.grid()[cell];
  EXPECT_EQ(really, cells.size());
  return static_cast<std::size_t>(std::count_if(
      world.obstacles().begin(), world.obstacles().end(),
      [&](const DynamicObstacle& obstacle) { return cells.contains(obstacle.front()); }));
}

TEST(Worlds, TheShareOfChangesIsKept) {
  for (const WorldKind kind : {WorldKind::kRooms, WorldKind::kRandom}) {
    for (const double percent : {0.001, 2.0, 5.0, 10.0, 20.0, 33.3}) {
      DynamicWorld world({.kind = kind, .size = 128, .change_percent = percent, .seed = 3});
      const double share = static_cast<double>(world.obstacles().size()) * percent / 100.0;
      for (int change = 0; change < 30; ++change) {
        ASSERT_NEAR(static_cast<double>(changed_obstacles(world)), std::max(1.0, share), 0.5)
            << percent << " percent";
      }
    }
  }
}

TEST(Worlds, HalfOfTheChangesOpenAndHalfClose) {
  DynamicWorld world({.kind = WorldKind::kRandom, .size = 128, .change_percent = 10.0, .seed = 4});
  for (int change = 0; change < 30; ++change) {
    const auto before = static_cast<double>(closed_obstacles(world));
    world.change();
    EXPECT_NEAR(static_cast<double>(closed_obstacles(world)), before, 2.0);
  }
}

TEST(Worlds, TheRatioWinsWhenMoreShallChangeThanItAllows) {
  DynamicWorld world({.kind = WorldKind::kRooms, .size = 128, .change_percent = 100.0, .seed = 5});
  const double obstacles = static_cast<double>(world.obstacles().size());
  for (int change = 0; change < 30; ++change) {
    EXPECT_NEAR(static_cast<double>(changed_obstacles(world)), 0.4 * obstacles, 2.0);
    EXPECT_NEAR(static_cast<double>(closed_obstacles(world)), 0.8 * obstacles, 1.5);
  }
}

/// Of those that draw their state anew, 0.8 of the closed fifth and 0.2 of the others change.
TEST(Worlds, AboutAThirdOfThoseThatAreRedrawnChange) {
  for (const WorldKind kind : {WorldKind::kRooms, WorldKind::kRandom}) {
    for (const double percent : {0.001, 5.0, 20.0, 100.0}) {
      DynamicWorld world({.kind = kind,
                          .size = 256,
                          .change_percent = percent,
                          .change_kind = ChangeKind::kRedraw,
                          .seed = 3});
      const auto obstacles = static_cast<double>(world.obstacles().size());
      const double redrawn = std::max(1.0, obstacles * percent / 100.0);
      double changed = 0.0;
      double closed = 0.0;
      constexpr int kChanges = 200;
      for (int change = 0; change < kChanges; ++change) {
        const auto now = static_cast<double>(changed_obstacles(world));
        ASSERT_LE(now, redrawn + 0.5);
        changed += now;
        closed += static_cast<double>(closed_obstacles(world));
      }
      const double expected = 0.32 * redrawn * kChanges;
      EXPECT_NEAR(changed, expected, 4.0 * std::sqrt(expected)) << percent << " percent";
      EXPECT_NEAR(closed / kChanges, 0.8 * obstacles, 0.05 * obstacles);
    }
  }
}

TEST(Worlds, RoomsHaveOneDoorPerSharedWall) {
  // 8 x 8 rooms share 2 * 7 * 8 walls; a tree over them keeps 63 doors open.
  const DynamicWorld world({.kind = WorldKind::kRooms, .size = 128, .seed = 1});
  EXPECT_EQ(world.obstacles().size(), 112U - 63U);
  const Grid& grid = world.grid();
  const std::size_t wall_cells = 7 * 128 * 2 - 7 * 7;
  EXPECT_EQ(count(grid, kFree) + closed_obstacles(world), 128U * 128U - wall_cells + 112U);
  for (const DynamicObstacle& door : world.obstacles()) {
    ASSERT_EQ(door.size(), 1U);
    const auto [x, y] = grid.position(door.front());
    EXPECT_NE(x % 16 == 0 && x > 0, y % 16 == 0 && y > 0) << x << "," << y;
  }
}

TEST(Worlds, ASingleRoomNeverChanges) {
  for (const int size : {8, 16, 17}) {
    DynamicWorld world({.kind = WorldKind::kRooms, .size = size});
    EXPECT_EQ(count(world.grid(), kLethal), 0U);
    EXPECT_TRUE(world.obstacles().empty());
    EXPECT_TRUE(world.change().empty());
    EXPECT_TRUE(record_world({.kind = WorldKind::kRooms, .size = size}).events.empty());
  }
}

TEST(Worlds, RandomObstaclesFillAQuarterAndTheirBlocksDoNotTouch) {
  const DynamicWorld world({.kind = WorldKind::kRandom, .size = 128, .seed = 6});
  const Grid& grid = world.grid();
  std::vector<std::size_t> block_of(grid.size(), 0);
  std::size_t cells = 0;
  for (std::size_t block = 0; block < world.obstacles().size(); ++block) {
    for (const Cell cell : world.obstacles()[block]) block_of[cell] = block + 1;
    cells += world.obstacles()[block].size();
  }
  EXPECT_GE(cells, grid.size() / 4);
  EXPECT_LT(cells, grid.size() / 4 + grid.size() / 20) << "pockets are few";
  for (Cell cell = 0; cell + 128 < grid.size(); ++cell) {
    for (const Cell beside : {cell + 1, cell + 128}) {
      if (beside == cell + 1 && beside % 128 == 0) continue;
      if (block_of[cell] != 0 && block_of[beside] != 0) {
        ASSERT_EQ(block_of[cell], block_of[beside]);
      }
    }
  }
}

TEST(Worlds, EventsComeEveryFewStepsUntilTheEnd) {
  const Recording recording = record_world({.size = 64, .change_percent = 5.0});
  ASSERT_EQ(recording.events.size(), 51U);  // 8 * 64 steps
  for (std::size_t i = 0; i < recording.events.size(); ++i) {
    EXPECT_EQ(recording.events[i].step, static_cast<std::int64_t>(10 * (i + 1)));
    EXPECT_FALSE(recording.events[i].set.empty());
  }
  EXPECT_EQ(recording.connectivity, 4);
  EXPECT_EQ(recording.visibility, std::nullopt);

  const Recording other = record_world({.size = 64, .connectivity = 8, .every = 7, .steps = 21});
  ASSERT_EQ(other.events.size(), 3U);
  EXPECT_EQ(other.events.back().step, 21);
  EXPECT_EQ(other.connectivity, 8);
}

std::string written(const WorldConfig& config) {
  std::ostringstream text;
  write_recording(text, record_world(config));
  return text.str();
}

/// FNV-1a, 64 bits.
std::uint64_t hash(const std::string& text) {
  std::uint64_t value = 14695981039346656037U;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return value;
}

TEST(Worlds, TheSameSeedGivesTheSameWorldOnEveryMachine) {
  const WorldConfig rooms{
      .kind = WorldKind::kRooms, .size = 48, .change_percent = 20.0, .seed = 42, .steps = 100};
  EXPECT_EQ(hash(written(rooms)), 6967845081039484675U) << written(rooms);
  const WorldConfig random{
      .kind = WorldKind::kRandom, .size = 24, .change_percent = 10.0, .seed = 42, .steps = 100};
  EXPECT_EQ(hash(written(random)), 11199873042811389809U) << written(random);
}

TEST(Worlds, OtherSeedsGiveOtherWorlds) {
  for (const WorldKind kind : {WorldKind::kRooms, WorldKind::kRandom}) {
    EXPECT_NE(written({.kind = kind, .size = 48, .seed = 1}),
              written({.kind = kind, .size = 48, .seed = 2}));
  }
}

TEST(Worlds, RefusesValuesOutOfRange) {
  EXPECT_THROW(DynamicWorld({.size = 7}), std::invalid_argument);
  EXPECT_THROW(DynamicWorld({.size = 4097}), std::invalid_argument);
  EXPECT_THROW(DynamicWorld({.change_percent = 0.0}), std::invalid_argument);
  EXPECT_THROW(DynamicWorld({.change_percent = 100.1}), std::invalid_argument);
  EXPECT_THROW(DynamicWorld({.change_percent = std::nan("")}), std::invalid_argument);
  EXPECT_THROW(DynamicWorld({.connectivity = 6}), std::invalid_argument);
  EXPECT_THROW(DynamicWorld({.every = 0}), std::invalid_argument);
  EXPECT_THROW(DynamicWorld({.steps = -1}), std::invalid_argument);
}

TEST(Random, DrawsEvenlyAndBelowItsLimit) {
  Random random(7);
  std::vector<int> drawn(10, 0);
  for (int i = 0; i < 10000; ++i) ++drawn[random.below(10)];
  for (const int times : drawn) EXPECT_NEAR(times, 1000, 150);
  EXPECT_EQ(random.below(1), 0U);
}

}  // namespace
}  // namespace dynamic_planners
