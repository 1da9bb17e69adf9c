// The node as a lifecycle manager has it, with a robot that does what cmd_vel says, over real
// topics, actions, services and transforms.

#include "dynamic_planners/ros/rtd_node.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <ctime>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "diagnostic_msgs/msg/diagnostic_array.hpp"
#include "lifecycle_msgs/msg/state.hpp"
#include "nav2_msgs/action/compute_path_to_pose.hpp"
#include "rmw/rmw.h"
#include "rosgraph_msgs/msg/clock.hpp"
#include "tf2_msgs/msg/tf_message.hpp"

namespace {
std::atomic<int> system_clock_set_back{0};  // by so many seconds
std::atomic<bool> numbers_windows{false};
std::atomic<bool> loses_windows{false};
std::atomic<int> windows_lost{0};
}  // namespace

/// What everybody in this program asks for the time.
extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const auto result = static_cast<int>(syscall(SYS_clock_gettime, clock, time));
  if (clock == CLOCK_REALTIME) time->tv_sec -= system_clock_set_back;
  return result;
}

/// What everybody in this program takes messages with. If it is to, it numbers the costmap's
/// windows as some of the middlewares do and others do not, and loses them as all of them may.
extern "C" rmw_ret_t rmw_take_with_info(const rmw_subscription_t* subscription, void* message,
                                        bool* taken, rmw_message_info_t* info,
                                        rmw_subscription_allocation_t* allocation) {
  static const auto take =
      reinterpret_cast<decltype(&rmw_take_with_info)>(dlsym(RTLD_NEXT, "rmw_take_with_info"));
  static std::atomic<std::uint64_t> number{0};
  const rmw_ret_t result = take(subscription, message, taken, info, allocation);
  constexpr std::string_view kWindows = "costmap_raw_updates";
  if (numbers_windows && *taken && std::string_view(subscription->topic_name).ends_with(kWindows)) {
    info->publication_sequence_number = ++number;
    if (loses_windows) {
      *taken = false;
      ++windows_lost;
    }
  }
  return result;
}

namespace dynamic_planners::ros {
namespace {

using namespace std::chrono_literals;
using dynamic_planners_msgs::msg::StepCommand;
using dynamic_planners_msgs::srv::ResetSearch;
using geometry_msgs::msg::PoseStamped;
using lifecycle_msgs::msg::State;
using nav2_msgs::action::NavigateToPose;
using nav2_msgs::msg::Costmap;
using nav2_msgs::msg::CostmapUpdate;
using nav2_msgs::srv::GetCostmap;
using Code = nav2_msgs::action::ComputePathToPose::Result;
using GoalHandle = rclcpp_action::ClientGoalHandle<NavigateToPose>;
using Parameters = std::vector<rclcpp::Parameter>;

constexpr double kResolution = 0.05;
constexpr double kPeriod = 0.05;
constexpr double kCostmapTimeout = 0.5;
constexpr double kTransformTimeout = 0.3;
constexpr double kRounding = 1e-6;
constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr auto kPatience = 60s;  // long, since others use the machine too

/// Waits for it to come true.
bool wait_for(const std::function<bool()>& condition,
              std::chrono::nanoseconds patience = kPatience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(2ms);
  }
  return true;
}

/// A robot in a world, and all that is around the node: the costmap of that world, the transform of
/// the robot, which goes where cmd_vel says, and, if it is to, the clock.
class Robot {
 public:
  Robot(int width, int height, bool with_clock)
      : grid_(width, height),
        blocked_since_(grid_.size(), kNever),
        with_clock_(with_clock),
        node_(std::make_shared<rclcpp::Node>("robot")) {
    const auto kept = rclcpp::QoS(1).transient_local().reliable();
    map_publisher_ = node_->create_publisher<Costmap>("global_costmap/costmap_raw", kept);
    update_publisher_ =
        node_->create_publisher<CostmapUpdate>("global_costmap/costmap_raw_updates", kept);
    transform_publisher_ = node_->create_publisher<tf2_msgs::msg::TFMessage>("/tf", 100);
    clock_publisher_ = node_->create_publisher<rosgraph_msgs::msg::Clock>("/clock", 10);
    goal_publisher_ = node_->create_publisher<PoseStamped>("goal_pose", 10);
    velocity_subscription_ = node_->create_subscription<geometry_msgs::msg::TwistStamped>(
        "cmd_vel", 100, [this](const geometry_msgs::msg::TwistStamped& twist) {
          const std::lock_guard lock(mutex_);
          velocity_ = {twist.twist.linear.x, twist.twist.angular.z};
          heeded_ = 0.0;
          commanded_ = rclcpp::Time(twist.header.stamp).seconds();
          velocities_.emplace_back(commanded_, velocity_);
        });
    step_subscription_ =
        node_->create_subscription<StepCommand>("step", 1000, [this](const StepCommand& step) {
          const std::lock_guard lock(mutex_);
          steps_.push_back(step);
        });
    plan_subscription_ = node_->create_subscription<nav_msgs::msg::Path>(
        "plan", 10, [this](nav_msgs::msg::Path path) {
          const std::lock_guard lock(mutex_);
          if (!path.poses.empty()) plan_ = std::move(path);
        });
    diagnostics_subscription_ = node_->create_subscription<diagnostic_msgs::msg::DiagnosticArray>(
        "/diagnostics", 10, [this](const diagnostic_msgs::msg::DiagnosticArray& array) {
          const std::lock_guard lock(mutex_);
          diagnostics_ = array.status.at(0);
        });
    costmap_service_ = node_->create_service<GetCostmap>(
        "global_costmap/get_costmap", [this](const std::shared_ptr<rmw_request_id_t> request,
                                             const std::shared_ptr<GetCostmap::Request> /*empty*/) {
          const std::lock_guard lock(mutex_);
          ++costmap_requests;
          Answer answer{std::chrono::steady_clock::now() + answers_after.load(), *request,
                        GetCostmap::Response()};
          if (answers) answer.response.map = all();
          answers_.push_back(answer);
        });
    action_client_ = rclcpp_action::create_client<NavigateToPose>(node_, "navigate_to_pose");
    timer_ = node_->create_wall_timer(10ms, [this] { live(); });
    executor_.add_node(node_);
    thread_ = std::thread([this] { executor_.spin(); });
  }
  Robot(const Robot&) = delete;
  Robot& operator=(const Robot&) = delete;
  ~Robot() {
    executor_.cancel();
    thread_.join();
  }

  // What can be made to fail.
  std::atomic<bool> shows_costmap{true};
  std::atomic<bool> shows_transform{true};
  std::atomic<bool> answers{true};
  std::atomic<std::chrono::milliseconds> answers_after{0ms};
  std::atomic<int> costmap_requests{0};
  /// With a clock of its own: it goes on only when the node has made the step that is due, and so
  /// no command is later than one period after it was decided on, however busy the computer is.
  std::atomic<bool> clock_waits_for_steps{false};

  /// Gives a rectangle of cells this cost, in the next update.
  void fill(int x0, int y0, int x1, int y1, std::uint8_t cost) {
    const std::lock_guard lock(mutex_);
    for (int y = y0; y <= y1; ++y) {
      for (int x = x0; x <= x1; ++x) grid_.set(grid_.cell(x, y), cost);
    }
    window_ = {std::min(window_.x, x0), std::min(window_.y, y0),
               std::max(window_.x + window_.width, x1 + 1) - std::min(window_.x, x0),
               std::max(window_.y + window_.height, y1 + 1) - std::min(window_.y, y0)};
  }
  void put(double x, double y, double yaw = 0.0) {
    const std::lock_guard lock(mutex_);
    pose_ = {x, y, yaw};
  }
  void publish_all() {
    const std::lock_guard lock(mutex_);
    map_publisher_->publish(all());
  }
  Costmap all_of_it() {
    const std::lock_guard lock(mutex_);
    return all();
  }
  void publish(const Costmap& costmap) { map_publisher_->publish(costmap); }
  void publish(const CostmapUpdate& update) { update_publisher_->publish(update); }
  void jump(double seconds) {
    const std::lock_guard lock(mutex_);
    jumped_ += seconds;
  }

