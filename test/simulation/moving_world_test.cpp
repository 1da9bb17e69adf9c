#include "dynamic_planners/simulation/moving_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "test/support/rooms.hpp"

namespace dynamic_planners {
namespace {

constexpr double kTick = 0.1;

/// A long room with somebody who walks to and fro, and a door.
World corridor() {
  std::istringstream input(
      "{name: corridor, size: [12, 4], resolution: 0.1, outer_wall: 0.1,\n"
      "robot: {radius: 0.2, start: [1, 1, 0], goal: [11, 3, 0]},\n"
      "doors: [{name: gate, panel: [5, 3, 6, 3.1], slide: [1.5, 0], speed: 0.5, open_for: 3,\n"
      "         closed_for: 2}],\n"
      "people: [{name: ann, radius: 0.25, speed: 1, walk: [[1, 2], [11, 2]]}]}");
  return read_world(input, "corridor.yaml");
}

std::vector<Place> everything(const MovingWorld& world) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < world.people(); ++i) places.push_back(world.person(i));
  for (std::size_t i = 0; i < world.doors(); ++i) places.push_back(world.panel_moved(i));
  return places;
}

TEST(MovingWorld, IsTheSameForTheSameSeed) {
  MovingWorld one(test_support::rooms(), 3);
  MovingWorld same(test_support::rooms(), 3);
  MovingWorld other(test_support::rooms(), 4);
  for (int k = 0; k < 600; ++k) {
    ASSERT_EQ(everything(one), everything(same)) << k;
    EXPECT_NE(everything(one), everything(other)) << k;
    const Place robot{1.0 + 0.02 * k, 6.5};
    for (MovingWorld* world : {&one, &same, &other}) world->advance(kTick, robot);
  }
}

TEST(MovingWorld, PeopleKeepToTheirWalkAndTheirSpeed) {
  MovingWorld world(test_support::rooms(), 1);
  const World& is = world.world();
  std::vector<double> walked(world.people(), 0.0);
  for (int k = 0; k < 1200; ++k) {
    std::vector<Place> before;
    for (std::size_t i = 0; i < world.people(); ++i) before.push_back(world.person(i));
    world.advance(kTick, std::nullopt);
    for (std::size_t i = 0; i < world.people(); ++i) {
      const Place here = world.person(i);
      const double step = length(here - before[i]);
      EXPECT_LE(step, is.people[i].speed * kTick + 1e-9);
      walked[i] += step;
      for (const Box& wall : is.walls) {
        ASSERT_GE(distance(wall, here), is.people[i].radius - 1e-9) << is.people[i].name;
      }
      for (std::size_t d = 0; d < world.doors(); ++d) {
        ASSERT_GE(distance(world.panel(d), here), is.people[i].radius - 1e-9)
            << is.people[i].name << " and " << is.doors[d].name;
      }
    }
  }
  for (std::size_t i = 0; i < world.people(); ++i) {
    // Nothing stopped them; only where they turn, a step is shorter.
    EXPECT_GT(walked[i], 0.95 * 120.0 * is.people[i].speed) << is.people[i].name;
  }
}

TEST(MovingWorld, DoorsOpenAndClose) {
  MovingWorld world(corridor(), 1);
  const Door& door = world.world().doors[0];
  const double slides = length(door.slide) / door.speed;
  double open = 0.0;
  double closed = 0.0;
  const double period = door.open_for + door.closed_for + 2 * slides;
  const int ticks = static_cast<int>(std::lround(20 * period / kTick));
  for (int k = 0; k < ticks; ++k) {
    world.advance(kTick, std::nullopt);
    const double moved = length(world.panel_moved(0));
    EXPECT_LE(moved, length(door.slide) + 1e-9);
    if (moved == 0.0) closed += kTick;
    if (moved == length(door.slide)) open += kTick;
  }
  EXPECT_NEAR(closed, 20 * door.closed_for, 3.0);
  EXPECT_NEAR(open, 20 * door.open_for, 3.0);
}

