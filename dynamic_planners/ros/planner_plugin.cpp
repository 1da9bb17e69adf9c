#include "dynamic_planners/ros/planner_plugin.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "dynamic_planners/ros/ends.hpp"
#include "dynamic_planners/ros/poses.hpp"
#include "dynamic_planners/search/path_cost.hpp"
#include "nav2_core/planner_exceptions.hpp"
#include "pluginlib/class_list_macros.hpp"

namespace dynamic_planners::ros {
namespace {

// All in ms.
constexpr int kWarningPeriod = 5000;
/// So long a thread waits for messages of the costmap before it looks whether there is other work.
constexpr int kListening = 20;
/// Paths are improved in slices of so long.
constexpr int kSlice = 10;

/// Raises a counter for as long as it lives.
class Waiting {
 public:
  explicit Waiting(std::atomic<int>& counter) : counter_(&counter) { ++*counter_; }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() { --*counter_; }

 private:
  std::atomic<int>* counter_;
};

std::string place(const geometry_msgs::msg::PoseStamped& pose) {
  return "(" + std::to_string(pose.pose.position.x) + ", " + std::to_string(pose.pose.position.y) +
         ")";
}

builtin_interfaces::msg::Duration to_message(std::chrono::steady_clock::duration duration) {
  return rclcpp::Duration(std::chrono::duration_cast<std::chrono::nanoseconds>(duration));
}

/// What is left of a path for somebody who is on it, or nearly; empty for anybody else.
std::vector<Point> rest_of(const std::vector<Point>& path, const Point& here) {
  constexpr double kNearly = 1.5;  // cells
  double least = kNearly;
  std::size_t next = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const double dx = path[i].x - path[i - 1].x;
    const double dy = path[i].y - path[i - 1].y;
    const double along = (here.x - path[i - 1].x) * dx + (here.y - path[i - 1].y) * dy;
    const double share = std::clamp(along / std::max(dx * dx + dy * dy, 1e-9), 0.0, 1.0);
    const double distance =
        std::hypot(path[i - 1].x + share * dx - here.x, path[i - 1].y + share * dy - here.y);
    if (distance > least) continue;
    least = distance;
    next = i;
  }
  if (next == 0) return {};
  std::vector<Point> rest{here};
  if (path[next] == here) ++next;
  rest.insert(rest.end(), path.begin() + static_cast<std::ptrdiff_t>(next), path.end());
  return rest;
}

[[noreturn]] void throw_for(PlanStatus status, const std::string& from, const std::string& to) {
  switch (status) {
    case PlanStatus::kStartBlocked:
      throw nav2_core::StartOccupied("The start " + from + " lies in an obstacle");
    case PlanStatus::kGoalBlocked:
      throw nav2_core::GoalOccupied("The goal " + to + " lies in an obstacle");
    case PlanStatus::kOutOfBudget:
      throw nav2_core::PlannerTimedOut("No path from " + from + " to " + to +
                                       " within max_planning_time");
    case PlanStatus::kCancelled:
      throw nav2_core::PlannerCancelled("Planning was cancelled");
    default:
      throw nav2_core::NoValidPathCouldBeFound("There is no path from " + from + " to " + to);
  }
}

}  // namespace

PlannerPlugin::~PlannerPlugin() {
  deactivate();
}

void PlannerPlugin::configure(const LifecycleNode::WeakPtr& parent, std::string name,
                              TransformBufferPtr tf,
                              std::shared_ptr<nav2_costmap_2d::Costmap2DROS> costmap_ros) {
  const auto node = parent.lock();
  if (node == nullptr) throw nav2_core::PlannerException("The planner server is gone");
  parent_ = parent;
  name_ = std::move(name);
  logger_ = node->get_logger().get_child(name_);
  clock_ = node->get_clock();
  costmap_ros_ = std::move(costmap_ros);
  tf_ = std::move(tf);
  try {
    algorithm_ = &find_plugin(node->get_parameter(name_ + ".plugin").as_string());
    parameters_ = declare_parameters(*node, name_);
  } catch (const std::exception& error) {
    throw nav2_core::PlannerException(name_ + ": " + error.what());
  }
  feed_ = std::make_unique<CostmapFeed>(costmap_ros_);

  // Made by hand and not by the node, since its own are of another type in each distribution.
  auto topics = node->get_node_topics_interface();
  path_publisher_ =
      rclcpp::create_publisher<nav_msgs::msg::Path>(topics, name_ + "/plan", rclcpp::QoS(1));
  report_publisher_ =
      rclcpp::create_publisher<PlanReport>(topics, name_ + "/report", rclcpp::QoS(10));
  search_publisher_ = rclcpp::create_publisher<nav_msgs::msg::OccupancyGrid>(
      topics, name_ + "/search", rclcpp::QoS(1));
  callback_group_ =
      node->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive, false);
  RCLCPP_INFO(logger_, "%s plans with %s", name_.c_str(), algorithm_->title.data());
}

