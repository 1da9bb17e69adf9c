#pragma once

#include <ostream>
#include <string>

#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/simulation/world.hpp"

/// What others read of a world: Nav2's map server, Gazebo, and the bridge between Gazebo and ROS.
namespace dynamic_planners {

/// The walls, lethal, on free ground. Doors and people are not in it: the robot has to see them.
Grid map_of(const World& world);

void write_map_image(std::ostream& output, const Grid& map);
void write_map_yaml(std::ostream& output, const World& world, const std::string& image);

/// The world for Gazebo: walls, doors, people and a differential robot with a laser scanner. Doors
/// and people are where joint_topic() says; nothing bumps into them, but the scanner sees them.
void write_sdf(std::ostream& output, const World& world);

/// The configuration of ros_gz_bridge for it.
void write_bridge(std::ostream& output, const World& world);

/// A person has the joints x and y, which say how far it is from the first point of its walk; a
/// door has the joint slide, which says how far its panel has moved [m].
inline std::string joint_topic(const std::string& name, const std::string& joint) {
  return "moving/" + name + "/" + joint;
}

}  // namespace dynamic_planners
