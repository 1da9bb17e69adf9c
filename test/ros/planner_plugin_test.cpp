// The plugin as the planner server has it: loaded by pluginlib, over a real Costmap2DROS.

#include "dynamic_planners/ros/planner_plugin.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "dynamic_planners_msgs/msg/plan_report.hpp"
#include "nav2_core/planner_exceptions.hpp"
#include "nav2_costmap_2d/layer.hpp"
#include "nav_msgs/msg/occupancy_grid.hpp"
#include "pluginlib/class_loader.hpp"
#include "test/support/oracle.hpp"

namespace dynamic_planners::ros {
namespace {

using dynamic_planners_msgs::msg::PlanReport;
using geometry_msgs::msg::PoseStamped;
using nav2_costmap_2d::Costmap2D;

constexpr double kResolution = 0.1;
constexpr auto kMoment = std::chrono::milliseconds(5);  // so that stamps differ

/// A layer of costs that the test draws, cell by cell of the world, whose windows reach the costmap
/// by its update cycles, as those of Nav2's layers do.
class DrawnLayer : public nav2_costmap_2d::Layer {
 public:
  DrawnLayer() {
    name_ = "drawn";
    current_ = true;
    enabled_ = true;
  }

  void draw(int x, int y, std::uint8_t cost) {
    costs_[{x, y}] = cost;
    include(x, y);
  }
  void set_sensor(bool works) { sensor_works_ = works; }

  void reset() override {
    current_ = false;
    matchSize();
  }
  bool isClearable() override { return false; }
  void matchSize() override {
    for (const auto& [place, cost] : costs_) include(place.first, place.second);
  }
  void updateBounds(double /*robot_x*/, double /*robot_y*/, double /*robot_yaw*/, double* min_x,
                    double* min_y, double* max_x, double* max_y) override {
    current_ = sensor_works_;
    if (left_ > right_) return;
    *min_x = std::min(*min_x, (left_ + 0.5) * kResolution);
    *min_y = std::min(*min_y, (bottom_ + 0.5) * kResolution);
    *max_x = std::max(*max_x, (right_ + 0.5) * kResolution);
    *max_y = std::max(*max_y, (top_ + 0.5) * kResolution);
    left_ = bottom_ = kNowhere;
    right_ = top_ = -kNowhere;
  }
  void updateCosts(Costmap2D& master, int min_i, int min_j, int max_i, int max_j) override {
    const int x0 = static_cast<int>(std::lround(master.getOriginX() / kResolution));
    const int y0 = static_cast<int>(std::lround(master.getOriginY() / kResolution));
    for (int y = min_j; y < max_j; ++y) {
      for (int x = min_i; x < max_i; ++x) {
        const auto drawn = costs_.find({x + x0, y + y0});
        master.setCost(static_cast<unsigned>(x), static_cast<unsigned>(y),
                       drawn == costs_.end() ? 0 : drawn->second);
      }
    }
  }

 private:
  void include(int x, int y) {
    left_ = std::min(left_, x);
    bottom_ = std::min(bottom_, y);
    right_ = std::max(right_, x);
    top_ = std::max(top_, y);
  }

  static constexpr int kNowhere = 1 << 20;
  bool sensor_works_ = true;
  std::map<std::pair<int, int>, std::uint8_t> costs_;
  int left_ = kNowhere;
  int bottom_ = kNowhere;
  int right_ = -kNowhere;
  int top_ = -kNowhere;
};

using Parameters = std::vector<rclcpp::Parameter>;

/// A node with a costmap of so many cells, which the test writes by hand, and one planner.
class Fixture {
 public:
  Fixture(const std::string& plugin, int width, int height, Parameters parameters = {}) {
    parameters.emplace_back("planner.plugin", plugin);
    node_ = std::make_shared<LifecycleNode>("planner_server",
                                            rclcpp::NodeOptions().parameter_overrides(parameters));
    node_->declare_parameter("planner.plugin", rclcpp::ParameterValue(""));
    costmap_ros_ = std::make_shared<nav2_costmap_2d::Costmap2DROS>("global_costmap");
    // In Lyrical it is not declared yet.
    if (costmap_ros_->has_parameter("plugins")) {
      costmap_ros_->set_parameter(rclcpp::Parameter("plugins", std::vector<std::string>{}));
    } else {
      costmap_ros_->declare_parameter("plugins",
                                      rclcpp::ParameterValue(std::vector<std::string>{}));
    }
    costmap_ros_->configure();
    costmap().resizeMap(width, height, kResolution, 0.0, 0.0);
    // What the master costmap begins with is unknown, which is not what is tested here.
    fill(0);

    planner_ = loader_.createSharedInstance(plugin);
    planner_->configure(node_, "planner", costmap_ros_->getTfBuffer(), costmap_ros_);
    planner_->activate();
    auto topics = node_->get_node_topics_interface();
    report_subscription_ = rclcpp::create_subscription<PlanReport>(
        topics, "planner/report", rclcpp::QoS(10),
        [this](const PlanReport& report) { reports_.push_back(report); });
    path_subscription_ = rclcpp::create_subscription<nav_msgs::msg::Path>(
        topics, "planner/plan", rclcpp::QoS(10),
        [this](const nav_msgs::msg::Path& path) { published_.push_back(path); });
    const std::string topic =
        costmap_ros_->get_node_topics_interface()->resolve_topic_name("costmap_raw");
    const auto qos = rclcpp::QoS(10).transient_local().reliable();
    map_publisher_ = rclcpp::create_publisher<nav2_msgs::msg::Costmap>(topics, topic, qos);
    update_publisher_ =
        rclcpp::create_publisher<nav2_msgs::msg::CostmapUpdate>(topics, topic + "_updates", qos);
    executor_.add_node(node_->get_node_base_interface());
    // It listens from the first request on, whatever that is.
    EXPECT_THROW(plan(at(-9, 0), at(0, 0)), nav2_core::StartOutsideMapBounds);
    spin_until([&] {
      return update_publisher_->get_subscription_count() > 0 &&
             map_publisher_->get_subscription_count() > 0 &&
             node_->count_subscribers("planner/report") > 0;
    });
  }
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;
  ~Fixture() {
    planner_->deactivate();
    planner_->cleanup();
    planner_.reset();
    costmap_ros_->cleanup();
  }

  /// Down and up again, as a lifecycle manager does it.
  void restart() {
    planner_->deactivate();
    planner_->cleanup();
    planner_->configure(node_, "planner", costmap_ros_->getTfBuffer(), costmap_ros_);
    planner_->activate();
  }

  /// The robot is there now.
  void put_robot(const PoseStamped& pose) {
    geometry_msgs::msg::TransformStamped transform;
    transform.header = pose.header;
    transform.child_frame_id = costmap_ros_->getBaseFrameID();
    transform.transform.translation.x = pose.pose.position.x;
    transform.transform.translation.y = pose.pose.position.y;
    transform.transform.rotation = pose.pose.orientation;
    costmap_ros_->getTfBuffer()->setTransform(transform, "test", true);
  }

  Costmap2D& costmap() { return *costmap_ros_->getCostmap(); }
  nav2_costmap_2d::LayeredCostmap& layers() { return *costmap_ros_->getLayeredCostmap(); }
  std::shared_ptr<nav2_costmap_2d::Costmap2DROS> costmap_ros() { return costmap_ros_; }
  std::shared_ptr<LifecycleNode> node_pointer() { return node_; }
  LifecycleNode& node() { return *node_; }
  nav2_core::GlobalPlanner& planner() { return *planner_; }
  const std::vector<nav_msgs::msg::Path>& published() const { return published_; }
  const std::vector<PlanReport>& reports() const { return reports_; }
  PlanReport last_report() const { return reports_.empty() ? PlanReport{} : reports_.back(); }

  void fill(std::uint8_t cost) {
    for (unsigned y = 0; y < costmap().getSizeInCellsY(); ++y) {
      for (unsigned x = 0; x < costmap().getSizeInCellsX(); ++x) set(x, y, cost);
    }
  }
  void set(unsigned x, unsigned y, std::uint8_t cost) {
    const std::lock_guard lock(*costmap().getMutex());
    costmap().setCost(x, y, cost);
  }

  /// Lets the costmap roll by so many cells. What comes in is free.
  void roll(int cells_x, int cells_y) {
    const std::lock_guard lock(*costmap().getMutex());
    costmap().setDefaultValue(0);
    // Half a cell more, since it rounds down.
    costmap().updateOrigin(costmap().getOriginX() + (cells_x + 0.5) * kResolution,
                           costmap().getOriginY() + (cells_y + 0.5) * kResolution);
  }

  PoseStamped at(double cell_x, double cell_y, double yaw = 0.0) {
    PoseStamped pose;
    pose.header.frame_id = costmap_ros_->getGlobalFrameID();
    pose.pose.position.x = costmap().getOriginX() + (cell_x + 0.5) * kResolution;
    pose.pose.position.y = costmap().getOriginY() + (cell_y + 0.5) * kResolution;
    pose.pose.orientation.z = std::sin(yaw / 2);
    pose.pose.orientation.w = std::cos(yaw / 2);
    return pose;
  }

  nav_msgs::msg::Path plan(
      const PoseStamped& start, const PoseStamped& goal,
      std::function<bool()> cancelled = [] { return false; }) {
#if DYNAMIC_PLANNERS_HAS_VIAPOINTS
    return planner_->createPlan(start, goal, {}, std::move(cancelled));
#else
    return planner_->createPlan(start, goal, std::move(cancelled));
#endif
  }

  /// Plans, and waits for the report of that plan; those of repairs in the background are older.
  PlanReport report_of_plan(const PoseStamped& start, const PoseStamped& goal) {
    return report_of(plan(start, goal));
  }
  PlanReport report_of(const nav_msgs::msg::Path& path) {
    const rclcpp::Time stamp = path.header.stamp;
    spin_until([&] { return rclcpp::Time(last_report().header.stamp) >= stamp; });
    return last_report();
  }

