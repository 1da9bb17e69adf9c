// The race: our planners beside Nav2's own, all loaded as its planner server loads them, over one
// real costmap with people walking in it, while a robot drives. `./run bench nav2`.
//
// Every tick all planners get the same costmap, start and goal, in one process, since only ratios
// mean something on a shared machine. Every path is checked.

#include <fmt/core.h>
#include <malloc.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "bench/nav2_site.hpp"
#include "dynamic_planners/ros/nav2_version.hpp"
#include "dynamic_planners/search/registry.hpp"
#include "dynamic_planners_msgs/msg/plan_report.hpp"
#include "nav2_core/global_planner.hpp"
#include "nav2_core/planner_exceptions.hpp"
#include "nav2_costmap_2d/costmap_2d_publisher.hpp"
#include "pluginlib/class_loader.hpp"

namespace {

using bench::Place;
using dynamic_planners::ros::LifecycleNode;
using dynamic_planners_msgs::msg::PlanReport;
using nav_msgs::msg::Path;
using Clock = std::chrono::steady_clock;

constexpr int kPeople = 20;
constexpr double kDriving = 1.0;  // m/s
/// Who takes longer for a plan than this sits out as many ticks [ms].
constexpr double kTurn = 500.0;
/// The same for churn, so that all of them together keep up with 20 Hz.
constexpr double kChurnTurn = 3.0;
constexpr int kFirstPlans = 5;
/// What a path may leave between two poses [cells]. Nav2's Theta* leaves up to 1.7.
constexpr double kOurGap = 1.5;
constexpr double kTheirGap = 2.0;
/// Each line between two poses is looked at in so many places.
constexpr int kParts = 8;

double since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double milliseconds(const builtin_interfaces::msg::Duration& duration) {
  return duration.sec * 1e3 + duration.nanosec * 1e-6;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return std::nan("");
  std::sort(values.begin(), values.end());
  const auto index = static_cast<std::size_t>(share * static_cast<double>(values.size()));
  return values[std::min(index, values.size() - 1)];
}

double length(const Path& path) {
  double sum = 0.0;
  for (std::size_t i = 1; i < path.poses.size(); ++i) {
    const auto& from = path.poses[i - 1].pose.position;
    const auto& to = path.poses[i].pose.position;
    sum += std::hypot(to.x - from.x, to.y - from.y);
  }
  return sum;
}

/// What is wrong with a path, or nothing. Between two poses it is a straight line.
std::string fault(const Path& path, const nav2_costmap_2d::Costmap2D& costmap, const Place& start,
                  const Place& goal, double gap) {
  if (path.poses.empty()) return "it is empty";
  const auto place = [&](std::size_t i) {
    return Place{path.poses[i].pose.position.x, path.poses[i].pose.position.y};
  };
  const double cell = costmap.getResolution();
  if (bench::distance(place(0), start) > cell) return "it does not begin at the start";
  if (bench::distance(place(path.poses.size() - 1), goal) > cell)
    return "it does not end at the goal";
  for (std::size_t i = 0; i < path.poses.size(); ++i) {
    if (i > 0 && bench::distance(place(i - 1), place(i)) > gap * cell) {
      return fmt::format("it has a gap of {:.2f} cells at pose {}",
                         bench::distance(place(i - 1), place(i)) / cell, i);
    }
    const Place from = place(i > 0 ? i - 1 : i);
    for (int part = 1; part <= kParts; ++part) {
      const double share = static_cast<double>(part) / kParts;
      const Place at{from.x + share * (place(i).x - from.x),
                     from.y + share * (place(i).y - from.y)};
      unsigned x = 0;
      unsigned y = 0;
      if (!costmap.worldToMap(at.x, at.y, x, y)) return "it leaves the map";
      const int cost = costmap.getCost(x, y);
      if (cost == 253 || cost == 254) {
        return fmt::format("it is in a cell of {} before pose {}", cost, i);
      }
    }
  }
  return {};
}

struct Contestant {
  std::string name;
  std::string plugin;
  bool ours;
  bool use_astar = false;  // NavFn's mode
};

std::vector<Contestant> everybody() {
  std::vector<Contestant> all;
  for (const auto& info : dynamic_planners::planners()) {
    all.push_back({std::string(info.name), std::string(info.plugin), true});
  }
  all.push_back({"navfn", "nav2_navfn_planner::NavfnPlanner", false});
  all.push_back({"navfn_astar", "nav2_navfn_planner::NavfnPlanner", false, true});
  all.push_back({"smac_2d", "nav2_smac_planner::SmacPlanner2D", false});
  all.push_back({"nav2_theta", "nav2_theta_star_planner::ThetaStarPlanner", false});
  return all;
}

/// What planners get from the planner server: a node, a costmap, and that they are found.
class Paddock {
 public:
  explicit Paddock(const bench::Site& where)
      : site(where), node(std::make_shared<LifecycleNode>("planner_server")) {
    executor_.add_node(node->get_node_base_interface());
  }

