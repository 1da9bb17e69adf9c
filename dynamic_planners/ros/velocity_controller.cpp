#include "dynamic_planners/ros/velocity_controller.hpp"

#include <algorithm>
#include <cmath>

#include "dynamic_planners/search/line.hpp"

namespace dynamic_planners::ros {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// The same angle from -pi to pi.
double normal(double angle) {
  return std::remainder(angle, 2.0 * kPi);
}

double distance(const RobotPose& robot, const Point& place) {
  return std::hypot(place.x - robot.x, place.y - robot.y);
}

/// Whether all cells that a straight line touches are passable. Past a corner, those beside it too.
bool is_free(const Terrain& terrain, const Point& from, const Point& to) {
  const Frame& frame = terrain.frame;
  const Point begin{frame.cell_x_of(from.x), frame.cell_y_of(from.y)};
  const Point end{frame.cell_x_of(to.x), frame.cell_y_of(to.y)};
  Grid::Position before{static_cast<int>(std::floor(begin.x + 0.5)),
                        static_cast<int>(std::floor(begin.y + 0.5))};
  return for_each_piece(begin, end, 0.5, [&](const Point& middle, double /*share*/) {
    const Grid::Position at{static_cast<int>(std::floor(middle.x + 0.5)),
                            static_cast<int>(std::floor(middle.y + 0.5))};
    if (!terrain.passable(at.x, at.y)) return false;
    const bool past_corner = at.x != before.x && at.y != before.y;
    if (past_corner && !(terrain.passable(at.x, before.y) && terrain.passable(before.x, at.y))) {
      return false;
    }
    before = at;
    return true;
  });
}

/// ... and there is room on both sides of the line: whoever drove along the very edge of an
/// obstacle would be in it by a rounding.
bool has_room(const Terrain& terrain, const Point& from, const Point& to) {
  constexpr double kRoom = 0.05;  // cells
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  if (length == 0.0) return true;
  const double aside = kRoom * terrain.frame.resolution / length;
  const Point left{-aside * (to.y - from.y), aside * (to.x - from.x)};
  return is_free(terrain, {from.x + left.x, from.y + left.y}, {to.x + left.x, to.y + left.y}) &&
         is_free(terrain, {from.x - left.x, from.y - left.y}, {to.x - left.x, to.y - left.y});
}

}  // namespace

RobotPose moved(const RobotPose& robot, const Velocity& velocity, double seconds) {
  const double turn = velocity.angular * seconds;
  const double length = velocity.linear * seconds;
  // The chord of an arc looks where its middle looks, and is shorter by sin(t/2) / (t/2).
  const double half = turn / 2.0;
  const double chord = std::abs(half) < 1e-6 ? length : length * std::sin(half) / half;
  return {robot.x + chord * std::cos(robot.yaw + half),
          robot.y + chord * std::sin(robot.yaw + half), normal(robot.yaw + turn)};
}

void Commands::add(Time now, const Velocity& velocity) {
  commands_[size_++ % kMost] = {now, velocity};
}

RobotPose Commands::ahead(const RobotPose& robot, Time then, Time now) const {
  RobotPose at = robot;
  const std::size_t forgotten = size_ > kMost ? size_ - kMost : 0;
  for (std::size_t i = forgotten; i < size_; ++i) {
    const Command& command = commands_[i % kMost];
    const bool is_oldest = i > 0 && i == forgotten;
    const Time from = is_oldest ? then : std::max(then, command.since);
    const Time to = i + 1 < size_ ? std::min(now, commands_[(i + 1) % kMost].since) : now;
    if (from < to)
      at = moved(at, command.velocity, std::chrono::duration<double>(to - from).count());
  }
  return at;
}

bool Terrain::passable(int x, int y) const {
  if (!grid.contains(x, y)) return false;
  const std::uint8_t cost = grid[grid.cell(x, y)];
  return cost == kUnknown ? allow_unknown : cost <= kMaxPassable;
}

Velocity VelocityController::follow(const Terrain& terrain, const RobotPose& robot,
                                    std::span<const Point> way) {
  const Point& place = place_ahead(terrain, robot, way);
  double length = distance(robot, way.front());
  for (std::size_t i = 1; i < way.size(); ++i) {
    length += std::hypot(way[i].x - way[i - 1].x, way[i].y - way[i - 1].y);
  }
  return towards(terrain, robot, place, length);
}

/// The place furthest along the way that is within the lookahead and in a straight line with some
/// room. Along the first step there is always a line.
const Point& VelocityController::place_ahead(const Terrain& terrain, const RobotPose& robot,
                                             std::span<const Point> way) const {
  std::size_t ahead = 0;
  double length = distance(robot, way.front());
  for (std::size_t i = 1; i < way.size(); ++i) {
    length += std::hypot(way[i].x - way[i - 1].x, way[i].y - way[i - 1].y);
    if (length > config_.lookahead_distance) break;
    if (!has_room(terrain, {robot.x, robot.y}, way[i])) break;
    ahead = i;
  }
  return way[ahead];
}