  double now() {
    const std::lock_guard lock(mutex_);
    return rclcpp::Time(stamp()).seconds();
  }
  builtin_interfaces::msg::Time stamp_now() {
    const std::lock_guard lock(mutex_);
    return stamp();
  }
  RobotPose pose() {
    const std::lock_guard lock(mutex_);
    return pose_;
  }
  Velocity velocity() {
    const std::lock_guard lock(mutex_);
    return velocity_;
  }
  bool moves() { return !(velocity() == Velocity{}); }
  /// How often, of the moments looked at, it drove by a command of after the costmap had said that
  /// it must not be there.
  int moments_in_obstacles() {
    const std::lock_guard lock(mutex_);
    return in_obstacles_;
  }
  double last_costmap() {
    const std::lock_guard lock(mutex_);
    return last_costmap_;
  }
  double last_transform() {
    const std::lock_guard lock(mutex_);
    return last_transform_;
  }
  std::vector<std::pair<double, Velocity>> velocities() {
    const std::lock_guard lock(mutex_);
    return velocities_;
  }
  /// How many commands of these times were to move.
  int motions(double from, double to = kNever) {
    const auto all = velocities();
    return static_cast<int>(std::count_if(all.begin(), all.end(), [&](const auto& one) {
      return one.first > from && one.first < to && !(one.second == Velocity{});
    }));
  }
  std::vector<StepCommand> steps() {
    const std::lock_guard lock(mutex_);
    return steps_;
  }
  std::optional<StepCommand> last_step() {
    const std::lock_guard lock(mutex_);
    return steps_.empty() ? std::nullopt : std::optional(steps_.back());
  }
  std::optional<nav_msgs::msg::Path> plan() {
    const std::lock_guard lock(mutex_);
    return plan_;
  }
  std::optional<diagnostic_msgs::msg::DiagnosticStatus> diagnostics() {
    const std::lock_guard lock(mutex_);
    return diagnostics_;
  }
  std::string diagnosed(const std::string& key) {
    const auto status = diagnostics();
    if (!status) return "";
    for (const auto& value : status->values) {
      if (value.key == key) return value.value;
    }
    return "";
  }
  rclcpp::Node& node() { return *node_; }
  rclcpp_action::Client<NavigateToPose>& client() { return *action_client_; }
  void publish_goal(const PoseStamped& goal) { goal_publisher_->publish(goal); }
  bool is_heard() const {
    return map_publisher_->get_subscription_count() > 0 &&
           update_publisher_->get_subscription_count() > 0 &&
           transform_publisher_->get_subscription_count() > 0 &&
           goal_publisher_->get_subscription_count() > 0 &&
           node_->count_publishers("cmd_vel") > 0 && node_->count_publishers("step") > 0 &&
           action_client_->action_server_is_ready();
  }

 private:
  struct Answer {
    std::chrono::steady_clock::time_point due;
    rmw_request_id_t request;
    GetCostmap::Response response;
  };

  void live() {
    const std::lock_guard lock(mutex_);
    const auto steady = std::chrono::steady_clock::now();
    const double passed = time_passed(std::chrono::duration<double>(steady - lived_).count());
    lived_ = steady;
    clock_ += passed;
    if (with_clock_) {
      rosgraph_msgs::msg::Clock clock;
      clock.clock = stamp();
      clock_publisher_->publish(clock);
    }
    // As bases do, it does not heed a command for ever.
    const double driven = std::clamp(2 * kPeriod - heeded_, 0.0, passed);
    heeded_ += passed;
    pose_.yaw += velocity_.angular * driven / 2;
    pose_.x += velocity_.linear * driven * std::cos(pose_.yaw);
    pose_.y += velocity_.linear * driven * std::sin(pose_.yaw);
    pose_.yaw += velocity_.angular * driven / 2;
    // A message takes its time, on a busy computer longer than a period; what was commanded before
    // it can have come is no fault.
    constexpr double kHeard = 0.2;
    const auto at = frame().cell_at(pose_.x, pose_.y);
    if (velocity_.linear > 0.0 && driven > 0.0 &&
        (!at || commanded_ - blocked_since_[grid_.cell(at->x, at->y)] > kHeard)) {
      ++in_obstacles_;
    }
    ++moments_;
    while (!answers_.empty() && steady >= answers_.front().due) {
      costmap_service_->send_response(answers_.front().request, answers_.front().response);
      answers_.pop_front();
    }
    if (shows_transform) show_transform();
    if (shows_costmap && moments_ % 5 == 0) show_costmap();
  }

  double time_passed(double seconds) const {
    if (!clock_waits_for_steps) return seconds;
    const double last = rclcpp::Time(steps_.back().header.stamp).seconds();
    return std::clamp(last + kPeriod + kRounding / 2 - clock_ - jumped_, 0.0, seconds);
  }

  void show_transform() {
    geometry_msgs::msg::TransformStamped transform;
    transform.header.stamp = stamp();
    transform.header.frame_id = "map";
    transform.child_frame_id = "base_link";
    transform.transform.translation.x = pose_.x;
    transform.transform.translation.y = pose_.y;
    transform.transform.rotation.z = std::sin(pose_.yaw / 2);
    transform.transform.rotation.w = std::cos(pose_.yaw / 2);
    tf2_msgs::msg::TFMessage message;
    message.transforms.push_back(transform);
    transform.child_frame_id = "dock";  // a place 1 m to the right of the origin
    transform.transform = geometry_msgs::msg::Transform();
    transform.transform.translation.x = 1.0;
    message.transforms.push_back(transform);
    transform_publisher_->publish(message);
    last_transform_ = rclcpp::Time(transform.header.stamp).seconds();
  }

  void show_costmap() {
    CostmapUpdate update;
    update.header.stamp = stamp();
    update.header.frame_id = "map";
    update.x = static_cast<std::uint32_t>(window_.x);
    update.y = static_cast<std::uint32_t>(window_.y);
    update.size_x = static_cast<std::uint32_t>(window_.width);
    update.size_y = static_cast<std::uint32_t>(window_.height);
    for (int y = window_.y; y < window_.y + window_.height; ++y) {
      for (int x = window_.x; x < window_.x + window_.width; ++x) {
        const Cell cell = grid_.cell(x, y);
        update.data.push_back(grid_[cell]);
        if (grid_[cell] <= kMaxPassable) {
          blocked_since_[cell] = kNever;
        } else if (blocked_since_[cell] == kNever) {
          blocked_since_[cell] = rclcpp::Time(update.header.stamp).seconds();
        }
      }
    }
    window_ = {0, 0, 1, 1};
    update_publisher_->publish(update);
    last_costmap_ = rclcpp::Time(update.header.stamp).seconds();
  }

  Frame frame() const { return {0.0, 0.0, kResolution, grid_.width(), grid_.height()}; }

  Costmap all() {
    Costmap costmap;
    costmap.header.stamp = stamp();
    costmap.header.frame_id = "map";
    costmap.metadata.resolution = static_cast<float>(kResolution);
    costmap.metadata.size_x = static_cast<std::uint32_t>(grid_.width());
    costmap.metadata.size_y = static_cast<std::uint32_t>(grid_.height());
    costmap.metadata.origin.orientation.w = 1.0;
    costmap.data.assign(grid_.costs().begin(), grid_.costs().end());
    return costmap;
  }

  builtin_interfaces::msg::Time stamp() const {
    if (!with_clock_) return node_->now();
    return rclcpp::Time(static_cast<std::int64_t>((clock_ + jumped_) * 1e9));
  }

  std::mutex mutex_;
  Grid grid_;
  std::vector<double> blocked_since_;
  std::deque<Answer> answers_;
  Window window_{0, 0, 1, 1};  // of the next update
  bool with_clock_;
  double clock_ = 1000.0;
  double jumped_ = 0.0;
  std::chrono::steady_clock::time_point lived_ = std::chrono::steady_clock::now();
  RobotPose pose_{0.5, 0.5, 0.0};
  Velocity velocity_;
  double commanded_ = 0.0;
  double heeded_ = 0.0;  // for so long
  std::vector<std::pair<double, Velocity>> velocities_;
  std::vector<StepCommand> steps_;
  std::optional<nav_msgs::msg::Path> plan_;
  std::optional<diagnostic_msgs::msg::DiagnosticStatus> diagnostics_;
  int in_obstacles_ = 0;
  int moments_ = 0;
  double last_costmap_ = 0.0;
  double last_transform_ = 0.0;

  rclcpp::Node::SharedPtr node_;
  rclcpp::Publisher<Costmap>::SharedPtr map_publisher_;
  rclcpp::Publisher<CostmapUpdate>::SharedPtr update_publisher_;
  rclcpp::Publisher<tf2_msgs::msg::TFMessage>::SharedPtr transform_publisher_;
  rclcpp::Publisher<rosgraph_msgs::msg::Clock>::SharedPtr clock_publisher_;
  rclcpp::Publisher<PoseStamped>::SharedPtr goal_publisher_;
  rclcpp::Subscription<geometry_msgs::msg::TwistStamped>::SharedPtr velocity_subscription_;
  rclcpp::Subscription<StepCommand>::SharedPtr step_subscription_;
  rclcpp::Subscription<nav_msgs::msg::Path>::SharedPtr plan_subscription_;
  rclcpp::Subscription<diagnostic_msgs::msg::DiagnosticArray>::SharedPtr diagnostics_subscription_;
  rclcpp::Service<GetCostmap>::SharedPtr costmap_service_;
  rclcpp_action::Client<NavigateToPose>::SharedPtr action_client_;
  rclcpp::TimerBase::SharedPtr timer_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  std::thread thread_;
};

/// A goal that was sent, and what became of it.
class Sent {
 public:
  Sent(Robot& robot, const PoseStamped& pose) : robot_(&robot) {
    NavigateToPose::Goal goal;
    goal.pose = pose;
    rclcpp_action::Client<NavigateToPose>::SendGoalOptions options;
    options.feedback_callback = [told = told_](const GoalHandle::SharedPtr& /*handle*/,
                                               const auto& feedback) {
      told->distance = feedback->distance_remaining;
    };
    options.result_callback = [told = told_](const GoalHandle::WrappedResult& result) {
      told->result = result;
      told->is_over = true;
    };
    handle_ = robot.client().async_send_goal(goal, options);
  }

