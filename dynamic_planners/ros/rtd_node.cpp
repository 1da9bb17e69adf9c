#include "dynamic_planners/ros/rtd_node.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "diagnostic_msgs/msg/diagnostic_status.hpp"
#include "dynamic_planners/realtime/registry.hpp"
#include "dynamic_planners/search/answer.hpp"
#include "dynamic_planners/search/path_cost.hpp"
#include "nav2_msgs/action/compute_path_to_pose.hpp"
#include "rclcpp_components/register_node_macro.hpp"
#include "tf2_geometry_msgs/tf2_geometry_msgs.hpp"

namespace dynamic_planners {
namespace {

using dynamic_planners_msgs::msg::StepCommand;
using ros::MessageFeed;
using ros::RobotPose;
using ros::to_pose;
using ros::Velocity;
/// NavigateToPose has no codes of its own in Jazzy; Nav2's navigator passes on those of its
/// planner.
using Code = nav2_msgs::action::ComputePathToPose::Result;

static_assert(StepCommand::FULLY_INFORMED == static_cast<int>(StepStatus::kFullyInformed) &&
              StepCommand::PARTIALLY_INFORMED == static_cast<int>(StepStatus::kPartiallyInformed) &&
              StepCommand::NO_PATH == static_cast<int>(StepStatus::kNoPath) &&
              StepCommand::START_BLOCKED == static_cast<int>(StepStatus::kStartBlocked) &&
              StepCommand::GOAL_BLOCKED == static_cast<int>(StepStatus::kGoalBlocked));

constexpr int kWarningPeriod = 5000;  // ms
/// The share of its deadline for which a step may think. The rest is for being late, and for what
/// comes after.
constexpr double kThinkingShare = 0.5;
/// So long after a goal has ended a base hears that it is to stand: it may have missed the first.
constexpr double kRepeatStop = 0.5;  // s

std::chrono::nanoseconds nanoseconds_of(double seconds) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(seconds));
}

double seconds_of(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

double yaw_of(const geometry_msgs::msg::Quaternion& q) {
  return std::atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z));
}

bool is_rotation(const geometry_msgs::msg::Quaternion& q) {
  constexpr double kRounding = 0.01;
  const double square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
  return std::abs(square - 1.0) < kRounding;  // NaN is none
}

std::string place(const geometry_msgs::msg::PoseStamped& pose) {
  std::ostringstream text;
  text << "(" << pose.pose.position.x << ", " << pose.pose.position.y << ")";
  return text.str();
}

}  // namespace

RTDStarNode::RTDStarNode(const rclcpp::NodeOptions& options)
    : ros::ServerNode("rtd_star", "", options) {}

RTDStarNode::~RTDStarNode() {
  release();
  RTDStarNode::on_cleanup(rclcpp_lifecycle::State());
}

// --- lifecycle -----------------------------------------------------------------------------------

