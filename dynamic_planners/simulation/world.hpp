#pragma once

#include <filesystem>
#include <istream>
#include <string>
#include <vector>

#include "dynamic_planners/simulation/geometry.hpp"

/// Worlds for a simulated robot, in metres: walls, and doors and people that move.
namespace dynamic_planners {

/// A panel that slides along a wall.
struct Door {
  std::string name;
  Box panel;    // where it is when the doorway is closed
  Place slide;  // how far it moves to open it, along one axis
  double speed = 0.0;
  double open_for = 0.0;  // seconds
  double closed_for = 0.0;
};

/// Somebody who walks from point to point, and from the last to the first again.
struct Person {
  std::string name;
  double radius = 0.0;
  double speed = 0.0;
  std::vector<Place> walk;
};

struct World {
  struct Pose {
    Place place;
    double yaw = 0.0;
  };

  std::string name;
  double width = 0.0;
  double height = 0.0;
  double resolution = 0.0;
  double robot_radius = 0.0;
  Pose start;
  Pose goal;
  /// On the borders of the map's cells; the first four enclose everything.
  std::vector<Box> walls;
  std::vector<Door> doors;
  std::vector<Person> people;

  int columns() const { return static_cast<int>(std::lround(width / resolution)); }
  int rows() const { return static_cast<int>(std::lround(height / resolution)); }
};

/// Reads a world (docs/simulation.md). What it returns makes sense: everything is inside, nobody
/// walks through a wall or a door, and no door slides into a wall. Throws InputError; `name` stands
/// for the file in it.
World read_world(std::istream& input, const std::string& name);
World read_world(const std::filesystem::path& file);

}  // namespace dynamic_planners
