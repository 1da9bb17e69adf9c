#include "dynamic_planners/simulation/world.hpp"

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <sstream>
#include <string>
#include <vector>

#include "test/support/input.hpp"
#include "test/support/rooms.hpp"

namespace dynamic_planners {
namespace {

using test_support::input_error;
using test_support::TemporaryFolder;

const std::string kGood =
    "name: small\n"                                                      // 1
    "size: [4.0, 3.0]\n"                                                 // 2
    "resolution: 0.1\n"                                                  // 3
    "outer_wall: 0.1\n"                                                  // 4
    "robot: {radius: 0.2, start: [0.5, 0.5, 0.0], goal: [3, 2, 1.5]}\n"  // 5
    "walls:\n"                                                           // 6
    "- [2.0, 1.0, 2.1, 2.9]\n"                                           // 7
    "doors:\n"                                                           // 8
    "- name: gate\n"                                                     // 9
    "  panel: [2.02, 0.2, 2.08, 0.6]\n"                                  // 10
    "  slide: [0, 0.3]\n"                                                // 11
    "  speed: 0.5\n"                                                     // 12
    "  open_for: 3\n"                                                    // 13
    "  closed_for: 2\n"                                                  // 14
    "people:\n"                                                          // 15
    "- name: ann\n"                                                      // 16
    "  radius: 0.25\n"                                                   // 17
    "  speed: 1\n"                                                       // 18
    "  walk:\n"                                                          // 19
    "  - [0.5, 1.5]\n"                                                   // 20
    "  - [1.5, 1.5]\n";                                                  // 21

World read(const std::string& text) {
  std::istringstream input(text);
  return read_world(input, "a.yaml");
}

/// kGood with one of its lines replaced.
std::string with_line(int number, const std::string& line) {
  std::istringstream input(kGood);
  std::string text;
  std::string old;
  for (int i = 1; std::getline(input, old); ++i) text += (i == number ? line : old) + "\n";
  return text;
}

TEST(World, ReadsEveryKey) {
  const World world = read(kGood);
  EXPECT_EQ(world.name, "small");
  EXPECT_EQ(world.columns(), 40);
  EXPECT_EQ(world.rows(), 30);
  EXPECT_DOUBLE_EQ(world.robot_radius, 0.2);
  EXPECT_EQ(world.start.place, (Place{0.5, 0.5}));
  EXPECT_EQ(world.goal.place, (Place{3.0, 2.0}));
  EXPECT_DOUBLE_EQ(world.goal.yaw, 1.5);
  ASSERT_EQ(world.walls.size(), 5U);
  EXPECT_EQ(world.walls[0], (Box{0.0, 0.0, 4.0, 0.1}));
  EXPECT_EQ(world.walls[4], (Box{2.0, 1.0, 2.1, 2.9}));
  ASSERT_EQ(world.doors.size(), 1U);
  EXPECT_EQ(world.doors[0].name, "gate");
  EXPECT_EQ(world.doors[0].panel, (Box{2.02, 0.2, 2.08, 0.6}));
  EXPECT_EQ(world.doors[0].slide, (Place{0.0, 0.3}));
  EXPECT_DOUBLE_EQ(world.doors[0].speed, 0.5);
  EXPECT_DOUBLE_EQ(world.doors[0].open_for, 3.0);
  EXPECT_DOUBLE_EQ(world.doors[0].closed_for, 2.0);
  ASSERT_EQ(world.people.size(), 1U);
  EXPECT_EQ(world.people[0].name, "ann");
  EXPECT_DOUBLE_EQ(world.people[0].radius, 0.25);
  EXPECT_DOUBLE_EQ(world.people[0].speed, 1.0);
  EXPECT_EQ(world.people[0].walk, (std::vector<Place>{{0.5, 1.5}, {1.5, 1.5}}));
}

TEST(World, NeedsNothingThatMoves) {
  std::string text = kGood.substr(0, kGood.find("walls:"));
  const World world = read(text);
  EXPECT_EQ(world.walls.size(), 4U);
  EXPECT_TRUE(world.doors.empty());
  EXPECT_TRUE(world.people.empty());
}

TEST(World, SaysWhatIsWrongAndWhere) {
  struct Case {
    int line;
    std::string text;
    std::string message;
  };
  const std::string name =
      "expected name to be a name of up to 40 lower-case letters, digits and _, a letter first, "
      "found ";
  const std::vector<Case> cases = {
      {1, "name: Small", "1: " + name + "'Small'"},
      {1, "name: 1st", "1: " + name + "'1st'"},
      {1, "name:", "1: " + name + "nothing"},
      {1, "nam: small",
       "1: expected one of the keys name, size, resolution, outer_wall, robot, walls, doors, "
       "people, found 'nam'"},
      {1, "", " expected the key name"},
      {2, "size: 4", "2: expected size to be two numbers [width, height], found '4'"},
      {2, "size: [4, 1e9]", "2: expected size to be two numbers [width, height], found a list"},
      {2, "size: [4.05, 3]",
       "2: expected a width and a height of whole cells of 0.1 m, at most 268435456 cells, found "
       "[4.05, 3]"},
      {2, "size: [4, -3]",
       "2: expected a width and a height of whole cells of 0.1 m, at most 268435456 cells, found "
       "[4, -3]"},
      {3, "resolution: 0", "3: expected resolution to be a number above 0, at most 1, found '0'"},
      {3, "resolution: .nan",
       "3: expected resolution to be a number above 0, at most 1, found '.nan'"},
      {4, "outer_wall: 0.15",
       "4: expected a thickness of whole cells of 0.1 m, less than half of 3 m, found 0.15"},
      {4, "outer_wall: 1.5",
       "4: expected a thickness of whole cells of 0.1 m, less than half of 3 m, found 1.5"},
      {5, "robot: {radius: 0.2, start: [0.5, 0.5, 0.0]}", "5: expected the key robot.goal"},
      {5, "robot: {radius: 0.2, start: [0.25, 0.5, 0.0], goal: [3, 2, 1.5]}",
       "5: expected 0.2 m of room on the way from [0.25, 0.5] to [0.25, 0.5], found the wall "
       "[0, 0.1, 0.1, 2.9] 0.150 m away"},
      {5, "robot: {radius: 0.2, start: [0.5, 0.5, 0.0], goal: [2.2, 0.8, 1.5]}",
       "5: expected 0.2 m of room on the way from [2.2, 0.8] to [2.2, 0.8], found the door gate "
       "0.120 m away"},
      {7, "- [2.0, 1.0, 2.1]",
       "7: expected walls[0] to be four numbers [left, bottom, right, top], found a list"},
      {7, "- [2.0, 1.0, 2.0, 2.9]",
       "7: expected left below right and bottom below top, 0.01 m at least, found [2, 1, 2, 2.9]"},
      {7, "- [2.0, 1.0, 2.12, 2.9]",
       "7: expected walls on the borders of cells of 0.1 m, found 2.12"},
      {7, "- [2.0, 1.0, 2.1, 3.1]",
       "7: expected a place inside of 4 m x 3 m, found [2, 1, 2.1, 3.1]"},
      {7, "  2", "6: expected walls to be a list of 0 to 1000, found '2'"},
      {9, "- nam: gate",
       "9: expected one of the keys name, panel, slide, speed, open_for, closed_for, found 'nam'"},
      {10, "  panel: [2.02, 0.2, 2.08, 0.9]",
       "10: expected a panel that slides clear of all walls, found the wall [2, 1, 2.1, 2.9] in "
       "its way"},
      {11, "  slide: [0.1, 0.3]", "11: expected a way along one of the axes, found [0.1, 0.3]"},
      {11, "  slide: [0, 0]", "11: expected a way along one of the axes, found [0, 0]"},
      {12, "  speed: 0",
       "12: expected doors[0].speed to be a number above 0, at most 10, found '0'"},
      {13, "  open_for: soon",
       "13: expected doors[0].open_for to be a number above 0, at most 3600, found 'soon'"},
      {14, "", "9: expected the key doors[0].closed_for"},
      {16, "- name: gate", "16: expected a name of its own, found 'gate'"},
      {20, "  - [0.5]", "20: expected people[0].walk[0] to be two numbers [x, y], found a list"},
      {20, "", "19: expected people[0].walk to be a list of 2 to 100, found a list"},
      {20, "  - [1.5, 1.5]", "19: expected a walk from one place to another, found only one place"},
      {21, "  - [3.0, 1.5]",
       "20: expected 0.25 m of room on the way from [0.5, 1.5] to [3, 1.5], found the wall "
       "[2, 1, 2.1, 2.9] 0.000 m away"},
  };
  for (const auto& [line, text, message] : cases) {
    EXPECT_EQ(input_error([&] { read(with_line(line, text)); }), "a.yaml:" + message) << text;
  }
  EXPECT_EQ(input_error([&] { read("[1, 2]"); }), "a.yaml: expected a mapping, found a list");
  EXPECT_EQ(input_error([&] { read("a: ["); }).substr(0, 34), "a.yaml:1: expected YAML, but: end ");
}

TEST(World, NamesTheFileThatIsWrong) {
  const TemporaryFolder folder;
  EXPECT_EQ(input_error([&] { read_world(folder.path() / "a.yaml"); }),
            (folder.path() / "a.yaml").string() + ": cannot be read: No such file or directory");
  EXPECT_EQ(read_world(folder.write("a.yaml", kGood)).name, "small");
}

/// The world of the simulations: as many people as promised, and the robot of Nav2's configuration.
TEST(World, OfTheSimulations) {
  const World world = test_support::rooms();
  EXPECT_EQ(world.people.size(), 10U);
  EXPECT_GE(world.doors.size(), 4U);
  const YAML::Node nav2 = YAML::LoadFile(std::string(test_support::kConfig) + "/nav2_params.yaml");
  for (const char* costmap : {"global_costmap", "local_costmap"}) {
    const YAML::Node layers = nav2[costmap][costmap]["ros__parameters"];
    EXPECT_DOUBLE_EQ(layers["robot_radius"].as<double>(), world.robot_radius);
    EXPECT_DOUBLE_EQ(layers["resolution"].as<double>(), world.resolution);
  }
}

}  // namespace
}  // namespace dynamic_planners