RTDStarNode::CallbackReturn RTDStarNode::on_configure(const rclcpp_lifecycle::State& /*state*/) {
  try {
    parameters_ = ros::declare_rtd_parameters(*this);
  } catch (const std::exception& error) {
    RCLCPP_ERROR(get_logger(), "%s", error.what());
    return CallbackReturn::FAILURE;
  }
  // Made by hand and not by the node, since its own are of another type in each distribution.
  auto topics = get_node_topics_interface();
  if (parameters_.enable_stamped_cmd_vel) {
    stamped_velocity_publisher_ =
        rclcpp::create_publisher<geometry_msgs::msg::TwistStamped>(topics, "cmd_vel", 1);
  } else {
    velocity_publisher_ = rclcpp::create_publisher<geometry_msgs::msg::Twist>(topics, "cmd_vel", 1);
  }
  reporter_.emplace(topics);
  costmap_client_ =
      rclcpp::create_client<GetCostmap>(get_node_base_interface(), get_node_graph_interface(),
                                        get_node_services_interface(), parameters_.costmap_service);
  reset_service_ = rclcpp::create_service<ResetSearch>(
      get_node_base_interface(), get_node_services_interface(), "reset_search",
      [this](const std::shared_ptr<ResetSearch::Request> request,
             std::shared_ptr<ResetSearch::Response> response) { on_reset(*request, *response); },
      rclcpp::ServicesQoS(), nullptr);
  action_server_ = rclcpp_action::create_server<NavigateToPose>(
      get_node_base_interface(), get_node_clock_interface(), get_node_logging_interface(),
      get_node_waitables_interface(), "navigate_to_pose",
      [this](const rclcpp_action::GoalUUID& /*uuid*/,
             const std::shared_ptr<const NavigateToPose::Goal>& /*goal*/) {
        return on_goal_offered();
      },
      // The next step sees it.
      [](const std::shared_ptr<GoalHandle>& /*handle*/) {
        return rclcpp_action::CancelResponse::ACCEPT;
      },
      [this](const std::shared_ptr<GoalHandle>& handle) { on_goal_accepted(handle); });
  if (diagnostics_ == nullptr) {
    diagnostics_ = std::make_unique<diagnostic_updater::Updater>(this);
    diagnostics_->setHardwareID("none");
    diagnostics_->add(
        "real-time search",
        [this](diagnostic_updater::DiagnosticStatusWrapper& status) { diagnose(status); });
  }
  parameter_check_ = add_on_set_parameters_callback(
      [this](const std::vector<rclcpp::Parameter>& changed) { return check_parameters(changed); });
  parameter_takeover_ = add_post_set_parameters_callback(
      [this](const std::vector<rclcpp::Parameter>& changed) { take_over_parameters(changed); });
  // Last, when nothing can throw any more: a listener that is destroyed before its thread has begun
  // waits for it for ever.
  tf_ = std::make_shared<tf2_ros::Buffer>(get_clock());
  tf_listener_ = ros::listen_to_transforms(*tf_, this);
  return CallbackReturn::SUCCESS;
}

RTDStarNode::CallbackReturn RTDStarNode::on_activate(const rclcpp_lifecycle::State& /*state*/) {
  const auto period = nanoseconds_of(1.0 / parameters_.rate);
  std::unique_lock lock(mutex_);
  feed_.emplace(parameters_.global_frame, nanoseconds_of(parameters_.costmap_timeout), time());
  controller_.emplace(parameters_.motion_config(), seconds_of(period));
  commands_.forget();
  reporter_->begin();
  refused_messages_ = 0;
  gaps_ = 0;
  last_step_ = {};
  asked_for_costmap_.reset();
  stops_left_ = 0;
  subscribe();
  // Steps follow simulated time, but not the system's: when that is set back, a timer of it waits
  // until it has come that far again, and a robot would drive on with its last velocity.
  const auto clock = get_clock()->ros_time_is_active()
                         ? get_clock()
                         : std::make_shared<rclcpp::Clock>(RCL_STEADY_TIME);
  timer_ = rclcpp::create_timer(
      clock, period, [this](const rclcpp::TimerInfo& timer) { on_step(timer); }, nullptr,
      get_node_base_interface().get(), get_node_timers_interface().get());
  active_ = true;
  lock.unlock();
  createBond();
  return CallbackReturn::SUCCESS;
}

void RTDStarNode::subscribe() {
  auto topics = get_node_topics_interface();
  // If ever more windows wait here than these, the oldest of them is too old to be believed. What
  // is lost on its way here, because Nav2 keeps only the newest for who has not received it, only
  // their numbers tell.
  const auto updates = rclcpp::QoS(100).transient_local().reliable();
  window_numbers_ = {};
  costmap_subscription_ = rclcpp::create_subscription<nav2_msgs::msg::Costmap>(
      topics, parameters_.costmap_topic, rclcpp::QoS(1).transient_local().reliable(),
      [this](const nav2_msgs::msg::Costmap::ConstSharedPtr& costmap) { on_costmap(*costmap); });
  update_subscription_ = rclcpp::create_subscription<nav2_msgs::msg::CostmapUpdate>(
      topics, parameters_.costmap_topic + "_updates", updates,
      [this](const nav2_msgs::msg::CostmapUpdate::ConstSharedPtr& update,
             const rclcpp::MessageInfo& info) {
        on_window_number(info.get_rmw_message_info());
        on_costmap(*update);
      });
  goal_subscription_ =
      rclcpp::create_subscription<PoseStamped>(topics, "goal_pose", rclcpp::SystemDefaultsQoS(),
                                               [this](const PoseStamped::ConstSharedPtr& pose) {
                                                 const std::lock_guard lock(mutex_);
                                                 if (active_) take_goal(*pose, nullptr);
                                               });
}