  /// Publishes a window of the costmap as it is now, as the costmap's publisher would.
  void publish(unsigned x, unsigned y, unsigned width, unsigned height) {
    nav2_msgs::msg::CostmapUpdate update;
    update.header.stamp = node_->now();
    update.x = x;
    update.y = y;
    update.size_x = width;
    update.size_y = height;
    const std::lock_guard lock(*costmap().getMutex());
    for (unsigned j = y; j < y + height; ++j) {
      for (unsigned i = x; i < x + width; ++i) update.data.push_back(costmap().getCost(i, j));
    }
    publish(update);
  }
  void publish(const nav2_msgs::msg::CostmapUpdate& update) {
    update_publisher_->publish(update);
  }
  void publish(const nav2_msgs::msg::Costmap& costmap) {
    map_publisher_->publish(costmap);
  }

  /// The whole costmap as it is now, as its publisher would send it.
  nav2_msgs::msg::Costmap message() {
    nav2_msgs::msg::Costmap message;
    message.header.stamp = node_->now();
    message.metadata.resolution = static_cast<float>(costmap().getResolution());
    message.metadata.size_x = costmap().getSizeInCellsX();
    message.metadata.size_y = costmap().getSizeInCellsY();
    message.metadata.origin.position.x = costmap().getOriginX();
    message.metadata.origin.position.y = costmap().getOriginY();
    const std::uint8_t* const costs = costmap().getCharMap();
    message.data.assign(costs, costs + message.metadata.size_x * message.metadata.size_y);
    return message;
  }

  template <typename Condition>
  bool spin_until(Condition&& condition,
                  std::chrono::milliseconds limit = std::chrono::seconds(10)) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!condition() && std::chrono::steady_clock::now() < end) {
      executor_.spin_once(std::chrono::milliseconds(1));
    }
    return condition();
  }
  void spin_for(std::chrono::milliseconds time) {
    spin_until([] { return false; }, time);
  }

  oracle::World truth() {
    oracle::World world;
    world.width = static_cast<int>(costmap().getSizeInCellsX());
    world.height = static_cast<int>(costmap().getSizeInCellsY());
    const std::uint8_t* const costs = costmap().getCharMap();
    world.costs.assign(costs, costs + world.width * world.height);
    return world;
  }

 private:
  pluginlib::ClassLoader<nav2_core::GlobalPlanner> loader_{"nav2_core", "nav2_core::GlobalPlanner"};
  std::shared_ptr<LifecycleNode> node_;
  std::shared_ptr<nav2_costmap_2d::Costmap2DROS> costmap_ros_;
  std::shared_ptr<nav2_core::GlobalPlanner> planner_;
  rclcpp::Subscription<PlanReport>::SharedPtr report_subscription_;
  rclcpp::Subscription<nav_msgs::msg::Path>::SharedPtr path_subscription_;
  rclcpp::Publisher<nav2_msgs::msg::Costmap>::SharedPtr map_publisher_;
  rclcpp::Publisher<nav2_msgs::msg::CostmapUpdate>::SharedPtr update_publisher_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  std::vector<PlanReport> reports_;
  std::vector<nav_msgs::msg::Path> published_;
};

