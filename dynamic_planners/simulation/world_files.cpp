#include "dynamic_planners/simulation/world_files.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dynamic_planners {
namespace {

constexpr double kWallHeight = 1.0;
constexpr double kDoorHeight = 0.9;
constexpr double kPersonHeight = 1.7;
constexpr double kAboveGround = 0.01;

// --- SDF ---------------------------------------------------------------------------------------

std::string box_geometry(const Box& box, double height) {
  return fmt::format("<geometry><box><size>{:.6g} {:.6g} {:.6g}</size></box></geometry>",
                     box.right - box.left, box.top - box.bottom, height);
}

std::string cylinder_geometry(double radius, double height) {
  return fmt::format(
      "<geometry><cylinder><radius>{:.6g}</radius><length>{:.6g}</length></cylinder></geometry>",
      radius, height);
}

Place centre_of(const Box& box) {
  return {(box.left + box.right) / 2, (box.bottom + box.top) / 2};
}

std::string material(std::string_view colour) {
  return fmt::format("<material><ambient>{0} 1</ambient><diffuse>{0} 1</diffuse></material>",
                     colour);
}

/// Of something that is driven by its joints and weighs nothing to speak of.
constexpr std::string_view kDrivenInertial =
    "<inertial><mass>1</mass>"
    "<inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>";

void write_walls(std::ostream& output, const World& world) {
  output << "    <model name=\"walls\">\n      <static>true</static>\n      <link name=\"link\">\n";
  for (std::size_t i = 0; i < world.walls.size(); ++i) {
    const Place centre = centre_of(world.walls[i]);
    const std::string pose =
        fmt::format("<pose>{:.6g} {:.6g} {:.6g} 0 0 0</pose>", centre.x, centre.y, kWallHeight / 2);
    const std::string geometry = box_geometry(world.walls[i], kWallHeight);
    fmt::print(output, "        <collision name=\"wall_{0}\">{1}{2}</collision>\n", i, pose,
               geometry);
    fmt::print(output, "        <visual name=\"wall_{0}\">{1}{2}{3}</visual>\n", i, pose, geometry,
               material("0.7 0.7 0.68"));
  }
  output << "      </link>\n    </model>\n";
}

/// A prismatic joint and what makes it obey its topic.
void write_joint(std::ostream& output, const std::string& model, std::string_view name,
                 std::string_view parent, std::string_view child, const Place& axis, double speed) {
  fmt::print(output,
             "      <joint name=\"{0}\" type=\"prismatic\">\n"
             "        <parent>{1}</parent>\n"
             "        <child>{2}</child>\n"
             "        <axis><xyz>{3:.6g} {4:.6g} 0</xyz></axis>\n"
             "      </joint>\n"
             "      <plugin filename=\"gz-sim-joint-position-controller-system\" "
             "name=\"gz::sim::systems::JointPositionController\">\n"
             "        <joint_name>{0}</joint_name>\n"
             "        <topic>{5}</topic>\n"
             "        <use_velocity_commands>true</use_velocity_commands>\n"
             "        <cmd_max>{6:.6g}</cmd_max>\n"
             "      </plugin>\n",
             name, parent, child, axis.x, axis.y, joint_topic(model, std::string(name)), speed);
}

/// They may be quicker than they walk, to be where they should after a pause of the simulation.
constexpr double kCatchUp = 2.0;

void write_door(std::ostream& output, const Door& door) {
  const Place centre = centre_of(door.panel);
  fmt::print(output,
             "    <model name=\"{0}\">\n"
             "      <pose>{1:.6g} {2:.6g} {3:.6g} 0 0 0</pose>\n"
             "      <link name=\"panel\">\n"
             "        <gravity>false</gravity>\n"
             "        {4}\n"
             "        <visual name=\"panel\">{5}{6}</visual>\n"
             "      </link>\n",
             door.name, centre.x, centre.y, kAboveGround + kDoorHeight / 2, kDrivenInertial,
             box_geometry(door.panel, kDoorHeight), material("0.6 0.4 0.2"));
  write_joint(output, door.name, "slide", "world", "panel", door.slide * (1 / length(door.slide)),
              kCatchUp * door.speed);
  output << "    </model>\n";
}

void write_person(std::ostream& output, const Person& person) {
  fmt::print(output,
             "    <model name=\"{0}\">\n"
             "      <pose>{1:.6g} {2:.6g} {3:.6g} 0 0 0</pose>\n"
             "      <link name=\"rail\">\n"
             "        <gravity>false</gravity>\n"
             "        {4}\n"
             "      </link>\n"
             "      <link name=\"body\">\n"
             "        <gravity>false</gravity>\n"
             "        {4}\n"
             "        <visual name=\"body\">{5}{6}</visual>\n"
             "      </link>\n",
             person.name, person.walk[0].x, person.walk[0].y, kAboveGround + kPersonHeight / 2,
             kDrivenInertial, cylinder_geometry(person.radius, kPersonHeight),
             material("0.2 0.4 0.8"));
  write_joint(output, person.name, "x", "world", "rail", {1.0, 0.0}, kCatchUp * person.speed);
  write_joint(output, person.name, "y", "rail", "body", {0.0, 1.0}, kCatchUp * person.speed);
  output << "    </model>\n";
}

/// A round robot on two wheels and two casters, everything within its radius.
void write_robot(std::ostream& output, const World& world) {
  const double radius = world.robot_radius;
  const double wheel = 0.25 * radius;
  const double wheel_at = 0.7 * radius;
  const double caster = 0.1 * radius;
  const double bottom = 0.15 * radius;
  const double height = 0.7 * radius;
  fmt::print(output,
             "    <model name=\"robot\">\n"
             "      <pose>{:.6g} {:.6g} 0 0 0 {:.6g}</pose>\n",
             world.start.place.x, world.start.place.y, world.start.yaw);
  constexpr double kMass = 5.0;
  const double across = kMass * (3 * radius * radius + height * height) / 12;
  fmt::print(output,
             "      <link name=\"base_link\">\n"
             "        <inertial><pose>0 0 {0:.6g} 0 0 0</pose><mass>{1}</mass>"
             "<inertia><ixx>{2:.6g}</ixx><iyy>{2:.6g}</iyy><izz>{3:.6g}</izz></inertia>"
             "</inertial>\n"
             "        <collision name=\"hull\"><pose>0 0 {0:.6g} 0 0 0</pose>{4}</collision>\n"
             "        <visual name=\"hull\"><pose>0 0 {0:.6g} 0 0 0</pose>{4}{5}</visual>\n",
             bottom + height / 2, kMass, across, kMass * radius * radius / 2,
             cylinder_geometry(radius, height), material("0.9 0.6 0.1"));
  for (const double side : {-1.0, 1.0}) {
    fmt::print(output,
               "        <collision name=\"caster_{0}\">"
               "<pose>{1:.6g} 0 {2:.6g} 0 0 0</pose>"
               "<geometry><sphere><radius>{2:.6g}</radius></sphere></geometry>"
               "<surface><friction><ode><mu>0</mu><mu2>0</mu2></ode></friction></surface>"
               "</collision>\n",
               side < 0 ? "back" : "front", side * 0.75 * radius, caster);
  }
  // Above the hull, which it would see otherwise.
  fmt::print(output,
             "        <sensor name=\"scan\" type=\"gpu_lidar\">\n"
             "          <pose>0 0 {:.6g} 0 0 0</pose>\n"
             "          <topic>scan</topic>\n"
             "          <gz_frame_id>base_link</gz_frame_id>\n"
             "          <update_rate>10</update_rate>\n"
             "          <lidar>\n"
             "            <scan><horizontal><samples>1000</samples>"
             "<min_angle>-3.14159</min_angle><max_angle>3.13531</max_angle></horizontal></scan>\n"
             "            <range><min>0.05</min><max>30</max></range>\n"
             "          </lidar>\n"
             "        </sensor>\n"
             "      </link>\n",
             bottom + height + 0.2 * radius);
  constexpr double kWheelMass = 0.5;
  const double width = 0.1 * radius;
  for (const double side : {-1.0, 1.0}) {
    const std::string_view name = side < 0 ? "right_wheel" : "left_wheel";
    fmt::print(output,
               "      <link name=\"{0}\">\n"
               "        <pose>0 {1:.6g} {2:.6g} -1.5707963 0 0</pose>\n"
               "        <inertial><mass>{3}</mass><inertia><ixx>{4:.6g}</ixx><iyy>{4:.6g}</iyy>"
               "<izz>{5:.6g}</izz></inertia></inertial>\n"
               "        <collision name=\"wheel\">{6}</collision>\n"
               "        <visual name=\"wheel\">{6}{7}</visual>\n"
               "      </link>\n"
               "      <joint name=\"{0}_joint\" type=\"revolute\">\n"
               "        <parent>base_link</parent>\n"
               "        <child>{0}</child>\n"
               "        <axis><xyz>0 0 1</xyz></axis>\n"
               "      </joint>\n",
               name, side * wheel_at, wheel, kWheelMass,
               kWheelMass * (3 * wheel * wheel + width * width) / 12,
               kWheelMass * wheel * wheel / 2, cylinder_geometry(wheel, width),
               material("0.1 0.1 0.1"));
  }
  // The odometry is exact: whoever tries planners does not want to try a localisation.
  fmt::print(output,
             "      <plugin filename=\"gz-sim-diff-drive-system\" "
             "name=\"gz::sim::systems::DiffDrive\">\n"
             "        <left_joint>left_wheel_joint</left_joint>\n"
             "        <right_joint>right_wheel_joint</right_joint>\n"
             "        <wheel_separation>{:.6g}</wheel_separation>\n"
             "        <wheel_radius>{:.6g}</wheel_radius>\n"
             "        <topic>cmd_vel</topic>\n"
             "      </plugin>\n"
             "      <plugin filename=\"gz-sim-odometry-publisher-system\" "
             "name=\"gz::sim::systems::OdometryPublisher\">\n"
             "        <odom_frame>odom</odom_frame>\n"
             "        <robot_base_frame>base_link</robot_base_frame>\n"
             "        <odom_topic>odom</odom_topic>\n"
             "        <tf_topic>tf</tf_topic>\n"
             "        <odom_publish_frequency>50</odom_publish_frequency>\n"
             "        <dimensions>2</dimensions>\n"
             "      </plugin>\n"
             "    </model>\n",
             2 * wheel_at, wheel);
}

constexpr std::string_view kSurroundings = R"(    <physics name="physics" type="ode">
      <max_step_size>0.004</max_step_size>
      <real_time_factor>1</real_time_factor>
    </physics>
    <plugin filename="gz-sim-physics-system" name="gz::sim::systems::Physics"/>
    <plugin filename="gz-sim-user-commands-system" name="gz::sim::systems::UserCommands"/>
    <plugin filename="gz-sim-scene-broadcaster-system" name="gz::sim::systems::SceneBroadcaster"/>
    <plugin filename="gz-sim-sensors-system" name="gz::sim::systems::Sensors">
      <render_engine>ogre2</render_engine>
    </plugin>
    <light name="sun" type="directional">
      <pose>0 0 10 0 0 0</pose>
      <diffuse>0.9 0.9 0.9 1</diffuse>
      <direction>-0.4 0.3 -0.9</direction>
    </light>
    <model name="ground">
      <static>true</static>
      <link name="link">
        <collision name="plane"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision>
        <visual name="plane">
          <geometry><plane><normal>0 0 1</normal><size>2000 2000</size></plane></geometry>
          <material><ambient>0.4 0.4 0.4 1</ambient><diffuse>0.4 0.4 0.4 1</diffuse></material>
        </visual>
      </link>
    </model>
)";