RTDStarNode::CallbackReturn RTDStarNode::on_deactivate(const rclcpp_lifecycle::State& /*state*/) {
  release();
  destroyBond();
  return CallbackReturn::SUCCESS;
}

/// The robot stands after it. What an activation that failed has left behind goes too.
void RTDStarNode::release() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(active_, false)) {
    if (goal_) finish(Ending::kFailed, {Code::UNKNOWN, "the node was deactivated"});
    publish(controller_->stop());
  }
  timer_.reset();
  costmap_subscription_.reset();
  update_subscription_.reset();
  goal_subscription_.reset();
  planner_.reset();
  feed_.reset();
}

/// The diagnostics stay: whoever spins the node may be in the middle of them when it is shut down
/// from another thread.
RTDStarNode::CallbackReturn RTDStarNode::on_cleanup(const rclcpp_lifecycle::State& /*state*/) {
  const std::lock_guard lock(mutex_);
  action_server_.reset();
  reset_service_.reset();
  costmap_client_.reset();
  stamped_velocity_publisher_.reset();
  velocity_publisher_.reset();
  reporter_.reset();
  tf_listener_.reset();
  tf_.reset();
  parameter_check_.reset();
  parameter_takeover_.reset();
  return CallbackReturn::SUCCESS;
}

RTDStarNode::CallbackReturn RTDStarNode::on_shutdown(const rclcpp_lifecycle::State& state) {
  release();
  return on_cleanup(state);
}

/// A transition has thrown. The node is unconfigured then, and may be configured again.
RTDStarNode::CallbackReturn RTDStarNode::on_error(const rclcpp_lifecycle::State& state) {
  release();
  return on_cleanup(state);
}

// --- goals ---------------------------------------------------------------------------------------

rclcpp_action::GoalResponse RTDStarNode::on_goal_offered() {
  const std::lock_guard lock(mutex_);
  if (active_) return rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;
  RCLCPP_WARN(get_logger(), "A goal was rejected, since the node is not active");
  return rclcpp_action::GoalResponse::REJECT;
}

void RTDStarNode::on_goal_accepted(const std::shared_ptr<GoalHandle>& handle) {
  const std::lock_guard lock(mutex_);
  if (active_) {
    take_goal(handle->get_goal()->pose, handle);
  } else {
    end(*handle, Ending::kFailed, {Code::UNKNOWN, "the node was deactivated"});
  }
}

/// A goal takes the place of the one before, and if it is a bad one the robot has none.
void RTDStarNode::take_goal(PoseStamped pose, const std::shared_ptr<GoalHandle>& handle) {
  auto failure = bring_to_map_frame(pose);
  Goal goal{pose, handle, time()};
  if (!failure && !what_ails_the_costmap()) {
    failure = check_on_map(pose);
    goal.on_map = true;
  }
  if (goal_ && goal_->handle) {
    end(*goal_->handle, Ending::kFailed, {Code::UNKNOWN, "another goal took its place"});
  }
  goal_ = std::move(goal);
  if (failure) {
    finish(Ending::kFailed, *failure);
  } else {
    RCLCPP_INFO(get_logger(), "To %s", place(goal_->pose).c_str());
  }
}

std::optional<RTDStarNode::Failure> RTDStarNode::bring_to_map_frame(PoseStamped& pose) const {
  const auto& position = pose.pose.position;
  if (!std::isfinite(position.x) || !std::isfinite(position.y) || !std::isfinite(position.z)) {
    return Failure{Code::UNKNOWN, "the goal's position is not finite"};
  }
  if (!is_rotation(pose.pose.orientation)) {
    return Failure{Code::UNKNOWN, "the goal's orientation is not a rotation"};
  }
  if (pose.header.frame_id == parameters_.global_frame) return std::nullopt;
  try {
    const auto transform =
        tf_->lookupTransform(parameters_.global_frame, pose.header.frame_id, tf2::TimePointZero);
    tf2::doTransform(pose, pose, transform);
  } catch (const tf2::TransformException& error) {
    return Failure{Code::TF_ERROR, "the goal's frame '" + pose.header.frame_id +
                                       "' is not known in '" + parameters_.global_frame +
                                       "': " + error.what()};
  }
  return std::nullopt;
}