Velocity VelocityController::towards(const Terrain& terrain, const RobotPose& robot,
                                     const Point& place, double way_length) {
  const double error = normal(std::atan2(place.y - robot.y, place.x - robot.x) - robot.yaw);
  turns_ = std::abs(error) > config_.turn_in_place_angle * (turns_ ? 0.5 : 1.0);
  const double slowest = braked();
  if (turns_ && slowest > 0.0) return brake(terrain, robot);
  if (!turns_) {
    // The arc that leads there, as fast as it can be driven and so that the robot can stop at the
    // end of the way.
    const double curvature = 2.0 * std::sin(error) / std::max(distance(robot, place), 1e-3);
    const double fastest = std::min(
        {config_.max_linear_speed, config_.max_angular_speed / std::max(std::abs(curvature), 1e-9),
         std::sqrt(2.0 * config_.max_linear_deceleration * way_length),
         last_.linear + config_.max_linear_acceleration * period_});
    for (const double share : {1.0, 0.75, 0.5, 0.25, 0.1}) {
      const double linear = std::max(slowest, share * fastest);
      // Who cannot brake so fast drives a wider arc.
      const Velocity velocity{linear, turning_with(linear * curvature)};
      if (may(terrain, robot, velocity)) return command(velocity);
    }
    if (slowest > 0.0) return brake(terrain, robot);
  }
  // Where no arc is free, the straight line is, once the robot looks along it.
  const Velocity turn{0.0, turning_by(error)};
  return may(terrain, robot, turn) ? command(turn) : stop();
}

Velocity VelocityController::turn_to(const Terrain& terrain, const RobotPose& robot, double yaw) {
  if (braked() > 0.0) return brake(terrain, robot);
  const Velocity turn{0.0, turning_by(normal(yaw - robot.yaw))};
  return may(terrain, robot, turn) ? command(turn) : stop();
}

/// Along the arc that it is on, which was found to be free until it stands. If that has changed, it
/// stops at once.
Velocity VelocityController::brake(const Terrain& terrain, const RobotPose& robot) {
  const double linear = braked();
  const Velocity velocity{linear,
                          linear > 0.0 ? last_.angular * linear / last_.linear : turning_by(0.0)};
  return may(terrain, robot, velocity) ? command(velocity) : stop();
}

Velocity VelocityController::stop() {
  turns_ = false;
  return command({});
}

Velocity VelocityController::command(const Velocity& velocity) {
  last_ = velocity;
  return velocity;
}

/// As slow as the robot can be one period from now.
double VelocityController::braked() const {
  return std::max(0.0, last_.linear - config_.max_linear_deceleration * period_);
}

/// How fast to turn on the spot when so much is left: so that it ends there.
double VelocityController::turning_by(double angle) const {
  const double left = std::abs(angle);
  const double speed =
      std::min(std::sqrt(2.0 * config_.max_angular_acceleration * left), left / period_);
  return turning_with(std::copysign(speed, angle));
}

/// As near to this speed as the robot can turn one period from now.
double VelocityController::turning_with(double speed) const {
  const double most_turn = config_.max_angular_acceleration * period_;
  return std::clamp(std::clamp(speed, last_.angular - most_turn, last_.angular + most_turn),
                    -config_.max_angular_speed, config_.max_angular_speed);
}

bool VelocityController::can_stop() const {
  return braked() <= 0.0 && std::abs(last_.angular) <= config_.max_angular_acceleration * period_;
}

bool VelocityController::may(const Terrain& terrain, const RobotPose& robot,
                             const Velocity& velocity) const {
  const auto here = terrain.frame.cell_at(robot.x, robot.y);
  if (!here || !terrain.passable(here->x, here->y)) return false;
  if (velocity.linear <= 0.0) return true;
  const double length = velocity.linear * 2.0 * period_ +
                        velocity.linear * velocity.linear / (2.0 * config_.max_linear_deceleration);
  const double seconds = length / velocity.linear;
  // In pieces of the arc, each of which lies between its chord and the tangents of its ends. No
  // cell is so small that it reaches the arc and crosses none of these.
  const double turn = std::abs(velocity.angular) * seconds;
  const auto chords = static_cast<int>(
      std::ceil(std::max({1.0, 4.0 * length / terrain.frame.resolution, turn / 0.02})));
  const double piece = seconds / chords;
  const double tangent = velocity.linear * piece / 2.0 / std::cos(velocity.angular * piece / 2.0);
  RobotPose at = robot;
  for (int i = 0; i < chords; ++i) {
    const RobotPose next = moved(at, velocity, piece);
    const Point begin{at.x, at.y};
    const Point end{next.x, next.y};
    const Point corner{at.x + tangent * std::cos(at.yaw), at.y + tangent * std::sin(at.yaw)};
    if (!is_free(terrain, begin, end) || !is_free(terrain, begin, corner) ||
        !is_free(terrain, corner, end)) {
      return false;
    }
    at = next;
  }
  return true;
}

}  // namespace dynamic_planners::ros