void PlannerPlugin::activate() {
  const auto node = parent_.lock();
  if (node == nullptr || active_) return;
  active_ = true;
  parameter_callback_ = node->add_on_set_parameters_callback(
      [this](const std::vector<rclcpp::Parameter>& changed) { return on_set_parameters(changed); });

  rclcpp::SubscriptionOptions options;
  options.callback_group = callback_group_;
  auto topics = node->get_node_topics_interface();
  const auto qos = rclcpp::QoS(10).transient_local().reliable();
  const std::string topic =
      costmap_ros_->get_node_topics_interface()->resolve_topic_name("costmap_raw");
  costmap_subscription_ = rclcpp::create_subscription<nav2_msgs::msg::Costmap>(
      topics, topic, qos,
      [this](const nav2_msgs::msg::Costmap::ConstSharedPtr& costmap) { on_message(*costmap); },
      options);
  update_subscription_ = rclcpp::create_subscription<nav2_msgs::msg::CostmapUpdate>(
      topics, topic + "_updates", qos,
      [this](const nav2_msgs::msg::CostmapUpdate::ConstSharedPtr& update) { on_message(*update); },
      options);
  rclcpp::ExecutorOptions executor_options;
  executor_options.context = node->get_node_base_interface()->get_context();
  executor_ = std::make_unique<rclcpp::executors::SingleThreadedExecutor>(executor_options);
  executor_->add_callback_group(callback_group_, node->get_node_base_interface());
  // Not spin(): a cancel() that comes before it has begun would be lost.
  listening_ = true;
  thread_ = std::thread([this] {
    while (listening_) {
      executor_->spin_once(std::chrono::milliseconds(kListening));
      improve_in_background();
    }
  });
}

void PlannerPlugin::deactivate() {
  if (thread_.joinable()) {
    listening_ = false;
    executor_->cancel();
    thread_.join();
    executor_.reset();
  }
  costmap_subscription_.reset();
  update_subscription_.reset();
  const auto node = parent_.lock();
  if (node != nullptr && parameter_callback_ != nullptr) {
    node->remove_on_set_parameters_callback(parameter_callback_.get());
  }
  parameter_callback_.reset();
  const std::lock_guard lock(mutex_);
  active_ = false;
  request_.reset();
}

void PlannerPlugin::cleanup() {
  const std::lock_guard lock(mutex_);
  planner_.reset();
  answer_.reset();
  feed_.reset();
  path_publisher_.reset();
  report_publisher_.reset();
  search_publisher_.reset();
  callback_group_.reset();
  costmap_ros_.reset();
}

// --- a request ---------------------------------------------------------------------------------

#if DYNAMIC_PLANNERS_HAS_VIAPOINTS
nav_msgs::msg::Path PlannerPlugin::createPlan(
    const geometry_msgs::msg::PoseStamped& start, const geometry_msgs::msg::PoseStamped& goal,
    const std::vector<geometry_msgs::msg::PoseStamped>& viapoints,
    std::function<bool()> cancel_checker) {
#else
nav_msgs::msg::Path PlannerPlugin::createPlan(const geometry_msgs::msg::PoseStamped& start,
                                              const geometry_msgs::msg::PoseStamped& goal,
                                              std::function<bool()> cancel_checker) {
  const std::vector<geometry_msgs::msg::PoseStamped> viapoints;
#endif
  std::unique_lock lock(mutex_, std::defer_lock);
  {
    const Waiting waiting(waiting_requests_);
    lock.lock();
  }
  Budget budget;
  budget.deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(parameters_.max_planning_time));
  budget.cancelled = std::move(cancel_checker);
  budget.check_interval = static_cast<std::uint32_t>(parameters_.terminal_checking_interval);

  take_in_costmap();
  nav_msgs::msg::Path path;
  const geometry_msgs::msg::PoseStamped* from = &start;
  for (std::size_t leg = 0; leg <= viapoints.size(); ++leg) {
    const geometry_msgs::msg::PoseStamped& to = leg < viapoints.size() ? viapoints[leg] : goal;
    nav_msgs::msg::Path part = plan_between(*from, to, budget);
    path.header = part.header;
    path.poses.insert(path.poses.end(), part.poses.begin() + (leg == 0 ? 0 : 1), part.poses.end());
    from = &to;
  }

  // Repairs in the background go on with what was asked last; paths through several points are
  // asked again by whoever drives them.
  request_.reset();
  if (viapoints.empty()) {
    const auto robot = robot_pose();
    const bool follows_robot = robot && std::hypot(robot->pose.position.x - start.pose.position.x,
                                                   robot->pose.position.y - start.pose.position.y) <
                                            2.0 * feed_->frame().resolution;
    request_ = Request{start, goal, follows_robot, Clock::now()};
  }
  return path;
}