  const bench::Site& site;
  std::shared_ptr<LifecycleNode> node;
  pluginlib::ClassLoader<nav2_core::GlobalPlanner> loader{"nav2_core", "nav2_core::GlobalPlanner"};

  void take_reports() { executor_.spin_some(); }

 private:
  rclcpp::executors::SingleThreadedExecutor executor_;
};

/// A planner of the race and how it did.
class Racer {
 public:
  Racer(const Contestant& who, const std::string& name, Paddock& paddock);
  Racer(const Racer&) = delete;
  Racer& operator=(const Racer&) = delete;
  ~Racer() {
    planner_->deactivate();
    planner_->cleanup();
  }

  /// Ours repair without being asked only from here on: what is done in the background while others
  /// plan would not be in the time of a request.
  void work_in_background() {
    if (who_.ours) planner_->activate();
  }

  const Contestant& who() const { return who_; }
  const std::vector<double>& times() const { return times_; }
  int faults() const { return faults_; }

  /// Plans unless it sits out. Its path, if it has one.
  std::optional<Path> plan(int tick, const Place& start, const Place& goal, double turn = kTurn) {
    if (tick < next_tick_) return std::nullopt;
    const auto from = site_->pose(start);
    const auto to = site_->pose(goal);
    const std::function<bool()> never = [] { return false; };
    std::optional<Path> path;
    std::string wrong;
    const auto begin = Clock::now();
    try {
#if DYNAMIC_PLANNERS_HAS_VIAPOINTS
      path = planner_->createPlan(from, to, {}, never);
#else
      path = planner_->createPlan(from, to, never);
#endif
    } catch (const nav2_core::PlannerException& error) {
      wrong = error.what();
    }
    const double time = since(begin);
    times_.push_back(time);
    next_tick_ = tick + 1 + static_cast<int>(time / turn);
    if (path) {
      lengths_.push_back(length(*path));
      wrong = fault(*path, site_->costmap(), start, goal, who_.ours ? kOurGap : kTheirGap);
    }
    if (!wrong.empty()) {
      if (faults_ == 0) fmt::print(stderr, "{}, tick {}: {}\n", who_.name, tick, wrong);
      ++faults_;
    }
    return path;
  }

  void forget_times() {
    for (auto* list :
         {&times_, &lengths_, &changed_, &expansions_, &comparison_, &search_, &poses_}) {
      list->clear();
    }
  }

  nlohmann::ordered_json result(double first) const {
    // The first plan is no repair.
    const std::vector<double> replans(times_.begin() + 1, times_.end());
    nlohmann::ordered_json result{
        {"planner", who_.name},
        {"plugin", who_.plugin},
        {"plans", times_.size()},
        {"faults", faults_},
        {"first_ms", first},
        {"median_ms", quantile(replans, 0.5)},
        {"p99_ms", quantile(replans, 0.99)},
        {"path_m", std::accumulate(lengths_.begin(), lengths_.end(), 0.0) /
                       static_cast<double>(lengths_.size())}};
    if (!changed_.empty()) {
      result["changed_cells"] = quantile(changed_, 0.5);
      result["expansions"] = quantile(expansions_, 0.5);
      result["comparison_ms"] = quantile(comparison_, 0.5);
      result["search_ms"] = quantile(search_, 0.5);
      result["poses_ms"] = quantile(poses_, 0.5);
    }
    return result;
  }