int from_environment(const char* name, int otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

double distance(const PoseStamped& a, const PoseStamped& b) {
  return std::hypot(a.pose.position.x - b.pose.position.x, a.pose.position.y - b.pose.position.y);
}

/// Whether no pose lies in a blocked cell, and no place between two of them.
bool is_free(Fixture& fixture, const nav_msgs::msg::Path& path) {
  constexpr int kBetween = 8;
  const auto is_blocked = [&](double place_x, double place_y) {
    unsigned x = 0;
    unsigned y = 0;
    if (!fixture.costmap().worldToMap(place_x, place_y, x, y)) return true;
    const int cost = fixture.costmap().getCost(x, y);
    return cost == 253 || cost == 254;
  };
  for (std::size_t i = 0; i < path.poses.size(); ++i) {
    const auto& to = path.poses[i].pose.position;
    const auto& from = i == 0 ? to : path.poses[i - 1].pose.position;
    for (int k = 1; k <= kBetween; ++k) {
      const double share = static_cast<double>(k) / kBetween;
      if (is_blocked(from.x + share * (to.x - from.x), from.y + share * (to.y - from.y))) {
        return false;
      }
    }
  }
  return true;
}

/// What a path costs that leads from middle to middle of cells, by the moves that its poses make.
std::int64_t cost_along(Fixture& fixture, const nav_msgs::msg::Path& path) {
  const oracle::World world = fixture.truth();
  std::int64_t cost = 0;
  int before = -1;
  for (const PoseStamped& pose : path.poses) {
    unsigned x = 0;
    unsigned y = 0;
    fixture.costmap().worldToMap(pose.pose.position.x, pose.pose.position.y, x, y);
    const int cell = world.index(static_cast<int>(x), static_cast<int>(y));
    if (before >= 0 && cell != before) {
      const auto move = oracle::move_cost(world, before, cell);
      if (!move) return oracle::kUnreachable;
      cost += *move;
    }
    before = cell;
  }
  return cost;
}

/// Continuous, about the resolution apart, and never in a blocked cell.
void check_path(Fixture& fixture, const nav_msgs::msg::Path& path) {
  ASSERT_FALSE(path.poses.empty());
  for (std::size_t i = 1; i < path.poses.size(); ++i) {
    ASSERT_LE(distance(path.poses[i - 1], path.poses[i]),
              1.5 * fixture.costmap().getResolution() + 1e-9);
  }
  ASSERT_TRUE(is_free(fixture, path));
}

/// Waits for a path to be published, later than the first `known` ones, that is as it should be in
/// the costmap of now; anytime planners may have published one of before.
void await_path(Fixture& fixture, std::size_t known = 0) {
  ASSERT_TRUE(fixture.spin_until([&] {
    return fixture.published().size() > known && is_free(fixture, fixture.published().back());
  }));
  check_path(fixture, fixture.published().back());
}

class EveryPlugin : public testing::TestWithParam<PlannerInfo> {
 protected:
  std::string plugin() const { return std::string(GetParam().plugin); }
};

TEST_P(EveryPlugin, PlansFromPoseToPose) {
  Fixture fixture(plugin(), 60, 40);
  for (unsigned y = 5; y < 40; ++y) fixture.set(30, y, 254);
  const auto start = fixture.at(3.3, 30.1);
  const auto goal = fixture.at(55.2, 30.4, 1.0);
  const auto path = fixture.plan(start, goal);
  check_path(fixture, path);
  EXPECT_EQ(path.header.frame_id, "map");
  EXPECT_LT(distance(path.poses.front(), start), 1e-9);
  EXPECT_LT(distance(path.poses.back(), goal), 1e-9);
  EXPECT_EQ(path.poses.back().pose.orientation, goal.pose.orientation);
}

TEST_P(EveryPlugin, APlanIsRightEvenIfNoMessageEverArrived) {
  Fixture fixture(plugin(), 40, 40);
  const auto start = fixture.at(2, 20);
  const auto goal = fixture.at(37, 20);
  fixture.plan(start, goal);
  for (unsigned y = 0; y < 39; ++y) fixture.set(20, y, 254);
  const auto path = fixture.plan(start, goal);
  check_path(fixture, path);
  fixture.set(20, 39, 254);
  EXPECT_THROW(fixture.plan(start, goal), nav2_core::NoValidPathCouldBeFound);
  fixture.set(20, 20, 0);
  check_path(fixture, fixture.plan(start, goal));
}

TEST_P(EveryPlugin, ThrowsByCause) {
  Fixture fixture(plugin(), 40, 40,
                  {rclcpp::Parameter("planner.tolerance", 0.0),
                   rclcpp::Parameter("planner.start_tolerance", 0.0)});
  fixture.set(10, 10, 254);
  fixture.set(30, 30, 253);
  const auto reports = [&](int status) {
    return fixture.spin_until([&] { return fixture.last_report().status == status; });
  };
  EXPECT_THROW(fixture.plan(fixture.at(5, 3), fixture.at(5, 50)), nav2_core::GoalOutsideMapBounds);
  EXPECT_TRUE(reports(PlanReport::GOAL_OUTSIDE));
  EXPECT_THROW(fixture.plan(fixture.at(-5, 3), fixture.at(5, 5)), nav2_core::StartOutsideMapBounds);
  EXPECT_TRUE(reports(PlanReport::START_OUTSIDE));
  EXPECT_THROW(fixture.plan(fixture.at(10, 10), fixture.at(5, 5)), nav2_core::StartOccupied);
  EXPECT_THROW(fixture.plan(fixture.at(5, 5), fixture.at(30, 30)), nav2_core::GoalOccupied);
  EXPECT_THROW(fixture.plan(fixture.at(5, 5), fixture.at(35, 35), [] { return true; }),
               nav2_core::PlannerCancelled);
  auto nowhere = fixture.at(5, 5);
  nowhere.pose.position.x = std::nan("");
  EXPECT_THROW(fixture.plan(nowhere, fixture.at(35, 35)), nav2_core::StartOutsideMapBounds);
}

TEST_P(EveryPlugin, EndsNearABlockedGoalAndLeavesABlockedStart) {
  Fixture fixture(plugin(), 40, 40);
  for (unsigned y = 18; y <= 22; ++y) {
    for (unsigned x = 28; x <= 32; ++x) fixture.set(x, y, 254);
    for (unsigned x = 3; x <= 5; ++x) fixture.set(x, y, 254);
  }
  // A free pocket inside the obstacle is nearer to the goal, but nobody gets there.
  fixture.set(30, 21, 0);
  const auto goal = fixture.at(30, 20);
  const auto path = fixture.plan(fixture.at(4, 20), goal);
  EXPECT_NEAR(distance(path.poses.back(), goal), 3 * kResolution, 1e-6);
  EXPECT_LT(distance(path.poses.front(), fixture.at(4, 20)), 1e-9);
}

/// A goal in a pocket that nobody gets into: as near as one gets, within the tolerance.
TEST_P(EveryPlugin, EndsNearAGoalThatCannotBeReached) {
  Fixture fixture(plugin(), 60, 40);
  for (unsigned i = 0; i <= 8; ++i) {
    for (const auto& [x, y] : {std::pair{40 + i, 16U}, {40 + i, 24U}, {40U, 16 + i}, {48U, 16 + i}})
      fixture.set(x, y, 254);
  }
  const auto start = fixture.at(5, 20);
  const auto goal = fixture.at(43, 20);
  const auto path = fixture.plan(start, goal);
  check_path(fixture, path);
  EXPECT_NEAR(distance(path.poses.back(), goal), 4 * kResolution, 1e-6);
  // As long as nothing changes that place is known, and no longer.
  EXPECT_EQ(fixture.plan(start, goal).poses.back().pose, path.poses.back().pose);
  for (unsigned y = 14; y <= 26; ++y) fixture.set(39, y, 254);
  EXPECT_NEAR(distance(fixture.plan(start, goal).poses.back(), goal), 5 * kResolution, 1e-6);
  for (unsigned y = 0; y < 40; ++y) fixture.set(20, y, 254);
  EXPECT_THROW(fixture.plan(start, goal), nav2_core::NoValidPathCouldBeFound);
  for (unsigned y = 0; y < 40; ++y) {
    fixture.set(20, y, 0);
    if (y >= 14 && y <= 26) fixture.set(39, y, 0);
  }
  EXPECT_EQ(fixture.plan(start, goal).poses.back().pose, path.poses.back().pose);
  fixture.node().set_parameter(rclcpp::Parameter("planner.tolerance", 0.3));
  EXPECT_THROW(fixture.plan(start, goal), nav2_core::NoValidPathCouldBeFound);
  // Where the robot itself is closed in, nothing near the goal is worth a search of its own.
  fixture.node().set_parameter(rclcpp::Parameter("planner.tolerance", 1.0));
  for (unsigned y = 0; y < 40; y += 2) {
    for (unsigned x = 0; x < 30; ++x) fixture.set(x, y, 254);
  }
  EXPECT_THROW(fixture.plan(goal, fixture.at(15, 21)), nav2_core::NoValidPathCouldBeFound);
  ASSERT_TRUE(
      fixture.spin_until([&] { return fixture.last_report().status == PlanReport::NO_PATH; }));
  EXPECT_LE(fixture.last_report().expansions, 60U * 40U);
}

/// A large tolerance in a large obstacle is no reason to be late.
TEST_P(EveryPlugin, LooksAroundForNoLongerThanItMay) {
  Fixture fixture(plugin(), 1000, 1000,
                  {rclcpp::Parameter("planner.tolerance", 1000.0),
                   rclcpp::Parameter("planner.start_tolerance", 1000.0),
                   rclcpp::Parameter("planner.max_planning_time", 0.001)});
  fixture.fill(254);
  fixture.set(0, 0, 0);
  fixture.set(0, 2, 0);
  const auto corner = fixture.at(0, 0);
  const auto middle = fixture.at(500, 500);
  EXPECT_THROW(fixture.plan(corner, middle), nav2_core::PlannerTimedOut);
  EXPECT_THROW(fixture.plan(middle, corner), nav2_core::PlannerTimedOut);
  fixture.node().set_parameter(rclcpp::Parameter("planner.max_planning_time", 60.0));
  for (const auto& [start, goal] : {std::pair{corner, middle}, {middle, corner}}) {
    int asked = 0;
    EXPECT_THROW(fixture.plan(start, goal, [&] { return ++asked > 2; }),
                 nav2_core::PlannerCancelled);
  }
}

/// Out of inflation the robot goes where it came from, not through the wall that is inflated, and
/// not into a hole from which there is no way on.
TEST_P(EveryPlugin, LeavesAnObstacleByTheCheapestWayThatLeadsOn) {
  Fixture fixture(plugin(), 60, 40, {rclcpp::Parameter("planner.start_tolerance", 1.0)});
  for (unsigned y = 0; y < 40; ++y) {
    for (unsigned x = 20; x <= 28; ++x) fixture.set(x, y, 253);
    fixture.set(23, y, 254);  // nearer to the left, but that is behind the wall
  }
  fixture.set(25, 22, 0);
  const auto start = fixture.at(24, 20);
  const auto path = fixture.plan(start, fixture.at(50, 20));
  EXPECT_LT(distance(path.poses.front(), start), 1e-9);
  for (const auto& pose : path.poses) {
    EXPECT_GE(pose.pose.position.x, start.pose.position.x - 1e-9);
  }
  // With less tolerance there is no way out but into the hole.
  fixture.node().set_parameter(rclcpp::Parameter("planner.start_tolerance", 0.3));
  EXPECT_THROW(fixture.plan(start, fixture.at(50, 20)), nav2_core::NoValidPathCouldBeFound);
  fixture.set(25, 22, 253);
  EXPECT_THROW(fixture.plan(start, fixture.at(50, 20)), nav2_core::StartOccupied);
}

/// From anywhere in a cell to anywhere in another, through clutter: what is between is never
/// blocked.
TEST_P(EveryPlugin, PosesNeverLieInObstacles) {
  Fixture fixture(plugin(), 50, 50,
                  {rclcpp::Parameter("planner.tolerance", 0.0),
                   rclcpp::Parameter("planner.path_commitment", 1.0),
                   rclcpp::Parameter("planner.start_tolerance", 0.0)});
  std::mt19937 random(11);
  const auto draw = [&](double limit) { return limit * static_cast<double>(random()) * 0x1p-32; };
  int found = 0;
  for (int round = 0; round < 60; ++round) {
    for (int i = 0; i < 120; ++i) {
      fixture.set(static_cast<unsigned>(draw(50)), static_cast<unsigned>(draw(50)),
                  i % 3 == 0 ? 0 : 250 + static_cast<std::uint8_t>(draw(5)));
    }
    const auto start = fixture.at(draw(50) - 0.5, draw(50) - 0.5);
    const auto goal = fixture.at(draw(50) - 0.5, draw(50) - 0.5);
    try {
      auto here = start;
      // The robot drives, never quite on the path, and keeps to it.
      for (int step = 0; step < 8; ++step) {
        const auto path = fixture.plan(here, goal);
        check_path(fixture, path);
        EXPECT_LT(distance(path.poses.front(), here), 1e-9);
        if (path.poses.size() > 1) {
          EXPECT_LT(distance(path.poses.back(), goal), 1e-9);
        }
        ++found;
        here = path.poses[std::min<std::size_t>(path.poses.size() - 1, 3)];
        here.pose.position.x += (draw(2.4) - 1.2) * kResolution;
        here.pose.position.y += (draw(2.4) - 1.2) * kResolution;
      }
    } catch (const nav2_core::PlannerException&) {
      // One of the two is blocked.
    }
  }
  EXPECT_GT(found, 60);
}

TEST_P(EveryPlugin, PosesAreSpacedAtTheResolutionAndLookAlongThePath) {
  Fixture fixture(plugin(), 60, 40, {rclcpp::Parameter("planner.connectivity", 8)});
  for (unsigned y = 5; y < 40; ++y) fixture.set(20, y, 254);
  for (unsigned y = 0; y < 31; ++y) fixture.set(37, y, 254);
  for (const bool approach : {false, true}) {
    fixture.node().set_parameter(
        rclcpp::Parameter("planner.use_final_approach_orientation", approach));
    const auto goal = fixture.at(55.4, 9.8, 1.0);
    const auto& poses = fixture.plan(fixture.at(3.3, 30.1), goal).poses;
    ASSERT_GT(poses.size(), 60U);
    for (std::size_t i = 0; i + 1 < poses.size(); ++i) {
      // Around a corner the chord is shorter, and the end is where it is.
      const double gap = distance(poses[i], poses[i + 1]) / kResolution;
      const bool is_last = i + 2 == poses.size();
      EXPECT_GE(gap, is_last ? 0.5 - 1e-6 : 0.7) << i;
      EXPECT_LE(gap, is_last ? 1.5 + 1e-6 : 1.0 + 1e-6) << i;
      const auto& here = poses[i].pose;
      const auto& there = poses[i + 1].pose;
      const double yaw =
          std::atan2(there.position.y - here.position.y, there.position.x - here.position.x);
      EXPECT_NEAR(std::cos(2 * std::atan2(here.orientation.z, here.orientation.w) - yaw), 1.0, 1e-9)
          << i;
    }
    EXPECT_EQ(poses.back().pose.orientation,
              approach ? poses[poses.size() - 2].pose.orientation : goal.pose.orientation);
  }
}

TEST_P(EveryPlugin, PlansFromEdgeToEdge) {
  Fixture fixture(plugin(), 40, 30);
  for (unsigned y = 0; y < 29; ++y) fixture.set(20, y, 254);  // around its end runs the edge
  const auto start = fixture.at(-0.5, -0.5);
  const auto goal = fixture.at(39.499, 29.499);
  const auto path = fixture.plan(start, goal);
  check_path(fixture, path);
  EXPECT_LT(distance(path.poses.front(), start), 1e-9);
  EXPECT_LT(distance(path.poses.back(), goal), 1e-9);
  EXPECT_THROW(fixture.plan(start, fixture.at(39.501, 5)), nav2_core::GoalOutsideMapBounds);
}

TEST_P(EveryPlugin, StartAndGoalInOneCellAreOnePose) {
  Fixture fixture(plugin(), 40, 40);
  const auto path = fixture.plan(fixture.at(7.1, 7.1, 0.5), fixture.at(7.3, 7.2, 2.0));
  ASSERT_EQ(path.poses.size(), 1U);
  EXPECT_EQ(path.poses.front().pose.orientation, fixture.at(0, 0, 2.0).pose.orientation);
}

TEST_P(EveryPlugin, PublishesARepairedPathWithoutBeingAsked) {
  Fixture fixture(plugin(), 60, 60);
  fixture.plan(fixture.at(5, 30), fixture.at(55, 30));
  for (unsigned y = 10; y < 50; ++y) fixture.set(30, y, 254);
  std::this_thread::sleep_for(kMoment);
  fixture.publish(30, 10, 1, 40);
  await_path(fixture);
}

/// Whatever is wrong with a message, it is a reason to read the costmap itself, in which there is a
/// wall by then.
TEST_P(EveryPlugin, RefusesMessagesThatDoNotFitAndReadsTheCostmapInstead) {
  using nav2_msgs::msg::Costmap;
  using nav2_msgs::msg::CostmapUpdate;
  Fixture fixture(plugin(), 60, 60);
  const auto window = [&](unsigned x, unsigned y, unsigned width, unsigned height, int costs) {
    CostmapUpdate update;
    update.header.stamp = fixture.node().now();
    update.x = x;
    update.y = y;
    update.size_x = width;
    update.size_y = height;
    update.data.assign(static_cast<std::size_t>(costs), 254);
    fixture.publish(update);
  };
  const auto map = [&](auto&& spoil) {
    Costmap message = fixture.message();
    std::fill(message.data.begin(), message.data.end(), 254);
    spoil(message);
    fixture.publish(message);
  };
  const std::vector<std::function<void()>> wrong{
      [&] { window(50, 4294967290U, 20, 20, 400); },
      [&] { window(50, 50, 4294967290U, 20, 400); },
      [&] { window(50, 50, 11, 5, 55); },
      [&] { window(10, 10, 20, 20, 399); },
      [&] { window(10, 10, 20, 20, 0); },
      [&] { map([](Costmap& message) { message.metadata.resolution *= 2; }); },
      [&] { map([](Costmap& message) { message.metadata.resolution = std::nanf(""); }); },
      [&] { map([](Costmap& message) { message.metadata.size_x = 4294967295U; }); },
      [&] { map([](Costmap& message) { message.metadata.origin.position.x += 0.03; }); },
      [&] { map([](Costmap& message) { message.metadata.origin.position.x += 0.2; }); },
      [&] { map([](Costmap& message) { message.data.pop_back(); }); },
      [&] { map([](Costmap& message) { message.header.stamp.sec -= 10; }); },
      [&] { map([](Costmap& message) { message.header.stamp.sec = -10; }); },
  };
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    fixture.fill(0);
    fixture.plan(fixture.at(5, 30), fixture.at(55, 30));
    for (unsigned y = 10; y < 50; ++y) fixture.set(30, y, 254);
    std::this_thread::sleep_for(kMoment);
    const std::size_t before = fixture.published().size();
    wrong[i]();
    SCOPED_TRACE(i);
    await_path(fixture, before);
    // Of what it said nothing is left.
    check_path(fixture, fixture.plan(fixture.at(5, 15), fixture.at(55, 45)));
  }
}

