#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "geometry_msgs/msg/pose_stamped.hpp"
#include "nav2_costmap_2d/costmap_2d_ros.hpp"
#include "nav2_costmap_2d/layer.hpp"
#include "rclcpp/rclcpp.hpp"

/// Where the Nav2 race takes place: a site of rooms, people who walk in it, and the costmap of a
/// robot that drives through.
namespace bench {

inline constexpr double kResolution = 0.05;  // m
inline constexpr double kTick = 0.1;         // s
inline constexpr double kRobotRadius = 0.22;
inline constexpr double kPersonRadius = 0.3;
inline constexpr double kSight = 10.0;  // how far the robot sees [m]

struct Place {
  double x;
  double y;
};

double distance(const Place& a, const Place& b);

/// Rooms of 5 m with a door of 1.5 m in each wall. The same for the same size and seed.
class Building {
 public:
  Building(int size, std::uint64_t seed);

  int size() const { return size_; }
  bool wall_at(int x, int y) const {
    return walls_[static_cast<std::size_t>(y) * static_cast<std::size_t>(size_) +
                  static_cast<std::size_t>(x)];
  }
  bool wall_within(const Place& place, double radius) const;
  /// The middle of a room, counted from the bottom left.
  Place room(int column, int row) const;
  int rooms_per_side() const;

 private:
  int size_;
  std::vector<bool> walls_;
};

/// They walk straight on until something is in their way, and then somewhere else. On a large site
/// they stay within the 50 m around the robot's way, so that it meets as many as on a small one.
class People {
 public:
  People(const Building& building, int count, std::uint64_t seed);

  /// Lets time pass. Nobody walks into the robot or stands on its goal.
  void walk(double seconds, const Place& robot, const Place& goal);
  const std::vector<Place>& places() const { return places_; }

 private:
  double draw(double limit);

  const Building* building_;
  double side_;  // of where they walk [m]
  std::mt19937_64 random_;
  std::vector<Place> places_;
  std::vector<double> headings_;
};

/// What the robot's sensors put into its costmap: the people it sees. What it rewrites in a cycle
/// is what an obstacle layer rewrites: all that the robot sees.
class PeopleLayer : public nav2_costmap_2d::Layer {
 public:
  PeopleLayer(const People& people, double sight) : people_(&people), sight_(sight) {}

  void reset() override {}
  bool isClearable() override { return false; }
  void updateBounds(double robot_x, double robot_y, double robot_yaw, double* min_x, double* min_y,
                    double* max_x, double* max_y) override;
  void updateCosts(nav2_costmap_2d::Costmap2D& master, int min_i, int min_j, int max_i,
                   int max_j) override;

 protected:
  void onInitialize() override {
    current_ = true;
    enabled_ = true;
  }

 private:
  const People* people_;
  double sight_;
  Place robot_{};
  Place seen_from_{};  // in the cycle before: what was seen there has to go
  bool seen_ = false;
};

/// A real costmap of Nav2: its static layer with the building, the people, its inflation layer.
class Site {
 public:
  Site(const Building& building, const People& people, bool see_all);
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;
  ~Site();

  /// The robot is here now: one update cycle.
  void update(const Place& robot);

  const std::shared_ptr<nav2_costmap_2d::Costmap2DROS>& costmap_ros() const { return costmap_ros_; }
  nav2_costmap_2d::Costmap2D& costmap() const { return *costmap_ros_->getCostmap(); }
  geometry_msgs::msg::PoseStamped pose(const Place& place) const;

 private:
  void publish_map(const Building& building);

  std::shared_ptr<nav2_costmap_2d::Costmap2DROS> costmap_ros_;
};

}  // namespace bench
