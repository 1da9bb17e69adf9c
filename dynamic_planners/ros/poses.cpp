#include "dynamic_planners/ros/poses.hpp"

#include <algorithm>
#include <cmath>

namespace dynamic_planners::ros {
namespace {

/// Looks along (dx, dy). By halves of the angle and without the angle: paths are long.
geometry_msgs::msg::Quaternion facing(double dx, double dy) {
  const double length = std::sqrt(dx * dx + dy * dy);
  const double cosine = length > 0.0 ? dx / length : 1.0;
  geometry_msgs::msg::Quaternion orientation;
  orientation.z = std::copysign(std::sqrt(std::max(0.0, (1.0 - cosine) / 2.0)), dy);
  orientation.w = std::sqrt(std::max(0.0, (1.0 + cosine) / 2.0));
  return orientation;
}

/// The places in the world that a path leads over, from the start's to the goal's. Of many equal
/// steps in a row, as a path from cell to cell has them, only the last one ends at a place: what
/// lies between is a straight line. The first and the last step stay, since their ends may lie
/// anywhere in a cell.
std::vector<Point> corners(const std::vector<Point>& points, const Frame& frame,
                           const geometry_msgs::msg::Point& start,
                           const geometry_msgs::msg::Point& goal) {
  std::vector<Point> line{{start.x, start.y}};
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const bool goes_straight_on = i > 1 && i + 2 < points.size() &&
                                  points[i].x - points[i - 1].x == points[i + 1].x - points[i].x &&
                                  points[i].y - points[i - 1].y == points[i + 1].y - points[i].y;
    if (!goes_straight_on) line.push_back({frame.x_of(points[i].x), frame.y_of(points[i].y)});
  }
  const auto goal_cell = frame.cell_at(goal.x, goal.y);
  const bool at_goal =
      goal_cell && goal_cell->x == points.back().x && goal_cell->y == points.back().y;
  line.push_back(at_goal ? Point{goal.x, goal.y}
                         : Point{frame.x_of(points.back().x), frame.y_of(points.back().y)});
  return line;
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
  pose.pose = start;
  if (points.size() == 1) {
    if (!use_final_approach_orientation) pose.pose.orientation = goal.orientation;
    return {pose};
  }

  const std::vector<Point> line = corners(points, frame, start.position, goal.position);
  const double spacing = frame.resolution;
  std::vector<geometry_msgs::msg::PoseStamped> poses;
  poses.reserve(points.size() + points.size() / 2);  // enough for a path of diagonals
  pose.pose.position.z = 0.0;
  poses.push_back(pose);
  const auto last_looks_at = [&](const Point& place) {
    const auto& last = poses.back().pose.position;
    poses.back().pose.orientation = facing(place.x - last.x, place.y - last.y);
  };
  double left = spacing;  // until the next pose
  for (std::size_t i = 1; i < line.size(); ++i) {
    const Point& from = line[i - 1];
    const double dx = line[i].x - from.x;
    const double dy = line[i].y - from.y;
    const double length = std::sqrt(dx * dx + dy * dy);
    pose.pose.orientation = facing(dx, dy);
    bool is_first = true;
    for (; left < length; left += spacing) {
      const Point place{from.x + left / length * dx, from.y + left / length * dy};
      if (is_first) last_looks_at(place);  // around the corner
      is_first = false;
      pose.pose.position.x = place.x;
      pose.pose.position.y = place.y;
      poses.push_back(pose);
    }
    left -= length;
  }
  // The end stays where it is; a pose just before it would only make a short hop.
  const Point& end = line.back();
  const auto& last = poses.back().pose.position;
  if (poses.size() > 1 && std::hypot(end.x - last.x, end.y - last.y) < spacing / 2) {
    poses.pop_back();
  }
  last_looks_at(end);
  pose.pose.position.x = end.x;
  pose.pose.position.y = end.y;
  pose.pose.orientation =
      use_final_approach_orientation ? poses.back().pose.orientation : goal.orientation;
  poses.push_back(pose);
  return poses;
}

}  // namespace dynamic_planners::ros