/// Somebody else's messages may fit and yet be wrong: the costmap in memory has the last word.
TEST_P(EveryPlugin, TrustsTheCostmapMoreThanMessages) {
  Fixture fixture(plugin(), 60, 60, {rclcpp::Parameter("planner.tolerance", 0.0)});
  auto layer = std::make_shared<DrawnLayer>();
  fixture.layers().addPlugin(layer);
  const auto start = fixture.at(5, 30);
  const auto goal = fixture.at(55, 30);
  layer->draw(1, 1, 0);
  fixture.layers().updateMap(0.0, 0.0, 0.0);  // from now on it is known which windows are written
  fixture.plan(start, goal);
  std::this_thread::sleep_for(kMoment);
  auto lie = fixture.message();
  std::fill(lie.data.begin(), lie.data.end(), 254);
  lie.data[30 * 60 + 5] = 0;
  fixture.publish(lie);
  ASSERT_TRUE(fixture.spin_until([&] {
    return fixture.last_report().status == PlanReport::GOAL_BLOCKED;
  })) << "it was believed";
  check_path(fixture, fixture.plan(start, goal));
}

/// After a clear all is free, until the layers have written it anew.
TEST_P(EveryPlugin, PublishesNothingWhileTheCostmapIsNotCurrent) {
  Fixture fixture(plugin(), 60, 60);
  auto layer = std::make_shared<DrawnLayer>();
  fixture.layers().addPlugin(layer);
  for (int y = 5; y < 60; ++y) layer->draw(30, y, 254);
  fixture.layers().updateMap(0.0, 0.0, 0.0);
  check_path(fixture, fixture.plan(fixture.at(5, 30), fixture.at(55, 30)));
  const auto publishes = [&](bool whether) {
    const std::size_t before = fixture.published().size();
    nav2_msgs::msg::CostmapUpdate wrong;  // a reason to read the costmap
    wrong.header.stamp = fixture.node().now();
    wrong.size_x = 1;
    fixture.publish(wrong);
    if (whether) return await_path(fixture, before);
    fixture.spin_for(std::chrono::milliseconds(200));
    EXPECT_EQ(fixture.published().size(), before);
  };
  publishes(false);  // anytime planners have come to an end, and nothing has changed
  {
    const std::lock_guard lock(*fixture.costmap().getMutex());
    fixture.costmap_ros()->resetLayers();
  }
  publishes(false);
  for (int y = 0; y < 20; ++y) layer->draw(20, y, 254);
  fixture.layers().updateMap(0.0, 0.0, 0.0);
  publishes(true);
  // A sensor is dead. Nav2 does not plan then, and neither do we.
  layer->set_sensor(false);
  for (int y = 20; y < 40; ++y) layer->draw(20, y, 254);
  fixture.layers().updateMap(0.0, 0.0, 0.0);
  publishes(false);
  layer->set_sensor(true);
  fixture.layers().updateMap(0.0, 0.0, 0.0);
  publishes(true);
}

/// As Nav2's own planners do it, and in Lyrical a service.
TEST_P(EveryPlugin, SeesWhatIsWrittenBesideTheUpdateCycles) {
  Fixture fixture(plugin(), 60, 60);
  auto layer = std::make_shared<DrawnLayer>();
  fixture.layers().addPlugin(layer);
  layer->draw(1, 1, 0);
  fixture.layers().updateMap(0.0, 0.0, 0.0);
  fixture.plan(fixture.at(5, 30), fixture.at(55, 30));
  for (unsigned y = 20; y < 40; ++y) fixture.set(30, y, 254);
  await_path(fixture);
  check_path(fixture, fixture.plan(fixture.at(5, 30), fixture.at(55, 30)));
}

TEST_P(EveryPlugin, ListensOnlyWhenItIsAsked) {
  Fixture fixture(plugin(), 40, 40, {rclcpp::Parameter("idle.plugin", plugin())});
  fixture.node().declare_parameter("idle.plugin", rclcpp::ParameterValue(""));
  PlannerPlugin idle;
  idle.configure(fixture.node_pointer(), "idle", nullptr, fixture.costmap_ros());
  idle.activate();
  const std::string topic =
      fixture.costmap_ros()->get_node_topics_interface()->resolve_topic_name("costmap_raw");
  fixture.spin_for(std::chrono::milliseconds(100));
  EXPECT_EQ(fixture.node().count_subscribers(topic), 1U);
#if DYNAMIC_PLANNERS_HAS_VIAPOINTS
  idle.createPlan(fixture.at(5, 5), fixture.at(6, 6), {}, [] { return false; });
#else
  idle.createPlan(fixture.at(5, 5), fixture.at(6, 6), [] { return false; });
#endif
  EXPECT_TRUE(fixture.spin_until([&] { return fixture.node().count_subscribers(topic) == 2U; }));
  idle.deactivate();
  EXPECT_TRUE(fixture.spin_until([&] { return fixture.node().count_subscribers(topic) == 1U; }));
}

TEST_P(EveryPlugin, RejectsBadParametersAndKeepsTheOldOnes) {
  Fixture fixture(plugin(), 40, 40);
  const auto result = fixture.node().set_parameter(rclcpp::Parameter("planner.tolerance", -1.0));
  EXPECT_FALSE(result.successful);
  EXPECT_NE(result.reason.find("from 0 to 1000"), std::string::npos) << result.reason;
  EXPECT_EQ(fixture.node().get_parameter("planner.tolerance").as_double(), 0.5);
  EXPECT_FALSE(
      fixture.node().set_parameter(rclcpp::Parameter("planner.connectivity", 6)).successful);
  EXPECT_TRUE(
      fixture.node().set_parameter(rclcpp::Parameter("planner.allow_unknown", false)).successful);
  for (unsigned y = 0; y < 40; ++y) fixture.set(20, y, 255);
  EXPECT_THROW(fixture.plan(fixture.at(5, 5), fixture.at(35, 5)),
               nav2_core::NoValidPathCouldBeFound);
}

TEST_P(EveryPlugin, TakesParametersWheneverTheyAreSet) {
  Fixture fixture(plugin(), 40, 40);
  for (unsigned y = 0; y < 40; ++y) fixture.set(20, y, 255);
  fixture.planner().deactivate();
  EXPECT_FALSE(fixture.node().set_parameter(rclcpp::Parameter("planner.epsilon", 0.5)).successful);
  EXPECT_TRUE(
      fixture.node().set_parameter(rclcpp::Parameter("planner.allow_unknown", false)).successful);
  fixture.planner().activate();
  EXPECT_THROW(fixture.plan(fixture.at(5, 5), fixture.at(35, 5)),
               nav2_core::NoValidPathCouldBeFound);
  // Of several that are set at once, one is bad: all stay as they were.
  EXPECT_FALSE(fixture.node()
                   .set_parameters_atomically({rclcpp::Parameter("planner.allow_unknown", true),
                                               rclcpp::Parameter("planner.path_commitment", -1.0)})
                   .successful);
  EXPECT_THROW(fixture.plan(fixture.at(5, 5), fixture.at(35, 5)),
               nav2_core::NoValidPathCouldBeFound);
  EXPECT_TRUE(
      fixture.node().set_parameter(rclcpp::Parameter("planner.allow_unknown", true)).successful);
  check_path(fixture, fixture.plan(fixture.at(5, 5), fixture.at(35, 5)));
}

