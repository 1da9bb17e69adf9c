#include "dynamic_planners/ros/planner_plugin.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "dynamic_planners/search/path_cost.hpp"
#include "nav2_core/planner_exceptions.hpp"
#include "pluginlib/class_list_macros.hpp"

namespace dynamic_planners::ros {
namespace {

// All in ms.
constexpr int kWarningPeriod = 5000;
/// So long a thread waits for messages of the costmap before it looks whether there is other work.
constexpr int kListening = 20;
/// Whoever is that late, and not because we were busy, is worth a warning.
constexpr int kLate = 100;
/// So often a strip of the costmap is looked at for what nobody has told of; all of it in a second.
constexpr int kPatrol = 1000 / CostmapFeed::kStrips;
/// Legs of one path through several poses are asked for one right after the other.
constexpr int kNextLeg = 100;
/// A start is where the robot stands if it is no farther off than it may have driven since the
/// planner server looked [m].
constexpr double kHere = 0.3;

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

std::string text(const geometry_msgs::msg::Point& place) {
  return "(" + std::to_string(place.x) + ", " + std::to_string(place.y) + ")";
}

double distance(const geometry_msgs::msg::Point& a, const geometry_msgs::msg::Point& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

builtin_interfaces::msg::Duration to_message(std::chrono::steady_clock::duration duration) {
  return rclcpp::Duration(std::chrono::duration_cast<std::chrono::nanoseconds>(duration));
}

/// Nav2's exception for a leg that was not planned.
[[noreturn]] void throw_for(const Leg& leg) {
  const std::string start = text(leg.start);
  const std::string goal = text(leg.goal);
  switch (leg.status) {
    case Leg::PlanReport::START_OUTSIDE:
      throw nav2_core::StartOutsideMapBounds("The start " + start + " is outside the map");
    case Leg::PlanReport::GOAL_OUTSIDE:
      throw nav2_core::GoalOutsideMapBounds("The goal " + goal + " is outside the map");
    case Leg::PlanReport::START_BLOCKED:
      throw nav2_core::StartOccupied("The start " + start + " lies in an obstacle");
    case Leg::PlanReport::GOAL_BLOCKED:
      throw nav2_core::GoalOccupied("The goal " + goal + " lies in an obstacle");
    case Leg::PlanReport::OUT_OF_BUDGET:
      throw nav2_core::PlannerTimedOut("No path from " + start + " to " + goal +
                                       " within max_planning_time");
    case Leg::PlanReport::CANCELLED:
      throw nav2_core::PlannerCancelled("Planning was cancelled");
    default:
      throw nav2_core::NoValidPathCouldBeFound("There is no path from " + start + " to " + goal);
  }
}

}  // namespace

PlannerPlugin::~PlannerPlugin() {
  PlannerPlugin::deactivate();
  PlannerPlugin::cleanup();
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
  routes_ = std::make_unique<RoutePlanner>(*algorithm_, parameters_, *feed_);
  idle_since_ = clock_->now();
  parameter_check_ = node->add_on_set_parameters_callback(
      [this](const std::vector<rclcpp::Parameter>& changed) { return check_parameters(changed); });
  // What one accepts another may yet refuse, and then all stays as it was.
  parameter_takeover_ = node->add_post_set_parameters_callback(
      [this](const std::vector<rclcpp::Parameter>& changed) { take_over_parameters(changed); });

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
  const std::lock_guard lock(thread_mutex_);
  active_ = true;
}

void PlannerPlugin::begin_to_listen() {
  const std::lock_guard lock(thread_mutex_);
  const auto node = parent_.lock();
  if (!active_ || node == nullptr || thread_.joinable()) return;
  rclcpp::SubscriptionOptions options;
  options.callback_group = callback_group_;
  auto topics = node->get_node_topics_interface();
  // What was published before is no news: the costmap itself is read first.
  const auto qos = rclcpp::QoS(10).reliable();
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
  listening_ = true;
  thread_ = std::thread([this, context = executor_options.context] {
    while (listening_ && rclcpp::ok(context)) listen();
  });
}

void PlannerPlugin::deactivate() {
  const std::lock_guard thread_lock(thread_mutex_);
  active_ = false;
  if (!thread_.joinable()) return;
  listening_ = false;
  executor_->cancel();
  thread_.join();
  executor_.reset();
  costmap_subscription_.reset();
  update_subscription_.reset();
  const std::lock_guard lock(mutex_);
  request_.reset();
  repair_is_due_ = false;
}

void PlannerPlugin::cleanup() {
  const auto node = parent_.lock();
  if (node != nullptr && parameter_check_ != nullptr) {
    node->remove_on_set_parameters_callback(parameter_check_.get());
    node->remove_post_set_parameters_callback(parameter_takeover_.get());
  }
  parameter_check_.reset();
  parameter_takeover_.reset();
  const std::lock_guard lock(mutex_);
  routes_.reset();
  feed_.reset();
  path_publisher_.reset();
  report_publisher_.reset();
  search_publisher_.reset();
  callback_group_.reset();
}

// --- a request ---------------------------------------------------------------------------------

std::unique_lock<std::mutex> PlannerPlugin::lock_for_request() {
  std::unique_lock lock(mutex_, std::defer_lock);
  const Waiting waiting(waiting_requests_);
  lock.lock();
  return lock;
}

#if DYNAMIC_PLANNERS_HAS_VIAPOINTS
nav_msgs::msg::Path PlannerPlugin::createPlan(const PoseStamped& start, const PoseStamped& goal,
                                              const std::vector<PoseStamped>& viapoints,
                                              std::function<bool()> cancel_checker) {
#else
nav_msgs::msg::Path PlannerPlugin::createPlan(const PoseStamped& start, const PoseStamped& goal,
                                              std::function<bool()> cancel_checker) {
  const std::vector<PoseStamped> viapoints;
#endif
  const auto robot = robot_pose();  // which drives on while this waits
  begin_to_listen();
  const auto lock = lock_for_request();
  if (feed_ == nullptr) throw nav2_core::PlannerException("The planner is not configured");
  std::vector<PoseStamped> stops(viapoints.size());
  for (std::size_t i = 0; i < stops.size(); ++i) {
    // What the planner server has done for the start and the goal.
    if (costmap_ros_->transformPoseToGlobalFrame(viapoints[i], stops[i])) continue;
    throw nav2_core::PlannerTFError("The via point " + text(viapoints[i].pose.position) +
                                    " has no place in the costmap's frame");
  }
  stops.push_back(goal);
  Budget budget;
  budget.deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(parameters_.max_planning_time));
  budget.cancelled = std::move(cancel_checker);
  budget.check_interval = static_cast<std::uint32_t>(parameters_.terminal_checking_interval);
  try {
    take_in_costmap();
    note_request(start, stops, robot);
    repair_is_due_ = false;
    Route route = plan(start, stops, budget);
    remember(route);
    request_->end = route.path.poses.back().pose.position;
    request_->can_improve = request_->can_improve || route.can_improve;
    request_->when = Clock::now();
    return std::move(route.path);
  } catch (const nav2_core::PlannerCancelled&) {
    request_.reset();  // nobody wants it any more
    throw;
  } catch (const nav2_core::PlannerTimedOut&) {
    repair_is_due_ = true;  // there is time to go on with it until the next request
    throw;
  } catch (const nav2_core::PlannerException&) {
    throw;
  } catch (const std::exception& error) {
    routes_->forget();  // who knows what it was doing
    throw nav2_core::PlannerException(name_ + ": " + error.what());
  }
}

/// The planner server asks for a path through several poses leg by leg. Repairs in the background
/// are of all of it.
void PlannerPlugin::note_request(const PoseStamped& start, const std::vector<PoseStamped>& stops,
                                 const std::optional<PoseStamped>& robot) {
  const auto now = Clock::now();
  bool goes_on = request_ && request_->end == start.pose.position &&
                 now - request_->when < std::chrono::milliseconds(kNextLeg);
  // A robot that stands at its goal and asks for it again.
  if (goes_on && !request_->stops.empty()) {
    goes_on = request_->stops.back().pose.position != stops.front().pose.position;
  }
  if (!goes_on) {
    const bool follows_robot = robot && distance(robot->pose.position, start.pose.position) < kHere;
    request_ = Request{start, stops, follows_robot, now};
  } else if (!request_->stops.empty()) {
    request_->stops.insert(request_->stops.end(), stops.begin(), stops.end());
  }
  request_->end.reset();
  // Of more than these no search is there to repair.
  if (request_->stops.size() > static_cast<std::size_t>(parameters_.kept_searches)) {
    request_->stops.clear();
  }
}

/// Reports what it took, whatever comes of it.
Route PlannerPlugin::plan(const PoseStamped& start, const std::vector<PoseStamped>& stops,
                          Budget budget) {
  std::vector<Cell> expanded;
  if (search_publisher_->get_subscription_count() > 0) budget.expanded = &expanded;
  Route route = routes_->plan(start, stops, budget, header());
  const std::vector<Cell> changed = unreported_.take(*feed_->grid());
  // A map takes a while to publish. Whoever waits comes first, and has one of its own.
  if (budget.expanded != nullptr && waiting_requests_ == 0) publish_search(changed, expanded);
  publish_reports(route.legs, changed.size());
  if (route.legs.back().status != PlanReport::FOUND) throw_for(route.legs.back());
  return route;
}

/// What was answered, or published, is what the next path is compared with, and where the robot is
/// looked for.
void PlannerPlugin::remember(Route& route) {
  routes_->remember(std::move(route.answers));
  if (request_->stops.empty()) return;
  for (const std::size_t pose : route.stops_at) {
    request_->stops_at.push_back(request_->way.size() + pose);
  }
  for (const PoseStamped& pose : route.path.poses) request_->way.push_back(pose.pose.position);
}

// --- the costmap -------------------------------------------------------------------------------

void PlannerPlugin::take_in_costmap() {
  const auto begin = Clock::now();
  changes_.clear();
  const auto outcome = feed_->reconcile(changes_);
  comparison_time_ += Clock::now() - begin;
  take_in(outcome);
}

void PlannerPlugin::take_in(CostmapFeed::Outcome outcome) {
  const bool is_new = outcome == CostmapFeed::Outcome::kNewGrid;
  if (is_new) unreported_.start_over(*feed_->grid());
  if (outcome == CostmapFeed::Outcome::kMoved) unreported_.move(*feed_->grid(), feed_->shift());
  unreported_.add(changes_);
  routes_->take_in(outcome, changes_);
  // Costmaps publish whether or not anything has changed.
  if (is_new || !changes_.empty()) repair_is_due_ = true;
}

/// A short while in the life of the thread: one of the costmap's messages, and work.
void PlannerPlugin::listen() {
  try {
    // Not spin(): a cancel() that comes before it has begun would be lost.
    executor_->spin_once(std::chrono::milliseconds(kListening));
    work_in_background();
  } catch (const std::exception& error) {
    RCLCPP_WARN_THROTTLE(logger_, *clock_, kWarningPeriod, "Work in the background ended: %s",
                         error.what());
    const std::lock_guard lock(mutex_);
    routes_->forget();  // who knows what it was doing
    request_.reset();
  }
}

template <typename Message>
void PlannerPlugin::on_message(const Message& message) {
  const rclcpp::Time now = clock_->now();  // before it has to wait for a request
  const std::lock_guard lock(mutex_);
  if (feed_->grid() == nullptr) return;  // nobody has asked for anything yet
  std::string reason;
  changes_.clear();
  const auto begin = Clock::now();
  const auto outcome = feed_->apply(message, now, changes_, reason);
  // What waited for us alone is no reason to worry.
  const bool is_late = outcome == CostmapFeed::Outcome::kLate &&
                       now - idle_since_ > rclcpp::Duration(std::chrono::milliseconds(kLate));
  if (outcome == CostmapFeed::Outcome::kRefused || is_late) {
    RCLCPP_WARN_THROTTLE(
        logger_, *clock_, kWarningPeriod,
        "A message of the costmap was refused, since %s; the costmap itself is read instead",
        reason.c_str());
    feed_->distrust();
  }
  if (outcome == CostmapFeed::Outcome::kChanged) {
    comparison_time_ += Clock::now() - begin;
    take_in(outcome);
  } else if (const auto read = feed_->reconcile_if_current(changes_)) {
    comparison_time_ += Clock::now() - begin;
    take_in(*read);
  }
  idle_since_ = clock_->now();
}

/// Gives way to requests.
void PlannerPlugin::work_in_background() {
  const std::lock_guard lock(mutex_);
  if (feed_->grid() == nullptr || waiting_requests_ > 0) return;
  if (has_fresh_request()) {
    follow_robot();
    repair_or_improve();
  }
  if (Clock::now() - patrolled_ > std::chrono::milliseconds(kPatrol)) patrol();
}

/// Looks for what no message tells: a cycle that is not published, and what is written beside the
/// cycles.
void PlannerPlugin::patrol() {
  patrolled_ = Clock::now();
  changes_.clear();
  const auto outcome = feed_->patrol(changes_);
  if (!outcome) return;
  // It walks all day, and what it does not find says nothing.
  if (!changes_.empty()) comparison_time_ += Clock::now() - patrolled_;
  take_in(*outcome);
}

bool PlannerPlugin::has_fresh_request() const {
  if (!request_ || request_->stops.empty()) return false;
  const auto age = std::chrono::duration<double>(Clock::now() - request_->when).count();
  return age <= parameters_.background_timeout;
}

/// Looks how far along the path the robot has come. It does not go back to the stops that it has
/// passed.
void PlannerPlugin::follow_robot() {
  if (!request_->follows_robot) return;
  const auto robot = robot_pose();
  if (!robot) return;
  request_->start = *robot;
  const auto& way = request_->way;
  if (request_->stops_at.size() < 2) return;
  // Later the path may come by here once more, so it is not looked at as a whole.
  double least = distance(way[request_->come_to], robot->pose.position);
  const double moved = 2.0 * least + 10.0 * feed_->frame().resolution;
  double along = 0.0;
  for (std::size_t i = request_->come_to + 1; i < way.size() && along < moved; ++i) {
    along += distance(way[i - 1], way[i]);
    const double off = distance(way[i], robot->pose.position);
    if (off > least) continue;
    least = off;
    request_->come_to = i;
  }
  while (request_->stops_at.size() > 1 && request_->stops_at.front() <= request_->come_to) {
    request_->stops_at.erase(request_->stops_at.begin());
    request_->stops.erase(request_->stops.begin());
  }
}

void PlannerPlugin::repair_or_improve() {
  const bool is_repair = repair_is_due_;
  if (!(is_repair || request_->can_improve) || !feed_->is_current()) return;
  Budget budget;
  if (!is_repair) budget.deadline = Clock::now() + RoutePlanner::kSlice;
  auto route = plan_in_background(budget);
  idle_since_ = clock_->now();
  if (!route || !(is_repair || route->is_better)) return;
  request_->way.clear();
  request_->stops_at.clear();
  request_->come_to = 0;
  remember(*route);
  path_publisher_->publish(route->path);
}

std::optional<Route> PlannerPlugin::plan_in_background(Budget budget) {
  budget.cancelled = [this] { return waiting_requests_ > 0 || !listening_; };
  try {
    Route route = plan(request_->start, request_->stops, std::move(budget));
    repair_is_due_ = false;
    request_->can_improve = route.can_improve;
    return route;
  } catch (const nav2_core::PlannerCancelled&) {
    // Somebody waits: for a path, who will have what was repaired so far, or to set a parameter.
  } catch (const nav2_core::PlannerTimedOut&) {
    // The next slice goes on.
  } catch (const nav2_core::PlannerException& error) {
    repair_is_due_ = false;  // until something changes
    request_->can_improve = false;
    RCLCPP_WARN_THROTTLE(logger_, *clock_, kWarningPeriod, "The path could not be repaired: %s",
                         error.what());
  }
  return std::nullopt;
}

/// Where the robot is, as far as is known now: Costmap2DROS::getRobotPose would wait for it.
std::optional<geometry_msgs::msg::PoseStamped> PlannerPlugin::robot_pose() const {
  if (tf_ == nullptr || costmap_ros_ == nullptr) return std::nullopt;
  try {
    const auto transform = tf_->lookupTransform(costmap_ros_->getGlobalFrameID(),
                                                costmap_ros_->getBaseFrameID(), tf2::TimePointZero);
    PoseStamped pose;
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

rcl_interfaces::msg::SetParametersResult PlannerPlugin::check_parameters(
    const std::vector<rclcpp::Parameter>& changed) {
  rcl_interfaces::msg::SetParametersResult result;
  result.successful = true;
  if (!concerns_us(changed)) return result;
  const auto lock = lock_for_request();
  try {
    Parameters updated = parameters_;
    update_parameters(changed, name_, updated);
    // A path of no points; on this grid its cost might not fit.
    if (feed_->grid() != nullptr) path_cost(*feed_->grid(), traversal_of(*algorithm_, updated), {});
  } catch (const std::exception& error) {
    result.successful = false;
    result.reason = error.what();
  }
  return result;
}

void PlannerPlugin::take_over_parameters(const std::vector<rclcpp::Parameter>& changed) {
  if (!concerns_us(changed)) return;
  const auto lock = lock_for_request();
  const PlannerConfig before = parameters_.planner_config();
  update_parameters(changed, name_, parameters_);
  if (parameters_.planner_config() == before) return;
  routes_->forget();
  repair_is_due_ = feed_->grid() != nullptr;
}

bool PlannerPlugin::concerns_us(const std::vector<rclcpp::Parameter>& changed) const {
  return std::any_of(changed.begin(), changed.end(), [this](const rclcpp::Parameter& parameter) {
    return parameter.get_name().starts_with(name_ + ".");
  });
}

/// What has changed is reported once, with the first leg.
void PlannerPlugin::publish_reports(const std::vector<Leg>& legs, std::size_t changed_cells) {
  PlanReport report;
  report.planner = algorithm_->name;
  report.changed_cells = changed_cells;
  report.comparison_time = to_message(std::exchange(comparison_time_, {}));
  if (report_publisher_->get_subscription_count() == 0) return;
  for (const Leg& leg : legs) {
    report.header = header();
    report.status = leg.status;
    report.cost = leg.status == PlanReport::FOUND ? in_cells(leg.plan.cost)
                                                  : std::numeric_limits<double>::infinity();
    report.bound = leg.plan.bound;
    report.expansions = leg.plan.counts.expansions;
    report.reexpansions = leg.plan.counts.reexpansions;
    report.restarts = leg.plan.counts.restarts;
    report.queue_operations = leg.plan.counts.queue_operations;
    report.search_time = to_message(leg.search_time);
    report.path_time = to_message(leg.path_time);
    report_publisher_->publish(report);
    report.changed_cells = 0;
    report.comparison_time = builtin_interfaces::msg::Duration();
  }
}

/// What the last plan took: 50 where a cell has changed since the one before, 100 where one was
/// expanded.
void PlannerPlugin::publish_search(const std::vector<Cell>& changed,
                                   const std::vector<Cell>& expanded) {
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
  for (const Cell cell : changed) map.data[cell] = kChanged;
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
