#include "dynamic_planners/ros/poses.hpp"

#include <algorithm>
#include <cmath>

namespace dynamic_planners::ros {
namespace {

geometry_msgs::msg::Quaternion facing(double angle) {
  geometry_msgs::msg::Quaternion orientation;
  orientation.z = std::sin(angle / 2.0);
  orientation.w = std::cos(angle / 2.0);
  return orientation;
}

/// Points of a polyline, `spacing` apart along it, with its first and last one.
std::vector<Point> evenly_spaced(const std::vector<Point>& line, double spacing) {
  std::vector<Point> spaced{line.front()};
  double left = spacing;  // until the next point
  for (std::size_t i = 1; i < line.size(); ++i) {
    const Point& from = line[i - 1];
    const Point& to = line[i];
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    double along = left;
    for (; along < length; along += spacing) {
      const double share = along / length;
      spaced.push_back({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
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
    pose.pose.orientation = facing(std::atan2(to.y - from.y, to.x - from.x));
    poses.push_back(pose);
  }
  if (!use_final_approach_orientation) poses.back().pose.orientation = goal.orientation;
  return poses;
}

}  // namespace dynamic_planners::ros
