#include "dynamic_planners/lab/suites/voxels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dynamic_planners/lab/stopwatch.hpp"
#include "dynamic_planners/lab/voxel_scene.hpp"
#include "dynamic_planners/search/registry.hpp"

namespace dynamic_planners {
namespace {

/// The robot flies one cell a step. The thesis renews its search graph every 282 ms and does not
/// say how fast its robot is: here a graph is two steps old when the next one comes.
constexpr int kStepsPerGraph = 2;
/// The thesis' A* with an inflation of 2 expands 360,037 nodes in 3038 ms (table 1), which makes
/// 16,700 in half of 282 ms.
constexpr std::uint64_t kExpansionsPerStep = 16'700;

struct Contender {
  std::string title;
  std::string_view planner;
  PlannerConfig config = {};
  /// Goes on lowering its epsilon as long as nothing changes.
  bool improves = false;
};

/// All with the straight line for a heuristic, as in the thesis (section 4.3.1.3).
PlannerConfig config_of_thesis() {
  return {.traversal = {.connectivity = 6, .heuristic = Heuristic::kEuclidean}};
}

/// An inflation that stays.
PlannerConfig inflated(double epsilon) {
  PlannerConfig config = config_of_thesis();
  config.anytime = {.epsilon = epsilon, .significant_change = 1.0};
  config.inflation = epsilon;
  return config;
}

/// "A start inflation factor of 3 and a decrease factor of 0.2 and 0.4" (chapter 5); "upon
/// detecting changes, epsilon gets reset" (section 4.3.3.2).
PlannerConfig decreasing(double step) {
  PlannerConfig config = config_of_thesis();
  config.anytime = {
      .epsilon = 3.0, .epsilon_decrease = step, .epsilon_increase = 3.0, .significant_change = 1.0};
  return config;
}

/// Manhattan, which is exact where nothing is in the way.
PlannerConfig config_of_ours() {
  return {.traversal = {.connectivity = 6}};
}

/// Those of the thesis under its names, then ours. A search whose epsilon is never lowered is A* or
/// D* Lite with an inflated heuristic; that of D* Lite has the keys of AD* in the thesis too.
std::vector<Contender> contenders() {
  std::vector<Contender> all{
      {"A* 1", "astar", config_of_thesis()},      {"ARA* 0.2", "ara", decreasing(0.2), true},
      {"Theta* 1", "theta", config_of_thesis()},  {"D* Lite 1", "dstar_lite", config_of_thesis()},
      {"AD* 0.2", "ad", decreasing(0.2), true},   {"A* 2", "ara", inflated(2.0)},
      {"ARA* 0.4", "ara", decreasing(0.4), true}, {"Theta* 2", "theta", inflated(2.0)},
      {"D* Lite 2", "ad", inflated(2.0)},         {"AD* 0.4", "ad", decreasing(0.4), true},
  };
  for (const PlannerInfo& info : planners()) {
    if (info.make_in_voxels == nullptr || info.promise != Promise::kOptimal) continue;
    all.push_back({fmt::format("{} Manhattan", info.title), info.name, config_of_ours()});
  }
  return all;
}

/// What counts of a scenario.
struct Tally {
  int runs = 0;
  int successes = 0;
  double length = 0.0;
  std::uint64_t expansions = 0;
  double time_us = 0.0;
  int searches = 0;
  int turned_back = 0;

  Measurement measurement(const std::string& planner) const {
    return {planner,
            {static_cast<double>(runs), static_cast<double>(successes), length,
             static_cast<double>(expansions), time_us, static_cast<double>(searches),
             static_cast<double>(turned_back)}};
  }
};

Cell cell_at(const Voxels& voxels, const Point& point) {
  const auto whole = [](double at, int cells) {
    return std::clamp(static_cast<int>(std::lround(at)), 0, cells - 1);
  };
  return voxels.cell(whole(point.x, voxels.width()), whole(point.y, voxels.height()),
                     whole(point.z, voxels.depth()));
}

double distance(const Point& a, const Point& b) {
  return std::hypot(b.x - a.x, b.y - a.y, b.z - a.z);
}

/// A planner and what it has been told.
class Pilot {
 public:
  explicit Pilot(const Contender& contender)
      : known_(VoxelScene::kWidth, VoxelScene::kHeight, VoxelScene::kDepth),
        planner_(find_planner(contender.planner).make_in_voxels(known_, contender.config)) {}

  const Voxels& known() const { return known_; }
  std::uint64_t expansions() const { return expansions_; }
  double time_us() const { return time_us_; }

