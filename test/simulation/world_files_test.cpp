#include "dynamic_planners/simulation/world_files.hpp"

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <set>
#include <sstream>
#include <string>

#include "dynamic_planners/grid/map_yaml.hpp"
#include "test/support/input.hpp"
#include "test/support/rooms.hpp"

namespace dynamic_planners {
namespace {

TEST(WorldFiles, TheMapIsWhereTheWallsAre) {
  const World world = test_support::rooms();
  const Grid map = map_of(world);
  ASSERT_EQ(map.width(), world.columns());
  ASSERT_EQ(map.height(), world.rows());
  int lethal = 0;
  for (Cell cell = 0; cell < map.size(); ++cell) {
    const auto [x, y] = map.position(cell);
    const Place centre{(x + 0.5) * world.resolution, (y + 0.5) * world.resolution};
    bool wall = false;
    for (const Box& box : world.walls) wall = wall || distance(box, centre) == 0.0;
    ASSERT_EQ(map[cell], wall ? kLethal : kFree) << x << ',' << y;
    lethal += wall ? 1 : 0;
  }
  EXPECT_GT(lethal, 1000);
}

/// The files are written by hand here and read as Nav2 reads them.
TEST(WorldFiles, Nav2ReadsTheMap) {
  const World world = test_support::rooms();
  const test_support::TemporaryFolder folder;
  std::ostringstream image;
  std::ostringstream yaml;
  write_map_image(image, map_of(world));
  write_map_yaml(yaml, world, "a.pgm");
  folder.write("a.pgm", image.str());
  const NavMap map = read_map_yaml(folder.write("a.yaml", yaml.str()));
  EXPECT_DOUBLE_EQ(map.description.resolution, world.resolution);
  EXPECT_EQ(map.description.origin_x, 0.0);
  EXPECT_EQ(map.description.origin_y, 0.0);
  const Grid expected = map_of(world);
  ASSERT_EQ(map.grid.width(), expected.width());
  EXPECT_TRUE(std::equal(map.grid.costs().begin(), map.grid.costs().end(), expected.costs().begin(),
                         expected.costs().end()));
}

TEST(WorldFiles, TheBridgeHasATopicForEverythingThatMoves) {
  const World world = test_support::rooms();
  std::ostringstream text;
  write_bridge(text, world);
  std::set<std::string> topics;
  for (const YAML::Node& entry : YAML::Load(text.str())) {
    EXPECT_TRUE(topics.insert(entry["topic_name"].as<std::string>()).second);
    EXPECT_TRUE(entry["ros_type_name"].IsDefined());
    EXPECT_EQ(entry["gz_type_name"].as<std::string>().substr(0, 8), "gz.msgs.");
    const auto direction = entry["direction"].as<std::string>();
    EXPECT_TRUE(direction == "GZ_TO_ROS" || direction == "ROS_TO_GZ") << direction;
  }
  for (const char* topic : {"clock", "scan", "odom", "tf", "cmd_vel"}) {
    EXPECT_EQ(topics.count(topic), 1U) << topic;
  }
  EXPECT_EQ(topics.size(), 5 + world.doors.size() + 2 * world.people.size());
}

}  // namespace
}  // namespace dynamic_planners