TEST_P(EveryPlugin, IsNotConfiguredWithBadParameters) {
  Fixture fixture(
      plugin(), 40, 40,
      {rclcpp::Parameter("other.plugin", plugin()), rclcpp::Parameter("other.kept_searches", 0),
       rclcpp::Parameter("wrong.plugin", "dynamic_planners::Nobody")});
  fixture.node().declare_parameter("other.plugin", rclcpp::ParameterValue(""));
  fixture.node().declare_parameter("wrong.plugin", rclcpp::ParameterValue(""));
  const auto reason = [&](const std::string& name) {
    try {
      PlannerPlugin().configure(fixture.node_pointer(), name, nullptr, fixture.costmap_ros());
    } catch (const nav2_core::PlannerException& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(reason("other"), "other: kept_searches must be from 1 to 1000, not 0");
  EXPECT_NE(reason("wrong").find("unknown planner 'dynamic_planners::Nobody'"), std::string::npos);
}

TEST_P(EveryPlugin, ComesBackAfterItWasTakenDown) {
  Fixture fixture(plugin(), 60, 60);
  const auto start = fixture.at(5, 30);
  const auto goal = fixture.at(55, 30);
  for (int round = 0; round < 2; ++round) {
    fixture.fill(0);
    check_path(fixture, fixture.plan(start, goal));
    for (unsigned y = 10; y < 50; ++y) fixture.set(30, y, 254);
    std::this_thread::sleep_for(kMoment);
    const std::size_t before = fixture.published().size();
    ASSERT_TRUE(fixture.spin_until([&] {
      fixture.publish(30, 10, 1, 40);
      return fixture.published().size() > before;
    }));
    fixture.restart();
  }
  check_path(fixture, fixture.plan(start, goal));
}

TEST_P(EveryPlugin, FollowsAMapOfAnotherSizeOrResolutionOrPlace) {
  Fixture fixture(plugin(), 40, 40);
  fixture.plan(fixture.at(5, 5), fixture.at(35, 35));
  const auto make = [&](unsigned width, unsigned height, double resolution, double x, double y) {
    {
      const std::lock_guard lock(*fixture.costmap().getMutex());
      fixture.costmap().resizeMap(width, height, resolution, x, y);
    }
    fixture.fill(0);
    for (unsigned row = 3; row < height; ++row) fixture.set(width / 2, row, 254);
  };
  const auto check_plan = [&] {
    PoseStamped start;
    PoseStamped goal;
    auto& map = fixture.costmap();
    map.mapToWorld(2, map.getSizeInCellsY() - 3, start.pose.position.x, start.pose.position.y);
    map.mapToWorld(map.getSizeInCellsX() - 3, map.getSizeInCellsY() - 3, goal.pose.position.x,
                   goal.pose.position.y);
    const auto path = fixture.plan(start, goal);
    check_path(fixture, path);
    EXPECT_LT(distance(path.poses.front(), start), 1e-9);
    EXPECT_LT(distance(path.poses.back(), goal), 1e-9);
  };
  make(80, 50, kResolution, 0.0, 0.0);
  check_plan();
  make(80, 50, 0.25, 0.0, 0.0);
  check_plan();
  make(80, 50, 0.25, -3.1, 7.7);
  check_plan();
  make(30, 90, 0.05, 100.0, 100.0);
  check_plan();
}

/// An obstacle flickers beside one of two equally good ways.
int flips_beside_a_flickering_obstacle(const std::string& plugin, double commitment, bool in_legs) {
  Fixture fixture(plugin, 61, 41,
                  {rclcpp::Parameter("planner.path_commitment", commitment),
                   rclcpp::Parameter("planner.epsilon", 1.0)});
  for (unsigned y = 5; y <= 35; ++y) {
    for (unsigned x = 20; x <= 40; ++x) fixture.set(x, y, 254);
  }
  const auto start = fixture.at(10, 20);
  const auto goal = fixture.at(50, 20);
  const auto is_above = [&] {
    // As the planner server does it for ComputePathThroughPoses.
    const auto path = fixture.plan(start, goal);
    if (in_legs) fixture.plan(goal, fixture.at(55, 20));
    double top = 0.0;
    for (const auto& pose : path.poses) top = std::max(top, pose.pose.position.y);
    return top > 3.0;
  };
  bool before = is_above();
  int flips = 0;
  for (int round = 0; round < 20; ++round) {
    // A slight cost on the way taken: the other one is a hair better.
    for (unsigned x = 28; x < 32; ++x) {
      fixture.set(x, 36, before ? 10 : 0);
      fixture.set(x, 37, before ? 10 : 0);
      fixture.set(x, 4, before ? 0 : 10);
      fixture.set(x, 3, before ? 0 : 10);
    }
    const bool now = is_above();
    flips += now != before ? 1 : 0;
    before = now;
  }
  return flips;
}

TEST_P(EveryPlugin, DoesNotFlipBetweenEquallyGoodPaths) {
  EXPECT_EQ(flips_beside_a_flickering_obstacle(plugin(), 0.05, false), 0);
  EXPECT_EQ(flips_beside_a_flickering_obstacle(plugin(), 0.05, true), 0);
  // 0 means always the best.
  EXPECT_GE(flips_beside_a_flickering_obstacle(plugin(), 0.0, false), 15);
}

/// Controllers cut corners and localisation jumps: the way that is shorter from here is now one and
/// now the other.
TEST_P(EveryPlugin, DoesNotFlipWhenTheRobotIsBesideItsPath) {
  for (const double commitment : {0.2, 0.0}) {
    Fixture fixture(plugin(), 61, 41,
                    {rclcpp::Parameter("planner.path_commitment", commitment),
                     rclcpp::Parameter("planner.epsilon", 1.0)});
    for (unsigned y = 5; y <= 35; ++y) {
      for (unsigned x = 20; x <= 40; ++x) fixture.set(x, y, 254);
    }
    const auto is_above = [&](double y) {
      double top = 0.0;
      for (const auto& pose : fixture.plan(fixture.at(10, y), fixture.at(50, 20)).poses) {
        top = std::max(top, pose.pose.position.y);
      }
      return top > 3.0;
    };
    bool before = is_above(20);
    int flips = 0;
    for (int round = 0; round < 10; ++round) {
      const bool now = is_above(before ? 17 : 23);
      flips += now != before ? 1 : 0;
      before = now;
    }
    EXPECT_EQ(flips, commitment > 0.0 ? 0 : 10);
  }
}

/// Around a goal in an obstacle several places are equally near, and its rim flickers.
TEST_P(EveryPlugin, KeepsToThePlaceThatItHasChosenBesideTheGoal) {
  for (const double commitment : {0.05, 0.0}) {
    Fixture fixture(plugin(), 40, 40, {rclcpp::Parameter("planner.path_commitment", commitment)});
    for (unsigned y = 18; y <= 22; ++y) {
      for (unsigned x = 18; x <= 22; ++x) fixture.set(x, y, 254);
    }
    const auto end = [&] {
      return fixture.plan(fixture.at(4, 4), fixture.at(20, 20)).poses.back().pose.position;
    };
    const auto first = end();
    const auto flicker = [&](std::uint8_t cost) {
      fixture.set(static_cast<unsigned>(first.x / kResolution),
                  static_cast<unsigned>(first.y / kResolution), cost);
    };
    flicker(254);
    const auto second = end();
    EXPECT_NE(second, first);
    flicker(0);
    EXPECT_EQ(end(), commitment > 0.0 ? second : first);
  }
}

TEST_P(EveryPlugin, TakesABetterPathWhenItIsBetterByMore) {
  Fixture fixture(plugin(), 61, 41, {rclcpp::Parameter("planner.epsilon", 1.0)});
  for (unsigned y = 0; y <= 35; ++y) fixture.set(30, y, 254);
  const auto start = fixture.at(10, 20);
  const auto goal = fixture.at(50, 20);
  const std::size_t around = fixture.plan(start, goal).poses.size();
  for (unsigned y = 18; y <= 22; ++y) fixture.set(30, y, 0);
  EXPECT_LT(fixture.plan(start, goal).poses.size(), around - 5);
}

/// The planner server asks for a path through several poses leg by leg; what is repaired when
/// something changes is all of it.
TEST_P(EveryPlugin, RepairsAPathThroughSeveralPosesAsAWhole) {
  Fixture fixture(plugin(), 60, 60);
  const auto start = fixture.at(5, 30);
  const auto between = fixture.at(30, 55);
  const auto goal = fixture.at(55, 30);
  fixture.plan(start, between);
  fixture.plan(between, goal);
  for (unsigned y = 20; y < 50; ++y) fixture.set(43, y, 254);
  std::this_thread::sleep_for(kMoment);
  fixture.publish(43, 20, 1, 30);
  await_path(fixture);
  ASSERT_FALSE(fixture.published().empty());
  const auto& path = fixture.published().back();
  EXPECT_LT(distance(path.poses.front(), start), 1e-9);
  EXPECT_LT(distance(path.poses.back(), goal), 1e-9);
  EXPECT_TRUE(std::any_of(path.poses.begin(), path.poses.end(),
                          [&](const PoseStamped& pose) { return distance(pose, between) < 1e-9; }));
}

/// What is repaired leads to the stops that lie before the robot, and not back.
TEST_P(EveryPlugin, DoesNotGoBackToStopsThatTheRobotHasPassed) {
  Fixture fixture(plugin(), 60, 60, {rclcpp::Parameter("planner.epsilon", 1.0)});
  const auto between = fixture.at(30, 50);
  const auto goal = fixture.at(55, 30);
  const auto changes = [&](unsigned x) {
    const std::size_t before = fixture.published().size();
    for (unsigned y = 25; y < 45; ++y) fixture.set(x, y, 254);
    std::this_thread::sleep_for(kMoment);
    fixture.publish(x, 25, 1, 20);
    await_path(fixture, before);
    return fixture.published().back();
  };
  const auto leads_over = [&](const nav_msgs::msg::Path& path, const PoseStamped& place) {
    return std::any_of(path.poses.begin(), path.poses.end(), [&](const PoseStamped& pose) {
      return distance(pose, place) < 5 * kResolution;
    });
  };
  PoseStamped robot = fixture.at(5, 30);
  fixture.put_robot(robot);
  auto path = fixture.plan(robot, between);
  const auto second = fixture.plan(between, goal);
  path.poses.insert(path.poses.end(), second.poses.begin(), second.poses.end());
  const auto drive = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      robot = path.poses[i];
      robot.header.frame_id = "map";
      robot.pose.position.x += 0.5 * kResolution;  // beside it
      fixture.put_robot(robot);
      fixture.spin_for(std::chrono::milliseconds(10));
    }
    fixture.spin_for(std::chrono::milliseconds(100));
  };
  drive(0, 15);
  auto repaired = changes(45);
  EXPECT_TRUE(leads_over(repaired, between));
  path = repaired;
  const auto at = std::find_if(path.poses.begin(), path.poses.end(), [&](const PoseStamped& pose) {
    return distance(pose, between) < 1e-6;
  });
  ASSERT_NE(at, path.poses.end());
  drive(0, static_cast<std::size_t>(at - path.poses.begin()) + 8);
  repaired = changes(50);
  EXPECT_FALSE(leads_over(repaired, between));
  EXPECT_LT(distance(repaired.poses.front(), robot), 1e-9);
  EXPECT_LT(distance(repaired.poses.back(), goal), 1e-9);
}