std::optional<RTDStarNode::Failure> RTDStarNode::check_on_map(const PoseStamped& pose) const {
  const auto cell = cell_of(pose.pose.position.x, pose.pose.position.y);
  if (!cell) {
    return Failure{Code::GOAL_OUTSIDE_MAP, "the goal " + place(pose) + " is outside the map"};
  }
  const std::uint8_t cost = (*feed_->grid())[*cell];
  if (cost == kUnknown ? !parameters_.allow_unknown : cost > kMaxPassable) {
    return Failure{Code::GOAL_OCCUPIED, "the goal " + place(pose) + " lies in an obstacle"};
  }
  return std::nullopt;
}

void RTDStarNode::finish(Ending ending, const Failure& failure) {
  publish(controller_->stop());
  stops_left_ = static_cast<int>(std::ceil(kRepeatStop * parameters_.rate));
  const double took = seconds_of(time() - goal_->since);
  switch (ending) {
    case Ending::kReached:
      RCLCPP_INFO(get_logger(), "Reached %s after %.1f s", place(goal_->pose).c_str(), took);
      break;
    case Ending::kCancelled:
      RCLCPP_INFO(get_logger(), "The goal was cancelled");
      break;
    case Ending::kFailed:
      RCLCPP_WARN(get_logger(), "The goal is given up: %s", failure.reason.c_str());
      break;
  }
  if (goal_->handle) end(*goal_->handle, ending, failure);
  goal_.reset();
}

void RTDStarNode::end(GoalHandle& handle, Ending ending, const Failure& failure) const {
  const auto result = std::make_shared<NavigateToPose::Result>();
  result->error_code = failure.code;
  result->error_msg = failure.reason;
  if (!handle.is_active()) return;
  // A goal that is being cancelled ends so, whatever else comes about.
  if (ending == Ending::kCancelled || handle.is_canceling()) {
    handle.canceled(result);
  } else if (ending == Ending::kReached) {
    handle.succeed(result);
  } else {
    handle.abort(result);
  }
}

// --- the costmap ---------------------------------------------------------------------------------

/// What comes after a window that was lost is kept for when all of the costmap has come. So is what
/// comes from a publisher of which nothing had come: Nav2 sends no windows while it knows nobody
/// who listens, and knows of us later than we of it.
void RTDStarNode::on_window_number(const rmw_message_info_t& info) {
  const std::lock_guard lock(mutex_);
  if (!active_) return;
  const auto before = window_numbers_.before(info);
  if (before == ros::MessageNumbers::Before::kNothing) return;
  if (before == ros::MessageNumbers::Before::kLost) {
    ++gaps_;
    RCLCPP_WARN_THROTTLE(
        get_logger(), *get_clock(), kWarningPeriod,
        "A window of the costmap was lost; the robot stands until all of it has come");
  }
  feed_->distrust(time());
  request_costmap();
}

template <typename Message>
void RTDStarNode::on_costmap(const Message& message) {
  const std::lock_guard lock(mutex_);
  if (!active_) return;
  changes_.clear();
  std::string reason;
  const auto outcome = feed_->apply(message, time(), changes_, reason);
  take_in(outcome, reason);
}

void RTDStarNode::take_in(MessageFeed::Outcome outcome, const std::string& reason) {
  switch (outcome) {
    case MessageFeed::Outcome::kChanged:
      if (planner_ != nullptr) planner_->update(changes_);
      break;
    case MessageFeed::Outcome::kMoved:
      make_room_for_way();  // its cells may be smaller now
      if (planner_ != nullptr) planner_->reset();
      break;
    case MessageFeed::Outcome::kNewGrid:
      make_room_for_way();
      make_planner();
      break;
    case MessageFeed::Outcome::kRefused:
      ++refused_messages_;
      RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), kWarningPeriod,
                           "A message of the costmap was refused, since %s; the robot stands until "
                           "all of the costmap has come",
                           reason.c_str());
      request_costmap();
      break;
    case MessageFeed::Outcome::kOld:
      break;
  }
}