// --- the bridge ----------------------------------------------------------------------------------

void write_bridged(std::ostream& output, std::string_view topic, std::string_view ros_type,
                   std::string_view gz_type, std::string_view direction) {
  fmt::print(output,
             "- topic_name: \"{}\"\n"
             "  ros_type_name: \"{}\"\n"
             "  gz_type_name: \"gz.msgs.{}\"\n"
             "  direction: {}\n",
             topic, ros_type, gz_type, direction);
}

}  // namespace

Grid map_of(const World& world) {
  Grid map(world.columns(), world.rows());
  const auto cell_of = [&](double border) {
    return static_cast<int>(std::lround(border / world.resolution));
  };
  for (const Box& wall : world.walls) {
    for (int y = cell_of(wall.bottom); y < cell_of(wall.top); ++y) {
      for (int x = cell_of(wall.left); x < cell_of(wall.right); ++x)
        map.set(map.cell(x, y), kLethal);
    }
  }
  return map;
}

void write_map_image(std::ostream& output, const Grid& map) {
  fmt::print(output, "P5\n{} {}\n255\n", map.width(), map.height());
  for (int y = map.height() - 1; y >= 0; --y) {  // an image begins at its top
    for (int x = 0; x < map.width(); ++x) {
      output.put(map[map.cell(x, y)] == kLethal ? '\0' : '\xfe');
    }
  }
}

