#pragma once

// Jazzy and Kilted have one interface of global planners, Lyrical another. Whatever differs between
// them is named here and in tf2_version.hpp, and nowhere else.

#include <memory>

#if __has_include("nav2_ros_common/lifecycle_node.hpp")
#include "nav2_ros_common/lifecycle_node.hpp"
#include "nav2_ros_common/tf2_factories.hpp"
#define DYNAMIC_PLANNERS_HAS_VIAPOINTS 1

namespace dynamic_planners::ros {
/// The node that a planner is a part of.
using LifecycleNode = nav2::LifecycleNode;
/// A node that a lifecycle manager watches over.
using ServerNode = nav2::LifecycleNode;
using TransformBufferPtr = nav2::TransformBuffer::SharedPtr;
using TransformListener = nav2::TransformListener;

inline std::shared_ptr<TransformListener> listen_to_transforms(tf2_ros::Buffer& buffer,
                                                               ServerNode* node) {
  return nav2::create_transform_listener(buffer, node);
}
}  // namespace dynamic_planners::ros
#else
#include "dynamic_planners/ros/tf2_version.hpp"
#include "nav2_util/lifecycle_node.hpp"
#include "rclcpp_lifecycle/lifecycle_node.hpp"
#define DYNAMIC_PLANNERS_HAS_VIAPOINTS 0

namespace dynamic_planners::ros {
/// The node that a planner is a part of.
using LifecycleNode = rclcpp_lifecycle::LifecycleNode;
/// A node that a lifecycle manager watches over.
using ServerNode = nav2_util::LifecycleNode;
using TransformBufferPtr = std::shared_ptr<tf2_ros::Buffer>;
using TransformListener = tf2_ros::TransformListener;

inline std::shared_ptr<TransformListener> listen_to_transforms(tf2_ros::Buffer& buffer,
                                                               ServerNode* node) {
  return std::make_shared<TransformListener>(buffer, node);
}
}  // namespace dynamic_planners::ros
#endif