/// Asks the costmap's service, if it is there and has no question to answer already. An answer that
/// takes longer than the costmap may be old would not be believed.
void RTDStarNode::request_costmap() {
  const auto now = SteadyClock::now();
  const auto patience = nanoseconds_of(std::max(1.0, parameters_.costmap_timeout));
  if (asked_for_costmap_ && now - *asked_for_costmap_ < patience) return;
  if (!costmap_client_->service_is_ready()) return;
  costmap_client_->prune_pending_requests();  // those without an answer
  asked_for_costmap_ = now;
  costmap_client_->async_send_request(std::make_shared<GetCostmap::Request>(),
                                      [this](rclcpp::Client<GetCostmap>::SharedFuture answer) {
                                        const std::lock_guard lock(mutex_);
                                        asked_for_costmap_.reset();
                                        if (!active_) return;
                                        changes_.clear();
                                        std::string reason;
                                        const auto outcome = feed_->apply_answer(
                                            answer.get()->map, time(), changes_, reason);
                                        // The next question takes its time too.
                                        if (feed_->needs_everything())
                                          asked_for_costmap_ = SteadyClock::now();
                                        take_in(outcome, reason);
                                      });
}

void RTDStarNode::make_room_for_way() {
  const double cells = std::ceil(parameters_.plan_length / feed_->frame().resolution);
  way_.assign(static_cast<std::size_t>(std::clamp(cells, 1.0, 1e5)), kNoCell);
  places_.reserve(way_.size() + 1);
}

/// That takes long on a large map, and the robot stands meanwhile.
void RTDStarNode::make_planner() {
  if (goal_) publish(controller_->stop());
  planner_.reset();
  unsearchable_.clear();
  try {
    planner_ = make_real_time_planner("rtd", *feed_->grid(), parameters_.planner_config());
  } catch (const std::exception& error) {
    unsearchable_ = error.what();
  }
}

/// Nothing that was known is of the time that it is now.
void RTDStarNode::on_clock_jumped_back() {
  RCLCPP_WARN(get_logger(), "The clock has jumped back; waiting for transforms and the costmap");
  tf_->clear();
  feed_->distrust(time());
  if (planner_ != nullptr) planner_->reset();
  commands_.forget();
  if (!goal_) return;
  publish(controller_->stop());
  goal_->since = time();
  goal_->stands_since.reset();
}

// --- a step --------------------------------------------------------------------------------------

void RTDStarNode::on_step(const rclcpp::TimerInfo& timer) {
  const std::lock_guard lock(mutex_);
  if (!active_) return;
  const auto begin = SteadyClock::now();
  const Time now = time();
  if (now < last_step_) on_clock_jumped_back();
  const Time since_last_step = now - std::exchange(last_step_, now);
  if (feed_->needs_everything()) request_costmap();
  if (!goal_) {
    if (stops_left_ > 0) {
      --stops_left_;
      publish(controller_->stop());
    }
    return;
  }
  if (goal_->handle && goal_->handle->is_canceling()) {
    finish(Ending::kCancelled);
    return;
  }
  StepCommand command;
  command.header = header();
  command.cost = std::numeric_limits<double>::infinity();
  command.expansion_limit = static_cast<std::uint64_t>(parameters_.expansion_limit);
  places_.clear();
  const auto thinks_until = begin + nanoseconds_of(kThinkingShare * parameters_.step_deadline);
  const Decision decision = decide(command, thinks_until);
  // To drive without knowing a path is no waiting, but does not end it either.
  if (goal_->stands_since && command.status == StepCommand::PARTIALLY_INFORMED &&
      !places_.empty()) {
    *goal_->stands_since += since_last_step;
  }
  publish(decision.velocity);
  reporter_->publish(command, timer, begin, nanoseconds_of(parameters_.step_deadline));
  const ros::Intention intention{robot_.pose, places_, reaches_goal_, goal_->pose};
  reporter_->publish_plan(intention, feed_->frame(), command.header);
  if (goal_->handle) publish_feedback(intention.distance_remaining());
  if (decision.failure) {
    finish(Ending::kFailed, *decision.failure);
  } else if (decision.reached) {
    finish(Ending::kReached);
  }
}