/// A robot drives on while its request has to wait, and its path is to follow it all the same.
TEST_P(EveryPlugin, FollowsTheRobotThatHasDrivenOnWhileItWaited) {
  Fixture fixture(plugin(), 60, 60);
  fixture.put_robot(fixture.at(5, 30));
  std::thread request;
  {
    const std::lock_guard lock(*fixture.costmap().getMutex());
    request = std::thread([&] { fixture.plan(fixture.at(6, 30), fixture.at(55, 30)); });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    fixture.put_robot(fixture.at(15, 30));
  }
  request.join();
  const std::size_t before = fixture.published().size();
  for (unsigned y = 20; y < 40; ++y) fixture.set(40, y, 254);
  std::this_thread::sleep_for(kMoment);
  fixture.publish(40, 20, 1, 20);
  await_path(fixture, before);
  EXPECT_LT(distance(fixture.published().back().poses.front(), fixture.at(15, 30)), 1e-9);
}

/// A robot at its goal that asks for it again and again does not want to go there several times.
TEST_P(EveryPlugin, TakesRepeatedRequestsForNoPathThroughSeveralPoses) {
  Fixture fixture(plugin(), 60, 60);
  const auto here = fixture.at(5, 30);
  for (int i = 0; i < 20; ++i) ASSERT_EQ(fixture.plan(here, here).poses.size(), 1U);
  fixture.set(30, 30, 254);
  std::this_thread::sleep_for(kMoment);
  fixture.publish(30, 30, 1, 1);
  ASSERT_TRUE(fixture.spin_until([&] { return !fixture.published().empty(); }));
  EXPECT_EQ(fixture.published().back().poses.size(), 1U);
}

/// A door that was closed when the path was asked for opens: the path is published at once.
TEST_P(EveryPlugin, PublishesAPathAsSoonAsThereIsOne) {
  Fixture fixture(plugin(), 60, 60);
  for (unsigned y = 0; y < 60; ++y) fixture.set(30, y, 254);
  EXPECT_THROW(fixture.plan(fixture.at(5, 30), fixture.at(55, 30)),
               nav2_core::NoValidPathCouldBeFound);
  for (unsigned y = 10; y < 15; ++y) fixture.set(30, y, 0);
  std::this_thread::sleep_for(kMoment);
  fixture.publish(30, 10, 1, 5);
  await_path(fixture);
}

/// A wall with a way around its end: to get there, a search must look at much of the map.
class LongSearch : public Fixture {
 public:
  explicit LongSearch(const std::string& plugin)
      : Fixture(plugin, 400, 400, {rclcpp::Parameter("planner.max_planning_time", 0.001)}) {
    for (unsigned y = 3; y < 400; ++y) set(200, y, 254);
  }

  PoseStamped start() { return at(130, 350); }
  PoseStamped goal() { return at(270, 350); }
};

/// Who ran out of time goes on, and publishes what comes of it.
TEST_P(EveryPlugin, FinishesInTheBackgroundWhatRanOutOfTime) {
  LongSearch fixture(plugin());
  EXPECT_THROW(fixture.plan(fixture.start(), fixture.goal()), nav2_core::PlannerTimedOut);
  ASSERT_TRUE(
      fixture.spin_until([&] { return !fixture.published().empty(); }, std::chrono::seconds(60)));
  check_path(fixture, fixture.published().back());
  EXPECT_LT(distance(fixture.published().back().poses.back(), fixture.goal()), 1e-9);
}

TEST_P(EveryPlugin, MayBeDeactivatedWhileItWorks) {
  LongSearch fixture(plugin());
  for (int round = 0; round < 3; ++round) {
    EXPECT_THROW(fixture.plan(fixture.start(), fixture.at(270, 350 - round)),
                 nav2_core::PlannerTimedOut);
    std::this_thread::sleep_for(std::chrono::milliseconds(round));
    if (round == 2) {
      fixture.restart();
    } else {
      fixture.planner().deactivate();
      fixture.planner().activate();
    }
  }
  fixture.node().set_parameter(rclcpp::Parameter("planner.max_planning_time", 60.0));
  check_path(fixture, fixture.plan(fixture.start(), fixture.goal()));
}

TEST_P(EveryPlugin, LooksAtCancelAsOftenAsItIsTold) {
  LongSearch fixture(plugin());
  fixture.node().set_parameter(rclcpp::Parameter("planner.max_planning_time", 60.0));
  const auto asked = [&](int interval, int goal_y) {
    fixture.node().set_parameter(rclcpp::Parameter("planner.terminal_checking_interval", interval));
    int times = 0;
    fixture.plan(fixture.start(), fixture.at(270, goal_y), [&] { return ++times < 0; });
    return times;
  };
  const int seldom = asked(2000, 350);
  EXPECT_GT(seldom, 0);
  EXPECT_GT(asked(20, 340), 5 * seldom);
}

TEST_P(EveryPlugin, WorksInTheBackgroundForAsLongAsItIsTold) {
  Fixture fixture(plugin(), 60, 60, {rclcpp::Parameter("planner.background_timeout", 0.0)});
  fixture.plan(fixture.at(5, 30), fixture.at(55, 30));
  for (unsigned y = 10; y < 50; ++y) fixture.set(30, y, 254);
  std::this_thread::sleep_for(kMoment);
  fixture.publish(30, 10, 1, 40);
  fixture.spin_for(std::chrono::milliseconds(200));
  EXPECT_TRUE(fixture.published().empty());
  fixture.node().set_parameter(rclcpp::Parameter("planner.background_timeout", 60.0));
  await_path(fixture);
}

TEST_P(EveryPlugin, KeepsAsManySearchesAsItIsTold) {
  Fixture fixture(plugin(), 60, 60, {rclcpp::Parameter("planner.kept_searches", 1)});
  for (unsigned y = 5; y < 60; ++y) fixture.set(30, y, 254);
  const auto start = fixture.at(5, 30);
  const auto restarts_of_the_first = [&] {
    fixture.plan(start, fixture.at(55, 30));
    fixture.plan(start, fixture.at(50, 40));
    return fixture.report_of_plan(start, fixture.at(55, 30)).restarts;
  };
  EXPECT_EQ(restarts_of_the_first(), 1U);
  fixture.node().set_parameter(rclcpp::Parameter("planner.kept_searches", 2));
  const auto restarts = restarts_of_the_first();
  for (const char* const kept : {"dstar", "dstar_lite", "dstar_extra_lite", "ad", "field_dstar"}) {
    if (GetParam().name == kept) {
      EXPECT_EQ(restarts, 0U);
    }
  }
}

/// What is set while it runs shows in the path at once.
TEST_P(EveryPlugin, PublishesThePathOfOtherParameters) {
  Fixture fixture(plugin(), 60, 60, {rclcpp::Parameter("planner.epsilon", 1.0)});
  for (unsigned y = 0; y < 50; ++y) fixture.set(30, y, 200);
  fixture.node().set_parameter(rclcpp::Parameter("planner.cost_weight", 0.0));
  const auto straight = fixture.plan(fixture.at(10, 20), fixture.at(50, 20));
  EXPECT_LT(straight.poses.size(), 45U);
  const std::size_t before = fixture.published().size();
  fixture.node().set_parameter(rclcpp::Parameter("planner.cost_weight", 200.0));
  await_path(fixture, before);
  ASSERT_GT(fixture.published().size(), before);
  EXPECT_GT(fixture.published().back().poses.size(), 60U);
}

TEST_P(EveryPlugin, ReportsWhatItDid) {
  Fixture fixture(plugin(), 60, 60);
  fixture.set(30, 20, 254);
  const auto start = fixture.at(10, 20);
  const auto first = fixture.report_of_plan(start, fixture.at(50, 20));
  EXPECT_EQ(first.planner, GetParam().name);
  EXPECT_EQ(first.status, PlanReport::FOUND);
  EXPECT_EQ(first.header.frame_id, "map");
  EXPECT_GE(first.expansions, 1U);
  EXPECT_EQ(first.restarts, 1U);
  EXPECT_GT(first.cost, 40.0);
  EXPECT_LT(first.cost, 42.0);
  EXPECT_GE(first.bound, 1.0);
  fixture.set(55, 55, 254);
  fixture.set(55, 56, 254);
  const auto second = fixture.report_of_plan(start, fixture.at(50, 20));
  EXPECT_EQ(second.changed_cells, 2U);
  for (const char* const repairs :
       {"lpa", "dstar", "dstar_lite", "dstar_extra_lite", "ad", "field_dstar"}) {
    if (GetParam().name == repairs) {
      EXPECT_EQ(second.restarts, 0U);
    }
  }
  fixture.fill(254);
  fixture.set(10, 20, 0);
  fixture.set(50, 20, 0);
  EXPECT_THROW(fixture.plan(start, fixture.at(50, 20)), nav2_core::NoValidPathCouldBeFound);
  ASSERT_TRUE(
      fixture.spin_until([&] { return fixture.last_report().status == PlanReport::NO_PATH; }));
  EXPECT_TRUE(std::isinf(fixture.last_report().cost));
}

/// What has changed is what differs from what the plan before knew, whoever told of it.
TEST_P(EveryPlugin, ReportsWhatHasChangedSinceThePlanBefore) {
  Fixture fixture(plugin(), 60, 60, {rclcpp::Parameter("planner.background_timeout", 0.0)});
  const auto start = fixture.at(10, 20);
  const auto goal = fixture.at(50, 20);
  const auto tell_of = [&](unsigned x, std::uint8_t cost) {
    for (unsigned y = 10; y < 40; ++y) fixture.set(x, y, cost);
    std::this_thread::sleep_for(kMoment);
    fixture.publish(x, 10, 1, 30);
    fixture.spin_for(std::chrono::milliseconds(100));  // until it is taken in
  };
  fixture.plan(start, goal);
  tell_of(30, 254);
  const auto report = fixture.report_of_plan(start, goal);
  EXPECT_EQ(report.changed_cells, 30U);
  EXPECT_GT(rclcpp::Duration(report.comparison_time).nanoseconds(), 0);
  EXPECT_EQ(fixture.report_of_plan(start, goal).changed_cells, 0U);
  // There and back, and elsewhere.
  tell_of(30, 0);
  tell_of(30, 254);
  fixture.set(55, 55, 254);
  EXPECT_EQ(fixture.report_of_plan(start, goal).changed_cells, 1U);
  // What was known moves with the map; of what comes in nothing was.
  tell_of(30, 0);
  fixture.roll(3, 0);
  EXPECT_EQ(fixture.report_of_plan(start, goal).changed_cells, 30U + 3 * 60);
}