  void tell(const Voxels& graph) {
    std::vector<CellChange> changes;
    for (Cell cell = 0; cell < graph.size(); ++cell) {
      if (const auto change = known_.set(cell, graph[cell])) changes.push_back(*change);
    }
    const Stopwatch stopwatch;
    planner_->update(changes);
    time_us_ += stopwatch.us();
  }

  Plan ask(const Query& query, const Budget& budget = {}) {
    const Stopwatch stopwatch;
    Plan plan = planner_->plan(query, budget);
    time_us_ += stopwatch.us();
    expansions_ += plan.counts.expansions;
    return plan;
  }

 private:
  Voxels known_;
  std::unique_ptr<Planner> planner_;
  std::uint64_t expansions_ = 0;
  double time_us_ = 0.0;
};

/// The graphs that a robot which stands still is told of.
std::vector<Voxels> graphs_of(std::uint64_t seed, int steps) {
  VoxelScene scene(seed);
  std::vector<Voxels> graphs;
  for (int step = 0; step < steps; ++step, scene.step(VoxelScene::start())) {
    if (step % kStepsPerGraph == 0) graphs.push_back(scene.graph());
  }
  return graphs;
}

/// Each graph is answered in full.
Tally stand_still(const std::vector<Voxels>& graphs, const Query& query,
                  const Contender& contender) {
  Pilot pilot(contender);
  Tally tally;
  std::uint64_t expansions_before = 0;
  double time_us_before = 0.0;
  for (const Voxels& graph : graphs) {
    pilot.tell(graph);
    Plan plan = pilot.ask(query);
    int searches = 1;
    for (; contender.improves && plan.status == PlanStatus::kFound && plan.bound > 1.0;
         ++searches) {
      plan = pilot.ask(query);
    }
    ++tally.runs;
    // What it takes to see that there is no way is not what it takes to find one.
    const std::uint64_t expansions = pilot.expansions();
    const double time_us = pilot.time_us();
    if (plan.status == PlanStatus::kFound) {
      ++tally.successes;
      tally.length += in_cells(plan.cost);
      tally.expansions += expansions - expansions_before;
      tally.time_us += time_us - time_us_before;
      tally.searches += searches;
    }
    expansions_before = expansions;
    time_us_before = time_us;
  }
  return tally;
}

struct Flight {
  bool destination_moves = false;
  std::uint64_t expansions_per_step = kExpansionsPerStep;
  int max_steps = 0;
};

/// One robot on its way, members in the order in which a step uses them.
class Run {
 public:
  Run(std::uint64_t seed, const Contender& contender, const Flight& flight)
      : flight_(flight), improves_(contender.improves), scene_(seed), pilot_(contender) {}

  Tally finish() {
    Tally tally{.runs = 1};
    bool reached = false;
    for (int step = 0; step < flight_.max_steps && !reached; ++step) {
      if (step % kStepsPerGraph == 0) has_news_ = true;
      think();
      fly();
      scene_.step(at_);
      if (scene_.touches(at_)) break;
      reached = distance(at_, destination()) < 1.0;
    }
    if (!reached) return tally;
    tally.successes = 1;
    tally.length = travelled_;
    tally.expansions = pilot_.expansions();
    tally.time_us = pilot_.time_us();
    tally.searches = searches_;
    tally.turned_back = turned_back_;
    return tally;
  }

 private:
  Point destination() const { return scene_.destination(flight_.destination_moves); }

  /// As much as fits into a step. Who is not done goes on in the next one, with what was known when
  /// it began, and the robot flies on meanwhile.
  void think() {
    const std::uint64_t limit = flight_.expansions_per_step;
    const std::uint64_t begin = pilot_.expansions();
    for (std::uint64_t spent = 0; spent < limit; spent = pilot_.expansions() - begin) {
      if (!is_searching_ && has_news_) {
        take_in_news();
      } else if (!is_searching_ && !can_improve_) {
        return;
      }
      const Plan plan = pilot_.ask(query_, {.max_expansions = limit - spent});
      is_searching_ = plan.status == PlanStatus::kOutOfBudget;
      if (is_searching_) return;
      ++searches_;
      const bool found = plan.status == PlanStatus::kFound;
      const bool is_better = found && plan.cost < cost_;
      can_improve_ = improves_ && found && plan.bound > 1.0;
      if (is_better) take(plan);
    }
  }

  void take_in_news() {
    has_news_ = false;
    pilot_.tell(scene_.graph());
    query_ = {next_start(), cell_at(pilot_.known(), destination())};
    cost_ = kInfinity;
    can_improve_ = false;
  }

