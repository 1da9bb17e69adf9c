#pragma once

// Jazzy and Kilted have one interface of global planners, Lyrical another. Whatever differs between
// them is named here, and only here.

#include <memory>

#if __has_include("nav2_ros_common/lifecycle_node.hpp")
#include "nav2_ros_common/lifecycle_node.hpp"
#include "nav2_ros_common/tf2_factories.hpp"
#define DYNAMIC_PLANNERS_HAS_VIAPOINTS 1

namespace dynamic_planners::ros {
using LifecycleNode = nav2::LifecycleNode;
using TransformBufferPtr = nav2::TransformBuffer::SharedPtr;
}  // namespace dynamic_planners::ros
#else
#include "rclcpp_lifecycle/lifecycle_node.hpp"
#include "tf2_ros/buffer.h"
#define DYNAMIC_PLANNERS_HAS_VIAPOINTS 0

namespace dynamic_planners::ros {
using LifecycleNode = rclcpp_lifecycle::LifecycleNode;
using TransformBufferPtr = std::shared_ptr<tf2_ros::Buffer>;
}  // namespace dynamic_planners::ros
#endif