TEST_P(EveryPlugin, ReportsWhatHasChangedOnceForAllLegs) {
  Fixture fixture(plugin(), 60, 60);
  const auto between = fixture.at(30, 55);
  fixture.plan(fixture.at(5, 30), between);
  fixture.report_of_plan(between, fixture.at(55, 30));
  const std::size_t before = fixture.reports().size();
  const std::size_t known = fixture.published().size();
  for (unsigned y = 20; y < 50; ++y) fixture.set(43, y, 254);
  std::this_thread::sleep_for(kMoment);
  fixture.publish(43, 20, 1, 30);
  await_path(fixture, known);
  ASSERT_TRUE(fixture.spin_until([&] { return fixture.reports().size() >= before + 2; }));
  std::uint64_t changed = 0;
  for (std::size_t i = before; i < fixture.reports().size(); ++i) {
    changed += fixture.reports()[i].changed_cells;
  }
  EXPECT_EQ(changed, 30U);
}

#if DYNAMIC_PLANNERS_HAS_VIAPOINTS
TEST_P(EveryPlugin, HonoursViaPoints) {
  Fixture fixture(plugin(), 60, 60);
  const std::vector<PoseStamped> via{fixture.at(30, 50), fixture.at(30, 8)};
  for (unsigned y = 4; y < 12; ++y) {
    for (unsigned x = 26; x < 34; ++x) fixture.set(x, y, 254);  // the second one is blocked
  }
  auto path = fixture.planner().createPlan(fixture.at(5, 30), fixture.at(55, 30), via,
                                           [] { return false; });
  check_path(fixture, path);
  const auto passes = [&](const PoseStamped& place, double within) {
    return std::any_of(path.poses.begin(), path.poses.end(),
                       [&](const PoseStamped& pose) { return distance(pose, place) < within; });
  };
  EXPECT_TRUE(passes(via[0], 1e-9));
  EXPECT_TRUE(passes(via[1], 0.5 + 1e-9));
  // They may come in any frame that is known.
  auto elsewhere = via[0];
  elsewhere.header.frame_id = "base_link";
  EXPECT_THROW(fixture.planner().createPlan(fixture.at(5, 30), fixture.at(55, 30), {elsewhere},
                                            [] { return false; }),
               nav2_core::PlannerTFError);
  fixture.put_robot(fixture.at(10, 0));
  elsewhere.pose.position.x -= fixture.at(10, 0).pose.position.x;
  elsewhere.pose.position.y -= fixture.at(10, 0).pose.position.y;
  path = fixture.planner().createPlan(fixture.at(5, 30), fixture.at(55, 30), {elsewhere},
                                      [] { return false; });
  EXPECT_TRUE(passes(via[0], 1e-6));
}
#endif

TEST_P(EveryPlugin, FollowsARollingCostmap) {
  Fixture fixture(plugin(), 60, 40);
  for (unsigned y = 5; y < 40; ++y) fixture.set(30, y, 254);
  const auto start = fixture.at(10, 30);
  const auto goal = fixture.at(50, 30);
  fixture.plan(start, goal);
  for (int i = 0; i < 8; ++i) {
    fixture.roll(1, i % 3 - 1);
    const auto path = fixture.plan(start, goal);
    check_path(fixture, path);
    const auto restarts = fixture.report_of(path).restarts;
    for (const char* const moves_along : {"lpa", "dstar_lite", "field_dstar"}) {
      if (GetParam().name == moves_along) {
        EXPECT_EQ(restarts, 0U);
      }
    }
  }
  // The wall has rolled away with the rest.
  fixture.roll(25, 0);
  check_path(fixture, fixture.plan(fixture.at(5, 5), goal));
  fixture.roll(40, 0);
  EXPECT_THROW(fixture.plan(fixture.at(5, 5), goal), nav2_core::GoalOutsideMapBounds);
}

/// What had left the map in between is gone, though the map lies where it lay before.
TEST_P(EveryPlugin, SeesThatTheMapHasRolledThereAndBack) {
  Fixture fixture(plugin(), 60, 40, {rclcpp::Parameter("planner.tolerance", 0.0)});
  auto layer = std::make_shared<DrawnLayer>();
  fixture.layers().addPlugin(layer);
  for (int y = 0; y < 40; ++y) layer->draw(3, y, 254);
  fixture.layers().updateMap(0.0, 0.0, 0.0);
  const auto start = fixture.at(1, 20);
  const auto goal = fixture.at(50, 20);
  EXPECT_THROW(fixture.plan(start, goal), nav2_core::NoValidPathCouldBeFound);
  for (const int cells : {5, -5}) {
    fixture.roll(cells, 0);
    fixture.layers().updateMap(0.0, 0.0, 0.0);
  }
  check_path(fixture, fixture.plan(start, goal));
}

TEST_P(EveryPlugin, ShowsTheLastRepairToWhoeverLooks) {
  Fixture fixture(plugin(), 60, 40);
  std::optional<nav_msgs::msg::OccupancyGrid> search;
  auto topics = fixture.node().get_node_topics_interface();
  const auto subscription = rclcpp::create_subscription<nav_msgs::msg::OccupancyGrid>(
      topics, "planner/search", rclcpp::QoS(1),
      [&](const nav_msgs::msg::OccupancyGrid& map) { search = map; });
  ASSERT_TRUE(fixture.spin_until([&] {
    return subscription->get_publisher_count() > 0 &&
           fixture.node().count_subscribers("planner/search") > 0;
  }));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // until the publisher knows it too
  for (unsigned y = 5; y < 35; ++y) fixture.set(30, y, 254);
  fixture.plan(fixture.at(10, 20), fixture.at(50, 20));
  ASSERT_TRUE(fixture.spin_until([&] { return search.has_value(); }));
  EXPECT_EQ(search->info.width, 60U);
  EXPECT_EQ(search->info.height, 40U);
  ASSERT_EQ(search->data.size(), 2400U);
  EXPECT_GT(std::count(search->data.begin(), search->data.end(), 100), 0);

  // A repair.
  fixture.spin_for(std::chrono::milliseconds(50));
  search.reset();
  fixture.set(2, 37, 254);
  fixture.set(30, 35, 254);
  const auto report = fixture.report_of_plan(fixture.at(10, 20), fixture.at(50, 20));
  ASSERT_TRUE(fixture.spin_until([&] { return search.has_value(); }));
  for (const int changed : {37 * 60 + 2, 35 * 60 + 30}) EXPECT_GE(search->data[changed], 50);
  const auto expanded =
      static_cast<std::uint64_t>(std::count(search->data.begin(), search->data.end(), 100));
  EXPECT_LE(expanded, report.expansions);
  EXPECT_GE(expanded, report.expansions - report.reexpansions);
  EXPECT_LE(std::count(search->data.begin(), search->data.end(), 50), 2);
}

TEST_P(EveryPlugin, AnytimePlannersGoOnWhenNobodyAsks) {
  if (GetParam().promise != Promise::kBounded) GTEST_SKIP() << "not an anytime planner";
  Fixture fixture(plugin(), 200, 200,
                  {rclcpp::Parameter("planner.path_commitment", 0.0),
                   rclcpp::Parameter("planner.epsilon", 20.0)});
  // Dear ground in the straight way: a greedy search goes through it.
  for (unsigned y = 60; y < 140; ++y) {
    for (unsigned x = 60; x < 140; ++x) fixture.set(x, y, 250);
  }
  const auto first = fixture.report_of_plan(fixture.at(20, 100), fixture.at(180, 100));
  const auto best = oracle::costs_to(fixture.truth(), 100 * 200 + 180)[100 * 200 + 20];
  ASSERT_GT(first.bound, 1.0);
  ASSERT_GT(first.cost, in_cells(static_cast<Cost>(best)));
  ASSERT_TRUE(fixture.spin_until([&] { return fixture.last_report().bound == 1.0; }));
  EXPECT_NEAR(fixture.last_report().cost, in_cells(static_cast<Cost>(best)), 1e-9);
  fixture.spin_for(std::chrono::milliseconds(100));  // until the last one has arrived
  ASSERT_FALSE(fixture.published().empty());
  double before = first.cost;
  for (const auto& path : fixture.published()) {
    check_path(fixture, path);
    const double cost = in_cells(static_cast<Cost>(cost_along(fixture, path)));
    EXPECT_LT(cost, before);
    before = cost;
  }
  EXPECT_NEAR(before, in_cells(static_cast<Cost>(best)), 1e-9);
}

/// A robot that drives has ever less before it. That is no better path.
TEST_P(EveryPlugin, PublishesNoPathOnlyBecauseTheRobotHasMoved) {
  if (GetParam().promise != Promise::kBounded) GTEST_SKIP() << "not an anytime planner";
  Fixture fixture(
      plugin(), 300, 60,
      {rclcpp::Parameter("planner.path_commitment", 0.0), rclcpp::Parameter("planner.epsilon", 3.0),
       rclcpp::Parameter("planner.epsilon_decrease", 0.01)});
  // Straight on is the best, which it takes a while to prove.
  for (unsigned y = 0; y < 60; ++y) {
    for (unsigned x = 40; x < 260; ++x) fixture.set(x, y, 10);
  }
  PoseStamped robot = fixture.at(5, 30);
  fixture.put_robot(robot);
  const auto path = fixture.plan(robot, fixture.at(295, 30));
  for (int x = 5; x < 100; ++x) {
    fixture.put_robot(fixture.at(x, 30));
    fixture.spin_for(std::chrono::milliseconds(10));
  }
  double before = std::numeric_limits<double>::infinity();
  for (const auto& published : fixture.published()) {
    // To the end from where all of them have begun.
    double length = published.poses.front().pose.position.x;
    for (std::size_t i = 1; i < published.poses.size(); ++i) {
      length += distance(published.poses[i - 1], published.poses[i]);
    }
    EXPECT_LT(length, before - 1e-6);
    before = length;
  }
}