 private:
  void take(const PlanReport& report) {
    changed_.push_back(static_cast<double>(report.changed_cells));
    expansions_.push_back(static_cast<double>(report.expansions));
    comparison_.push_back(milliseconds(report.comparison_time));
    search_.push_back(milliseconds(report.search_time));
    poses_.push_back(milliseconds(report.path_time));
  }

  Contestant who_;
  std::shared_ptr<nav2_core::GlobalPlanner> planner_;
  const bench::Site* site_;
  rclcpp::Subscription<PlanReport>::SharedPtr reports_;
  int next_tick_ = 0;
  int faults_ = 0;
  std::vector<double> times_;
  std::vector<double> lengths_;
  std::vector<double> changed_;
  std::vector<double> expansions_;
  std::vector<double> comparison_;
  std::vector<double> search_;
  std::vector<double> poses_;
};

Racer::Racer(const Contestant& who, const std::string& name, Paddock& paddock)
    : who_(who), planner_(paddock.loader.createSharedInstance(who.plugin)), site_(&paddock.site) {
  auto& node = *paddock.node;
  node.declare_parameter(name + ".plugin", rclcpp::ParameterValue(who.plugin));
  // Nobody is to give up on the large map.
  node.declare_parameter(name + ".max_planning_time", rclcpp::ParameterValue(120.0));
  node.declare_parameter(name + ".max_iterations", rclcpp::ParameterValue(-1));
  node.declare_parameter(name + ".use_astar", rclcpp::ParameterValue(who.use_astar));
  planner_->configure(paddock.node, name, site_->costmap_ros()->getTfBuffer(),
                      site_->costmap_ros());
  if (!who.ours) {
    planner_->activate();
    return;
  }
  auto topics = node.get_node_topics_interface();
  reports_ =
      rclcpp::create_subscription<PlanReport>(topics, name + "/report", rclcpp::QoS(10),
                                              [this](const PlanReport& report) { take(report); });
}

using Racers = std::vector<std::unique_ptr<Racer>>;

Racers line_up(const std::vector<std::string>& chosen, Paddock& paddock,
               const std::string& suffix = "") {
  Racers racers;
  for (const Contestant& who : everybody()) {
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), who.name) == chosen.end()) {
      continue;
    }
    racers.push_back(std::make_unique<Racer>(who, who.name + suffix, paddock));
  }
  return racers;
}

/// The one that drives is not measured, so that all are in the same place whoever takes part.
std::unique_ptr<Racer> make_driver(Paddock& paddock) {
  const Contestant who{"driver", "dynamic_planners::DStarLite", true};
  return std::make_unique<Racer>(who, who.name, paddock);
}

/// Where one is after so many metres along a path.
Place along(const Path& path, double metres) {
  Place here{path.poses.front().pose.position.x, path.poses.front().pose.position.y};
  for (const auto& pose : path.poses) {
    const Place next{pose.pose.position.x, pose.pose.position.y};
    const double step = bench::distance(here, next);
    if (step >= metres) {
      const double share = step > 0.0 ? metres / step : 0.0;
      return {here.x + share * (next.x - here.x), here.y + share * (next.y - here.y)};
    }
    metres -= step;
    here = next;
  }
  return here;
}

struct Options {
  int size = 1000;
  bool see_all = false;
  int ticks = 300;
  std::vector<std::string> planners;
  bool json = false;
  double churn = 0.0;  // minutes
};

void print_table(const std::vector<nlohmann::ordered_json>& results) {
  double navfn_astar = std::nan("");
  for (const auto& result : results) {
    if (result["planner"] == "navfn_astar") navfn_astar = result["median_ms"];
  }
  fmt::print("{:<18}{:>7}{:>8}{:>11}{:>11}{:>11}{:>13}{:>9}{:>10}{:>11}\n", "planner", "plans",
             "faults", "first ms", "median ms", "p99 ms", "NavFn A* /", "path m", "changed",
             "expanded");
  for (const auto& result : results) {
    const double median = result["median_ms"];
    fmt::print("{:<18}{:>7}{:>8}{:>11.2f}{:>11.3f}{:>11.3f}{:>13}{:>9.2f}",
               result["planner"].get<std::string>(), result["plans"].get<int>(),
               result["faults"].get<int>(), result["first_ms"].get<double>(), median,
               result["p99_ms"].get<double>(),
               std::isnan(navfn_astar) ? "" : fmt::format("{:.1f}", navfn_astar / median),
               result["path_m"].get<double>());
    if (result.contains("changed_cells")) {
      fmt::print("{:>10.0f}{:>11.0f}", result["changed_cells"].get<double>(),
                 result["expansions"].get<double>());
    }
    fmt::print("\n");
  }
}

