// The plugin as the planner server has it: loaded by pluginlib, over a real Costmap2DROS.

#include "dynamic_planners/ros/planner_plugin.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "dynamic_planners_msgs/msg/plan_report.hpp"
#include "nav2_core/planner_exceptions.hpp"
#include "nav_msgs/msg/occupancy_grid.hpp"
#include "pluginlib/class_loader.hpp"
#include "test/support/oracle.hpp"

namespace dynamic_planners::ros {
namespace {

using dynamic_planners_msgs::msg::PlanReport;
using geometry_msgs::msg::PoseStamped;
using nav2_costmap_2d::Costmap2D;

constexpr double kResolution = 0.1;

/// A node with a costmap of so many cells, which the test writes by hand, and one planner.
class Fixture {
 public:
  Fixture(const std::string& plugin, int width, int height,
          std::vector<rclcpp::Parameter> parameters = {}) {
    parameters.emplace_back("planner.plugin", plugin);
    node_ = std::make_shared<rclcpp_lifecycle::LifecycleNode>(
        "planner_server", rclcpp::NodeOptions().parameter_overrides(parameters));
    node_->declare_parameter("planner.plugin", rclcpp::ParameterValue(""));
    costmap_ros_ = std::make_shared<nav2_costmap_2d::Costmap2DROS>("global_costmap");
    costmap_ros_->set_parameter(rclcpp::Parameter("plugins", std::vector<std::string>{}));
    costmap_ros_->set_parameter(rclcpp::Parameter("always_send_full_costmap", false));
    costmap_ros_->configure();
    costmap().resizeMap(width, height, kResolution, 0.0, 0.0);
    // What the master costmap begins with is unknown, which is not what is tested here.
    fill(0);

    planner_ = loader_.createSharedInstance(plugin);
    planner_->configure(node_, "planner", nullptr, costmap_ros_);
    planner_->activate();
    report_subscription_ = node_->create_subscription<PlanReport>(
        "planner/report", 10, [this](const PlanReport& report) { report_ = report; });
    path_subscription_ = node_->create_subscription<nav_msgs::msg::Path>(
        "planner/plan", 10,
        [this](const nav_msgs::msg::Path& path) { published_.push_back(path); });
    update_publisher_ = rclcpp::create_publisher<nav2_msgs::msg::CostmapUpdate>(
        node_, costmap_ros_->get_node_topics_interface()->resolve_topic_name("costmap_raw_updates"),
        rclcpp::QoS(10).transient_local().reliable());
    executor_.add_node(node_->get_node_base_interface());
    spin_until([&] {
      return update_publisher_->get_subscription_count() > 0 &&
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

  Costmap2D& costmap() { return *costmap_ros_->getCostmap(); }
  rclcpp_lifecycle::LifecycleNode& node() { return *node_; }
  nav2_core::GlobalPlanner& planner() { return *planner_; }
  const std::vector<nav_msgs::msg::Path>& published() const { return published_; }
  PlanReport last_report() const { return report_.value_or(PlanReport{}); }

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
    return planner_->createPlan(start, goal, std::move(cancelled));
  }

  /// Plans, and waits for the report of that plan; those of repairs in the background are older.
  PlanReport report_of_plan(const PoseStamped& start, const PoseStamped& goal) {
    const rclcpp::Time stamp = plan(start, goal).header.stamp;
    spin_until([&] { return report_ && rclcpp::Time(report_->header.stamp) >= stamp; });
    return report_.value_or(PlanReport{});
  }

  /// Publishes a window of the costmap as it is now, as the costmap's publisher would.
  void publish(unsigned x, unsigned y, unsigned width, unsigned height) {
    nav2_msgs::msg::CostmapUpdate update;
    update.header.stamp = node_->now();
    update.x = x;
    update.y = y;
    update.size_x = width;
    update.size_y = height;
    for (unsigned j = y; j < y + height; ++j) {
      for (unsigned i = x; i < x + width; ++i) update.data.push_back(costmap().getCost(i, j));
    }
    publish(update);
  }
  void publish(const nav2_msgs::msg::CostmapUpdate& update) { update_publisher_->publish(update); }

  template <typename Condition>
  bool spin_until(Condition&& condition,
                  std::chrono::milliseconds limit = std::chrono::seconds(10)) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!condition() && std::chrono::steady_clock::now() < end) {
      executor_.spin_some(std::chrono::milliseconds(5));
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return condition();
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
  std::shared_ptr<rclcpp_lifecycle::LifecycleNode> node_;
  std::shared_ptr<nav2_costmap_2d::Costmap2DROS> costmap_ros_;
  std::shared_ptr<nav2_core::GlobalPlanner> planner_;
  rclcpp::Subscription<PlanReport>::SharedPtr report_subscription_;
  rclcpp::Subscription<nav_msgs::msg::Path>::SharedPtr path_subscription_;
  rclcpp::Publisher<nav2_msgs::msg::CostmapUpdate>::SharedPtr update_publisher_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  std::optional<PlanReport> report_;
  std::vector<nav_msgs::msg::Path> published_;
};

int from_environment(const char* name, int otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

double distance(const PoseStamped& a, const PoseStamped& b) {
  return std::hypot(a.pose.position.x - b.pose.position.x, a.pose.position.y - b.pose.position.y);
}

/// Continuous, about the resolution apart, and never in a blocked cell.
void check_path(Fixture& fixture, const nav_msgs::msg::Path& path) {
  ASSERT_FALSE(path.poses.empty());
  for (std::size_t i = 0; i < path.poses.size(); ++i) {
    if (i > 0) {
      ASSERT_LE(distance(path.poses[i - 1], path.poses[i]), 1.5 * kResolution + 1e-9);
    }
    unsigned x = 0;
    unsigned y = 0;
    const auto& position = path.poses[i].pose.position;
    ASSERT_TRUE(fixture.costmap().worldToMap(position.x, position.y, x, y));
    ASSERT_LT(fixture.costmap().getCost(x, y), 253) << "pose " << i;
  }
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
  EXPECT_THROW(fixture.plan(fixture.at(-5, 3), fixture.at(5, 5)), nav2_core::StartOutsideMapBounds);
  EXPECT_THROW(fixture.plan(fixture.at(5, 3), fixture.at(5, 50)), nav2_core::GoalOutsideMapBounds);
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
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  fixture.publish(30, 10, 1, 40);
  ASSERT_TRUE(fixture.spin_until([&] { return !fixture.published().empty(); }));
  check_path(fixture, fixture.published().back());
}

TEST_P(EveryPlugin, RefusesMessagesThatDoNotFitAndReadsTheCostmapInstead) {
  Fixture fixture(plugin(), 60, 60);
  fixture.plan(fixture.at(5, 30), fixture.at(55, 30));
  for (unsigned y = 10; y < 50; ++y) fixture.set(30, y, 254);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  nav2_msgs::msg::CostmapUpdate update;
  update.header.stamp = fixture.node().now();
  update.x = 50;
  update.y = 4294967290U;
  update.size_x = 20;
  update.size_y = 20;
  update.data.assign(400, 254);
  fixture.publish(update);
  ASSERT_TRUE(fixture.spin_until([&] { return !fixture.published().empty(); }));
  check_path(fixture, fixture.published().back());
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

TEST_P(EveryPlugin, FollowsAMapOfAnotherSize) {
  Fixture fixture(plugin(), 40, 40);
  fixture.plan(fixture.at(5, 5), fixture.at(35, 35));
  {
    const std::lock_guard lock(*fixture.costmap().getMutex());
    fixture.costmap().resizeMap(80, 50, kResolution, 0.0, 0.0);
  }
  fixture.fill(0);
  check_path(fixture, fixture.plan(fixture.at(5, 5), fixture.at(75, 45)));
}

/// An obstacle flickers beside one of two equally good ways: without commitment the path would jump
/// from one to the other and back.
TEST_P(EveryPlugin, DoesNotFlipBetweenEquallyGoodPaths) {
  Fixture fixture(plugin(), 61, 41);
  for (unsigned y = 5; y <= 35; ++y) {
    for (unsigned x = 20; x <= 40; ++x) fixture.set(x, y, 254);
  }
  const auto above = [](const nav_msgs::msg::Path& path) {
    double top = 0.0;
    for (const auto& pose : path.poses) top = std::max(top, pose.pose.position.y);
    return top > 3.0;
  };
  const auto start = fixture.at(10, 20);
  const auto goal = fixture.at(50, 20);
  const bool first = above(fixture.plan(start, goal));
  int flips = 0;
  for (int round = 0; round < 20; ++round) {
    // A slight cost on the way taken, now there, now gone: the other way is a hair better.
    for (unsigned x = 28; x < 32; ++x) {
      fixture.set(x, first ? 36 : 4, round % 2 == 0 ? 10 : 0);
    }
    flips += above(fixture.plan(start, goal)) != first ? 1 : 0;
  }
  EXPECT_EQ(flips, 0);
}

TEST_P(EveryPlugin, FollowsARollingCostmap) {
  Fixture fixture(plugin(), 60, 40);
  for (unsigned y = 5; y < 40; ++y) fixture.set(30, y, 254);
  const auto start = fixture.at(10, 30);
  const auto goal = fixture.at(50, 30);
  fixture.plan(start, goal);
  for (int i = 0; i < 8; ++i) {
    fixture.roll(1, i % 3 - 1);
    check_path(fixture, fixture.plan(start, goal));
  }
  // The wall has rolled away with the rest.
  fixture.roll(25, 0);
  check_path(fixture, fixture.plan(fixture.at(5, 5), goal));
  fixture.roll(40, 0);
  EXPECT_THROW(fixture.plan(fixture.at(5, 5), goal), nav2_core::GoalOutsideMapBounds);
}

TEST_P(EveryPlugin, ShowsTheLastRepairToWhoeverLooks) {
  Fixture fixture(plugin(), 60, 40);
  std::optional<nav_msgs::msg::OccupancyGrid> search;
  const auto subscription = fixture.node().create_subscription<nav_msgs::msg::OccupancyGrid>(
      "planner/search", 1, [&](const nav_msgs::msg::OccupancyGrid& map) { search = map; });
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
  ASSERT_FALSE(fixture.published().empty());
  check_path(fixture, fixture.published().back());
}

/// Updates, plans, cancels and parameter changes at once. Thread sanitizers have something to see.
TEST_P(EveryPlugin, ServesManyAtOnce) {
  Fixture fixture(plugin(), 100, 100, {rclcpp::Parameter("planner.max_planning_time", 1.0)});
  const auto end =
      std::chrono::steady_clock::now() +
      std::chrono::milliseconds(1000 * from_environment("DYNAMIC_PLANNERS_SECONDS", 1));
  const auto repeat = [&](auto&& act) {
    return std::thread([&, act] {
      for (unsigned i = 0; std::chrono::steady_clock::now() < end; ++i) act(i);
    });
  };
  std::atomic<int> found{0};
  std::vector<std::thread> threads;
  threads.push_back(repeat([&](unsigned i) {
    const unsigned x = 20 + i % 60;
    for (unsigned y = 20; y < 80; ++y) fixture.set(x, y, i % 3 == 0 ? 254 : i % 100);
    if (i % 2 == 0) fixture.publish(x, 20, 1, 60);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }));
  for (int k = 0; k < 2; ++k) {
    threads.push_back(repeat([&, k](unsigned i) {
      try {
        const auto start = fixture.at(5 + i % 10, 10 + 70 * k);
        fixture.plan(start, fixture.at(95, 90 - i % 2), [&] { return i % 5 == 0; });
        ++found;
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
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(found, 0);
}

TEST_P(EveryPlugin, AgreesWithTheOracleOverRandomUpdates) {
  if (GetParam().promise != Promise::kOptimal) GTEST_SKIP() << "not an optimal planner";
  const int updates = from_environment("DYNAMIC_PLANNERS_UPDATES", 5000);
  Fixture fixture(plugin(), 48, 32,
                  {rclcpp::Parameter("planner.path_commitment", 0.0),
                   rclcpp::Parameter("planner.tolerance", 0.0),
                   rclcpp::Parameter("planner.start_tolerance", 0.0)});
  std::mt19937 random(7);
  const auto draw = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  PoseStamped goal = fixture.at(40, 20);
  for (int i = 0; i < updates; ++i) {
    const unsigned width = 1 + draw(8);
    const unsigned height = 1 + draw(8);
    const unsigned x0 = draw(48 - width);
    const unsigned y0 = draw(32 - height);
    const auto cost = static_cast<std::uint8_t>(draw(3) == 0 ? 254 : draw(2) == 0 ? 0 : draw(256));
    for (unsigned y = y0; y < y0 + height; ++y) {
      for (unsigned x = x0; x < x0 + width; ++x) fixture.set(x, y, cost);
    }
    if (draw(3) == 0) fixture.publish(x0, y0, width, height);
    if (draw(15) == 0) fixture.roll(static_cast<int>(draw(7)) - 3, static_cast<int>(draw(7)) - 3);
    unsigned cell_x = 0;
    unsigned cell_y = 0;
    if (draw(20) == 0 ||
        !fixture.costmap().worldToMap(goal.pose.position.x, goal.pose.position.y, cell_x, cell_y)) {
      goal = fixture.at(draw(48), draw(32));
    }
    const PoseStamped start = fixture.at(draw(48), draw(32));
    const oracle::World truth = fixture.truth();
    const auto cell_of = [&](const PoseStamped& pose) {
      unsigned x = 0;
      unsigned y = 0;
      EXPECT_TRUE(fixture.costmap().worldToMap(pose.pose.position.x, pose.pose.position.y, x, y));
      return truth.index(static_cast<int>(x), static_cast<int>(y));
    };
    const auto best = oracle::costs_to(truth, cell_of(goal))[cell_of(start)];
    const bool reachable = !oracle::blocked(truth, cell_of(start)) &&
                           !oracle::blocked(truth, cell_of(goal)) && best != oracle::kUnreachable;
    if (!reachable) {
      EXPECT_THROW(fixture.plan(start, goal), nav2_core::PlannerException);
      continue;
    }
    ASSERT_NEAR(fixture.report_of_plan(start, goal).cost, in_cells(static_cast<Cost>(best)), 1e-9)
        << "update " << i;
  }
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