nav_msgs::msg::Path PlannerPlugin::plan_between(const geometry_msgs::msg::PoseStamped& start,
                                                const geometry_msgs::msg::PoseStamped& goal,
                                                const Budget& budget) {
  const Grid& grid = *feed_->grid();
  const Frame& frame = feed_->frame();
  const auto start_at = frame.cell_at(start.pose.position.x, start.pose.position.y);
  const auto goal_at = frame.cell_at(goal.pose.position.x, goal.pose.position.y);
  if (!start_at) {
    throw nav2_core::StartOutsideMapBounds("The start " + place(start) + " is outside the map");
  }
  if (!goal_at) {
    throw nav2_core::GoalOutsideMapBounds("The goal " + place(goal) + " is outside the map");
  }
  Cell from = grid.cell(start_at->x, start_at->y);
  const Cell to = grid.cell(goal_at->x, goal_at->y);

  // A robot that stands in an obstacle first leaves it the shortest way.
  std::vector<Cell> exit;
  if (!passable(from)) {
    exit = way_out(
        grid, [this](Cell cell) { return passable(cell); }, from,
        parameters_.start_tolerance / frame.resolution);
    if (exit.empty()) throw_for(PlanStatus::kStartBlocked, place(start), place(goal));
    from = exit.back();
    exit.pop_back();
  }

  const bool is_watched = search_publisher_->get_subscription_count() > 0;
  std::vector<Cell> expanded;
  Budget watched = budget;
  if (is_watched) watched.expanded = &expanded;
  const auto begin = Clock::now();
  Plan plan = plan_to_reachable(from, to, watched);
  const auto searched = Clock::now();
  if (is_watched) publish_search(expanded);
  if (plan.status != PlanStatus::kFound) {
    publish_report(plan, searched - begin, Clock::duration::zero());
    throw_for(plan.status, place(start), place(goal));
  }
  const bool can_improve = algorithm_->promise == Promise::kBounded && plan.bound > 1.0;
  commit(plan, from, to);
  answer_ = Answer{to, plan.points, plan.cost, can_improve};

  std::vector<Point> points;
  for (const Cell cell : exit) {
    const auto [x, y] = grid.position(cell);
    points.push_back({static_cast<double>(x), static_cast<double>(y)});
  }
  points.insert(points.end(), plan.points.begin(), plan.points.end());
  nav_msgs::msg::Path path;
  path.header = header();
  path.poses = to_poses(points, frame, start.pose, goal.pose,
                        parameters_.use_final_approach_orientation, path.header);
  publish_report(plan, searched - begin, Clock::now() - searched);
  return path;
}

bool PlannerPlugin::passable(Cell cell) const {
  const std::uint8_t cost = (*feed_->grid())[cell];
  return cost == kUnknown ? parameters_.allow_unknown : cost <= kMaxPassable;
}

/// Where the goal is blocked, the nearest free cell within the tolerance that can be reached.
Plan PlannerPlugin::plan_to_reachable(Cell start, Cell goal, const Budget& budget) {
  Plan plan = planner_->plan({start, goal}, budget);
  if (plan.status != PlanStatus::kGoalBlocked) return plan;
  const Grid& grid = *feed_->grid();
  std::vector<Cell> candidates = passable_around(
      grid, [this](Cell cell) { return passable(cell); }, goal,
      parameters_.tolerance / feed_->frame().resolution);
  while (!candidates.empty()) {
    plan = planner_->plan({start, candidates.front()}, budget);
    if (plan.status != PlanStatus::kNoPath) return plan;
    drop_connected(grid, candidates);
  }
  return plan;
}

/// Two paths of nearly equal cost must not alternate: the former one is kept while it is free and
/// costs at most a share more than the best.
void PlannerPlugin::commit(Plan& plan, Cell start, Cell goal) const {
  if (!answer_ || answer_->goal != goal || parameters_.path_commitment <= 0.0) return;
  const Grid& grid = *feed_->grid();
  const auto [x, y] = grid.position(start);
  const Point here{static_cast<double>(x), static_cast<double>(y)};
  std::vector<Point> rest = rest_of(answer_->points, here);
  if (rest.empty() || !(rest.back() == plan.points.back())) return;
  const auto cost = path_cost(grid, parameters_.planner_config().traversal, rest);
  if (!cost) return;
  const double limit = (1.0 + parameters_.path_commitment) * static_cast<double>(plan.cost);
  if (static_cast<double>(*cost) > limit) return;
  plan.bound *= static_cast<double>(*cost) / static_cast<double>(std::max<Cost>(plan.cost, 1));
  plan.bound = std::max(plan.bound, 1.0);
  plan.cost = *cost;
  plan.points = std::move(rest);
}