  /// "The next node on the current corridor, which the pathfinding AI is heading towards"; should
  /// that be blocked, the closest one, or a free neighbour of it (section 4.4.3).
  Cell next_start() const {
    const Voxels& known = pilot_.known();
    Point ahead = at_;
    std::size_t next = next_;
    advance(ahead, next);
    const auto is_free = [&](Cell cell) { return known[cell] <= kMaxPassable; };
    const Cell closest = cell_at(known, at_);
    for (const Cell cell : {cell_at(known, ahead), closest}) {
      if (is_free(cell)) return cell;
    }
    constexpr std::array<std::array<int, 3>, 6> kBeside{
        {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}}};
    const auto [x, y, z] = known.position(closest);
    for (const auto& [dx, dy, dz] : kBeside) {
      if (!known.contains(x + dx, y + dy, z + dz)) continue;
      const Cell cell = known.cell(x + dx, y + dy, z + dz);
      if (is_free(cell)) return cell;
    }
    return closest;
  }

  /// "First has to move from its current position to the start node" (section 4.4.4).
  void take(const Plan& plan) {
    cost_ = plan.cost;
    corridor_ = plan.points;
    next_ = 0;
    // More than a step away lies only what the robot has passed while it was thinking.
    if (distance(at_, corridor_.front()) > 1.0 + kRoundingOfCells) ++turned_back_;
  }

  void fly() { travelled_ += advance(at_, next_); }

  /// One step along the corridor; how far it was.
  double advance(Point& at, std::size_t& next) const {
    double left = 1.0;
    while (left > 0.0 && next < corridor_.size()) {
      const Point& to = corridor_[next];
      const double way = distance(at, to);
      if (way <= left) {
        at = to;
        left -= way;
        ++next;
      } else {
        const double share = left / way;
        at = {at.x + share * (to.x - at.x), at.y + share * (to.y - at.y),
              at.z + share * (to.z - at.z)};
        left = 0.0;
      }
    }
    return 1.0 - left;
  }

  /// A start is the middle of the cell that the robot will be in.
  static constexpr double kRoundingOfCells = 0.87;

  Flight flight_;
  bool improves_;
  VoxelScene scene_;
  Pilot pilot_;

  bool has_news_ = false;
  bool is_searching_ = false;
  bool can_improve_ = false;
  Query query_{0, 0};
  Cost cost_ = kInfinity;  // of the corridor, if it answers the query
  std::vector<Point> corridor_;
  std::size_t next_ = 0;
  Point at_ = VoxelScene::start();
  double travelled_ = 0.0;
  int searches_ = 0;
  int turned_back_ = 0;
};

template <typename Measure>
std::vector<Measurement> measure_all(Measure&& measure) {
  std::vector<Measurement> measurements;
  for (const Contender& contender : contenders()) {
    measurements.push_back(measure(contender).measurement(contender.title));
  }
  return measurements;
}

}  // namespace

Suite voxels_suite(const VoxelsConfig& config) {
  Suite suite{.name = "voxels",
              .version = 2,
              .parameters = {{"scene", fmt::format("{} x {} x {} cells", VoxelScene::kWidth,
                                                   VoxelScene::kHeight, VoxelScene::kDepth)},
                             {"seeds", "the number of the run"},
                             {"still_steps", fmt::format("{}", config.still_steps)},
                             {"max_steps", fmt::format("{}", config.max_steps)},
                             {"steps_per_graph", fmt::format("{}", kStepsPerGraph)},
                             {"expansions_per_step", fmt::format("{}", kExpansionsPerStep)}},
              .quantities = {{"attempts"},
                             {"successes"},
                             {"length"},
                             {"nodes"},
                             {"total", true},
                             {"searches"},
                             {"turned_back"}}};
  const std::array<std::pair<std::string, Flight>, 3> flights{{
      {"moving destination", {.destination_moves = true, .max_steps = config.max_steps}},
      {"still destination", {.max_steps = config.max_steps}},
      {"no limit",
       {.destination_moves = true,
        .expansions_per_step = Budget{}.max_expansions,
        .max_steps = config.max_steps}},
  }};
  for (std::uint64_t run = 1; run <= config.runs; ++run) {
    suite.jobs.push_back({"still", run, [=] {
                            const std::vector<Voxels> graphs = graphs_of(run, config.still_steps);
                            const Query query{
                                cell_at(graphs.front(), VoxelScene::start()),
                                cell_at(graphs.front(), VoxelScene(run).destination(false))};
                            return measure_all([&](const Contender& contender) {
                              return stand_still(graphs, query, contender);
                            });
                          }});
    for (const auto& [scenario, flight] : flights) {
      suite.jobs.push_back({scenario, run, [=, flight = flight] {
                              return measure_all([&](const Contender& contender) {
                                return Run(run, contender, flight).finish();
                              });
                            }});
    }
  }
  return suite;
}

}  // namespace dynamic_planners
