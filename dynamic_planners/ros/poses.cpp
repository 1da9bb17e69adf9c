#include "dynamic_planners/ros/poses.hpp"

#include <algorithm>
#include <cmath>

namespace dynamic_planners::ros {
namespace {

/// Looks from one place to another. By halves of the angle and without the angle: paths are long.
geometry_msgs::msg::Quaternion facing(const Point& from, const Point& to) {
  const double dx = to.x - from.x;
  const double dy = to.y - from.y;
  const double length = std::sqrt(dx * dx + dy * dy);
  const double cosine = length > 0.0 ? dx / length : 1.0;
  geometry_msgs::msg::Quaternion orientation;
  orientation.z = std::copysign(std::sqrt(std::max(0.0, (1.0 - cosine) / 2.0)), dy);
  orientation.w = std::sqrt(std::max(0.0, (1.0 + cosine) / 2.0));
  return orientation;
}

/// Points of a polyline, `spacing` apart along it, with its first and last one.
std::vector<Point> evenly_spaced(const std::vector<Point>& line, double spacing) {
  std::vector<Point> spaced;
  spaced.reserve(line.size() + line.size() / 2);  // enough for a path of diagonals
  spaced.push_back(line.front());
  double left = spacing;  // until the next point
  for (std::size_t i = 1; i < line.size(); ++i) {
    const Point& from = line[i - 1];
    const Point& to = line[i];
    const double dx = to.x - from.x;
    const double dy = to.y - from.y;
    const double length = std::sqrt(dx * dx + dy * dy);
    double along = left;
    for (; along < length; along += spacing) {
      const double share = along / length;
      spaced.push_back({from.x + share * dx, from.y + share * dy});
    }
    left = along - length;
  }
  // The end stays where it is; a point just before it would only make a short hop.
  if (spaced.size() > 1 &&
      std::hypot(line.back().x - spaced.back().x, line.back().y - spaced.back().y) < spacing / 2) {
    spaced.pop_back();
  }
  spaced.push_back(line.back());
  return spaced;
}

}  // namespace

std::vector<geometry_msgs::msg::PoseStamped> to_poses(const std::vector<Point>& points,
                                                      const Frame& frame,
                                                      const geometry_msgs::msg::Pose& start,
                                                      const geometry_msgs::msg::Pose& goal,
                                                      bool use_final_approach_orientation,
                                                      const std_msgs::msg::Header& header) {
  geometry_msgs::msg::PoseStamped pose;
  pose.header = header;
  if (points.size() == 1) {
    pose.pose = start;
    if (!use_final_approach_orientation) pose.pose.orientation = goal.orientation;
    return {pose};
  }

  std::vector<Point> line;
  line.reserve(points.size());
  for (const Point& point : points) line.push_back({frame.x_of(point.x), frame.y_of(point.y)});
  line.front() = {start.position.x, start.position.y};
  const auto goal_cell = frame.cell_at(goal.position.x, goal.position.y);
  if (goal_cell && goal_cell->x == points.back().x && goal_cell->y == points.back().y) {
    line.back() = {goal.position.x, goal.position.y};
  }

  std::vector<geometry_msgs::msg::PoseStamped> poses;
  const std::vector<Point> places = evenly_spaced(line, frame.resolution);
  poses.reserve(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Point& from = places[std::min(i, places.size() - 2)];
    const Point& to = places[std::min(i + 1, places.size() - 1)];
    pose.pose.position.x = places[i].x;
    pose.pose.position.y = places[i].y;
    pose.pose.orientation = facing(from, to);
    poses.push_back(pose);
  }
  if (!use_final_approach_orientation) poses.back().pose.orientation = goal.orientation;
  return poses;
}

}  // namespace dynamic_planners::ros