// --- the costmap -------------------------------------------------------------------------------

void PlannerPlugin::take_in_costmap() {
  if (costmap_ros_->getCostmap()->getSizeInCellsX() == 0 ||
      costmap_ros_->getCostmap()->getSizeInCellsY() == 0) {
    throw nav2_core::PlannerException("The costmap has no size yet");
  }
  const auto begin = Clock::now();
  changes_.clear();
  const auto outcome = feed_->reconcile(changes_);
  comparison_time_ = Clock::now() - begin;
  take_in(outcome);
}

void PlannerPlugin::take_in(CostmapFeed::Outcome outcome) {
  if (outcome == CostmapFeed::Outcome::kNewGrid) {
    answer_.reset();
    planner_.reset();
  }
  if (outcome == CostmapFeed::Outcome::kMoved) {
    if (planner_ != nullptr) planner_->move(feed_->shift());
    move_answer(feed_->shift());
  }
  if (planner_ == nullptr) {
    planner_ = algorithm_->make(*feed_->grid(), parameters_.planner_config());
  } else if (!changes_.empty()) {
    planner_->update(changes_);
  }
}

void PlannerPlugin::move_answer(const Shift& shift) {
  if (!answer_) return;
  answer_->goal = feed_->grid()->shifted(answer_->goal, shift);
  for (Point& point : answer_->points) {
    point.x -= shift.dx;
    point.y -= shift.dy;
  }
  // What has left the map is no path.
  const auto outside = [this](const Point& point) {
    return !feed_->grid()->contains(static_cast<int>(std::lround(point.x)),
                                    static_cast<int>(std::lround(point.y)));
  };
  const auto inside = std::find_if_not(answer_->points.begin(), answer_->points.end(), outside);
  answer_->points.erase(answer_->points.begin(), inside);
  if (answer_->goal == kNoCell ||
      std::any_of(answer_->points.begin(), answer_->points.end(), outside)) {
    answer_.reset();
  }
}

template <typename Message>
void PlannerPlugin::on_message(const Message& message) {
  const std::lock_guard lock(mutex_);
  if (!active_ || feed_ == nullptr || feed_->grid() == nullptr) return;
  std::string reason;
  changes_.clear();
  const auto begin = Clock::now();
  const auto outcome = feed_->apply(message, changes_, reason);
  comparison_time_ = Clock::now() - begin;
  if (outcome == CostmapFeed::Outcome::kOld) return;
  if (outcome == CostmapFeed::Outcome::kRefused) {
    RCLCPP_WARN_THROTTLE(
        logger_, *clock_, kWarningPeriod,
        "A message of the costmap was refused, since %s; the whole costmap is read "
        "anew",
        reason.c_str());
    take_in_costmap();
  } else if (outcome == CostmapFeed::Outcome::kMoved) {
    take_in_costmap();
  } else {
    take_in(outcome);
  }
  // Costmaps publish whether or not anything has changed.
  if (!changes_.empty() || answer_ == std::nullopt) repair_in_background();
}

void PlannerPlugin::repair_in_background() {
  if (!has_fresh_request()) return;
  if (const auto path = plan_in_background(Budget{})) path_publisher_->publish(*path);
}

/// Anytime planners go on while nobody asks. Each slice leaves room for a request.
void PlannerPlugin::improve_in_background() {
  const std::lock_guard lock(mutex_);
  if (!answer_ || !answer_->can_improve || !has_fresh_request()) return;
  changes_.clear();  // nothing has changed since
  const Cost before = answer_->cost;
  Budget budget;
  budget.deadline = Clock::now() + std::chrono::milliseconds(kSlice);
  const auto path = plan_in_background(budget);
  if (path && answer_->cost < before) path_publisher_->publish(*path);
}

bool PlannerPlugin::has_fresh_request() const {
  if (!request_ || waiting_requests_ > 0) return false;
  const auto age = std::chrono::duration<double>(Clock::now() - request_->when).count();
  return age <= parameters_.background_timeout;
}

