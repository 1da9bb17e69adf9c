#include <cmath>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <geometry_msgs/msg/pose_with_covariance_stamped.hpp>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/laser_scan.hpp>
#include <std_msgs/msg/float64.hpp>
#include <string>
#include <utility>
#include <vector>
#include <visualization_msgs/msg/marker_array.hpp>

#include "dynamic_planners/ros/tf2_version.hpp"
#include "dynamic_planners/simulation/moving_world.hpp"
#include "dynamic_planners/simulation/world_files.hpp"

namespace dynamic_planners {
namespace {

/// A parameter that cannot be changed while the node runs.
rcl_interfaces::msg::ParameterDescriptor described(const std::string& description) {
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.description = description;
  descriptor.read_only = true;
  return descriptor;
}

auto described(const std::string& description, double from, double to) {
  auto descriptor = described(description);
  descriptor.floating_point_range.resize(1);
  descriptor.floating_point_range[0].from_value = from;
  descriptor.floating_point_range[0].to_value = to;
  return descriptor;
}

auto described(const std::string& description, std::int64_t from, std::int64_t to) {
  auto descriptor = described(description);
  descriptor.integer_range.resize(1);
  descriptor.integer_range[0].from_value = from;
  descriptor.integer_range[0].to_value = to;
  return descriptor;
}

double yaw_of(const geometry_msgs::msg::Quaternion& q) {
  return std::atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z));
}

MovingWorld make_world(rclcpp::Node& node) {
  const auto file = node.declare_parameter<std::string>("world", "", described("a world's YAML"));
  const auto seed = node.declare_parameter<std::int64_t>(
      "seed", 1,
      described("where people begin, and when doors first open", std::int64_t{0},
                std::numeric_limits<std::int64_t>::max()));
  return {read_world(std::filesystem::path(file)), static_cast<std::uint64_t>(seed)};
}

visualization_msgs::msg::Marker make_marker(const std::string& kind, std::size_t id,
                                            const Place& centre, double width, double depth,
                                            double height) {
  visualization_msgs::msg::Marker marker;
  marker.ns = kind;
  marker.id = static_cast<int>(id);
  marker.pose.position.x = centre.x;
  marker.pose.position.y = centre.y;
  marker.pose.position.z = height / 2;
  marker.pose.orientation.w = 1.0;
  marker.scale.x = width;
  marker.scale.y = depth;
  marker.scale.z = height;
  marker.color.a = 0.8F;
  return marker;
}

/// A simulated world around a robot: moves doors and people, and shows them.
///
/// Beside Nav2's loopback simulator it is also the robot's laser scanner, and says where the robot
/// starts. With `gazebo`, Gazebo scans, and moves doors and people to where this node says.
class MovingWorldNode : public rclcpp::Node {
 public:
  MovingWorldNode();

 private:
  /// Where the robot is, as far as anybody says.
  struct Robot {
    rclcpp::Time stamp;
    Place place;
    double yaw;
  };

  /// Something that Gazebo moves, along one joint.
  using Joint = rclcpp::Publisher<std_msgs::msg::Float64>::SharedPtr;

  Joint make_joint(const std::string& name, const std::string& joint);
  void tick();
  std::optional<Robot> find_robot() const;
  void publish_start();
  void publish_scan(const Robot& robot);
  void publish_joints();
  void publish_clearance(const Robot& robot);
  void publish_markers();

  MovingWorld world_;
  const double period_;  // seconds
  const bool gazebo_;
  const int beams_;
  const double range_;
  const std::string map_frame_;
  const std::string robot_frame_;
  std::vector<Joint> door_joints_;
  std::vector<Joint> person_joints_;  // x and y of the first person, x and y of the second …
  tf2_ros::Buffer transforms_;
  tf2_ros::TransformListener listener_{transforms_};
  rclcpp::Publisher<geometry_msgs::msg::PoseWithCovarianceStamped>::SharedPtr start_;
  rclcpp::Time next_start_{0, 0, get_clock()->get_clock_type()};
  rclcpp::Publisher<sensor_msgs::msg::LaserScan>::SharedPtr scan_;
  rclcpp::Publisher<std_msgs::msg::Float64>::SharedPtr clearance_;
  rclcpp::Publisher<visualization_msgs::msg::MarkerArray>::SharedPtr markers_;
  rclcpp::TimerBase::SharedPtr timer_;
};