TEST(MovingWorld, PeopleStopForTheRobotAndTurnAround) {
  MovingWorld world(corridor(), 1);
  const double room = world.world().people[0].radius + world.world().robot_radius;
  const Place robot{6.0, 2.0};
  const bool left = world.person(0).x < robot.x;
  ASSERT_GT(std::abs(world.person(0).x - robot.x), 1.5);
  double nearest = INFINITY;
  double stood = 0.0;
  int visits = 0;
  bool was_near = false;
  for (int k = 0; k < 2000; ++k) {
    const Place before = world.person(0);
    world.advance(kTick, robot);
    const Place here = world.person(0);
    EXPECT_EQ(here.x < robot.x, left) << "went through the robot";
    nearest = std::min(nearest, length(here - robot));
    if (here == before) stood += kTick;
    const bool near = length(here - robot) < room + 0.5;
    if (near && !was_near) ++visits;
    was_near = near;
  }
  EXPECT_GE(nearest, room + 0.4 - 1e-6);
  EXPECT_LT(nearest, room + 0.5);
  EXPECT_GT(visits, 5);
  EXPECT_NEAR(stood, 2.0 * visits, 0.3 * visits);
}

TEST(MovingWorld, PeopleWalkAwayFromARobotBehindThem) {
  MovingWorld world(corridor(), 1);
  const Place before = world.person(0);
  world.advance(kTick, std::nullopt);
  const Place step = world.person(0) - before;
  const Place behind = world.person(0) - step * (0.3 / length(step));
  const Place here = world.person(0);
  world.advance(kTick, behind);
  EXPECT_NEAR(length(world.person(0) - here), kTick, 1e-9);
}

TEST(MovingWorld, ADoorDoesNotCloseOnTheRobot) {
  MovingWorld world(corridor(), 1);
  const Door& door = world.world().doors[0];
  for (int k = 0; length(world.panel_moved(0)) < length(door.slide); ++k) {
    ASSERT_LT(k, 200);
    world.advance(kTick, std::nullopt);
  }
  const Place robot{5.5, 3.05};  // in the doorway
  bool moved = false;
  for (int k = 0; k < 1000; ++k) {
    world.advance(kTick, robot);
    ASSERT_GE(distance(world.panel(0), robot), world.world().robot_radius + 0.2);
    moved = moved || length(world.panel_moved(0)) < length(door.slide);
  }
  EXPECT_TRUE(moved) << "it did not even try";
  // When the robot has gone, it closes.
  double least = INFINITY;
  for (int k = 0; k < 200; ++k) {
    world.advance(kTick, Place{1.0, 1.0});
    least = std::min(least, length(world.panel_moved(0)));
  }
  EXPECT_EQ(least, 0.0);
}

/// Against the sum of what is there: samples along the ray.
TEST(MovingWorld, SeesWhatIsThere) {
  MovingWorld world(test_support::rooms(), 2);
  const World& is = world.world();
  for (int k = 0; k < 20; ++k) {
    world.advance(1.7, std::nullopt);
    const Place from{3.5, 6.4};
    for (int beam = 0; beam < 36; ++beam) {
      const double angle = beam * std::numbers::pi / 18 + 0.01;
      const Place way{std::cos(angle), std::sin(angle)};
      const double seen = world.look(from, angle, 30.0);
      ASSERT_TRUE(std::isfinite(seen));
      const auto taken = [&](double along) {
        const Place at = from + way * along;
        const auto in = [&](const Box& box) { return distance(box, at) == 0.0; };
        bool here = std::any_of(is.walls.begin(), is.walls.end(), in);
        for (std::size_t i = 0; i < world.doors(); ++i) here = here || in(world.panel(i));
        for (std::size_t i = 0; i < world.people(); ++i) {
          here = here || length(at - world.person(i)) <= is.people[i].radius;
        }
        return here;
      };
      EXPECT_TRUE(taken(seen + 1e-6)) << angle;
      for (double along = 0.0; along < seen - 1e-6; along += 0.01) {
        ASSERT_FALSE(taken(along)) << angle << ' ' << along << " before " << seen;
      }
      EXPECT_TRUE(std::isinf(world.look(from, angle, seen - 0.01)));
    }
    // The nearest of all that is seen is what is nearest.
    double nearest = INFINITY;
    for (int beam = 0; beam < 7200; ++beam) {
      nearest = std::min(nearest, world.look(from, beam * std::numbers::pi / 3600, 30.0));
    }
    EXPECT_NEAR(world.clearance(from), nearest, 1e-3);
  }
}

}  // namespace
}  // namespace dynamic_planners