/// From corner to corner. Whether every path of ours was right.
bool race(const Options& options) {
  const bench::Building building(options.size, 1);
  bench::People people(building, kPeople, 2);
  bench::Site site(building, people, options.see_all);
  Paddock paddock(site);
  Place robot = building.room(0, 0);
  const Place goal = building.room(building.rooms_per_side() - 1, building.rooms_per_side() - 1);
  site.update(robot);

  // A first plan happens once. To say how long it takes, there are several of each, while they fit
  // into a few seconds.
  std::map<std::string, std::vector<double>> first;
  const auto begin = Clock::now();
  for (int round = 0; round < kFirstPlans && (round == 0 || since(begin) < 5e3); ++round) {
    for (const auto& racer : line_up(options.planners, paddock, std::to_string(round))) {
      racer->plan(0, robot, goal);
      first[racer->who().name].push_back(racer->times().front());
    }
  }

  const Racers racers = line_up(options.planners, paddock);
  const auto driver = make_driver(paddock);
  for (const auto& racer : racers) racer->plan(0, robot, goal);
  for (int tick = 1; tick <= options.ticks; ++tick) {
    people.walk(bench::kTick, robot, goal);
    site.update(robot);
    for (const auto& racer : racers) {
      racer->plan(tick, robot, goal);
      paddock.take_reports();
    }
    const auto path = driver->plan(tick, robot, goal);
    if (path) robot = along(*path, kDriving * bench::kTick);
    if (bench::distance(robot, goal) < 1.0) break;
  }

  std::vector<nlohmann::ordered_json> results;
  bool right = driver->faults() == 0;
  for (const auto& racer : racers) {
    results.push_back(racer->result(quantile(first[racer->who().name], 0.5)));
    right = right && (!racer->who().ours || racer->faults() == 0);
  }
  if (options.json) {
    for (const auto& result : results) fmt::print("{}\n", result.dump());
  } else {
    fmt::print("{0} x {0} cells of {1} m, {2} people, the robot sees {3}\n\n", options.size,
               bench::kResolution, kPeople,
               options.see_all ? std::string("everything") : fmt::format("{} m", bench::kSight));
    print_table(results);
  }
  return right;
}

// --- churn -------------------------------------------------------------------------------------

/// Pages that this process has touched. It goes on rising while searches spread over memory that
/// they have had from the beginning.
double resident_mib() {
  std::ifstream statm("/proc/self/statm");
  long total = 0;
  long resident = 0;
  statm >> total >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1U << 20U);
}

/// What has been allocated and not given back: where something leaks, this rises.
double allocated_mib() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd) / (1U << 20U);
}

/// The middle of a room that nobody stands in.
Place draw_goal(const bench::Building& building, const bench::People& people,
                std::mt19937_64& random) {
  const auto draw = [&] {
    return static_cast<int>(random() % static_cast<unsigned>(building.rooms_per_side()));
  };
  while (true) {
    const Place goal = building.room(draw(), draw());
    const auto near = [&](const Place& person) { return bench::distance(person, goal) < 1.0; };
    if (std::none_of(people.places().begin(), people.places().end(), near)) return goal;
  }
}