  bool is_accepted() const {
    return handle_.wait_for(kPatience) == std::future_status::ready && handle_.get() != nullptr;
  }
  bool is_over() const { return told_->is_over; }
  float distance() const { return told_->distance; }
  void cancel() const { robot_->client().async_cancel_goal(handle_.get()).wait_for(kPatience); }
  /// Waits for the end.
  rclcpp_action::ResultCode code() const {
    if (!wait_for([this] { return is_over(); })) return rclcpp_action::ResultCode::UNKNOWN;
    return told_->result.code;
  }
  std::uint16_t error_code() const {
    return wait_for([this] { return is_over(); }) ? told_->result.result->error_code : 9999;
  }
  std::string reason() const {
    return wait_for([this] { return is_over(); }) ? told_->result.result->error_msg : "no result";
  }

 private:
  struct Told {
    std::atomic<bool> is_over{false};
    std::atomic<float> distance{-1.0F};
    GoalHandle::WrappedResult result;
  };
  Robot* robot_;
  std::shared_ptr<Told> told_ = std::make_shared<Told>();
  std::shared_future<GoalHandle::SharedPtr> handle_;
};

PoseStamped at(double x, double y, double yaw = 0.0) {
  PoseStamped pose;
  pose.header.frame_id = "map";
  pose.pose.position.x = x;
  pose.pose.position.y = y;
  pose.pose.orientation.z = std::sin(yaw / 2);
  pose.pose.orientation.w = std::cos(yaw / 2);
  return pose;
}

class RTDNode : public testing::Test {
 protected:
  /// A free world of so many cells, and the node, active.
  void start(int width, int height, Parameters parameters = {}, bool with_clock = false) {
    robot_ = std::make_unique<Robot>(width, height, with_clock);
    const Parameters otherwise{{"use_sim_time", with_clock},
                               {"max_linear_speed", 1.0},
                               {"costmap_timeout", kCostmapTimeout},
                               {"transform_timeout", kTransformTimeout}};
    for (const rclcpp::Parameter& parameter : otherwise) {
      if (std::none_of(parameters.begin(), parameters.end(), [&](const rclcpp::Parameter& one) {
            return one.get_name() == parameter.get_name();
          })) {
        parameters.push_back(parameter);
      }
    }
    make_node(parameters);
    ASSERT_EQ(node_->configure().id(), State::PRIMARY_STATE_INACTIVE);
    ASSERT_EQ(node_->activate().id(), State::PRIMARY_STATE_ACTIVE);
    ASSERT_TRUE(wait_for([this] { return robot_->is_heard(); }));
  }

  void make_node(const Parameters& parameters) {
    node_ = std::make_shared<RTDStarNode>(rclcpp::NodeOptions().parameter_overrides(parameters));
    executor_.add_node(node_->get_node_base_interface());
    thread_ = std::thread([this] { executor_.spin(); });
    wait_for([this] { return executor_.is_spinning(); });
  }

  void TearDown() override {
    executor_.cancel();
    if (thread_.joinable()) thread_.join();
    if (robot_ != nullptr) {
      EXPECT_EQ(robot_->moments_in_obstacles(), 0);
    }
    node_.reset();
    robot_.reset();
  }

  /// Sends a goal far away and waits until the robot is well on its way.
  Sent set_out(const PoseStamped& goal) {
    Sent sent(*robot_, goal);
    EXPECT_TRUE(sent.is_accepted());
    EXPECT_TRUE(wait_for([&] { return robot_->velocity().linear > 0.2; })) << sent.reason();
    return sent;
  }

  bool stands(const std::string& reason) {
    return wait_for([&] {
      const auto step = robot_->last_step();
      return step && step->reason.find(reason) != std::string::npos && !robot_->moves();
    });
  }

  /// It was told to, and of all that was commanded since then, nothing but what was on its way.
  void expect_told_to_stand_since(double time) {
    EXPECT_TRUE(wait_for([this] { return !robot_->moves(); }));
    EXPECT_LE(robot_->motions(time), 1);
  }

  void wall(int x, int from, int to, std::uint8_t cost = kLethal) {
    robot_->fill(x, from, x, to, cost);
  }