/// Allocates nothing while the robot can drive, but for what a look at its transform takes.
RTDStarNode::Decision RTDStarNode::decide(StepCommand& command,
                                          SteadyClock::time_point thinks_until) {
  std::string reason;
  const bool robot_seen = see_robot(reason);
  command.next = to_pose(robot_.pose);
  if (const auto ailment = what_ails_the_costmap()) {
    return stand(StepCommand::NO_COSTMAP, {Code::UNKNOWN, *ailment}, command);
  }
  if (!robot_seen) return stand(StepCommand::NO_POSE, {Code::TF_ERROR, reason}, command);
  if (!goal_->on_map) {
    if (auto failure = check_on_map(goal_->pose)) {
      command.status = StepCommand::GOAL_BLOCKED;
      command.reason = failure->reason;
      return {controller_->stop(), std::move(failure)};
    }
    goal_->on_map = true;
  }
  const auto start = cell_of(robot_.pose.x, robot_.pose.y);
  if (!start) {
    return stand(StepCommand::START_BLOCKED,
                 {Code::START_OUTSIDE_MAP, "the robot is outside the map"}, command);
  }
  const auto& position = goal_->pose.pose.position;
  const auto goal = cell_of(position.x, position.y);
  if (!goal) {  // a costmap that rolls may leave it behind
    return stand(StepCommand::GOAL_BLOCKED, {Code::GOAL_OUTSIDE_MAP, "the goal is outside the map"},
                 command);
  }
  const Step step = planner_->step(*start, *goal, command.expansion_limit, thinks_until);
  command.status = static_cast<std::uint8_t>(step.status);
  command.spent = step.counts.in_expansions();
  command.local_expansions = step.counts.local_expansions;
  command.global_expansions = step.counts.global_expansions;
  command.changed_cells = step.counts.changed_cells;
  command.requeued = step.counts.requeued;
  switch (step.status) {
    case StepStatus::kNoPath:
      return stand(command.status, {Code::NO_VALID_PATH, "there is no path to the goal"}, command);
    case StepStatus::kStartBlocked:
      return stand(command.status, {Code::START_OCCUPIED, "the robot stands in an obstacle"},
                   command);
    case StepStatus::kGoalBlocked:
      return stand(command.status, {Code::GOAL_OCCUPIED, "the goal lies in an obstacle"}, command);
    default:
      return drive(step, *start, *goal, command);
  }
}

RTDStarNode::Decision RTDStarNode::drive(const Step& step, Cell start, Cell goal,
                                         StepCommand& command) {
  if (step.status == StepStatus::kFullyInformed) {
    goal_->stands_since.reset();
    command.cost = in_cells(step.cost);
  }
  find_places(start, goal);
  if (start == goal) {
    command.next = goal_->pose.pose;
  } else if (step.next != start) {
    command.next = to_pose(pose_of_step(start, step.next));
  }

  const ros::Terrain terrain{*feed_->grid(), feed_->frame(), parameters_.allow_unknown};
  const RobotPose robot = commands_.ahead(robot_.pose, robot_.seen, time());
  const auto& position = goal_->pose.pose.position;
  const double away = std::hypot(position.x - robot_.pose.x, position.y - robot_.pose.y);
  // Once there it need not come any nearer because it was moved a little.
  goal_->arrived = away <= parameters_.xy_goal_tolerance * (goal_->arrived ? 2.0 : 1.0);
  if (goal_->arrived) {
    const double yaw = yaw_of(goal_->pose.pose.orientation);
    const double off = std::remainder(yaw - robot_.pose.yaw, 2.0 * std::acos(-1.0));
    if (std::abs(off) <= parameters_.yaw_goal_tolerance && controller_->can_stop()) {
      return {.velocity = controller_->stop(), .reached = true};
    }
    return {controller_->turn_to(terrain, robot, yaw)};
  }
  if (places_.empty()) {
    const ros::Velocity braking = controller_->brake(terrain, robot);
    return wait(braking, {Code::NO_VALID_PATH, "no path is known yet"}, command);
  }
  return {controller_->follow(terrain, robot, places_)};
}

