#include "bench/nav2_site.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

#include "nav_msgs/msg/occupancy_grid.hpp"

namespace bench {
namespace {

constexpr int kRoom = 100;  // cells
constexpr int kDoor = 30;
constexpr double kSpeed = 1.4;  // of a person [m/s]

int to_cell(double metres) {
  return static_cast<int>(std::floor(metres / kResolution));
}

/// Calls `visit` for the cells whose centre lies within a circle.
template <typename Visit>
void for_each_within(const Place& centre, double radius, Visit&& visit) {
  for (int y = to_cell(centre.y - radius); y <= to_cell(centre.y + radius); ++y) {
    for (int x = to_cell(centre.x - radius); x <= to_cell(centre.x + radius); ++x) {
      const Place cell{(x + 0.5) * kResolution, (y + 0.5) * kResolution};
      if (distance(cell, centre) <= radius) visit(x, y);
    }
  }
}

}  // namespace

double distance(const Place& a, const Place& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

// --- Building ----------------------------------------------------------------------------------

Building::Building(int size, std::uint64_t seed)
    : size_(size), walls_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size)) {
  std::mt19937_64 random(seed);
  const auto build = [&](int x, int y) {
    if (x < size && y < size) {
      walls_[static_cast<std::size_t>(y) * static_cast<std::size_t>(size) +
             static_cast<std::size_t>(x)] = true;
    }
  };
  for (int i = 0; i < size; ++i) {
    build(i, 0);
    build(i, size - 1);
    build(0, i);
    build(size - 1, i);
  }
  for (int along = kRoom; along < size - 1; along += kRoom) {
    for (int from = 0; from < size; from += kRoom) {
      for (const bool upright : {true, false}) {
        const int door = from + 5 + static_cast<int>(random() % (kRoom - kDoor - 10));
        for (int i = from; i < from + kRoom; ++i) {
          if (i >= door && i < door + kDoor) continue;
          if (upright) {
            build(along, i);
          } else {
            build(i, along);
          }
        }
      }
    }
  }
}

bool Building::wall_within(const Place& place, double radius) const {
  bool found = false;
  for_each_within(place, radius, [&](int x, int y) {
    found = found || x < 0 || y < 0 || x >= size_ || y >= size_ || wall_at(x, y);
  });
  return found;
}

Place Building::room(int column, int row) const {
  return {(column + 0.5) * kRoom * kResolution, (row + 0.5) * kRoom * kResolution};
}

int Building::rooms_per_side() const {
  return size_ / kRoom;
}

// --- People ------------------------------------------------------------------------------------

People::People(const Building& building, int count, std::uint64_t seed)
    : building_(&building), side_(std::min(50.0, building.size() * kResolution)), random_(seed) {
  while (static_cast<int>(places_.size()) < count) {
    const Place place{draw(side_), draw(side_)};
    if (building.wall_within(place, kPersonRadius)) continue;
    places_.push_back(place);
    headings_.push_back(draw(2.0 * std::numbers::pi));
  }
}

double People::draw(double limit) {
  return limit * static_cast<double>(random_() >> 11U) * 0x1p-53;
}

void People::walk(double seconds, const Place& robot, const Place& goal) {
  // So that the robot's place and its goal are never inscribed.
  constexpr double kDistance = kPersonRadius + kRobotRadius + 0.2;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Place& place = places_[i];
    const Place next{place.x + kSpeed * seconds * std::cos(headings_[i]),
                     place.y + kSpeed * seconds * std::sin(headings_[i])};
    const auto too_near = [&](const Place& other) {
      return distance(next, other) < std::min(kDistance, distance(place, other));
    };
    const bool away = next.x > side_ || next.y > side_;  // walls bar the other two ways
    if (away || building_->wall_within(next, kPersonRadius) || too_near(robot) || too_near(goal)) {
      headings_[i] = draw(2.0 * std::numbers::pi);
    } else {
      place = next;
    }
  }
}

// --- PeopleLayer -------------------------------------------------------------------------------

void PeopleLayer::updateBounds(double robot_x, double robot_y, double /*robot_yaw*/, double* min_x,
                               double* min_y, double* max_x, double* max_y) {
  robot_ = {robot_x, robot_y};
  const auto include = [&](const Place& centre) {
    *min_x = std::min(*min_x, centre.x - sight_);
    *min_y = std::min(*min_y, centre.y - sight_);
    *max_x = std::max(*max_x, centre.x + sight_);
    *max_y = std::max(*max_y, centre.y + sight_);
  };
  include(robot_);
  if (seen_) include(seen_from_);
  seen_ = true;
  seen_from_ = robot_;
}