  std::unique_ptr<Robot> robot_;
  std::shared_ptr<RTDStarNode> node_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  std::thread thread_;
};

TEST_F(RTDNode, DrivesThroughRoomsWhoseDoorsMove) {
  constexpr int kLimit = 2000;
  start(160, 80, {{"expansion_limit", kLimit}, {"max_linear_speed", 1.0}, {"wait_timeout", 600.0}});
  // Four rooms side by side; each wall has a door below and one above.
  const auto door = [&](int wall_x, bool above, bool open) {
    const int from = above ? 60 : 10;
    robot_->fill(wall_x, from, wall_x + 1, from + 8, open ? kFree : kLethal);
  };
  for (const int x : {40, 80, 120}) {
    robot_->fill(x - 2, 0, x + 3, 79, kInscribed);
    robot_->fill(x, 0, x + 1, 79, kLethal);
    for (const int y : {10, 60}) robot_->fill(x - 2, y, x + 3, y + 8, kFree);
  }
  robot_->put(0.6, 0.6, 2.0);
  const Sent sent(*robot_, at(7.4, 3.3, 1.5));
  ASSERT_TRUE(sent.is_accepted());
  // Now one of the two is open, now the other, but for those that the robot is in.
  bool above = false;
  const auto begin = std::chrono::steady_clock::now();
  while (!sent.is_over() && std::chrono::steady_clock::now() < begin + 3 * kPatience) {
    for (const int x : {40, 80, 120}) {
      if (std::abs(robot_->pose().x - (x + 1) * kResolution) < 0.6) continue;
      door(x, above, true);
      door(x, !above, false);
    }
    above = !above;
    std::this_thread::sleep_for(6000ms);
  }
  ASSERT_EQ(sent.code(), rclcpp_action::ResultCode::SUCCEEDED) << sent.reason();
  EXPECT_EQ(sent.error_code(), 0);
  EXPECT_NEAR(robot_->pose().x, 7.4, 0.12);
  EXPECT_NEAR(robot_->pose().y, 3.3, 0.12);
  EXPECT_NEAR(std::remainder(robot_->pose().yaw - 1.5, 2 * M_PI), 0.0, 0.12);
  EXPECT_FALSE(robot_->moves());
  EXPECT_GE(sent.distance(), 0.0F);
  ASSERT_TRUE(robot_->plan().has_value());
  EXPECT_EQ(robot_->plan()->header.frame_id, "map");
  bool was_informed = false;
  for (const StepCommand& step : robot_->steps()) {
    EXPECT_LE(step.spent, std::uint64_t{kLimit});
    EXPECT_EQ(step.expansion_limit, std::uint64_t{kLimit});
    was_informed = was_informed || step.status == StepCommand::FULLY_INFORMED;
  }
  EXPECT_TRUE(was_informed);
}

TEST_F(RTDNode, StandsWhileTheCostmapIsSilent) {
  start(400, 20, {}, true);
  const Sent sent = set_out(at(19.0, 0.5));
  robot_->clock_waits_for_steps = true;
  robot_->shows_costmap = false;
  ASSERT_TRUE(stands("s old"));
  EXPECT_EQ(robot_->last_step()->status, StepCommand::NO_COSTMAP);
  const double silent_since = robot_->last_costmap();
  for (const auto& [time, velocity] : robot_->velocities()) {
    if (velocity == Velocity{}) continue;
    EXPECT_LE(time, silent_since + kCostmapTimeout + kPeriod + kRounding);
  }
  robot_->clock_waits_for_steps = false;
  robot_->shows_costmap = true;
  EXPECT_EQ(sent.code(), rclcpp_action::ResultCode::SUCCEEDED) << sent.reason();
}

TEST_F(RTDNode, StandsWhileItsTransformIsGone) {
  start(400, 20, {}, true);
  const Sent sent = set_out(at(19.0, 0.5));
  robot_->clock_waits_for_steps = true;
  robot_->shows_transform = false;
  ASSERT_TRUE(stands("the transform of 'base_link' is"));
  EXPECT_EQ(robot_->last_step()->status, StepCommand::NO_POSE);
  const double gone_since = robot_->last_transform();
  for (const auto& [time, velocity] : robot_->velocities()) {
    if (velocity == Velocity{}) continue;
    EXPECT_LE(time, gone_since + kTransformTimeout + kPeriod + kRounding);
  }
  robot_->clock_waits_for_steps = false;
  robot_->shows_transform = true;
  EXPECT_EQ(sent.code(), rclcpp_action::ResultCode::SUCCEEDED) << sent.reason();
}

TEST_F(RTDNode, GivesUpWhatItHasWaitedForLongEnough) {
  start(400, 20, {{"wait_timeout", 0.5}});
  const Sent first = set_out(at(19.0, 0.5));
  robot_->shows_costmap = false;
  EXPECT_EQ(first.code(), rclcpp_action::ResultCode::ABORTED);
  EXPECT_NE(first.reason().find("the costmap is"), std::string::npos) << first.reason();
  robot_->shows_costmap = true;
  const Sent second = set_out(at(1.0, 0.5));
  robot_->shows_transform = false;
  EXPECT_EQ(second.code(), rclcpp_action::ResultCode::ABORTED);
  EXPECT_EQ(second.error_code(), Code::TF_ERROR) << second.reason();
  EXPECT_FALSE(robot_->moves());
}

/// Who does not look around waits until a path is known, but not for ever.
TEST_F(RTDNode, GivesUpWhereNoPathIsEverKnown) {
  start(400, 400, {{"wait_timeout", 0.5}, {"expansion_limit", 1}, {"local_search", "noop"}});
  const Sent sent(*robot_, at(19.0, 19.0));
  ASSERT_TRUE(stands("no path is known yet"));
  EXPECT_EQ(robot_->last_step()->status, StepCommand::PARTIALLY_INFORMED);
  EXPECT_EQ(sent.code(), rclcpp_action::ResultCode::ABORTED);
  EXPECT_EQ(sent.error_code(), Code::NO_VALID_PATH) << sent.reason();
  EXPECT_FALSE(robot_->moves());
}

TEST_F(RTDNode, WaitsForAPathToOpen) {
  start(100, 40, {{"wait_timeout", 3.0}});
  wall(50, 0, 39);
  const Sent sent(*robot_, at(4.0, 1.0));
  ASSERT_TRUE(stands("there is no path"));
  EXPECT_EQ(robot_->last_step()->status, StepCommand::NO_PATH);
  wall(50, 10, 20, kFree);
  EXPECT_EQ(sent.code(), rclcpp_action::ResultCode::SUCCEEDED) << sent.reason();
  wall(50, 10, 20);
  const Sent again(*robot_, at(0.5, 1.0));
  EXPECT_EQ(again.code(), rclcpp_action::ResultCode::ABORTED);
  EXPECT_EQ(again.error_code(), Code::NO_VALID_PATH) << again.reason();
}

TEST_F(RTDNode, WaitsWhereItOrItsGoalIsBlockedOnTheWay) {
  start(200, 40);
  const Sent sent = set_out(at(9.0, 1.0));
  robot_->fill(178, 18, 182, 22, kInscribed);
  ASSERT_TRUE(stands("the goal lies in an obstacle"));
  EXPECT_EQ(robot_->last_step()->status, StepCommand::GOAL_BLOCKED);
  robot_->fill(178, 18, 182, 22, kFree);
  ASSERT_TRUE(wait_for([this] { return robot_->moves(); }));
  robot_->fill(0, 0, 150, 39, kInscribed);  // it is thick in the middle of it
  ASSERT_TRUE(stands("the robot stands in an obstacle"));
  EXPECT_EQ(robot_->last_step()->status, StepCommand::START_BLOCKED);
  robot_->fill(0, 0, 150, 39, kFree);
  EXPECT_EQ(sent.code(), rclcpp_action::ResultCode::SUCCEEDED) << sent.reason();
}

TEST_F(RTDNode, RefusesBadGoalsWithTheReason) {
  start(100, 40);
  wall(60, 0, 39);
  ASSERT_TRUE(wait_for(
      [&] { return Sent(*robot_, at(0.6, 0.6)).code() == rclcpp_action::ResultCode::SUCCEEDED; }));
  const auto refused = [&](const PoseStamped& goal, std::uint16_t code, const std::string& reason) {
    const Sent sent(*robot_, goal);
    EXPECT_TRUE(sent.is_accepted());
    EXPECT_EQ(sent.code(), rclcpp_action::ResultCode::ABORTED);
    EXPECT_EQ(sent.error_code(), code);
    EXPECT_NE(sent.reason().find(reason), std::string::npos) << sent.reason();
    EXPECT_FALSE(robot_->moves());
  };
  refused(at(3.02, 1.0), Code::GOAL_OCCUPIED, "lies in an obstacle");
  refused(at(5.2, 1.0), Code::GOAL_OUTSIDE_MAP, "outside the map");
  refused(at(-0.1, 1.0), Code::GOAL_OUTSIDE_MAP, "outside the map");
  refused(at(1e300, 1.0), Code::GOAL_OUTSIDE_MAP, "outside the map");
  refused(at(std::nan(""), 1.0), Code::UNKNOWN, "not finite");
  refused(at(1.0, std::numeric_limits<double>::infinity()), Code::UNKNOWN, "not finite");
  PoseStamped bad = at(1.0, 1.0);
  bad.pose.orientation.w = 0.0;
  refused(bad, Code::UNKNOWN, "not a rotation");
  bad.pose.orientation.w = std::nan("");
  refused(bad, Code::UNKNOWN, "not a rotation");
  bad = at(1.0, 1.0);
  bad.header.frame_id = "moon";
  refused(bad, Code::TF_ERROR, "'moon'");
  bad.header.frame_id = "";
  refused(bad, Code::TF_ERROR, "''");

  PoseStamped elsewhere = at(0.4, 1.0);  // which is (1.4, 1.0) on the map
  elsewhere.header.frame_id = "dock";
  const Sent sent(*robot_, elsewhere);
  EXPECT_EQ(sent.code(), rclcpp_action::ResultCode::SUCCEEDED) << sent.reason();
  EXPECT_NEAR(robot_->pose().x, 1.4, 0.12);
}

TEST_F(RTDNode, StopsWhenItsGoalIsCancelled) {
  start(400, 20);
  const Sent sent = set_out(at(19.0, 0.5));
  sent.cancel();  // the node has said yes when this returns
  const double cancelled = robot_->now();
  EXPECT_EQ(sent.code(), rclcpp_action::ResultCode::CANCELED);
  expect_told_to_stand_since(cancelled);
  // The one that ends it, and for half a second another in every period, in case it was not heard.
  const auto times_told_to_stand = [this] {
    const auto all = robot_->velocities();
    const auto last = std::find_if(all.rbegin(), all.rend(),
                                   [](const auto& one) { return !(one.second == Velocity{}); });
    return last - all.rbegin();
  };
  EXPECT_TRUE(wait_for([&] { return times_told_to_stand() == 1 + 10; })) << times_told_to_stand();
  std::this_thread::sleep_for(300ms);
  EXPECT_EQ(times_told_to_stand(), 1 + 10) << "it is told something without a goal";
}

TEST_F(RTDNode, AGoalTakesThePlaceOfTheOneBefore) {
  start(400, 20);
  const Sent first = set_out(at(19.0, 0.5));
  const Sent second(*robot_, at(2.0, 0.5, 3.0));
  EXPECT_EQ(first.code(), rclcpp_action::ResultCode::ABORTED);
  EXPECT_NE(first.reason().find("another goal"), std::string::npos) << first.reason();
  EXPECT_EQ(second.code(), rclcpp_action::ResultCode::SUCCEEDED) << second.reason();
  EXPECT_NEAR(robot_->pose().x, 2.0, 0.12);

  const Sent third = set_out(at(19.0, 0.5));
  const Sent bad(*robot_, at(500.0, 0.5));
  ASSERT_TRUE(bad.is_accepted());
  const double accepted = robot_->now();
  EXPECT_EQ(bad.code(), rclcpp_action::ResultCode::ABORTED);
  EXPECT_EQ(third.code(), rclcpp_action::ResultCode::ABORTED);
  expect_told_to_stand_since(accepted);
}

TEST_F(RTDNode, TakesGoalsFromATopicToo) {
  start(400, 20);
  robot_->publish_goal(at(3.0, 0.5));
  EXPECT_TRUE(wait_for([this] { return std::abs(robot_->pose().x - 3.0) < 0.1; }));
  EXPECT_TRUE(wait_for([this] { return !robot_->moves(); }));
  robot_->publish_goal(at(19.0, 0.5));
  ASSERT_TRUE(wait_for([this] { return robot_->velocity().linear > 0.2; }));
  robot_->publish_goal(at(std::nan(""), 0.5));
  EXPECT_TRUE(wait_for([this] { return !robot_->moves(); }));
}

TEST_F(RTDNode, StopsWhenItIsDeactivated) {
  start(400, 20);
  const Sent sent = set_out(at(19.0, 0.5));
  ASSERT_EQ(node_->deactivate().id(), State::PRIMARY_STATE_INACTIVE);
  const double deactivated = robot_->now();
  EXPECT_EQ(sent.code(), rclcpp_action::ResultCode::ABORTED);
  EXPECT_NE(sent.reason().find("deactivated"), std::string::npos) << sent.reason();
  expect_told_to_stand_since(deactivated);
  EXPECT_FALSE(Sent(*robot_, at(19.0, 0.5)).is_accepted());
  ASSERT_EQ(node_->activate().id(), State::PRIMARY_STATE_ACTIVE);
  const Sent again(*robot_, at(1.0, 0.5));
  EXPECT_EQ(again.code(), rclcpp_action::ResultCode::SUCCEEDED) << again.reason();

  // Down to where it began, and up again.
  const Sent last = set_out(at(19.0, 0.5));
  ASSERT_EQ(node_->deactivate().id(), State::PRIMARY_STATE_INACTIVE);
  const double down = robot_->now();
  ASSERT_EQ(node_->cleanup().id(), State::PRIMARY_STATE_UNCONFIGURED);
  expect_told_to_stand_since(down);
  ASSERT_EQ(node_->configure().id(), State::PRIMARY_STATE_INACTIVE);
  ASSERT_EQ(node_->activate().id(), State::PRIMARY_STATE_ACTIVE);
  ASSERT_TRUE(wait_for([this] { return robot_->is_heard(); }));
  const Sent home(*robot_, at(1.0, 0.5));
  EXPECT_EQ(home.code(), rclcpp_action::ResultCode::SUCCEEDED) << home.reason();
  ASSERT_EQ(node_->shutdown().id(), State::PRIMARY_STATE_FINALIZED);
}

TEST_F(RTDNode, StopsWhenItIsGone) {
  start(400, 20);
  const Sent sent = set_out(at(19.0, 0.5));
  executor_.cancel();
  thread_.join();
  executor_.remove_node(node_->get_node_base_interface());
  node_.reset();
  expect_told_to_stand_since(robot_->now());
}

TEST_F(RTDNode, NothingOfTheTimeBeforeCountsWhenTheClockJumpsBack) {
  start(400, 20, {}, true);
  const Sent sent = set_out(at(19.0, 0.5));
  robot_->shows_transform = false;
  robot_->shows_costmap = false;
  const double before = robot_->now() - 250.0;
  robot_->jump(-500.0);
  // What it knows lies in the future now.
  ASSERT_TRUE(stands("come yet"));
  EXPECT_EQ(robot_->last_step()->status, StepCommand::NO_COSTMAP);
  std::this_thread::sleep_for(200ms);
  EXPECT_FALSE(robot_->moves());
  EXPECT_LE(robot_->motions(0.0, before), 1);
  robot_->shows_costmap = true;
  ASSERT_TRUE(wait_for([this] { return robot_->last_step()->status == StepCommand::NO_POSE; }));
  EXPECT_FALSE(robot_->moves());
  robot_->shows_transform = true;
  EXPECT_EQ(sent.code(), rclcpp_action::ResultCode::SUCCEEDED) << sent.reason();
}

/// As a time server may do it. Steps go on, and none of them moves the robot.
TEST_F(RTDNode, StandsWhenTheSystemsClockIsSetBack) {
  start(400, 20);
  const Sent sent = set_out(at(19.0, 0.5));
  robot_->shows_transform = false;
  robot_->shows_costmap = false;
  const double before = robot_->now() - 250.0;
  system_clock_set_back = 500;
  EXPECT_TRUE(stands("come yet"));
  EXPECT_EQ(robot_->last_step()->status, StepCommand::NO_COSTMAP);
  EXPECT_LE(robot_->motions(0.0, before), 1);
  robot_->shows_transform = true;
  robot_->shows_costmap = true;
  EXPECT_EQ(sent.code(), rclcpp_action::ResultCode::SUCCEEDED) << sent.reason();
  system_clock_set_back = 0;
}

TEST_F(RTDNode, StopsAtOnceForAWallWithinItsBrakingDistance) {
  start(400, 20, {{"max_linear_speed", 2.0}, {"max_linear_deceleration", 0.5}});
  const Sent sent = set_out(at(19.0, 0.5));
  ASSERT_TRUE(wait_for([this] { return robot_->velocity().linear > 1.5; }));
  // To brake takes more than 2 m.
  const int ahead = static_cast<int>((robot_->pose().x + 1.0) / kResolution);
  robot_->fill(ahead, 0, ahead + 5, 19, kLethal);
  ASSERT_TRUE(wait_for([this] { return robot_->velocity().linear == 0.0; }));
  // From full speed to none.
  const auto all = robot_->velocities();
  const auto stop = std::find_if(all.rbegin(), all.rend(),
                                 [](const auto& one) { return one.second.linear > 0.0; });
  EXPECT_GT(stop->second.linear, 1.4);
  EXPECT_LT(robot_->pose().x, ahead * kResolution);
  robot_->fill(ahead, 0, ahead + 5, 19, kFree);
  EXPECT_EQ(sent.code(), rclcpp_action::ResultCode::SUCCEEDED) << sent.reason();
}

TEST_F(RTDNode, StandsWhileASearchIsMade) {
  start(400, 20);
  const Sent sent = set_out(at(19.0, 0.5));
  const auto told_to_stand_by = [&](const std::function<void()>& change) {
    ASSERT_TRUE(wait_for([this] { return robot_->velocity().linear > 0.2; }));
    const std::size_t before = robot_->velocities().size();
    change();
    EXPECT_TRUE(wait_for([&] {
      const auto all = robot_->velocities();
      return std::any_of(all.begin() + static_cast<std::ptrdiff_t>(before), all.end(),
                         [](const auto& one) { return one.second == Velocity{}; });
    }));
  };
  told_to_stand_by([&] { node_->set_parameter({"global_search", "ad"}); });
  told_to_stand_by([&] {
    Costmap larger = robot_->all_of_it();
    larger.metadata.size_y = 25;
    larger.data.resize(400 * 25, 0);
    robot_->publish(larger);
  });
  EXPECT_EQ(sent.code(), rclcpp_action::ResultCode::SUCCEEDED) << sent.reason();
}

/// While walls come and go far away, it is not always known that there is no path.
TEST_F(RTDNode, GivesUpWhereThereIsNoPathInAChangingWorld) {
  start(100, 40, {{"wait_timeout", 1.0}, {"expansion_limit", 400}});
  wall(50, 0, 39);
  const Sent sent(*robot_, at(4.0, 1.0));
  ASSERT_TRUE(sent.is_accepted());
  bool blocked = false;
  EXPECT_TRUE(wait_for([&] {
    blocked = !blocked;
    robot_->fill(60, 15, 70, 25, blocked ? kLethal : kFree);
    std::this_thread::sleep_for(400ms);
    return sent.is_over();
  }));
  EXPECT_EQ(sent.error_code(), Code::NO_VALID_PATH) << sent.reason();
  const auto steps = robot_->steps();
  EXPECT_TRUE(std::any_of(steps.begin(), steps.end(), [](const StepCommand& step) {
    return step.status == StepCommand::PARTIALLY_INFORMED;
  }));
}

TEST_F(RTDNode, WaitsForACostmapThatTakesItsTime) {
  start(400, 20, {{"costmap_timeout", 3.0}});
  robot_->answers_after = 1500ms;
  ASSERT_EQ(node_->deactivate().id(), State::PRIMARY_STATE_INACTIVE);
  ASSERT_EQ(node_->activate().id(), State::PRIMARY_STATE_ACTIVE);
  const Sent sent(*robot_, at(2.0, 0.5));
  EXPECT_EQ(sent.code(), rclcpp_action::ResultCode::SUCCEEDED) << sent.reason();
}

/// From another thread than that which takes part in the diagnostics, as when a signal ends it.
TEST_F(RTDNode, GoesDownWhileDiagnosticsAreMade) {
  start(100, 20, {{"diagnostic_updater.period", 1e-3}});
  for (int i = 0; i < 30; ++i) {
    ASSERT_EQ(node_->deactivate().id(), State::PRIMARY_STATE_INACTIVE);
    ASSERT_EQ(node_->cleanup().id(), State::PRIMARY_STATE_UNCONFIGURED);
    ASSERT_EQ(node_->configure().id(), State::PRIMARY_STATE_INACTIVE);
    ASSERT_EQ(node_->activate().id(), State::PRIMARY_STATE_ACTIVE);
  }
  EXPECT_TRUE(wait_for([this] { return robot_->diagnostics().has_value(); }));
}

TEST_F(RTDNode, NoMalformedMessageIsBelieved) {
  start(400, 40);
  const Sent sent = set_out(at(19.0, 1.0));
  robot_->answers = false;  // an empty costmap is what it says, and that is refused too
  const auto is_refused = [&](const std::string& what, const std::function<void()>& publish) {
    // All of it for who stands, so that each begins in good faith.
    if (!robot_->moves()) robot_->publish_all();
    ASSERT_TRUE(wait_for([this] { return robot_->moves(); })) << what;
    publish();
    ASSERT_TRUE(stands("the costmap has not come")) << what;
  };
  const auto update = [&](const std::function<void(CostmapUpdate&)>& spoil) {
    return [this, spoil] {
      CostmapUpdate message;
      message.header.stamp = robot_->stamp_now();
      message.header.frame_id = "map";
      message.x = 380;
      message.y = 20;
      message.size_x = 2;
      message.size_y = 2;
      message.data.assign(4, kLethal);
      spoil(message);
      robot_->publish(message);
    };
  };
  const auto costmap = [&](const std::function<void(Costmap&)>& spoil) {
    return [this, spoil] {
      Costmap all = robot_->all_of_it();
      spoil(all);
      robot_->publish(all);
    };
  };
  is_refused("too few costs", update([](CostmapUpdate& it) { it.data.pop_back(); }));
  is_refused("too many costs", update([](CostmapUpdate& it) { it.data.push_back(0); }));
  is_refused("outside", update([](CostmapUpdate& it) { it.x = 399; }));
  is_refused("far outside", update([](CostmapUpdate& it) { it.y = 0xFFFFFFFF; }));
  is_refused("another frame", update([](CostmapUpdate& it) { it.header.frame_id = "odom"; }));
  is_refused("old", update([](CostmapUpdate& it) { it.header.stamp.sec -= 100; }));
  is_refused("negative time", update([](CostmapUpdate& it) { it.header.stamp.sec = -5; }));
  is_refused("the future", update([](CostmapUpdate& it) { it.header.stamp.sec += 100; }));
  is_refused("costs missing", costmap([](Costmap& it) { it.data.pop_back(); }));
  is_refused("no size", costmap([](Costmap& it) { it.metadata.size_x = 0; }));
  is_refused("too large", costmap([](Costmap& it) { it.metadata.size_x = 0xFFFFFFFF; }));
  is_refused("no resolution", costmap([](Costmap& it) { it.metadata.resolution = 0.0F; }));
  is_refused("NaN", costmap([](Costmap& it) { it.metadata.resolution = std::nanf(""); }));
  is_refused("nowhere", costmap([](Costmap& it) { it.metadata.origin.position.x = std::nan(""); }));
  is_refused("turned", costmap([](Costmap& it) { it.metadata.origin.orientation.z = 0.5; }));
  EXPECT_TRUE(wait_for([this] {
    const std::string count = robot_->diagnosed("Refused messages of the costmap");
    return !count.empty() && std::stoi(count) >= 15;
  }));
  EXPECT_FALSE(sent.is_over());
  // From now on it is answered when it asks.
  robot_->answers = true;
  EXPECT_EQ(sent.code(), rclcpp_action::ResultCode::SUCCEEDED) << sent.reason();
  EXPECT_GT(robot_->costmap_requests, 0);
}

using Outcome = MessageFeed::Outcome;

/// A feed, and messages of 10 x 10 cells as a costmap would publish them.
class MessageFeedTest : public testing::Test {
 protected:
  static constexpr MessageFeed::Time kNow = 1000s;