MovingWorldNode::MovingWorldNode()
    : Node("moving_world"),
      world_(make_world(*this)),
      period_(1.0 / declare_parameter<double>("rate", 10.0,
                                              described("moves and scans per second", 1.0, 100.0))),
      gazebo_(
          declare_parameter<bool>("gazebo", false, described("whether Gazebo scans and moves"))),
      beams_(static_cast<int>(declare_parameter<std::int64_t>(
          "beams", 1000,
          described("of a scan, all around", std::int64_t{4}, std::int64_t{100000})))),
      range_(declare_parameter<double>("range", 30.0, described("of the scan [m]", 0.1, 1000.0))),
      map_frame_(declare_parameter<std::string>("map_frame", "map", described("of the world"))),
      robot_frame_(declare_parameter<std::string>("robot_frame", "base_link",
                                                  described("of the robot and its scanner"))),
      transforms_(get_clock()) {
  if (gazebo_) {
    for (const Door& door : world_.world().doors) {
      door_joints_.push_back(make_joint(door.name, "slide"));
    }
    for (const Person& person : world_.world().people) {
      person_joints_.push_back(make_joint(person.name, "x"));
      person_joints_.push_back(make_joint(person.name, "y"));
    }
  } else {
    start_ = create_publisher<geometry_msgs::msg::PoseWithCovarianceStamped>("initialpose", 1);
    scan_ = create_publisher<sensor_msgs::msg::LaserScan>("scan", rclcpp::SensorDataQoS());
  }
  clearance_ = create_publisher<std_msgs::msg::Float64>("~/clearance", 10);
  markers_ = create_publisher<visualization_msgs::msg::MarkerArray>("~/markers", 1);
  timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(period_),
                                [this] { tick(); });
}

MovingWorldNode::Joint MovingWorldNode::make_joint(const std::string& name,
                                                   const std::string& joint) {
  return create_publisher<std_msgs::msg::Float64>(joint_topic(name, joint), 1);
}

void MovingWorldNode::tick() {
  const auto robot = find_robot();
  world_.advance(period_, robot ? std::optional(robot->place) : std::nullopt);
  if (gazebo_) {
    publish_joints();
  } else if (robot) {
    publish_scan(*robot);
  } else {
    publish_start();
  }
  if (robot) publish_clearance(*robot);
  if (markers_->get_subscription_count() > 0) publish_markers();
}

std::optional<MovingWorldNode::Robot> MovingWorldNode::find_robot() const {
  try {
    const auto found = transforms_.lookupTransform(map_frame_, robot_frame_, tf2::TimePointZero);
    const auto& place = found.transform.translation;
    return Robot{found.header.stamp, {place.x, place.y}, yaw_of(found.transform.rotation)};
  } catch (const tf2::TransformException&) {
    return std::nullopt;
  }
}

/// Nav2's loopback simulator has no place for its robot before somebody gives it one. It may not
/// listen yet; once a second is often enough.
void MovingWorldNode::publish_start() {
  if (start_->get_subscription_count() == 0 || now() < next_start_) return;
  next_start_ = now() + rclcpp::Duration::from_seconds(1.0);
  const World::Pose& start = world_.world().start;
  geometry_msgs::msg::PoseWithCovarianceStamped pose;
  pose.header.stamp = now();
  pose.header.frame_id = map_frame_;
  pose.pose.pose.position.x = start.place.x;
  pose.pose.pose.position.y = start.place.y;
  pose.pose.pose.orientation.z = std::sin(start.yaw / 2);
  pose.pose.pose.orientation.w = std::cos(start.yaw / 2);
  start_->publish(pose);
}

