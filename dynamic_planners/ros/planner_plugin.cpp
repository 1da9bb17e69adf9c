#include "dynamic_planners/ros/planner_plugin.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
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
/// Whoever is that late, and not because we were busy, is worth a warning.
constexpr int kLate = 100;
/// So often a strip of the costmap is looked at for what nobody has told of; all of it in a second.
constexpr int kPatrol = 1000 / CostmapFeed::kStrips;
/// Legs of one path through several poses are asked for one right after the other.
constexpr int kNextLeg = 100;

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

double distance(const geometry_msgs::msg::Point& a, const geometry_msgs::msg::Point& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

builtin_interfaces::msg::Duration to_message(std::chrono::steady_clock::duration duration) {
  return rclcpp::Duration(std::chrono::duration_cast<std::chrono::nanoseconds>(duration));
}

/// What is left of a path for somebody who is on it, or nearly; empty for anybody else.
std::vector<Point> rest_of(const std::vector<Point>& path, const Point& here) {
  constexpr double kNearly = 1.5;  // cells
  double least = kNearly * kNearly;
  std::size_t next = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const double dx = path[i].x - path[i - 1].x;
    const double dy = path[i].y - path[i - 1].y;
    const double along = (here.x - path[i - 1].x) * dx + (here.y - path[i - 1].y) * dy;
    const double share = std::clamp(along / std::max(dx * dx + dy * dy, 1e-9), 0.0, 1.0);
    const double off_x = path[i - 1].x + share * dx - here.x;
    const double off_y = path[i - 1].y + share * dy - here.y;
    const double square = off_x * off_x + off_y * off_y;
    if (square > least) continue;
    least = square;
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
  planner_.reset();
  answers_.clear();
  feed_.reset();
  path_publisher_.reset();
  report_publisher_.reset();
  search_publisher_.reset();
  callback_group_.reset();
  costmap_ros_.reset();
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
  begin_to_listen();
  const auto lock = lock_for_request();
  if (feed_ == nullptr) throw nav2_core::PlannerException("The planner is not configured");
  std::vector<PoseStamped> stops(viapoints.size());
  for (std::size_t i = 0; i < stops.size(); ++i) {
    // What the planner server has done for the start and the goal.
    if (costmap_ros_->transformPoseToGlobalFrame(viapoints[i], stops[i])) continue;
    throw nav2_core::PlannerTFError("The via point " + place(viapoints[i]) +
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
    note_request(start, stops);
    repair_is_due_ = false;
    Route route = plan_through(start, stops, budget);
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
    planner_.reset();  // who knows what it was doing
    throw nav2_core::PlannerException(name_ + ": " + error.what());
  }
}

/// The planner server asks for a path through several poses leg by leg. Repairs in the background
/// are of all of it.
void PlannerPlugin::note_request(const PoseStamped& start, const std::vector<PoseStamped>& stops) {
  const auto now = Clock::now();
  bool goes_on = request_ && request_->end == start.pose.position &&
                 now - request_->when < std::chrono::milliseconds(kNextLeg);
  // A robot that stands at its goal and asks for it again.
  if (goes_on && !request_->stops.empty()) {
    goes_on = request_->stops.back().pose.position != stops.front().pose.position;
  }
  if (!goes_on) {
    const auto robot = robot_pose();
    const bool follows_robot = robot && distance(robot->pose.position, start.pose.position) <
                                            2.0 * feed_->frame().resolution;
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

PlannerPlugin::Route PlannerPlugin::plan_through(const PoseStamped& start,
                                                 const std::vector<PoseStamped>& stops,
                                                 const Budget& budget) {
  if (planner_ == nullptr) {
    planner_ = algorithm_->make(*feed_->grid(), parameters_.planner_config());
  }
  Route route;
  route.path.header = header();
  PoseStamped from = start;
  for (const PoseStamped& stop : stops) {
    plan_leg(from, stop, budget, route);
    route.stops_at.push_back(route.path.poses.size() - 1);
    from.pose = route.path.poses.back().pose;  // not at the stop itself where that is blocked
  }
  return route;
}

void PlannerPlugin::plan_leg(const PoseStamped& start, const PoseStamped& goal,
                             const Budget& budget, Route& route) {
  const Grid& grid = *feed_->grid();
  const Frame& frame = feed_->frame();
  const auto start_at = frame.cell_at(start.pose.position.x, start.pose.position.y);
  const auto goal_at = frame.cell_at(goal.pose.position.x, goal.pose.position.y);
  if (!start_at) {
    publish_report(PlanReport::START_OUTSIDE, Plan{});
    throw nav2_core::StartOutsideMapBounds("The start " + place(start) + " is outside the map");
  }
  if (!goal_at) {
    publish_report(PlanReport::GOAL_OUTSIDE, Plan{});
    throw nav2_core::GoalOutsideMapBounds("The goal " + place(goal) + " is outside the map");
  }
  const Cell from = grid.cell(start_at->x, start_at->y);
  const Cell to = grid.cell(goal_at->x, goal_at->y);

  const bool is_watched = search_publisher_->get_subscription_count() > 0;
  std::vector<Cell> expanded;
  Budget watched = budget;
  if (is_watched) watched.expanded = &expanded;
  const auto begin = Clock::now();
  std::vector<Cell> exit;
  Plan plan = plan_from_reachable(from, to, watched, exit);
  const auto searched = Clock::now();
  if (is_watched) publish_search(expanded);
  const auto status = static_cast<std::uint8_t>(plan.status);
  if (plan.status != PlanStatus::kFound) {
    publish_report(status, plan, searched - begin);
    throw_for(plan.status, place(start), place(goal));
  }
  const bool is_bounded = algorithm_->promise == Promise::kBounded;
  route.can_improve = route.can_improve || (is_bounded && plan.bound > 1.0);
  auto former = rest_of_answer(exit.empty() ? from : exit.back(), to, plan.points.back());
  const bool keeps_former = former && commits_to(*former, plan);
  if (keeps_former) {
    plan.bound *= static_cast<double>(former->cost) / static_cast<double>(plan.cost);
    plan.bound = std::max(plan.bound, 1.0);
    plan.cost = former->cost;
    plan.points = std::move(former->points);
  } else {
    // Who is on the former path compares costs. For anybody else it is better when more is proven.
    const auto before = answer_for(to);
    route.is_better =
        route.is_better || (former ? plan.cost < former->cost
                                   : before == answers_.end() || plan.bound < before->bound);
  }
  route.answers.push_back({to, plan.points, plan.bound});

  std::vector<Point> points = std::move(plan.points);
  if (!exit.empty()) {  // which ends where the path begins
    exit.pop_back();
    std::vector<Point> way;
    for (const Cell cell : exit) {
      const auto [x, y] = grid.position(cell);
      way.push_back({static_cast<double>(x), static_cast<double>(y)});
    }
    points.insert(points.begin(), way.begin(), way.end());
  }
  // A former path is left at any angle too: by a line from here to where it goes on.
  if (algorithm_->promise == Promise::kAnyAngle || keeps_former) {
    keep_ends_free(points, start, goal);
  }
  auto poses = to_poses(points, frame, start.pose, goal.pose,
                        parameters_.use_final_approach_orientation, route.path.header);
  if (route.path.poses.empty()) {
    route.path.poses = std::move(poses);
  } else if (poses.size() == 1) {  // it is there already
    route.path.poses.back().pose.orientation = poses.front().pose.orientation;
  } else {  // which ends where this leg begins
    route.path.poses.insert(route.path.poses.end(), poses.begin() + 1, poses.end());
  }
  publish_report(status, plan, searched - begin, Clock::now() - searched);
}

/// A robot that stands in an obstacle first leaves it, by the `exit`: the cheapest way within the
/// tolerance to a cell from which there is a path.
Plan PlannerPlugin::plan_from_reachable(Cell start, Cell goal, const Budget& budget,
                                        std::vector<Cell>& exit) {
  const Grid& grid = *feed_->grid();
  const Passable passable{grid, parameters_.allow_unknown};
  if (passable(start)) return plan_to_reachable(start, goal, budget);
  const double radius = parameters_.start_tolerance / feed_->frame().resolution;
  Meter meter(budget);
  Plan plan{.status = PlanStatus::kStartBlocked};
  std::vector<bool> leads_nowhere(grid.size());
  for (;;) {
    auto way = way_out(
        grid, start, radius, [&](Cell cell) { return passable(cell) && !leads_nowhere[cell]; },
        meter);
    if (!way) return Plan{.status = meter.status(), .counts = plan.counts};
    if (way->empty()) return plan;
    exit = std::move(*way);
    const PlanCounts before = plan.counts;
    plan = plan_to_reachable(exit.back(), goal, budget);
    plan.counts += before;
    if (plan.status != PlanStatus::kNoPath) return plan;
    const auto reached = reachable_from(passable, exit.back(), meter);
    if (!reached) return Plan{.status = meter.status(), .counts = plan.counts};
    std::transform(leads_nowhere.begin(), leads_nowhere.end(), reached->begin(),
                   leads_nowhere.begin(), std::logical_or<>());
  }
}

/// Where the goal is blocked, or no way leads there, the nearest free cell within the tolerance
/// that can be reached.
Plan PlannerPlugin::plan_to_reachable(Cell start, Cell goal, const Budget& budget) {
  const Grid& grid = *feed_->grid();
  const Passable passable{grid, parameters_.allow_unknown};
  const double radius = parameters_.tolerance / feed_->frame().resolution;
  Meter meter(budget);
  Plan plan = search({start, goal}, budget);
  const auto look_elsewhere = [&](const std::function<bool(Cell)>& wanted) {
    const auto cell = nearest_around(grid, goal, radius, wanted, meter);
    if (cell == kNoCell) return;
    const PlanCounts before = plan.counts;
    plan = cell ? search({start, *cell}, budget) : Plan{.status = meter.status()};
    plan.counts += before;
  };
  if (plan.status == PlanStatus::kGoalBlocked) look_elsewhere(passable);
  if (plan.status != PlanStatus::kNoPath || radius < 1.0) return plan;
  // To ask the search cell by cell might take long: where the start is closed in, each time.
  const auto reached = reachable_from(passable, start, meter);
  if (!reached) return Plan{.status = meter.status(), .counts = plan.counts};
  look_elsewhere([&](Cell cell) { return (*reached)[cell]; });
  return plan;
}

/// Anytime planners answer as soon as they have a path: asked with all of the budget, they would
/// spend what is left of it on a better one.
Plan PlannerPlugin::search(const Query& query, const Budget& budget) {
  if (algorithm_->promise != Promise::kBounded) return planner_->plan(query, budget);
  Budget slice = budget;
  PlanCounts counts;
  for (;;) {
    slice.deadline = std::min(budget.deadline, Clock::now() + std::chrono::milliseconds(kSlice));
    Plan plan = planner_->plan(query, slice);
    plan.counts += counts;
    if (plan.status != PlanStatus::kOutOfBudget || slice.deadline == budget.deadline) return plan;
    counts = plan.counts;
  }
}

std::vector<PlannerPlugin::Answer>::const_iterator PlannerPlugin::answer_for(Cell goal) const {
  return std::find_if(answers_.begin(), answers_.end(),
                      [&](const Answer& one) { return one.goal == goal; });
}

/// What is left of the path that was answered before, if it still leads to where the new one ends.
std::optional<PlannerPlugin::Rest> PlannerPlugin::rest_of_answer(Cell start, Cell goal,
                                                                 const Point& end) const {
  const auto answer = answer_for(goal);
  if (answer == answers_.end()) return std::nullopt;
  const Grid& grid = *feed_->grid();
  const auto [x, y] = grid.position(start);
  std::vector<Point> rest =
      rest_of(answer->points, {static_cast<double>(x), static_cast<double>(y)});
  if (rest.empty() || !(rest.back() == end)) return std::nullopt;
  const auto cost = path_cost(grid, traversal(), rest);
  if (!cost) return std::nullopt;
  return Rest{std::move(rest), *cost};
}

/// Two paths of nearly equal cost must not alternate: the former one is kept while it is free and
/// costs at most a share more than the best.
bool PlannerPlugin::commits_to(const Rest& former, const Plan& plan) const {
  const double limit = (1.0 + parameters_.path_commitment) * static_cast<double>(plan.cost);
  return parameters_.path_commitment > 0.0 && former.points != plan.points && plan.cost > 0 &&
         static_cast<double>(former.cost) <= limit;
}

/// What was answered, or published, is what the next path is compared with, and where the robot is
/// looked for.
void PlannerPlugin::remember(Route& route) {
  for (Answer& answer : route.answers) {
    std::erase_if(answers_, [&](const Answer& one) { return one.goal == answer.goal; });
    answers_.insert(answers_.begin(), std::move(answer));
  }
  const auto most = static_cast<std::size_t>(parameters_.kept_searches);
  if (answers_.size() > most)
    answers_.erase(answers_.begin() + parameters_.kept_searches, answers_.end());
  if (request_->stops.empty()) return;
  for (const std::size_t pose : route.stops_at) {
    request_->stops_at.push_back(request_->way.size() + pose);
  }
  for (const PoseStamped& pose : route.path.poses) request_->way.push_back(pose.pose.position);
}

/// A path leads from the middle of a cell to the middle of another, its poses from the very start
/// to the very goal. Where a long line would touch an obstacle by that, the way is over the middle.
void PlannerPlugin::keep_ends_free(std::vector<Point>& points, const PoseStamped& start,
                                   const PoseStamped& goal) const {
  if (points.size() < 2) return;
  const Frame& frame = feed_->frame();
  const auto exact = [&](const PoseStamped& pose) {
    return Point{frame.cell_x_of(pose.pose.position.x), frame.cell_y_of(pose.pose.position.y)};
  };
  TraversalConfig at_any_angle = traversal();
  at_any_angle.connectivity = 8;
  const auto is_free = [&](const Point& from, const Point& to) {
    return path_cost(*feed_->grid(), at_any_angle, std::array{from, to}).has_value();
  };
  const bool is_one_line = points.size() == 2;
  if (is_one_line && is_free(exact(start), exact(goal))) return;
  const Point first = points.front();
  const Point last = points.back();
  if (is_one_line || !is_free(points[points.size() - 2], exact(goal))) points.push_back(last);
  if (is_one_line || !is_free(exact(start), points[1])) points.insert(points.begin(), first);
}

TraversalConfig PlannerPlugin::traversal() const {
  TraversalConfig config = parameters_.planner_config().traversal;
  if (algorithm_->promise == Promise::kAnyAngle) config.connectivity = 8;  // as the planners do
  return config;
}

// --- the costmap -------------------------------------------------------------------------------

void PlannerPlugin::take_in_costmap() {
  const auto begin = Clock::now();
  changes_.clear();
  const auto outcome = feed_->reconcile(changes_);
  comparison_time_ = Clock::now() - begin;
  take_in(outcome);
}

void PlannerPlugin::take_in(CostmapFeed::Outcome outcome) {
  if (outcome == CostmapFeed::Outcome::kNewGrid) {
    answers_.clear();
    planner_.reset();
  }
  if (outcome == CostmapFeed::Outcome::kMoved) {
    if (planner_ != nullptr) planner_->move(feed_->shift());
    for (Answer& answer : answers_) move_answer(feed_->shift(), answer);
    std::erase_if(answers_, [](const Answer& answer) { return answer.goal == kNoCell; });
  }
  if (planner_ != nullptr && !changes_.empty()) planner_->update(changes_);
  // Costmaps publish whether or not anything has changed.
  if (outcome == CostmapFeed::Outcome::kNewGrid || !changes_.empty()) repair_is_due_ = true;
}

/// What has left the map is no path.
void PlannerPlugin::move_answer(const Shift& shift, Answer& answer) const {
  const Grid& grid = *feed_->grid();
  answer.goal = grid.shifted(answer.goal, shift);
  for (Point& point : answer.points) {
    point.x -= shift.dx;
    point.y -= shift.dy;
  }
  const auto outside = [&](const Point& point) {
    return !grid.contains(static_cast<int>(std::lround(point.x)),
                          static_cast<int>(std::lround(point.y)));
  };
  const auto inside = std::find_if_not(answer.points.begin(), answer.points.end(), outside);
  answer.points.erase(answer.points.begin(), inside);
  if (std::any_of(answer.points.begin(), answer.points.end(), outside)) answer.goal = kNoCell;
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
    planner_.reset();  // who knows what it was doing
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
    comparison_time_ = Clock::now() - begin;
    take_in(outcome);
  } else if (const auto read = feed_->reconcile_if_current(changes_)) {
    comparison_time_ = Clock::now() - begin;
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
  comparison_time_ = Clock::now() - patrolled_;
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
  if (!is_repair) {
    changes_.clear();  // nothing has changed since
    budget.deadline = Clock::now() + std::chrono::milliseconds(kSlice);
  }
  auto route = plan_in_background(budget);
  idle_since_ = clock_->now();
  if (!route || !(is_repair || route->is_better)) return;
  request_->way.clear();
  request_->stops_at.clear();
  request_->come_to = 0;
  remember(*route);
  path_publisher_->publish(route->path);
}

std::optional<PlannerPlugin::Route> PlannerPlugin::plan_in_background(Budget budget) {
  budget.cancelled = [this] { return waiting_requests_ > 0 || !listening_; };
  try {
    Route route = plan_through(request_->start, request_->stops, budget);
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
  if (tf_ == nullptr) return std::nullopt;
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
    if (feed_->grid() != nullptr) path_cost(*feed_->grid(), updated.planner_config().traversal, {});
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
  planner_.reset();  // made anew when it is needed
  answers_.clear();
  repair_is_due_ = feed_->grid() != nullptr;
}

bool PlannerPlugin::concerns_us(const std::vector<rclcpp::Parameter>& changed) const {
  return std::any_of(changed.begin(), changed.end(), [this](const rclcpp::Parameter& parameter) {
    return parameter.get_name().starts_with(name_ + ".");
  });
}

void PlannerPlugin::publish_report(std::uint8_t status, const Plan& plan, Clock::duration search,
                                   Clock::duration path) {
  if (report_publisher_->get_subscription_count() == 0) return;
  PlanReport report;
  report.header = header();
  report.planner = algorithm_->name;
  report.status = status;
  report.cost = plan.status == PlanStatus::kFound ? in_cells(plan.cost)
                                                  : std::numeric_limits<double>::infinity();
  report.bound = plan.bound;
  report.changed_cells = changes_.size();
  report.expansions = plan.counts.expansions;
  report.reexpansions = plan.counts.reexpansions;
  report.restarts = plan.counts.restarts;
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