/// Plans at 20 Hz, from goal to goal, while the costmap is published as Nav2 does it, so that the
/// planners repair in the background too. Those that take longer are asked less often, so that the
/// costmap and the quick ones keep their pace. Whether all paths were right and memory stayed as it
/// was.
bool churn(const Options& options) {
  constexpr auto kPeriod = std::chrono::milliseconds(50);
  constexpr int kTicksPerMinute = 1200;
  const bench::Building building(options.size, 1);
  bench::People people(building, kPeople, 2);
  bench::Site site(building, people, options.see_all);
  Paddock paddock(site);
  std::vector<std::string> chosen = options.planners;
  if (chosen.empty()) {
    for (const Contestant& who : everybody()) {
      if (who.ours) chosen.push_back(who.name);
    }
  }
  const Racers racers = line_up(chosen, paddock);
  const auto driver = make_driver(paddock);
  for (const auto& racer : racers) racer->work_in_background();
  driver->work_in_background();
  nav2_costmap_2d::Costmap2DPublisher publisher(site.costmap_ros(), &site.costmap(),
                                                site.costmap_ros()->getGlobalFrameID(), "costmap");
  publisher.on_activate();

  std::mt19937_64 random(3);
  Place robot = building.room(0, 0);
  Place goal = draw_goal(building, people, random);
  const auto minutes = static_cast<int>(std::ceil(options.churn));
  double settled = 0.0;  // MiB, when every planner has kept as many searches as it may
  auto next = Clock::now();
  for (int tick = 0; tick < minutes * kTicksPerMinute; ++tick) {
    people.walk(0.05, robot, goal);
    site.update(robot);
    unsigned x0 = 0;
    unsigned xn = 0;
    unsigned y0 = 0;
    unsigned yn = 0;
    site.costmap_ros()->getLayeredCostmap()->getBounds(&x0, &xn, &y0, &yn);
    publisher.updateBounds(x0, xn, y0, yn);
    publisher.publishCostmap();
    for (const auto& racer : racers) racer->plan(tick, robot, goal, kChurnTurn);
    paddock.take_reports();
    const auto path = driver->plan(tick, robot, goal);
    if (path) robot = along(*path, kDriving * 0.05);
    if (bench::distance(robot, goal) < 1.0) goal = draw_goal(building, people, random);
    next += kPeriod;
    std::this_thread::sleep_until(next);

    if ((tick + 1) % kTicksPerMinute != 0) continue;
    const int minute = (tick + 1) / kTicksPerMinute;
    if (minute == (minutes + 5) / 6) settled = allocated_mib();
    fmt::print("minute {:>3}  {:5.1f} s behind  {:7.1f} MiB allocated  {:7.1f} MiB resident",
               minute, std::max(since(next), 0.0) / 1e3, allocated_mib(), resident_mib());
    for (const auto& racer : racers) {
      fmt::print("  {} {} plans {:.2f}/{:.2f} ms {} faults", racer->who().name,
                 racer->times().size(), quantile(racer->times(), 0.5),
                 quantile(racer->times(), 0.99), racer->faults());
      racer->forget_times();
    }
    driver->forget_times();
    fmt::print("\n");
    std::fflush(stdout);
  }
  bool right = driver->faults() == 0;
  for (const auto& racer : racers) right = right && racer->faults() == 0;
  return right && allocated_mib() < 1.02 * settled;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Our planners beside Nav2's own, in one run");
  app.add_option("--size", options.size, "Cells per side of the site")
      ->check(CLI::Range(300, 10000))
      ->capture_default_str();
  app.add_flag("--see-all", options.see_all, "The robot sees everybody, not only within 10 m");
  app.add_option("--ticks", options.ticks, "So many plans each, while the robot does not arrive")
      ->check(CLI::Range(2, 1000000))
      ->capture_default_str();
  std::vector<std::string> names;
  for (const Contestant& who : everybody()) names.push_back(who.name);
  app.add_option("--planners", options.planners, "Only these, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  app.add_option("--churn", options.churn,
                 "No race: so many minutes of planning at 20 Hz, one line for each")
      ->check(CLI::PositiveNumber);
  app.add_flag("--json", options.json, "JSON Lines instead of a table");
  CLI11_PARSE(app, argc, argv);

  const std::array<const char*, 4> arguments{argv[0], "--ros-args", "--log-level", "warn"};
  rclcpp::init(static_cast<int>(arguments.size()), arguments.data());
  const bool right = options.churn > 0.0 ? churn(options) : race(options);
  rclcpp::shutdown();
  return right ? 0 : 1;
}
