// How well the RTD* node keeps its period: `./run bench rtd-node`. The node with its topics and
// transforms, and a robot that does what cmd_vel says, on a large costmap of which a share changes
// every second. Fails when a step has spent more than its limit, or when the memory grows.

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <deque>
#include <fstream>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "bench/worlds.hpp"
#include "dynamic_planners/ros/rtd_node.hpp"
#include "tf2_msgs/msg/tf_message.hpp"

namespace {

using namespace dynamic_planners;
using dynamic_planners_msgs::msg::StepCommand;
using nav2_msgs::msg::Costmap;
using nav2_msgs::msg::CostmapUpdate;

constexpr double kResolution = 0.05;
constexpr double kUpdatesPerSecond = 20.0;
constexpr double kPrintPeriod = 30.0;  // s
/// Two messages with all of the costmap; they come and go [MiB].
constexpr double kMemorySlack = 8.0;

struct Options {
  double seconds = 600.0;
  double rate = 100.0;
  int limit = 256;
  int size = 2000;
  double change = 1.0;
};

double memory_mib() {
  std::ifstream statm("/proc/self/statm");
  double total = 0.0;
  double resident = 0.0;
  statm >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

double seconds_of(const builtin_interfaces::msg::Duration& duration) {
  return duration.sec + 1e-9 * duration.nanosec;
}

struct Disc {
  int x;
  int y;
  int radius;
};

/// Everything around the node.
class Surroundings {
 public:
  explicit Surroundings(const Options& options)
      : options_(options),
        grid_(bench::rooms(options.size, 1)),
        rooms_(grid_),
        node_(std::make_shared<rclcpp::Node>("surroundings")) {
    const auto kept = rclcpp::QoS(1).transient_local().reliable();
    update_publisher_ =
        node_->create_publisher<CostmapUpdate>("global_costmap/costmap_raw_updates", kept);
    transform_publisher_ = node_->create_publisher<tf2_msgs::msg::TFMessage>("/tf", 100);
    goal_publisher_ = node_->create_publisher<geometry_msgs::msg::PoseStamped>("goal_pose", 10);
    velocity_subscription_ = node_->create_subscription<geometry_msgs::msg::TwistStamped>(
        "cmd_vel", 10, [this](const geometry_msgs::msg::TwistStamped& twist) {
          velocity_ = {twist.twist.linear.x, twist.twist.angular.z};
        });
    step_subscription_ = node_->create_subscription<StepCommand>(
        "step", 1000, [this](const StepCommand& step) { take(step); });
    map_service_ = node_->create_service<nav2_msgs::srv::GetCostmap>(
        "global_costmap/get_costmap",
        [this](const std::shared_ptr<nav2_msgs::srv::GetCostmap::Request> /*request*/,
               std::shared_ptr<nav2_msgs::srv::GetCostmap::Response> response) {
          response->map = all();
        });
    // So that memory stays what it is.
    times_.reserve(static_cast<std::size_t>(2.0 * options.seconds * options.rate));
    const auto [x, y] = grid_.position(free_cell());
    robot_ = {middle(x), middle(y), 0.0};
    moving_ = node_->create_wall_timer(std::chrono::milliseconds(10), [this] { move(); });
    changing_ = node_->create_wall_timer(std::chrono::duration<double>(1.0 / kUpdatesPerSecond),
                                         [this] { change(); });
  }

  rclcpp::Node::SharedPtr node() const { return node_; }

  bool is_heard() const {
    return update_publisher_->get_subscription_count() > 0 &&
           goal_publisher_->get_subscription_count() > 0;
  }
  void begin() { begun_ = true; }

  /// What a run must not do, after a warm-up with so much memory. Whether a deadline was missed
  /// says as much about the computer as about the node: that is only told.
  bool judge(double memory_before) {
    const std::lock_guard lock(mutex_);
    const auto limit = static_cast<std::uint64_t>(options_.limit);
    const double growth = memory_mib() - memory_before;
    const bool is_good = !times_.empty() && most_spent_ <= limit && growth <= kMemorySlack;
    fmt::print(
        "\n{}: {} steps, of which {} missed their deadline; at most {} of {} expansions in "
        "one; {:+.1f} MiB since the warm-up\n",
        is_good ? "Passed" : "Failed", times_.size(), misses_, most_spent_, limit, growth);
    return is_good;
  }

  void print(double second) {
    const std::lock_guard lock(mutex_);
    std::vector<double> sorted = times_;
    std::sort(sorted.begin(), sorted.end());
    const auto at = [&](double share) {
      return sorted.empty()
                 ? 0.0
                 : sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
    };
    fmt::print(
        "{:>7.0f}{:>9}{:>9}{:>9.3f}{:>9.3f}{:>9.3f}{:>9.3f}{:>11.3f}{:>10}{:>9.0f}{:>11.0f}{:>8}{:>"
        "9.1f}\n",
        second, times_.size(), misses_, at(0.5), at(0.99), at(0.999), at(1.0), worst_delay_,
        most_spent_,
        100.0 * static_cast<double>(informed_) /
            static_cast<double>(std::max<std::size_t>(1, times_.size())),
        static_cast<double>(changed_) / second, goals_, memory_mib());
    std::fflush(stdout);
  }

 private:
  Costmap all() const {
    Costmap costmap;
    costmap.header = header();
    costmap.metadata.resolution = static_cast<float>(kResolution);
    costmap.metadata.size_x = costmap.metadata.size_y = static_cast<std::uint32_t>(options_.size);
    costmap.data.assign(grid_.costs().begin(), grid_.costs().end());
    return costmap;
  }

  double middle(int cell) const { return (cell + 0.5) * kResolution; }
  std_msgs::msg::Header header() const {
    std_msgs::msg::Header header;
    header.stamp = node_->now();
    header.frame_id = "map";
    return header;
  }
  Cell free_cell() {
    for (;;) {
      const auto cell = static_cast<Cell>(random_() % grid_.size());
      if (grid_[cell] == kFree) return cell;
    }
  }

  void move() {
    constexpr double kSeconds = 0.01;
    robot_.yaw += velocity_.angular * kSeconds;
    robot_.x += velocity_.linear * kSeconds * std::cos(robot_.yaw);
    robot_.y += velocity_.linear * kSeconds * std::sin(robot_.yaw);
    tf2_msgs::msg::TFMessage message;
    message.transforms.resize(1);
    message.transforms[0].header = header();
    message.transforms[0].child_frame_id = "base_link";
    message.transforms[0].transform.translation.x = robot_.x;
    message.transforms[0].transform.translation.y = robot_.y;
    message.transforms[0].transform.rotation.z = std::sin(robot_.yaw / 2);
    message.transforms[0].transform.rotation.w = std::cos(robot_.yaw / 2);
    transform_publisher_->publish(message);
    if (!begun_) return;
    ++since_goal_;
    const bool there = std::hypot(robot_.x - goal_.x, robot_.y - goal_.y) < 0.5;
    constexpr int kLongEnough = 12'000;  // two minutes
    if (goals_ > 0 && !there && since_goal_ < kLongEnough) return;
    const auto [x, y] = grid_.position(free_cell());
    goal_ = {middle(x), middle(y)};
    geometry_msgs::msg::PoseStamped pose;
    pose.header = header();
    pose.pose.position.x = goal_.x;
    pose.pose.position.y = goal_.y;
    goal_publisher_->publish(pose);
    ++goals_;
    since_goal_ = 0;
  }

  /// A disc becomes lethal somewhere, every other one of them near the robot, and that of a second
  /// ago what it was.
  void change() {
    if (!begun_) return;
    if (discs_.size() >= static_cast<std::size_t>(kUpdatesPerSecond)) {
      put(discs_.front(), false);
      discs_.pop_front();
    }
    const double cells = options_.change / 100.0 * grid_.size() / kUpdatesPerSecond;
    const Disc disc = draw_disc(std::sqrt(cells / 2.0 / std::acos(-1.0)));
    put(disc, true);
    discs_.push_back(disc);
  }

  Disc draw_disc(double radius) {
    const bool near = ++updates_ % 2 == 0;
    const auto draw = [&](double around) {
      constexpr int kNear = 400;  // cells
      const int from = near ? static_cast<int>(around / kResolution) - kNear / 2 : 0;
      const int size = near ? kNear : options_.size;
      return std::clamp(from + static_cast<int>(random_() % static_cast<unsigned>(size)), 0,
                        options_.size - 1);
    };
    for (;;) {
      constexpr double kLeftFree = 1.0;  // around the robot and the goal [m]
      const Disc disc{draw(robot_.x), draw(robot_.y), static_cast<int>(std::lround(radius))};
      const double least = disc.radius * kResolution + kLeftFree;
      const auto away = [&](double x, double y) {
        return std::hypot(middle(disc.x) - x, middle(disc.y) - y);
      };
      if (away(robot_.x, robot_.y) > least && away(goal_.x, goal_.y) > least) return disc;
    }
  }

  void put(const Disc& disc, bool lethal) {
    const int x0 = std::max(0, disc.x - disc.radius);
    const int y0 = std::max(0, disc.y - disc.radius);
    const int x1 = std::min(options_.size - 1, disc.x + disc.radius);
    const int y1 = std::min(options_.size - 1, disc.y + disc.radius);
    CostmapUpdate update;
    update.x = static_cast<std::uint32_t>(x0);
    update.y = static_cast<std::uint32_t>(y0);
    update.size_x = static_cast<std::uint32_t>(x1 - x0 + 1);
    update.size_y = static_cast<std::uint32_t>(y1 - y0 + 1);
    for (int y = y0; y <= y1; ++y) {
      for (int x = x0; x <= x1; ++x) {
        const Cell cell = grid_.cell(x, y);
        if (std::hypot(x - disc.x, y - disc.y) <= disc.radius &&
            grid_.set(cell, lethal ? kLethal : rooms_[cell])) {
          ++changed_;
        }
        update.data.push_back(grid_[cell]);
      }
    }
    update.header = header();
    update_publisher_->publish(update);
  }

  void take(const StepCommand& step) {
    const std::lock_guard lock(mutex_);
    times_.push_back(1e3 * seconds_of(step.step_time));
    worst_delay_ = std::max(worst_delay_, 1e3 * seconds_of(step.delay));
    misses_ = step.deadline_misses;
    most_spent_ = std::max(most_spent_, step.spent);
    if (step.status == StepCommand::FULLY_INFORMED) ++informed_;
  }

  Options options_;
  Grid grid_;
  Grid rooms_;
  std::mt19937_64 random_{7};
  ros::RobotPose robot_;
  ros::Velocity velocity_;
  Point goal_{-100.0, -100.0};
  std::atomic<bool> begun_{false};
  int since_goal_ = 0;
  int updates_ = 0;
  std::deque<Disc> discs_;
  std::atomic<int> goals_{0};
  std::atomic<std::uint64_t> changed_{0};

  std::mutex mutex_;
  std::vector<double> times_;  // ms
  double worst_delay_ = 0.0;
  std::uint64_t misses_ = 0;
  std::uint64_t most_spent_ = 0;
  std::uint64_t informed_ = 0;

  rclcpp::Node::SharedPtr node_;
  rclcpp::Service<nav2_msgs::srv::GetCostmap>::SharedPtr map_service_;
  rclcpp::Publisher<CostmapUpdate>::SharedPtr update_publisher_;
  rclcpp::Publisher<tf2_msgs::msg::TFMessage>::SharedPtr transform_publisher_;
  rclcpp::Publisher<geometry_msgs::msg::PoseStamped>::SharedPtr goal_publisher_;
  rclcpp::Subscription<geometry_msgs::msg::TwistStamped>::SharedPtr velocity_subscription_;
  rclcpp::Subscription<StepCommand>::SharedPtr step_subscription_;
  rclcpp::TimerBase::SharedPtr moving_;
  rclcpp::TimerBase::SharedPtr changing_;
};

bool run(const Options& options) {
  std::vector<rclcpp::Parameter> parameters{
      {"rate", options.rate},
      {"step_deadline", 1.0 / options.rate},
      {"expansion_limit", options.limit},
      {"max_linear_speed", 2.0},
      {"wait_timeout", 1e6},
  };
  const auto node =
      std::make_shared<RTDStarNode>(rclcpp::NodeOptions().parameter_overrides(parameters));
  rclcpp::executors::SingleThreadedExecutor node_executor;
  node_executor.add_node(node->get_node_base_interface());
  std::thread node_thread([&] { node_executor.spin(); });

  Surroundings surroundings(options);
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(surroundings.node());
  std::thread thread([&] { executor.spin(); });

  node->configure();
  node->activate();
  while (!surroundings.is_heard()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  // Until the node has asked for the costmap and made its search.
  std::this_thread::sleep_for(std::chrono::seconds(3));

  fmt::print(
      "The RTD* node at {:.0f} Hz, {} expansions per step, on {} x {} cells of which {:.1f} % "
      "change "
      "per second.\nTimes of steps and delays in ms; a step misses its deadline when both "
      "together take longer than {:.1f} ms.\n\n",
      options.rate, options.limit, options.size, options.size, options.change, 1e3 / options.rate);
  fmt::print("{:>7}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>11}{:>10}{:>9}{:>11}{:>8}{:>9}\n", "second",
             "steps", "misses", "median", "p99", "p99.9", "worst", "max delay", "max spent",
             "informed", "changed/s", "goals", "MiB");
  surroundings.begin();
  const auto begin = std::chrono::steady_clock::now();
  // Buffers grow until the transforms of ten seconds are in them, and the first ways are found.
  const double warm_up = std::min(kPrintPeriod, options.seconds / 2.0);
  double memory_before = 0.0;
  for (double second = 0.0; second < options.seconds;) {
    second = second == 0.0 ? warm_up : std::min(second + kPrintPeriod, options.seconds);
    std::this_thread::sleep_until(begin + std::chrono::duration<double>(second));
    surroundings.print(second);
    if (second == warm_up) memory_before = memory_mib();
  }
  const bool is_good = surroundings.judge(memory_before);
  node->deactivate();
  executor.cancel();
  node_executor.cancel();
  thread.join();
  node_thread.join();
  return is_good;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"How well the RTD* node keeps its period"};
  app.add_option("--seconds", options.seconds)->check(CLI::Range(1.0, 1e6));
  app.add_option("--rate", options.rate, "Steps per second")->check(CLI::Range(1.0, 1000.0));
  app.add_option("--limit", options.limit, "Expansions per step")->check(CLI::Range(1, 1000000));
  app.add_option("--size", options.size, "Cells per side")->check(CLI::Range(100, 16000));
  app.add_option("--change", options.change, "Percent of all cells per second")
      ->check(CLI::Range(0.0, 100.0));
  CLI11_PARSE(app, argc, argv);
  rclcpp::init(argc, argv);
  const bool is_good = run(options);
  rclcpp::shutdown();
  return is_good ? 0 : 1;
}