/// With the stamp of the transform that it was made with: who puts the scan into the map finds what
/// it saw exactly where it is.
void MovingWorldNode::publish_scan(const Robot& robot) {
  auto scan = std::make_unique<sensor_msgs::msg::LaserScan>();
  scan->header.stamp = robot.stamp;
  scan->header.frame_id = robot_frame_;
  scan->angle_min = static_cast<float>(-std::numbers::pi);
  scan->angle_increment = static_cast<float>(2.0 * std::numbers::pi / beams_);
  scan->angle_max = scan->angle_min + static_cast<float>(beams_ - 1) * scan->angle_increment;
  scan->range_min = 0.0F;
  scan->range_max = static_cast<float>(range_);
  scan->scan_time = static_cast<float>(period_);
  // What is exactly on the border of two cells might be drawn in either: a beam goes half a cell
  // into what it meets.
  const double into = world_.world().resolution / 2;
  scan->ranges.reserve(static_cast<std::size_t>(beams_));
  for (int i = 0; i < beams_; ++i) {
    const double angle = scan->angle_min + static_cast<double>(i) * scan->angle_increment;
    const double seen = world_.look(robot.place, robot.yaw + angle, range_ - into);
    scan->ranges.push_back(static_cast<float>(seen + into));
  }
  scan_->publish(std::move(scan));
}

void MovingWorldNode::publish_joints() {
  const auto publish = [](const Joint& joint, double position) {
    std_msgs::msg::Float64 message;
    message.data = position;
    joint->publish(message);
  };
  for (std::size_t i = 0; i < world_.doors(); ++i) {
    publish(door_joints_[i], length(world_.panel_moved(i)));
  }
  for (std::size_t i = 0; i < world_.people(); ++i) {
    const Place moved = world_.person(i) - world_.world().people[i].walk[0];
    publish(person_joints_[2 * i], moved.x);
    publish(person_joints_[2 * i + 1], moved.y);
  }
}

/// How much room the robot has; below 0, it has run into something.
void MovingWorldNode::publish_clearance(const Robot& robot) {
  std_msgs::msg::Float64 clearance;
  clearance.data = world_.clearance(robot.place) - world_.world().robot_radius;
  clearance_->publish(clearance);
}

void MovingWorldNode::publish_markers() {
  using visualization_msgs::msg::Marker;
  visualization_msgs::msg::MarkerArray markers;
  for (std::size_t i = 0; i < world_.doors(); ++i) {
    const Box panel = world_.panel(i);
    Marker marker =
        make_marker("doors", i, {(panel.left + panel.right) / 2, (panel.bottom + panel.top) / 2},
                    panel.right - panel.left, panel.top - panel.bottom, 0.9);
    marker.type = Marker::CUBE;
    marker.color.r = 0.6F;
    marker.color.g = 0.4F;
    marker.color.b = 0.2F;
    markers.markers.push_back(marker);
  }
  for (std::size_t i = 0; i < world_.people(); ++i) {
    const double width = 2 * world_.world().people[i].radius;
    Marker marker = make_marker("people", i, world_.person(i), width, width, 1.7);
    marker.type = Marker::CYLINDER;
    marker.color.r = 0.2F;
    marker.color.g = 0.4F;
    marker.color.b = 0.8F;
    markers.markers.push_back(marker);
  }
  for (Marker& marker : markers.markers) {
    marker.header.frame_id = map_frame_;
    marker.header.stamp = now();
  }
  markers_->publish(markers);
}

}  // namespace
}  // namespace dynamic_planners

int main(int argc, char** argv) {
  rclcpp::init(argc, argv);
  int code = 0;
  try {
    rclcpp::spin(std::make_shared<dynamic_planners::MovingWorldNode>());
  } catch (const std::exception& error) {
    RCLCPP_FATAL(rclcpp::get_logger("moving_world"), "%s", error.what());
    code = 2;
  }
  rclcpp::shutdown();
  return code;
}