  template <typename Message>
  static Message stamped(MessageFeed::Time time) {
    Message message;
    message.header.frame_id = "map";
    message.header.stamp = rclcpp::Time(time.count());
    return message;
  }
  static Costmap all(MessageFeed::Time time, std::uint8_t cost, int width = 10) {
    auto costmap = stamped<Costmap>(time);
    costmap.metadata.resolution = 0.05F;
    costmap.metadata.size_x = static_cast<std::uint32_t>(width);
    costmap.metadata.size_y = 10;
    costmap.data.assign(static_cast<std::size_t>(10 * width), cost);
    return costmap;
  }
  /// Two by two cells at (2, 3).
  static CostmapUpdate window(MessageFeed::Time time, std::uint8_t cost) {
    auto update = stamped<CostmapUpdate>(time);
    update.x = 2;
    update.y = 3;
    update.size_x = 2;
    update.size_y = 2;
    update.data.assign(4, cost);
    return update;
  }

  Outcome window_comes(MessageFeed::Time time, std::uint8_t cost) {
    return comes(window(time, cost));
  }
  Outcome all_comes(MessageFeed::Time time, std::uint8_t cost, int width = 10) {
    return comes(all(time, cost, width));
  }
  Outcome answer_comes(MessageFeed::Time time, std::uint8_t cost) {
    changes_.clear();
    return feed_.apply_answer(all(time, cost), now_, changes_, reason_);
  }
  template <typename Message>
  Outcome comes(const Message& message) {
    changes_.clear();
    return feed_.apply(message, now_, changes_, reason_);
  }

