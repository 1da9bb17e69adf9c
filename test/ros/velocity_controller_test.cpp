// A robot that does exactly what it is told, among obstacles that come and go.

#include "dynamic_planners/ros/velocity_controller.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "dynamic_planners/realtime/registry.hpp"
#include "test/support/allocations.hpp"

namespace dynamic_planners::ros {
namespace {

constexpr double kPeriod = 0.05;

/// A little of a motion, by a rule of its own.
void roll(RobotPose& robot, const Velocity& velocity, double seconds) {
  robot.yaw += velocity.angular * seconds / 2;
  robot.x += velocity.linear * seconds * std::cos(robot.yaw);
  robot.y += velocity.linear * seconds * std::sin(robot.yaw);
  robot.yaw += velocity.angular * seconds / 2;
}

class World {
 public:
  explicit World(std::uint64_t seed) : random_(seed), grid_(kSize, kSize) {
    for (int i = 0; i < 14; ++i) toggle(draw(), draw());
  }

  Grid& grid() { return grid_; }
  const Frame& frame() const { return frame_; }
  Terrain terrain() const { return {grid_, frame_, true}; }
  bool blocked(double x, double y) const {
    const auto at = frame_.cell_at(x, y);
    return !at || (grid_[grid_.cell(at->x, at->y)] > kMaxPassable &&
                   grid_[grid_.cell(at->x, at->y)] != kUnknown);
  }
  /// ... and not only by what the test's own motions differ from arcs.
  bool well_blocked(double x, double y) const {
    constexpr double kHair = 1e-5;
    return blocked(x - kHair, y - kHair) && blocked(x + kHair, y - kHair) &&
           blocked(x - kHair, y + kHair) && blocked(x + kHair, y + kHair);
  }
  std::optional<Cell> cell(double x, double y) const {
    const auto at = frame_.cell_at(x, y);
    return at ? std::optional(grid_.cell(at->x, at->y)) : std::nullopt;
  }
  int draw() { return static_cast<int>(random_() % kSize); }

  /// Puts a disc of obstacle with a rim, or takes away what is there.
  std::vector<CellChange> toggle(int x0, int y0) {
    std::vector<CellChange> changes;
    const bool remove = grid_[grid_.cell(x0, y0)] > kMaxPassable;
    for (int y = std::max(0, y0 - kRim); y <= std::min(kSize - 1, y0 + kRim); ++y) {
      for (int x = std::max(0, x0 - kRim); x <= std::min(kSize - 1, x0 + kRim); ++x) {
        const double away = std::hypot(x - x0, y - y0);
        if (away > kRim) continue;
        const auto cost = static_cast<std::uint8_t>(away < 2   ? kLethal
                                                    : away < 5 ? kInscribed
                                                               : 200 - 15 * away);
        if (const auto change = grid_.set(grid_.cell(x, y), remove ? kFree : cost)) {
          changes.push_back(*change);
        }
      }
    }
    return changes;
  }

 private:
  static constexpr int kSize = 100;
  static constexpr int kRim = 10;