std::optional<nav_msgs::msg::Path> PlannerPlugin::plan_in_background(Budget budget) {
  geometry_msgs::msg::PoseStamped start = request_->start;
  if (request_->follows_robot) start = robot_pose().value_or(start);
  budget.cancelled = [this] { return waiting_requests_ > 0; };
  try {
    return plan_between(start, request_->goal, budget);
  } catch (const nav2_core::PlannerCancelled&) {
    // A request waits: it will be answered with what was repaired so far.
  } catch (const nav2_core::PlannerTimedOut&) {
    // The next slice goes on.
  } catch (const nav2_core::PlannerException& error) {
    RCLCPP_WARN_THROTTLE(logger_, *clock_, kWarningPeriod, "The path could not be repaired: %s",
                         error.what());
  }
  return std::nullopt;
}

/// Where the robot is, as far as is known now: Costmap2DROS::getRobotPose would wait for it.
std::optional<geometry_msgs::msg::PoseStamped> PlannerPlugin::robot_pose() const {
  if (tf_ == nullptr) return std::nullopt;
  try {
    const auto transform = tf_->lookupTransform(costmap_ros_->getGlobalFrameID(),
                                                costmap_ros_->getBaseFrameID(), tf2::TimePointZero);
    geometry_msgs::msg::PoseStamped pose;
    pose.header = transform.header;
    pose.pose.position.x = transform.transform.translation.x;
    pose.pose.position.y = transform.transform.translation.y;
    pose.pose.orientation = transform.transform.rotation;
    return pose;
  } catch (const tf2::TransformException&) {
    return std::nullopt;
  }
}

// --- parameters and reports --------------------------------------------------------------------

rcl_interfaces::msg::SetParametersResult PlannerPlugin::on_set_parameters(
    const std::vector<rclcpp::Parameter>& changed) {
  rcl_interfaces::msg::SetParametersResult result;
  std::unique_lock lock(mutex_, std::defer_lock);
  {
    const Waiting waiting(waiting_requests_);
    lock.lock();
  }
  Parameters updated = parameters_;
  try {
    update_parameters(changed, name_, updated);
    if (planner_ != nullptr && !(updated.planner_config() == parameters_.planner_config())) {
      planner_ = algorithm_->make(*feed_->grid(), updated.planner_config());
      answer_.reset();
    }
    parameters_ = updated;
    result.successful = true;
  } catch (const std::exception& error) {
    result.successful = false;
    result.reason = error.what();
  }
  return result;
}

void PlannerPlugin::publish_report(const Plan& plan, Clock::duration search, Clock::duration path) {
  if (report_publisher_->get_subscription_count() == 0) return;
  PlanReport report;
  report.header = header();
  report.planner = algorithm_->name;
  report.status = static_cast<std::uint8_t>(plan.status);
  report.cost = plan.status == PlanStatus::kFound ? in_cells(plan.cost)
                                                  : std::numeric_limits<double>::infinity();
  report.bound = plan.bound;
  report.changed_cells = changes_.size();
  report.expansions = plan.counts.expansions;
  report.reexpansions = plan.counts.reexpansions;
  report.queue_operations = plan.counts.queue_operations;
  report.comparison_time = to_message(comparison_time_);
  report.search_time = to_message(search);
  report.path_time = to_message(path);
  report_publisher_->publish(report);
}

/// What the last plan took: 50 where a cell has changed, 100 where one was expanded.
void PlannerPlugin::publish_search(const std::vector<Cell>& expanded) {
  constexpr std::int8_t kChanged = 50;
  constexpr std::int8_t kExpanded = 100;
  const Frame& frame = feed_->frame();
  nav_msgs::msg::OccupancyGrid map;
  map.header = header();
  map.info.map_load_time = map.header.stamp;
  map.info.resolution = static_cast<float>(frame.resolution);
  map.info.width = static_cast<std::uint32_t>(frame.width);
  map.info.height = static_cast<std::uint32_t>(frame.height);
  map.info.origin.position.x = frame.origin_x;
  map.info.origin.position.y = frame.origin_y;
  map.info.origin.orientation.w = 1.0;
  map.data.assign(feed_->grid()->size(), 0);
  for (const CellChange& change : changes_) map.data[change.cell] = kChanged;
  for (const Cell cell : expanded) map.data[cell] = kExpanded;
  search_publisher_->publish(map);
}

std_msgs::msg::Header PlannerPlugin::header() const {
  std_msgs::msg::Header header;
  header.stamp = clock_->now();
  header.frame_id = costmap_ros_->getGlobalFrameID();
  return header;
}

}  // namespace dynamic_planners::ros

PLUGINLIB_EXPORT_CLASS(dynamic_planners::ros::PlannerPlugin, nav2_core::GlobalPlanner)