void PeopleLayer::updateCosts(nav2_costmap_2d::Costmap2D& master, int min_i, int min_j, int max_i,
                              int max_j) {
  for (const Place& person : people_->places()) {
    for_each_within(person, kPersonRadius, [&](int x, int y) {
      const Place cell{(x + 0.5) * kResolution, (y + 0.5) * kResolution};
      if (x < min_i || y < min_j || x >= max_i || y >= max_j || distance(cell, robot_) > sight_) {
        return;
      }
      master.setCost(static_cast<unsigned>(x), static_cast<unsigned>(y),
                     nav2_costmap_2d::LETHAL_OBSTACLE);
    });
  }
}

// --- Site --------------------------------------------------------------------------------------

Site::Site(const Building& building, const People& people, bool see_all)
    : costmap_ros_(std::make_shared<nav2_costmap_2d::Costmap2DROS>("global_costmap")) {
  // Some are declared by now, in Lyrical fewer than before.
  const auto declare = [this](const std::string& name, const auto& value) {
    if (costmap_ros_->has_parameter(name)) {
      costmap_ros_->set_parameter(rclcpp::Parameter(name, value));
    } else {
      costmap_ros_->declare_parameter(name, rclcpp::ParameterValue(value));
    }
  };
  declare("plugins", std::vector<std::string>{"static_layer", "inflation_layer"});
  declare("robot_radius", kRobotRadius);
  declare("static_layer.plugin", std::string("nav2_costmap_2d::StaticLayer"));
  declare("inflation_layer.plugin", std::string("nav2_costmap_2d::InflationLayer"));
  declare("inflation_layer.inflation_radius", 0.7);
  declare("inflation_layer.cost_scaling_factor", 3.0);
  costmap_ros_->configure();

  auto* const layered = costmap_ros_->getLayeredCostmap();
  const double sight = see_all ? building.size() * kResolution : kSight;
  auto layer = std::make_shared<PeopleLayer>(people, sight);
  layer->initialize(layered, "people_layer", costmap_ros_->getTfBuffer().get(), costmap_ros_,
                    nullptr);
  layered->getPlugins()->insert(layered->getPlugins()->begin() + 1, layer);
  publish_map(building);
}

Site::~Site() {
  costmap_ros_->cleanup();
}

void Site::publish_map(const Building& building) {
  nav_msgs::msg::OccupancyGrid map;
  map.header.frame_id = costmap_ros_->getGlobalFrameID();
  map.info.resolution = static_cast<float>(kResolution);
  map.info.width = static_cast<unsigned>(building.size());
  map.info.height = static_cast<unsigned>(building.size());
  map.info.origin.orientation.w = 1.0;
  map.data.reserve(static_cast<std::size_t>(map.info.width) * map.info.height);
  for (int y = 0; y < building.size(); ++y) {
    for (int x = 0; x < building.size(); ++x) map.data.push_back(building.wall_at(x, y) ? 100 : 0);
  }
  const auto publisher = rclcpp::create_publisher<nav_msgs::msg::OccupancyGrid>(
      costmap_ros_->get_node_topics_interface(), "/map",
      rclcpp::QoS(1).transient_local().reliable());
  publisher->publish(map);

  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(costmap_ros_->get_node_base_interface());
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!costmap_ros_->getLayeredCostmap()->isSizeLocked()) {
    executor.spin_once(std::chrono::milliseconds(10));
    if (std::chrono::steady_clock::now() > end) {
      throw std::runtime_error("the costmap has not taken the map in");
    }
  }
}

void Site::update(const Place& robot) {
  geometry_msgs::msg::TransformStamped transform;
  transform.header.stamp = costmap_ros_->now();
  transform.header.frame_id = costmap_ros_->getGlobalFrameID();
  transform.child_frame_id = costmap_ros_->getBaseFrameID();
  transform.transform.translation.x = robot.x;
  transform.transform.translation.y = robot.y;
  transform.transform.rotation.w = 1.0;
  costmap_ros_->getTfBuffer()->setTransform(transform, "bench", true);
  costmap_ros_->getLayeredCostmap()->updateMap(robot.x, robot.y, 0.0);
}

geometry_msgs::msg::PoseStamped Site::pose(const Place& place) const {
  geometry_msgs::msg::PoseStamped pose;
  pose.header.frame_id = costmap_ros_->getGlobalFrameID();
  pose.pose.position.x = place.x;
  pose.pose.position.y = place.y;
  pose.pose.orientation.w = 1.0;
  return pose;
}

}  // namespace bench