/// At once.
RTDStarNode::Decision RTDStarNode::stand(std::uint8_t status, const Failure& why,
                                         StepCommand& command) {
  command.status = status;
  return wait(controller_->stop(), why, command);
}

/// The goal is given up when that lasts.
RTDStarNode::Decision RTDStarNode::wait(const ros::Velocity& velocity, const Failure& why,
                                        StepCommand& command) {
  command.reason = why.reason;
  Decision decision{velocity};
  const Time now = time();
  if (!goal_->stands_since) goal_->stands_since = now;
  const double stood = seconds_of(now - *goal_->stands_since);
  RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), kWarningPeriod, "The robot stands: %s",
                       why.reason.c_str());
  if (stood >= parameters_.wait_timeout) {
    decision.failure =
        Failure{why.code, why.reason + "; waited for " + std::to_string(stood) + " s"};
  }
  return decision;
}

std::optional<std::string> RTDStarNode::what_ails_the_costmap() const {
  if (feed_->grid() == nullptr || feed_->needs_everything()) return "the costmap has not come yet";
  if (!feed_->is_trusted()) return "no message of the costmap has come yet";
  if (planner_ == nullptr) return "the costmap cannot be searched: " + unsearchable_;
  const double age = seconds_of(time() - feed_->stamp());
  if (age > parameters_.costmap_timeout) {
    return "the costmap is " + std::to_string(age) + " s old";
  }
  return std::nullopt;
}

/// Whether it is known where the robot is now.
bool RTDStarNode::see_robot(std::string& reason) {
  const std::string& frame = parameters_.robot_base_frame;
  try {
    const auto seen = tf_->lookupTransform(parameters_.global_frame, frame, tf2::TimePointZero);
    const Time stamp = ros::time_of(seen.header.stamp);
    const double age = seconds_of(time() - stamp);
    const auto& place = seen.transform.translation;
    if (age > parameters_.transform_timeout) {
      reason = "the transform of '" + frame + "' is " + std::to_string(age) + " s old";
    } else if (age < -parameters_.transform_timeout) {
      reason = "the transform of '" + frame + "' comes from the future";
      tf_->clear();  // it would hide all that come
    } else if (!std::isfinite(place.x) || !std::isfinite(place.y)) {
      reason = "the transform of '" + frame + "' is not finite";
    } else {
      robot_ = {{place.x, place.y, yaw_of(seen.transform.rotation)}, stamp};
      return true;
    }
  } catch (const tf2::TransformException& error) {
    reason = error.what();
  }
  return false;
}

std::optional<Cell> RTDStarNode::cell_of(double x, double y) const {
  const auto at = feed_->frame().cell_at(x, y);
  if (!at) return std::nullopt;
  return feed_->grid()->cell(at->x, at->y);
}

/// Where the way leads: over the middles of its cells, and to the goal itself.
void RTDStarNode::find_places(Cell start, Cell goal) {
  const ros::Frame& frame = feed_->frame();
  const std::size_t size = planner_->way(way_);
  for (std::size_t i = 0; i < size; ++i) {
    const auto [x, y] = feed_->grid()->position(way_[i]);
    places_.push_back({frame.x_of(x), frame.y_of(y)});
  }
  reaches_goal_ = size == 0 ? start == goal : way_[size - 1] == goal;
  if (!reaches_goal_) return;
  if (size > 0) places_.pop_back();
  places_.push_back({goal_->pose.pose.position.x, goal_->pose.pose.position.y});
}

RobotPose RTDStarNode::pose_of_step(Cell start, Cell next) const {
  const ros::Frame& frame = feed_->frame();
  const auto from = feed_->grid()->position(start);
  const auto to = feed_->grid()->position(next);
  return {frame.x_of(to.x), frame.y_of(to.y), std::atan2(to.y - from.y, to.x - from.x)};
}

// --- what is told --------------------------------------------------------------------------------

RTDStarNode::Time RTDStarNode::time() const {
  return Time(get_clock()->now().nanoseconds());
}

std_msgs::msg::Header RTDStarNode::header() const {
  std_msgs::msg::Header header;
  header.stamp = get_clock()->now();
  header.frame_id = parameters_.global_frame;
  return header;
}

