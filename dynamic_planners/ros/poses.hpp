#pragma once

#include <vector>

#include "dynamic_planners/ros/frame.hpp"
#include "dynamic_planners/search/planner.hpp"
#include "geometry_msgs/msg/pose.hpp"
#include "nav_msgs/msg/path.hpp"

namespace dynamic_planners::ros {

/// Poses along a path of points, about the resolution apart and oriented along the way. The first
/// one stands exactly at the start. The last one stands at the goal's place, or at the last point
/// when that lies in another cell than the goal, and looks as the goal does, or along the way when
/// `use_final_approach_orientation` says so.
std::vector<geometry_msgs::msg::PoseStamped> to_poses(const std::vector<Point>& points,
                                                      const Frame& frame,
                                                      const geometry_msgs::msg::Pose& start,
                                                      const geometry_msgs::msg::Pose& goal,
                                                      bool use_final_approach_orientation,
                                                      const std_msgs::msg::Header& header);

}  // namespace dynamic_planners::ros