  int cost(int x, int y) const { return (*feed_.grid())[feed_.grid()->cell(x, y)]; }
  /// Costs of the cells in the window and of the others.
  bool has(int in_window, int elsewhere) const {
    return cost(2, 3) == in_window && cost(3, 4) == in_window && cost(1, 3) == elsewhere &&
           cost(9, 9) == elsewhere;
  }

  MessageFeed::Time now_ = kNow;
  MessageFeed feed_{"map", 1s, kNow};
  std::vector<CellChange> changes_;
  std::string reason_;
};

TEST_F(MessageFeedTest, TakesAMessageAsAWholeOrNotAtAll) {
  EXPECT_EQ(all_comes(kNow + 1ms, 7), Outcome::kNewGrid);
  EXPECT_TRUE(feed_.is_trusted());
  EXPECT_EQ(window_comes(kNow + 2ms, 9), Outcome::kChanged);
  EXPECT_EQ(changes_.size(), 4U);
  EXPECT_TRUE(has(9, 7));

  CostmapUpdate bad = window(kNow + 3ms, 1);
  bad.data.pop_back();
  EXPECT_EQ(comes(bad), Outcome::kRefused);
  EXPECT_TRUE(changes_.empty() && has(9, 7) && !feed_.is_trusted()) << reason_;
  // Nor anything after it, until all of the costmap has come.
  EXPECT_EQ(window_comes(kNow + 4ms, 1), Outcome::kOld);
  Costmap short_one = all(kNow + 5ms, 1);
  short_one.data.pop_back();
  EXPECT_EQ(comes(short_one), Outcome::kRefused);
  EXPECT_TRUE(changes_.empty() && has(9, 7) && !feed_.is_trusted()) << reason_;
  EXPECT_EQ(all_comes(kNow + 6ms, 7), Outcome::kChanged);
  EXPECT_EQ(changes_.size(), 4U);
  EXPECT_TRUE(has(7, 7) && feed_.is_trusted());
  // What was published before it is in it already; what is older than the last is out of order.
  EXPECT_EQ(window_comes(kNow + 5ms, 1), Outcome::kOld);
  EXPECT_EQ(window_comes(kNow + 9ms, 1), Outcome::kChanged);
  EXPECT_EQ(window_comes(kNow + 8ms, 2), Outcome::kRefused);
  EXPECT_TRUE(has(1, 7));
}

TEST_F(MessageFeedTest, KnowsWhenTheCostmapHasMovedOrIsAnother) {
  EXPECT_EQ(all_comes(kNow + 1ms, 7), Outcome::kNewGrid);
  Costmap elsewhere = all(kNow + 2ms, 7);
  elsewhere.metadata.origin.position.x = 0.05;
  EXPECT_EQ(comes(elsewhere), Outcome::kMoved);
  EXPECT_EQ(all_comes(kNow + 3ms, 7, 20), Outcome::kNewGrid);
  EXPECT_EQ(feed_.grid()->width(), 20);
}

TEST_F(MessageFeedTest, AnAnswerCountsOnceAWindowHasComeAfterIt) {
  EXPECT_EQ(answer_comes(kNow + 1ms, 7), Outcome::kNewGrid);
  EXPECT_FALSE(feed_.is_trusted());
  EXPECT_FALSE(feed_.needs_everything());
  EXPECT_EQ(window_comes(kNow + 2ms, 9), Outcome::kChanged);
  EXPECT_TRUE(has(9, 7) && feed_.is_trusted());
  // A costmap that has come by itself is better.
  EXPECT_EQ(answer_comes(kNow + 3ms, 1), Outcome::kOld);
}

TEST_F(MessageFeedTest, WindowsThatComeBeforeTheCostmapTheyBelongToAreNotLost) {
  EXPECT_EQ(window_comes(kNow + 1ms, 1), Outcome::kOld);
  EXPECT_EQ(window_comes(kNow + 3ms, 9), Outcome::kOld);
  EXPECT_EQ(answer_comes(kNow + 2ms, 7), Outcome::kNewGrid);
  EXPECT_TRUE(has(9, 7) && feed_.is_trusted());
  // Nor is one that belongs to another costmap taken for one of this.
  feed_.distrust(kNow + 3ms);
  CostmapUpdate outside = window(kNow + 5ms, 1);
  outside.x = 15;
  EXPECT_EQ(comes(outside), Outcome::kOld);
  EXPECT_EQ(answer_comes(kNow + 4ms, 7), Outcome::kChanged);
  EXPECT_TRUE(feed_.needs_everything());
}

/// Messages of two topics may come in another order than that in which they were published.
TEST_F(MessageFeedTest, ACostmapThatComesAfterALaterWindowIsAskedForAgain) {
  all_comes(kNow + 1ms, 7);
  EXPECT_EQ(window_comes(kNow + 5ms, 9), Outcome::kChanged);
  now_ = kNow + 10ms;
  EXPECT_EQ(all_comes(kNow + 3ms, 7, 20), Outcome::kRefused)
      << "nobody would know that it is larger";
  EXPECT_TRUE(feed_.needs_everything());
  EXPECT_EQ(all_comes(kNow + 3ms, 7, 20), Outcome::kOld);
  EXPECT_EQ(answer_comes(kNow + 11ms, 7), Outcome::kChanged);
}

TEST_F(MessageFeedTest, ACostmapOfBeforeSomethingWasLostIsNotBelieved) {
  all_comes(kNow + 1ms, 7);
  now_ = kNow + 10ms;
  CostmapUpdate bad = window(kNow + 9ms, 9);
  bad.data.pop_back();
  EXPECT_EQ(comes(bad), Outcome::kRefused);
  EXPECT_EQ(all_comes(kNow + 8ms, 7), Outcome::kOld);
  EXPECT_EQ(answer_comes(kNow + 8ms, 7), Outcome::kOld);
  EXPECT_TRUE(feed_.needs_everything());
  EXPECT_EQ(all_comes(kNow + 11ms, 9), Outcome::kChanged);
  EXPECT_TRUE(feed_.is_trusted());
}

TEST_F(MessageFeedTest, WhatATopicHasKeptIsNotBelieved) {
  EXPECT_EQ(all_comes(kNow - 500ms, 7), Outcome::kOld);
  EXPECT_EQ(all_comes(kNow - 100s, 7), Outcome::kOld);
  EXPECT_EQ(window_comes(kNow - 100s, 7), Outcome::kOld);
  EXPECT_EQ(window_comes(kNow - 100ms, 9), Outcome::kOld);
  EXPECT_EQ(feed_.grid(), nullptr);
  EXPECT_EQ(answer_comes(kNow + 1ms, 7), Outcome::kNewGrid);
  EXPECT_FALSE(feed_.is_trusted()) << "by a window of before it";
  EXPECT_TRUE(has(7, 7));
}

/// In simulated time many things happen in one moment, and nobody knows in which order.
TEST_F(MessageFeedTest, NoWindowOfTheSameMomentIsLost) {
  answer_comes(kNow + 1ms, 7);
  EXPECT_EQ(window_comes(kNow + 1ms, 9), Outcome::kChanged);
  EXPECT_TRUE(has(9, 7));
  EXPECT_FALSE(feed_.is_trusted());
  EXPECT_EQ(window_comes(kNow + 2ms, 8), Outcome::kChanged);
  EXPECT_EQ(window_comes(kNow + 2ms, 9), Outcome::kChanged);
  EXPECT_TRUE(has(9, 7) && feed_.is_trusted());
  // Whether this window is older than this costmap is not known.
  EXPECT_EQ(all_comes(kNow + 3ms, 7), Outcome::kChanged);
  EXPECT_EQ(window_comes(kNow + 3ms, 9), Outcome::kRefused);
  // The same the other way around.
  EXPECT_EQ(all_comes(kNow + 4ms, 7), Outcome::kChanged);
  EXPECT_EQ(window_comes(kNow + 5ms, 9), Outcome::kChanged);
  EXPECT_EQ(all_comes(kNow + 5ms, 7), Outcome::kRefused);
}

TEST_F(RTDNode, StandsWhenAWindowWasLostUntilAllOfTheCostmapHasCome) {
  numbers_windows = true;
  start(400, 20, {{"costmap_timeout", 10.0}});
  robot_->answers_after = 1s;
  const Sent sent = set_out(at(19.0, 0.5));
  const int requests = robot_->costmap_requests;
  loses_windows = true;
  robot_->fill(300, 0, 302, 14, kLethal);  // across the way, and never to be published again
  const int lost = windows_lost;
  ASSERT_TRUE(wait_for([&] { return windows_lost > lost + 1; }));
  loses_windows = false;
  ASSERT_TRUE(stands("the costmap has not come"));
  EXPECT_EQ(sent.code(), rclcpp_action::ResultCode::SUCCEEDED) << sent.reason();
  EXPECT_GT(robot_->costmap_requests, requests);
  EXPECT_TRUE(
      wait_for([this] { return robot_->diagnosed("Gaps in the windows of the costmap") == "1"; }));
  numbers_windows = false;
}

TEST(MessageNumbersTest, TellWhenAMessageWasLost) {
  using Before = MessageNumbers::Before;
  MessageNumbers numbers;
  rmw_message_info_t info{};
  const auto before = [&](std::uint64_t number) {
    info.publication_sequence_number = number;
    return numbers.before(info);
  };
  EXPECT_EQ(before(5), Before::kUnheard) << "whoever comes late knows nothing of before";
  EXPECT_EQ(before(6), Before::kNothing);
  EXPECT_EQ(before(8), Before::kLost);
  EXPECT_EQ(before(9), Before::kNothing);
  info.publisher_gid.data[3] = 1;
  EXPECT_EQ(before(1), Before::kUnheard) << "another one counts anew";
  EXPECT_EQ(before(3), Before::kLost);
  // Where they are not passed on, nothing is known.
  constexpr std::uint64_t kNone = RMW_MESSAGE_INFO_SEQUENCE_NUMBER_UNSUPPORTED;
  EXPECT_EQ(before(kNone), Before::kNothing);
  EXPECT_EQ(before(kNone), Before::kNothing);
  EXPECT_EQ(before(7), Before::kNothing);
  info.from_intra_process = true;
  EXPECT_EQ(before(100), Before::kNothing);
}

TEST_F(RTDNode, ACostmapOfAnotherSizeIsAnotherWorld) {
  start(100, 40);
  wall(50, 0, 39);
  const Sent sent(*robot_, at(4.0, 1.0));
  ASSERT_TRUE(stands("there is no path"));
  // Twice as large, and free.
  Costmap other = robot_->all_of_it();
  other.metadata.size_x = 200;
  other.metadata.size_y = 80;
  other.data.assign(200 * 80, 0);
  robot_->shows_costmap = false;
  other.header.stamp = robot_->stamp_now();
  robot_->publish(other);
  EXPECT_TRUE(wait_for([this] { return robot_->moves(); }));
  // Of the same size, but somewhere else: there the robot is outside.
  other.header.stamp = robot_->stamp_now();
  other.metadata.origin.position.x = 100.0;
  robot_->publish(other);
  EXPECT_TRUE(stands("the robot is outside the map"));
}

TEST_F(RTDNode, LooksAsFarAheadInACostmapOfSmallerCells) {
  constexpr double kAhead = 4.0;
  start(400, 20, {{"plan_length", kAhead}, {"costmap_timeout", 60.0}});
  robot_->put(0.5, 0.25);
  const Sent sent = set_out(at(9.0, 0.25));
  const auto length = [this] {
    const auto plan = robot_->plan();
    double sum = 0.0;
    for (std::size_t i = 1; plan && i < plan->poses.size(); ++i) {
      const auto& a = plan->poses[i - 1].pose.position;
      const auto& b = plan->poses[i].pose.position;
      sum += std::hypot(b.x - a.x, b.y - a.y);
    }
    return sum;
  };
  EXPECT_TRUE(wait_for([&] { return length() > 0.9 * kAhead; })) << length();
  robot_->shows_costmap = false;
  Costmap finer = robot_->all_of_it();  // as many cells, of half the size: 10 m x 0.5 m
  finer.metadata.resolution /= 2;
  robot_->publish(finer);
  EXPECT_TRUE(wait_for([&] { return robot_->plan()->poses.size() > 1.5 * kAhead / kResolution; }));
  EXPECT_NEAR(length(), kAhead, 0.1 * kAhead);
  EXPECT_EQ(sent.code(), rclcpp_action::ResultCode::SUCCEEDED) << sent.reason();
}

TEST_F(RTDNode, AHundredGoalsInARow) {
  start(100, 40,
        {{"rate", 50.0},
         {"max_linear_speed", 2.0},
         {"max_linear_acceleration", 5.0},
         {"max_linear_deceleration", 5.0},
         {"max_angular_speed", 6.0},
         {"max_angular_acceleration", 30.0},
         {"yaw_goal_tolerance", 7.0}});
  int reached = 0;
  int replaced = 0;
  std::optional<Sent> before;
  for (int i = 0; i < 100; ++i) {
    // Every other one is replaced right away.
    Sent sent(*robot_, at(1.0 + 0.5 * (i % 5), 0.5 + 0.3 * (i % 3), 0.1 * i));
    ASSERT_TRUE(sent.is_accepted()) << i;
    if (i % 2 == 0) {
      before = sent;
      continue;
    }
    ASSERT_EQ(sent.code(), rclcpp_action::ResultCode::SUCCEEDED) << i << ": " << sent.reason();
    ++reached;
    ASSERT_NE(before->code(), rclcpp_action::ResultCode::UNKNOWN) << i;
    if (before->code() == rclcpp_action::ResultCode::ABORTED) ++replaced;
  }
  EXPECT_EQ(reached, 50);
  EXPECT_GE(replaced, 25);  // unless they were reached before that
}

TEST_F(RTDNode, CountsMissedDeadlines) {
  start(400, 20, {{"step_deadline", 1e-4}, {"diagnostic_updater.period", 0.1}});
  const Sent sent = set_out(at(19.0, 0.5));
  ASSERT_TRUE(wait_for([this] { return robot_->last_step()->deadline_misses > 3; }));
  const StepCommand step = *robot_->last_step();
  EXPECT_GE(step.steps, step.deadline_misses);
  EXPECT_EQ(step.deadline.nanosec, 100'000U);
  std::uint64_t missed = 0;
  for (const StepCommand& one : robot_->steps()) {
    if (one.deadline_missed) ++missed;
    EXPECT_EQ(one.deadline_misses, missed);
  }
  EXPECT_TRUE(wait_for([this] {
    const auto status = robot_->diagnostics();
    return status && status->level == diagnostic_msgs::msg::DiagnosticStatus::WARN &&
           status->message.find("missed their deadline") != std::string::npos;
  }));
  const std::string shown = robot_->diagnosed("Deadline misses");
  ASSERT_FALSE(shown.empty());
  EXPECT_GT(std::stoi(shown), 0);
  node_->set_parameter({"step_deadline", 5.0});
  EXPECT_TRUE(wait_for([this] {
    const auto status = robot_->diagnostics();
    return status && status->level == diagnostic_msgs::msg::DiagnosticStatus::OK;
  }));
}

TEST_F(RTDNode, BeginsAnewWhenItIsToldTo) {
  start(400, 20);
  const Sent sent = set_out(at(19.0, 0.5));
  auto client = robot_->node().create_client<ResetSearch>("reset_search");
  ASSERT_TRUE(client->wait_for_service(kPatience));
  const auto reset = [&](bool costmap) {
    auto request = std::make_shared<ResetSearch::Request>();
    request->costmap = costmap;
    auto answer = client->async_send_request(request);
    EXPECT_EQ(answer.wait_for(kPatience), std::future_status::ready);
    return answer.get();
  };
  EXPECT_TRUE(reset(false)->success);
  const int requests = robot_->costmap_requests;
  EXPECT_TRUE(reset(true)->success);
  EXPECT_TRUE(wait_for([&] { return robot_->costmap_requests > requests; }));
  EXPECT_EQ(sent.code(), rclcpp_action::ResultCode::SUCCEEDED) << sent.reason();
  ASSERT_EQ(node_->deactivate().id(), State::PRIMARY_STATE_INACTIVE);
  EXPECT_FALSE(reset(false)->success);
}

TEST_F(RTDNode, ParametersAreChecked) {
  start(100, 20);
  const auto refused = [&](const rclcpp::Parameter& parameter, const std::string& reason) {
    const auto result = node_->set_parameter(parameter);
    EXPECT_FALSE(result.successful) << parameter.get_name();
    EXPECT_NE(result.reason.find(reason), std::string::npos) << result.reason;
  };
  refused({"expansion_limit", 0}, "expansion_limit must be from 1 to 1000000000, not 0");
  refused({"local_ratio", 1.5}, "local_ratio must be from 0 to 1, not 1.5");
  refused({"local_ratio", std::nan("")}, "local_ratio must be from 0 to 1");
  refused({"global_search", "dijkstra"}, "global_search must be one of dstar_lite ad");
  refused({"local_search", "none"}, "local_search must be one of lss_lrta lrta noop");
  refused({"connectivity", 5}, "connectivity must be 4 or 8, not 5");
  refused({"max_linear_speed", -1.0}, "max_linear_speed must be from");
  refused({"rate", 50.0}, "read-only");
  EXPECT_TRUE(node_->set_parameter({"expansion_limit", 64}).successful);
  EXPECT_TRUE(node_->set_parameter({"max_linear_speed", 1}).successful);

  const auto fails = [](const rclcpp::Parameter& parameter) {
    const auto node =
        std::make_shared<RTDStarNode>(rclcpp::NodeOptions()
                                          .parameter_overrides({parameter})
                                          .arguments({"--ros-args", "-r", "__node:=other"}));
    return node->configure().id() == State::PRIMARY_STATE_UNCONFIGURED;
  };
  EXPECT_TRUE(fails({"rate", 0.0}));
  EXPECT_TRUE(fails({"global_frame", ""}));
  EXPECT_TRUE(fails({"local_search", "none"}));
  EXPECT_FALSE(fails({"rate", 7}));
}

/// What a transition has begun before it threw is gone when the node is configured again.
TEST_F(RTDNode, MayBeConfiguredAgainAfterATransitionHasThrown) {
  start(100, 20);
  for (const std::string parameter : {"costmap_service", "costmap_topic"}) {
    const auto node =
        std::make_shared<RTDStarNode>(rclcpp::NodeOptions()
                                          .parameter_overrides({{parameter, "no good"}})
                                          .arguments({"--ros-args", "-r", "__node:=other"}));
    for (int i = 0; i < 3; ++i) {
      node->configure();
      std::this_thread::sleep_for(100ms);  // until tf2's thread has begun: it cannot end before
      EXPECT_EQ(node->activate().id(), State::PRIMARY_STATE_UNCONFIGURED) << parameter;
    }
  }
}

/// All searches drive, changed while the robot is on its way.
TEST_F(RTDNode, DrivesWithEverySearch) {
  start(200, 60, {{"expansion_limit", 100}, {"max_linear_speed", 1.0}});
  robot_->fill(100, 0, 102, 45, kLethal);
  int i = 0;
  for (const std::string global : {"dstar_lite", "ad"}) {
    for (const std::string local : {"lss_lrta", "lrta", "noop"}) {
      ASSERT_TRUE(node_->set_parameter({"global_search", global}).successful);
      const Sent sent(*robot_, i++ % 2 == 0 ? at(8.0, 0.5) : at(1.0, 0.5));
      ASSERT_TRUE(node_->set_parameter({"local_search", local}).successful);
      EXPECT_EQ(sent.code(), rclcpp_action::ResultCode::SUCCEEDED)
          << global << ", " << local << ": " << sent.reason();
    }
  }
  for (const StepCommand& step : robot_->steps()) EXPECT_LE(step.spent, 100U);
}

TEST_F(RTDNode, CommandsTwistWithoutAStampIfThatIsWanted) {
  start(400, 20);
  Parameters parameters{{"enable_stamped_cmd_vel", false}};
  const auto other = std::make_shared<RTDStarNode>(
      rclcpp::NodeOptions()
          .parameter_overrides(parameters)
          .arguments({"--ros-args", "-r", "__node:=other", "-r", "cmd_vel:=other_cmd_vel", "-r",
                      "navigate_to_pose:=other_goal", "-r", "goal_pose:=other_goal_pose"}));
  executor_.add_node(other->get_node_base_interface());
  std::atomic<double> fastest{0.0};
  const auto subscription = robot_->node().create_subscription<geometry_msgs::msg::Twist>(
      "other_cmd_vel", 10, [&](const geometry_msgs::msg::Twist& twist) {
        fastest = std::max(fastest.load(), twist.linear.x);
      });
  const auto goals = robot_->node().create_publisher<PoseStamped>("other_goal_pose", 10);
  ASSERT_EQ(other->configure().id(), State::PRIMARY_STATE_INACTIVE);
  ASSERT_EQ(other->activate().id(), State::PRIMARY_STATE_ACTIVE);
  ASSERT_TRUE(wait_for([&] {
    return goals->get_subscription_count() > 0 && subscription->get_publisher_count() > 0;
  }));
  goals->publish(at(19.0, 0.5));
  EXPECT_TRUE(wait_for([&] { return fastest > 0.2; }));
  executor_.remove_node(other->get_node_base_interface());
}

}  // namespace
}  // namespace dynamic_planners::ros

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  rclcpp::init(argc, argv);
  const int result = RUN_ALL_TESTS();
  rclcpp::shutdown();
  return result;
}
