#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/ros/frame.hpp"
#include "dynamic_planners/search/planner.hpp"

namespace dynamic_planners::ros {

struct RobotPose {
  double x = 0.0;
  double y = 0.0;
  double yaw = 0.0;
};

struct Velocity {
  double linear = 0.0;   // [m/s], forward
  double angular = 0.0;  // [rad/s], to the left

  bool operator==(const Velocity&) const = default;
};

/// Where a robot is that has driven with a velocity for so long.
RobotPose moved(const RobotPose& robot, const Velocity& velocity, double seconds);

/// The velocities that a robot was told last, for where it has got to since it was seen. Allocates
/// nothing.
class Commands {
 public:
  using Time = std::chrono::nanoseconds;

  /// From `now` on it drives with this velocity.
  void add(Time now, const Velocity& velocity);
  /// Where it is now if it was here then. Of a time before what is remembered it counts as driving
  /// as it did first; before the first command ever it stood.
  RobotPose ahead(const RobotPose& robot, Time then, Time now) const;
  void forget() { size_ = 0; }

 private:
  struct Command {
    Time since;
    Velocity velocity;
  };
  /// At 1000 Hz, a quarter of a second.
  static constexpr std::size_t kMost = 256;

  std::array<Command, kMost> commands_{};  // a ring
  std::size_t size_ = 0;                   // of all since the last forget()
};

/// What a robot may do. Metres, seconds, radians.
struct MotionConfig {
  double max_linear_speed = 0.5;
  double max_angular_speed = 1.5;
  double max_linear_acceleration = 1.0;
  double max_linear_deceleration = 1.5;
  double max_angular_acceleration = 3.0;
  /// So far ahead lies the place that the robot heads for.
  double lookahead_distance = 0.6;
  /// Who looks further away from where the way leads turns on the spot first.
  double turn_in_place_angle = 0.6;
};

/// Where a robot drives: the newest costmap.
struct Terrain {
  const Grid& grid;
  const Frame& frame;
  bool allow_unknown;

  bool passable(int x, int y) const;
};

/// Drives a robot that can turn on the spot. Commands a motion only when every cell that the
/// robot's centre would sweep is passable: along the arc for two periods, since the next command
/// may come late, and then until it stands. When none is left the robot stops at once. Allocates
/// nothing.
///
/// It knows how fast the robot is by what it has commanded.
class VelocityController {
 public:
  VelocityController(const MotionConfig& config, double period)
      : config_(config), period_(period) {}

  void configure(const MotionConfig& config) { config_ = config; }

  /// Along a way of places, the one that follows the robot's first; there is at least one.
  Velocity follow(const Terrain& terrain, const RobotPose& robot, std::span<const Point> way);
  /// Turns on the spot, once it stands.
  Velocity turn_to(const Terrain& terrain, const RobotPose& robot, double yaw);
  /// To a stand within its limits.
  Velocity brake(const Terrain& terrain, const RobotPose& robot);
  /// At once.
  Velocity stop();

  /// To stop now would be within its limits.
  bool can_stop() const;

 private:
  const Point& place_ahead(const Terrain& terrain, const RobotPose& robot,
                           std::span<const Point> way) const;
  Velocity towards(const Terrain& terrain, const RobotPose& robot, const Point& place,
                   double way_length);
  double braked() const;
  double turning_by(double angle) const;
  double turning_with(double speed) const;
  bool may(const Terrain& terrain, const RobotPose& robot, const Velocity& velocity) const;
  Velocity command(const Velocity& velocity);

  MotionConfig config_;
  double period_;
  Velocity last_;
  bool turns_ = false;  // on the spot, until it looks where it will go
};

}  // namespace dynamic_planners::ros