  std::mt19937_64 random_;
  Grid grid_;
  Frame frame_{-1.5, 2.0, 0.05, kSize, kSize};
};

Point middle(const World& world, const Grid& grid, Cell cell) {
  const auto [x, y] = grid.position(cell);
  return {world.frame().x_of(x), world.frame().y_of(y)};
}

/// Drives to a goal while a disc comes or goes every `calm` periods. The periods it took, if it
/// arrived.
std::optional<int> drive(std::uint64_t seed, int calm, int patience,
                         const MotionConfig& config = {}) {
  World world(seed);
  VelocityController controller(config, kPeriod);
  const auto planner = make_real_time_planner("rtd", world.grid());
  RobotPose robot;
  do {
    robot = {world.frame().x_of(world.draw()) + 0.01, world.frame().y_of(world.draw()) - 0.02, 1.0};
  } while (world.blocked(robot.x, robot.y));
  Point goal{};
  do {
    goal = {world.frame().x_of(world.draw()), world.frame().y_of(world.draw())};
  } while (world.blocked(goal.x, goal.y));

  std::vector<Cell> way(100);
  std::vector<Point> places;
  places.reserve(way.size() + 1);
  Velocity before;
  for (int period = 0; period < patience; ++period) {
    if (std::hypot(goal.x - robot.x, goal.y - robot.y) < 0.05) return period;
    if (calm > 0 && period % calm == 0) planner->update(world.toggle(world.draw(), world.draw()));
    const auto start = world.cell(robot.x, robot.y);
    const auto end = world.cell(goal.x, goal.y);
    const std::size_t allocations = test_support::allocations();
    const Step step = planner->step(*start, *end, 500);
    const std::size_t size = planner->way(way);
    places.clear();
    for (std::size_t i = 0; i < size; ++i) {
      places.push_back(way[i] == *end ? goal : middle(world, world.grid(), way[i]));
    }
    const bool there = *start == *end && step.status == StepStatus::kFullyInformed;
    if (there) places.push_back(goal);
    const Velocity velocity =
        places.empty() ? controller.stop() : controller.follow(world.terrain(), robot, places);
    EXPECT_EQ(test_support::allocations(), allocations);

    // Within its limits, but for stopping at once, for which there is no reason where nothing
    // changes: it can always brake before what it drives towards.
    EXPECT_GE(velocity.linear, 0.0);
    EXPECT_LE(velocity.linear, config.max_linear_speed + 1e-9);
    EXPECT_LE(std::abs(velocity.angular), config.max_angular_speed + 1e-9);
    EXPECT_LE(velocity.linear - before.linear, config.max_linear_acceleration * kPeriod + 1e-9);
    EXPECT_LE(std::abs(velocity.angular) - std::abs(before.angular),
              config.max_angular_acceleration * kPeriod + 1e-9);
    if (calm == 0 || !(velocity == Velocity{})) {
      EXPECT_GE(velocity.linear - before.linear, -config.max_linear_deceleration * kPeriod - 1e-9);
    }
    before = velocity;

    // What it does until the next command, and what it would do if that came too late: every place
    // on the way is free.
    RobotPose late = robot;
    for (int i = 0; i < 200; ++i) {
      if (i < 100) roll(robot, velocity, kPeriod / 100);
      roll(late, velocity, kPeriod / 100);
      if (velocity == Velocity{}) continue;
      EXPECT_FALSE(world.well_blocked(late.x, late.y))
          << "seed " << seed << ", period " << period << ", at " << late.x << ", " << late.y;
    }
    if (testing::Test::HasFailure()) return std::nullopt;
  }
  return std::nullopt;
}

TEST(VelocityController, ArrivesWhereNothingChanges) {
  int arrived = 0;
  int periods = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto took = drive(seed, 0, 3000);
    ASSERT_FALSE(HasFailure());
    if (took) ++arrived;
    periods += took.value_or(0);
  }
  RecordProperty("arrived", arrived);
  RecordProperty("periods", periods);
  // The others are cut off from their goal.
  EXPECT_GE(arrived, 37);
}

/// A fast one that turns slowly, one that brakes badly, and one that is quick in everything.
const std::vector<MotionConfig> kRobots{
    {.max_linear_speed = 2.0, .max_angular_speed = 0.4, .max_linear_deceleration = 0.8},
    {.max_linear_acceleration = 3.0, .max_linear_deceleration = 0.2, .lookahead_distance = 0.3},
    {.max_linear_speed = 1.5,
     .max_angular_speed = 6.0,
     .max_linear_acceleration = 6.0,
     .max_linear_deceleration = 6.0,
     .max_angular_acceleration = 30.0,
     .lookahead_distance = 1.5,
     .turn_in_place_angle = 1.5},
};

TEST(VelocityController, SweepsNothingBlockedWhateverComesUp) {
  for (const int calm : {1, 3, 20}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      drive(seed, calm, 500);
      for (const MotionConfig& robot : kRobots) drive(seed, calm, 500, robot);
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST(VelocityController, KeepsWithinTheLimitsOfEveryRobot) {
  for (const MotionConfig& robot : kRobots) {
    int arrived = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      if (drive(seed, 0, 6000, robot)) ++arrived;
      ASSERT_FALSE(HasFailure()) << "robot " << &robot - kRobots.data();
    }
    EXPECT_GE(arrived, 37) << "robot " << &robot - kRobots.data();
  }
}

/// Who is told suddenly to turn off sharply brakes as fast as it may, and turns no faster.
TEST(VelocityController, TurnsNoFasterThanItMay) {
  const Grid grid(200, 200);
  const Frame frame{0.0, 0.0, 0.1, 200, 200};
  const MotionConfig config{.max_linear_speed = 2.0,
                            .max_angular_speed = 0.5,
                            .max_linear_deceleration = 0.5,
                            .max_angular_acceleration = 30.0,
                            .turn_in_place_angle = 1.5};
  VelocityController controller(config, kPeriod);
  RobotPose robot{1.0, 10.0, 0.0};
  const std::vector<Point> ahead{{19.0, 10.0}};
  for (int i = 0; i < 80; ++i) {
    roll(robot, controller.follow({grid, frame, true}, robot, ahead), kPeriod);
  }
  const std::vector<Point> aside{{robot.x + 0.3, robot.y + 0.6}};
  const Velocity velocity = controller.follow({grid, frame, true}, robot, aside);
  EXPECT_GT(velocity.linear, 1.5);
  EXPECT_DOUBLE_EQ(velocity.angular, 0.5);
}

TEST(VelocityController, StopsAtOnceWhenWhatItHasComeToIsBlocked) {
  Grid grid(100, 10);
  const Frame frame{0.0, 0.0, 0.1, 100, 10};
  VelocityController controller({}, kPeriod);
  RobotPose robot{1.05, 0.55, 0.0};
  const std::vector<Point> way{{8.0, 0.55}};
  for (int i = 0; i < 40; ++i) {
    roll(robot, controller.follow({grid, frame, true}, robot, way), kPeriod);
  }
  const Velocity fast = controller.follow({grid, frame, true}, robot, way);
  EXPECT_DOUBLE_EQ(fast.linear, MotionConfig{}.max_linear_speed);
  // Within the braking distance of 0.08 m. Still it could turn, and does so in place.
  const auto ahead = frame.cell_at(robot.x + 0.1, robot.y);
  for (int y = 0; y < 10; ++y) grid.set(grid.cell(ahead->x, y), kInscribed);
  EXPECT_EQ(controller.follow({grid, frame, true}, robot, way).linear, 0.0);
  // Where it stands itself is not free: nothing at all.
  grid.set(grid.cell(ahead->x - 1, ahead->y), kLethal);
  EXPECT_EQ(controller.turn_to({grid, frame, true}, robot, 1.0), Velocity{});
}

TEST(VelocityController, UnknownGroundIsFreeOnlyIfItMayBe) {
  const Grid grid(100, 10, kUnknown);
  const Frame frame{0.0, 0.0, 0.1, 100, 10};
  const std::vector<Point> way{{8.0, 0.55}};
  const RobotPose robot{1.05, 0.55, 0.0};
  VelocityController controller({}, kPeriod);
  EXPECT_GT(controller.follow({grid, frame, true}, robot, way).linear, 0.0);
  EXPECT_EQ(controller.follow({grid, frame, false}, robot, way), Velocity{});
}

TEST(Commands, TellWhereTheRobotHasGotTo) {
  using namespace std::chrono_literals;
  Commands commands;
  const RobotPose seen{1.0, 2.0, 0.0};
  const auto x_ahead = [&](Commands::Time then, Commands::Time now) {
    return commands.ahead(seen, then, now).x;
  };
  EXPECT_EQ(x_ahead(0s, 5s), 1.0) << "it was told nothing";
  commands.add(10s, {0.5, 0.0});
  commands.add(12s, {1.0, 0.0});
  commands.add(13s, {});
  EXPECT_DOUBLE_EQ(x_ahead(9s, 14s), 3.0) << "it stood before the first and stands after the last";
  EXPECT_DOUBLE_EQ(x_ahead(11s, 14s), 2.5);
  EXPECT_DOUBLE_EQ(x_ahead(12500ms, 12750ms), 1.25);
  EXPECT_DOUBLE_EQ(x_ahead(14s, 13s), 1.0) << "it was seen in the future";
  commands.add(14s, {1.0, 0.5});
  const RobotPose there = commands.ahead(seen, 14s, 15s);
  RobotPose rolled = seen;
  for (int i = 0; i < 1000; ++i) roll(rolled, {1.0, 0.5}, 0.001);
  EXPECT_NEAR(there.x, rolled.x, 1e-6);
  EXPECT_NEAR(there.y, rolled.y, 1e-6);
  EXPECT_NEAR(there.yaw, 0.5, 1e-9);

  // More than it remembers: what came before the oldest was the same, as far as it knows.
  const std::size_t allocations = test_support::allocations();
  for (int i = 0; i < 1000; ++i) commands.add(20s + i * 10ms, {1.0, 0.0});
  EXPECT_EQ(test_support::allocations(), allocations);
  EXPECT_NEAR(x_ahead(25s, 30s), 6.0, 1e-9);
  commands.forget();
  EXPECT_EQ(x_ahead(0s, 40s), 1.0);
}

TEST(VelocityController, TurnsOnTheSpotWithoutGoingTooFar) {
  const Grid grid(100, 100);
  const Frame frame{0.0, 0.0, 0.1, 100, 100};
  for (const double yaw : {3.1, -3.1, 1.0, 0.02, -0.5}) {
    VelocityController controller({}, kPeriod);
    RobotPose robot{5.0, 5.0, 0.0};
    for (int i = 0; i < 200; ++i) {
      const Velocity velocity = controller.turn_to({grid, frame, true}, robot, yaw);
      EXPECT_EQ(velocity.linear, 0.0);
      roll(robot, velocity, kPeriod);
      EXPECT_LE(std::abs(robot.yaw), std::abs(yaw) + 0.05);
    }
    EXPECT_NEAR(robot.yaw, yaw, 1e-3);
    EXPECT_TRUE(controller.can_stop());
  }
}

}  // namespace
}  // namespace dynamic_planners::ros