void RTDStarNode::publish(const Velocity& velocity) {
  commands_.add(time(), velocity);
  geometry_msgs::msg::Twist twist;
  twist.linear.x = velocity.linear;
  twist.angular.z = velocity.angular;
  if (velocity_publisher_ != nullptr) {
    velocity_publisher_->publish(twist);
    return;
  }
  geometry_msgs::msg::TwistStamped stamped;
  stamped.header.stamp = get_clock()->now();
  stamped.header.frame_id = parameters_.robot_base_frame;
  stamped.twist = twist;
  stamped_velocity_publisher_->publish(stamped);
}

void RTDStarNode::publish_feedback(double distance) {
  feedback_->current_pose.header = header();
  feedback_->current_pose.pose = to_pose(robot_.pose);
  feedback_->distance_remaining = static_cast<float>(distance);
  feedback_->navigation_time = rclcpp::Duration(time() - goal_->since);
  feedback_->estimated_time_remaining =
      rclcpp::Duration(nanoseconds_of(distance / parameters_.max_linear_speed));
  goal_->handle->publish_feedback(feedback_);
}

void RTDStarNode::diagnose(diagnostic_updater::DiagnosticStatusWrapper& status) {
  using Level = diagnostic_msgs::msg::DiagnosticStatus;
  const std::lock_guard lock(mutex_);
  if (!active_) {
    status.summary(Level::OK, "Not active");
    return;
  }
  const auto ailment = what_ails_the_costmap();
  const std::uint64_t missed = reporter_->new_misses();
  if (goal_ && goal_->stands_since) {
    status.summary(Level::ERROR, "The robot has a goal and stands");
  } else if (ailment) {
    status.summary(Level::WARN, *ailment);
  } else if (missed > 0) {
    status.summary(Level::WARN, std::to_string(missed) + " steps missed their deadline");
  } else {
    status.summary(Level::OK, goal_ ? "Driving" : "No goal");
  }
  reporter_->show(status);
  status.add("Refused messages of the costmap", refused_messages_);
  status.add("Gaps in the windows of the costmap", gaps_);
  status.add("Costmap", ailment.value_or("in time"));
  status.add("Memory of the search [MiB]",
             planner_ == nullptr ? 0.0 : static_cast<double>(planner_->memory_bytes()) / (1 << 20));
}

// --- parameters and services ---------------------------------------------------------------------

rcl_interfaces::msg::SetParametersResult RTDStarNode::check_parameters(
    const std::vector<rclcpp::Parameter>& changed) {
  rcl_interfaces::msg::SetParametersResult result;
  result.successful = true;
  const std::lock_guard lock(mutex_);
  try {
    const ros::RTDParameters after = updated(parameters_, changed);
    // A path of no points; on this grid its cost might not fit.
    if (feed_ && feed_->grid() != nullptr) {
      path_cost(*feed_->grid(), after.planner_config().traversal, {});
    }
  } catch (const std::exception& error) {
    result.successful = false;
    result.reason = error.what();
  }
  return result;
}

void RTDStarNode::take_over_parameters(const std::vector<rclcpp::Parameter>& changed) {
  const std::lock_guard lock(mutex_);
  const ros::RTDParameters before = std::exchange(parameters_, updated(parameters_, changed));
  if (!active_) return;
  controller_->configure(parameters_.motion_config());
  if (feed_->grid() == nullptr) return;
  if (parameters_.plan_length != before.plan_length) make_room_for_way();
  if (!(parameters_.planner_config() == before.planner_config())) make_planner();
}

void RTDStarNode::on_reset(const ResetSearch::Request& request, ResetSearch::Response& response) {
  const std::lock_guard lock(mutex_);
  response.success = active_ && planner_ != nullptr;
  if (!response.success) {
    response.message =
        "There is no search: " + (unsearchable_.empty() ? "no costmap has come" : unsearchable_);
    return;
  }
  planner_->reset();
  response.message = "The search begins anew";
  if (!request.costmap) return;
  feed_->distrust(time());
  request_costmap();
  response.message = "The search begins anew once all of the costmap has come";
}

}  // namespace dynamic_planners

RCLCPP_COMPONENTS_REGISTER_NODE(dynamic_planners::RTDStarNode)