/// A request comes while a path is improved, and need not wait for that, nor do it.
TEST_P(EveryPlugin, ImprovesPathsWithoutDelayingRequests) {
  if (GetParam().promise != Promise::kBounded) GTEST_SKIP() << "not an anytime planner";
  Fixture fixture(plugin(), 1000, 1000,
                  {rclcpp::Parameter("planner.path_commitment", 0.0),
                   rclcpp::Parameter("planner.max_planning_time", 60.0),
                   rclcpp::Parameter("planner.epsilon", 1.0)});
  for (unsigned y = 200; y < 800; ++y) {
    for (unsigned x = 200; x < 800; ++x) fixture.set(x, y, 250);
  }
  const auto start = fixture.at(50, 500);
  const auto goal = fixture.at(950, 500);
  const auto time_of_plan = [&] {
    const auto begin = std::chrono::steady_clock::now();
    fixture.plan(start, goal);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const double whole = time_of_plan();  // from nothing to the best
  // From a first path to the best in one step, which takes nearly as long.
  fixture.node().set_parameter(rclcpp::Parameter("planner.epsilon_decrease", 100.0));
  fixture.node().set_parameter(rclcpp::Parameter("planner.epsilon", 20.0));
  double longest = 0.0;
  bool has_improved = false;
  for (int i = 0; i < 1000 && !has_improved; ++i) {
    longest = std::max(longest, time_of_plan());
    fixture.spin_for(std::chrono::milliseconds(5));
    has_improved = fixture.last_report().bound == 1.0;
  }
  EXPECT_TRUE(has_improved);
  EXPECT_LT(longest, whole / 2);
}

/// Updates, plans, cancels, parameter changes, a map that rolls and changes its size, and a
/// lifecycle manager, all at once. Thread sanitizers have something to see.
TEST_P(EveryPlugin, ServesManyAtOnce) {
  Fixture fixture(plugin(), 100, 100, {rclcpp::Parameter("planner.max_planning_time", 1.0)});
  auto layer = std::make_shared<DrawnLayer>();
  fixture.layers().addPlugin(layer);
  for (int y = 20; y < 80; ++y) layer->draw(60, y, 254);  // whatever happens, this wall is there
  fixture.layers().updateMap(0.0, 0.0, 0.0);
  const auto is_in_the_wall = [&](const PoseStamped& pose) {
    const double x = pose.pose.position.x / kResolution;
    const double y = pose.pose.position.y / kResolution;
    return x > 60.0 + 1e-6 && x < 61.0 - 1e-6 && y > 20.0 + 1e-6 && y < 80.0 - 1e-6;
  };
  const auto goal = fixture.at(95, 90);
  const std::array starts{fixture.at(5, 10), fixture.at(14, 80), fixture.at(50, 50)};
  const auto end =
      std::chrono::steady_clock::now() +
      std::chrono::milliseconds(1000 * from_environment("DYNAMIC_PLANNERS_SECONDS", 1));
  const auto repeat = [&](auto&& act) {
    return std::thread([&, act] {
      for (unsigned i = 0; std::chrono::steady_clock::now() < end; ++i) act(i);
    });
  };
  std::atomic<int> found{0};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  threads.push_back(repeat([&](unsigned i) {
    {
      // Nobody is to see a map whose layers have not written it.
      const std::lock_guard lock(*fixture.costmap().getMutex());
      const int to_and_fro = i % 2 == 0 ? 2 : -2;
      if (i % 10 < 2) fixture.roll(to_and_fro, 0);
      if (i % 100 < 2) {
        const unsigned size = i % 2 == 0 ? 104 : 100;
        fixture.layers().resizeMap(size, size, kResolution, fixture.costmap().getOriginX(),
                                   fixture.costmap().getOriginY());
      }
      const int x = 20 + static_cast<int>(i % 30);
      for (int y = 20; y < 80; ++y) {
        layer->draw(x, y, static_cast<std::uint8_t>(i % 3 == 0 ? 254 : i % 100));
      }
      fixture.layers().updateMap(0.0, 0.0, 0.0);
      if (i % 2 == 0) fixture.publish(15, 20, 40, 60);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }));
  for (unsigned k = 0; k < 2; ++k) {
    threads.push_back(repeat([&, k](unsigned i) {
      try {
        const auto path =
            fixture.plan(starts[(i + k) % starts.size()], goal, [&] { return i % 5 == 0; });
        ++found;
        if (std::any_of(path.poses.begin(), path.poses.end(), is_in_the_wall)) ++wrong;
      } catch (const nav2_core::PlannerException&) {
        // Cancelled, or no way at the moment.
      }
    }));
  }
  threads.push_back(repeat([&](unsigned i) {
    fixture.node().set_parameter(rclcpp::Parameter("planner.cost_weight", 1.0 + i % 3));
    fixture.node().set_parameter(rclcpp::Parameter("planner.tolerance", -1.0));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }));
  threads.push_back(repeat([&](unsigned) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    fixture.planner().deactivate();
    fixture.planner().activate();
  }));
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(found, 0);
  EXPECT_EQ(wrong, 0);
}

/// A world in which something changes again and again, in a costmap that is written by hand (so
/// that all of it must be compared) or by the update cycles of layers (so that the windows are
/// known).
class RandomUpdates {
 public:
  RandomUpdates(Fixture& fixture, bool by_cycles) : fixture_(fixture) {
    if (!by_cycles) return;
    layer_ = std::make_shared<DrawnLayer>();
    fixture_.layers().addPlugin(layer_);
  }

  unsigned draw(unsigned n) { return static_cast<unsigned>(random_() % n); }

  /// Changes a window, and publishes some.
  void change() {
    const unsigned width = 1 + draw(8);
    const unsigned height = 1 + draw(8);
    const unsigned x0 = draw(kWidth - width);
    const unsigned y0 = draw(kHeight - height);
    const auto cost = static_cast<std::uint8_t>(draw(3) == 0 ? 254 : draw(2) == 0 ? 0 : draw(256));
    for (unsigned y = y0; y < y0 + height; ++y) {
      for (unsigned x = x0; x < x0 + width; ++x) set(x, y, cost);
    }
    cycle();
    if (draw(3) == 0) fixture_.publish(x0, y0, width, height);
    if (draw(40) == 0) fixture_.publish(fixture_.message());
    if (draw(15) == 0) roll(static_cast<int>(draw(7)) - 3, static_cast<int>(draw(7)) - 3);
  }

  static constexpr unsigned kWidth = 48;
  static constexpr unsigned kHeight = 32;

 private:
  int left() {
    return static_cast<int>(std::lround(fixture_.costmap().getOriginX() / kResolution));
  }
  int bottom() {
    return static_cast<int>(std::lround(fixture_.costmap().getOriginY() / kResolution));
  }

  void set(unsigned x, unsigned y, std::uint8_t cost) {
    if (layer_ == nullptr) {
      fixture_.set(x, y, cost);
    } else {
      layer_->draw(static_cast<int>(x) + left(), static_cast<int>(y) + bottom(), cost);
    }
  }

  void cycle() {
    if (layer_ != nullptr) fixture_.layers().updateMap(0.0, 0.0, 0.0);
  }

  /// And sometimes back again before anybody has looked: what had left is gone.
  void roll(int dx, int dy) {
    fixture_.roll(dx, dy);
    cycle();
    if (draw(2) == 0) return;
    fixture_.roll(-dx, -dy);
    cycle();
  }

  Fixture& fixture_;
  std::shared_ptr<DrawnLayer> layer_;
  std::mt19937 random_{7};
};

void check_against_the_oracle(const std::string& plugin, bool by_cycles, int updates) {
  Fixture fixture(plugin, RandomUpdates::kWidth, RandomUpdates::kHeight,
                  {rclcpp::Parameter("planner.path_commitment", 0.0),
                   rclcpp::Parameter("planner.tolerance", 0.0),
                   rclcpp::Parameter("planner.start_tolerance", 0.0),
                   rclcpp::Parameter("planner.max_planning_time", 60.0)});
  RandomUpdates world(fixture, by_cycles);
  const auto somewhere = [&] {
    return fixture.at(world.draw(RandomUpdates::kWidth), world.draw(RandomUpdates::kHeight));
  };
  PoseStamped goal = somewhere();
  for (int i = 0; i < updates; ++i) {
    world.change();
    unsigned cell_x = 0;
    unsigned cell_y = 0;
    if (world.draw(20) == 0 ||
        !fixture.costmap().worldToMap(goal.pose.position.x, goal.pose.position.y, cell_x, cell_y)) {
      goal = somewhere();
    }
    const PoseStamped start = somewhere();
    const oracle::World truth = fixture.truth();
    const auto cell_of = [&](const PoseStamped& pose) {
      unsigned x = 0;
      unsigned y = 0;
      EXPECT_TRUE(fixture.costmap().worldToMap(pose.pose.position.x, pose.pose.position.y, x, y));
      return truth.index(static_cast<int>(x), static_cast<int>(y));
    };
    SCOPED_TRACE(i);
    const auto best = oracle::costs_to(truth, cell_of(goal))[cell_of(start)];
    if (oracle::blocked(truth, cell_of(start))) {
      ASSERT_THROW(fixture.plan(start, goal), nav2_core::StartOccupied);
    } else if (oracle::blocked(truth, cell_of(goal))) {
      ASSERT_THROW(fixture.plan(start, goal), nav2_core::GoalOccupied);
    } else if (best == oracle::kUnreachable) {
      ASSERT_THROW(fixture.plan(start, goal), nav2_core::NoValidPathCouldBeFound);
    } else {
      const auto path = fixture.plan(start, goal);
      ASSERT_EQ(cost_along(fixture, path), best);
      ASSERT_NEAR(fixture.report_of(path).cost, in_cells(static_cast<Cost>(best)), 1e-9);
    }
  }
}

TEST_P(EveryPlugin, AgreesWithTheOracleOverRandomUpdates) {
  if (GetParam().promise != Promise::kOptimal) GTEST_SKIP() << "not an optimal planner";
  const int updates = from_environment("DYNAMIC_PLANNERS_UPDATES", 5000);
  check_against_the_oracle(plugin(), true, updates);
  check_against_the_oracle(plugin(), false, updates / 5);
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryPlugin,
                         testing::ValuesIn(planners().begin(), planners().end()),
                         [](const auto& planner) { return std::string(planner.param.name); });

}  // namespace
}  // namespace dynamic_planners::ros

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  rclcpp::init(argc, argv);
  const int result = RUN_ALL_TESTS();
  rclcpp::shutdown();
  return result;
}