void write_map_yaml(std::ostream& output, const World& world, const std::string& image) {
  fmt::print(output,
             "image: {}\n"
             "mode: trinary\n"
             "resolution: {}\n"
             "origin: [0.0, 0.0, 0.0]\n"
             "negate: 0\n"
             "occupied_thresh: 0.65\n"
             "free_thresh: 0.25\n",
             image, world.resolution);
}

void write_sdf(std::ostream& output, const World& world) {
  fmt::print(output, "<?xml version=\"1.0\"?>\n<sdf version=\"1.9\">\n  <world name=\"{}\">\n{}",
             world.name, kSurroundings);
  write_walls(output, world);
  for (const Door& door : world.doors) write_door(output, door);
  for (const Person& person : world.people) write_person(output, person);
  write_robot(output, world);
  output << "  </world>\n</sdf>\n";
}

void write_bridge(std::ostream& output, const World& world) {
  write_bridged(output, "clock", "rosgraph_msgs/msg/Clock", "Clock", "GZ_TO_ROS");
  write_bridged(output, "scan", "sensor_msgs/msg/LaserScan", "LaserScan", "GZ_TO_ROS");
  write_bridged(output, "odom", "nav_msgs/msg/Odometry", "Odometry", "GZ_TO_ROS");
  write_bridged(output, "tf", "tf2_msgs/msg/TFMessage", "Pose_V", "GZ_TO_ROS");
  write_bridged(output, "cmd_vel", "geometry_msgs/msg/TwistStamped", "Twist", "ROS_TO_GZ");
  const auto write_driven = [&](const std::string& name, const char* joint) {
    write_bridged(output, joint_topic(name, joint), "std_msgs/msg/Float64", "Double", "ROS_TO_GZ");
  };
  for (const Door& door : world.doors) write_driven(door.name, "slide");
  for (const Person& person : world.people) {
    write_driven(person.name, "x");
    write_driven(person.name, "y");
  }
}

}  // namespace dynamic_planners
