#pragma once

#include <optional>
#include <string>

#include "dynamic_planners/ros/frame.hpp"
#include "nav2_msgs/msg/costmap.hpp"
#include "nav2_msgs/msg/costmap_update.hpp"

/// What a costmap's messages must be before any of their costs is taken over.
namespace dynamic_planners::ros {

/// Where the map of a message lies; nothing, for the reason given, when the message contradicts
/// itself or is larger than any grid.
std::optional<Frame> frame_of(const nav2_msgs::msg::Costmap& costmap, std::string& reason);

/// Which cells an update is of, none of them if it is empty; nothing, for the reason given, when
/// it does not fit a map that lies like this.
std::optional<Window> window_of(const nav2_msgs::msg::CostmapUpdate& update, const Frame& frame,
                                std::string& reason);

}  // namespace dynamic_planners::ros
