#include "dynamic_planners/lab/replay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/lab/stopwatch.hpp"
#include "dynamic_planners/search/line.hpp"

namespace dynamic_planners {
namespace {

/// The cells of a plan, one after the other. A line that does not lead from one cell to the next is
/// followed through the cells it crosses.
class Walk {
 public:
  Walk() = default;
  template <int kConnectivity>
  Walk(const Plan& plan, const GridSpace<kConnectivity>& moves) {
    const Grid& grid = moves.grid();
    const auto cell_at = [&](const Point& point) {
      return grid.cell(static_cast<int>(std::lround(point.x)),
                       static_cast<int>(std::lround(point.y)));
    };
    if (!plan.points.empty()) cells_.push_back(cell_at(plan.points.front()));
    for (std::size_t i = 1; i < plan.points.size(); ++i) {
      const std::size_t begin = cells_.size();
      for_each_piece(plan.points[i - 1], plan.points[i], 0.5, [&](const Point& point, double) {
        follow(moves, cell_at(point), begin);
        return true;
      });
    }
  }

  /// The cell after the one the robot is on; nothing at the end, or without a plan.
  std::optional<Cell> next() const {
    if (position_ + 1 >= cells_.size()) return std::nullopt;
    return cells_[position_ + 1];
  }
  void advance() { ++position_; }

 private:
  /// Goes on to a cell that the last one touches. The line began after `begin` cells.
  template <int kConnectivity>
  void follow(const GridSpace<kConnectivity>& moves, Cell cell, std::size_t begin) {
    const Cell last = cells_.back();
    if (cell == last) return;
    if (moves.step_cost(last, cell) >= kInfinity) {
      // Through a corner, where diagonals are no moves.
      const Grid& grid = moves.grid();
      cells_.push_back(grid.cell(grid.position(cell).x, grid.position(last).y));
    } else if (cells_.size() > begin && cells_.size() > 1 &&
               moves.step_cost(cells_[cells_.size() - 2], cell) < kInfinity) {
      cells_.pop_back();  // a diagonal comes closer to the line than two steps
    }
    cells_.push_back(cell);
  }

  std::vector<Cell> cells_;
  std::size_t position_ = 0;
};

/// Who tells the robot where to go.
class Driver {
 public:
  Driver() = default;
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  virtual ~Driver() = default;

  /// Is told what has changed and thinks.
  virtual Episode ask(Cell at, Cell goal, std::span<const CellChange> changes) = 0;
  /// The cell to go to; nothing means to wait.
  virtual std::optional<Cell> next() const = 0;
  /// The robot has gone there.
  virtual void advance() = 0;
  /// Whether it thinks before every step, and not only when something has changed.
  virtual bool thinks_all_the_time() const = 0;
};

/// Follows the plan of a global planner.
template <int kConnectivity>
class PlanFollower final : public Driver {
 public:
  PlanFollower(const GridSpace<kConnectivity>& moves, std::unique_ptr<Planner> planner,
               bool improves_on_the_way)
      : moves_(moves), planner_(std::move(planner)), improves_(improves_on_the_way) {}

  Episode ask(Cell at, Cell goal, std::span<const CellChange> changes) override {
    const Stopwatch stopwatch;
    planner_->update(changes);
    const Plan plan = planner_->plan({at, goal});
    const double time = stopwatch.us();
    const bool found = plan.status == PlanStatus::kFound;
    walk_ = found ? Walk(plan, moves_) : Walk();
    can_improve_ = found && plan.bound > 1.0;
    return {.status = plan.status,
            .cost = plan.cost,
            .bound = plan.bound,
            .expansions = plan.counts.expansions,
            .restarts = plan.counts.restarts,
            .time_us = time};
  }
  std::optional<Cell> next() const override { return walk_.next(); }
  void advance() override { walk_.advance(); }
  bool thinks_all_the_time() const override { return improves_ && can_improve_; }

 private:
  const GridSpace<kConnectivity>& moves_;
  std::unique_ptr<Planner> planner_;
  bool improves_;
  bool can_improve_ = false;
  Walk walk_;
};

/// Asks a real-time planner for one step at a time.
class StepTaker final : public Driver {
 public:
  StepTaker(std::unique_ptr<RealTimePlanner> planner, std::uint64_t expansion_limit)
      : planner_(std::move(planner)), expansion_limit_(expansion_limit) {}

  Episode ask(Cell at, Cell goal, std::span<const CellChange> changes) override {
    const Stopwatch stopwatch;
    planner_->update(changes);
    const Step step = planner_->step(at, goal, expansion_limit_);
    const double time = stopwatch.us();
    next_ = step.next == at ? std::nullopt : std::optional(step.next);
    return {.status = status_of(step),
            .cost = step.cost,
            .expansions = step.counts.local_expansions + step.counts.global_expansions,
            .time_us = time};
  }
  std::optional<Cell> next() const override { return next_; }
  void advance() override { next_.reset(); }
  bool thinks_all_the_time() const override { return true; }

 private:
  static PlanStatus status_of(const Step& step) {
    switch (step.status) {
      case StepStatus::kFullyInformed:
        return PlanStatus::kFound;
      case StepStatus::kPartiallyInformed:
        return PlanStatus::kOutOfBudget;
      case StepStatus::kNoPath:
        return PlanStatus::kNoPath;
      case StepStatus::kStartBlocked:
        return PlanStatus::kStartBlocked;
      case StepStatus::kGoalBlocked:
        return PlanStatus::kGoalBlocked;
    }
    return PlanStatus::kNoPath;
  }

  std::unique_ptr<RealTimePlanner> planner_;
  std::uint64_t expansion_limit_;
  std::optional<Cell> next_;
};

/// One robot on its way. Members are in the order in which a time step uses them.
template <int kConnectivity>
class Run {
 public:
  Run(const Recording& recording, const PlannerInfo& planner, GlobalReplayConfig config,
      std::int64_t max_steps)
      : Run(recording, planner.name, max_steps) {
    config.planner.traversal.connectivity = kConnectivity;
    driver_ = std::make_unique<PlanFollower<kConnectivity>>(
        known_moves_, planner.make(known_, config.planner), config.improves_on_the_way);
  }
  Run(const Recording& recording, const RealTimePlannerInfo& planner, RealTimeReplayConfig config,
      std::int64_t max_steps)
      : Run(recording, planner.name, max_steps) {
    config.planner.traversal.connectivity = kConnectivity;
    driver_ =
        std::make_unique<StepTaker>(planner.make(known_, config.planner), config.expansion_limit);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  ReplayResult finish() {
    apply_due_events();
    observe();
    ask_driver();
    while (at_ != recording_.goal && result_.steps < max_steps_) time_step();
    result_.reached = at_ == recording_.goal;
    summarise_episodes();
    return std::move(result_);
  }

 private:
  static constexpr TraversalConfig kTraversal{.connectivity = kConnectivity};

  Run(const Recording& recording, std::string_view name, std::int64_t max_steps)
      : recording_(recording),
        max_steps_(max_steps),
        truth_(recording.grid),
        known_(recording.visibility ? Grid(truth_.width(), truth_.height()) : truth_),
        true_moves_(truth_, kTraversal),
        known_moves_(known_, kTraversal),
        at_(recording.start) {
    result_.planner = name;
    result_.route = {at_};
  }

  void time_step() {
    if (move() || driver_->thinks_all_the_time()) {
      ++result_.steps;
    } else {
      // What hinders the robot stays as it is until the next event: all these steps are one wait.
      result_.steps = std::min(next_event_step(), max_steps_);
    }
    if (at_ == recording_.goal || result_.steps >= max_steps_) return;
    const bool event = apply_due_events();
    observe();
    // A robot that sees everything is told of every event; another one notices only what it sees.
    const bool news = recording_.visibility ? !changes_.empty() : event;
    if (news || driver_->thinks_all_the_time()) ask_driver();
  }

  /// Whether it could be made. The truth decides: blocked is blocked, seen or not.
  bool move() {
    const std::optional<Cell> next = driver_->next();
    if (!next) return false;
    const Cost cost = true_moves_.step_cost(at_, *next);
    if (cost >= kInfinity) return false;
    driver_->advance();
    at_ = *next;
    result_.travelled += cost;
    result_.route.push_back(at_);
    return true;
  }

  std::int64_t next_event_step() const {
    const auto& events = recording_.events;
    return next_event_ < events.size() ? events[next_event_].step
                                       : std::numeric_limits<std::int64_t>::max();
  }

  /// Whether there was one.
  bool apply_due_events() {
    touched_.clear();
    const std::size_t first = next_event_;
    for (; next_event_ < recording_.events.size() && next_event_step() <= result_.steps;
         ++next_event_) {
      for (const CellCost& entry : recording_.events[next_event_].set) {
        truth_.set(entry.cell, entry.cost);
        touched_.push_back(entry.cell);
      }
    }
    return next_event_ > first;
  }

  /// Takes over the truth of every cell in sight. A cell that was set more than once, or back to
  /// what it was, counts as what really changed.
  void observe() {
    changes_.clear();
    if (!recording_.visibility) {
      for (const Cell cell : touched_) look_at(cell);
      return;
    }
    const auto [x, y] = truth_.position(at_);
    const int sight = std::min(*recording_.visibility, std::max(truth_.width(), truth_.height()));
    for (int row = std::max(0, y - sight); row <= std::min(truth_.height() - 1, y + sight); ++row) {
      for (int column = std::max(0, x - sight); column <= std::min(truth_.width() - 1, x + sight);
           ++column) {
        look_at(truth_.cell(column, row));
      }
    }
  }

  void look_at(Cell cell) {
    if (const auto change = known_.set(cell, truth_[cell])) changes_.push_back(*change);
  }

  void ask_driver() {
    Episode episode = driver_->ask(at_, recording_.goal, changes_);
    episode.step = result_.steps;
    episode.at = at_;
    episode.changed = changes_.size();
    result_.episodes.push_back(episode);
  }

  void summarise_episodes() {
    std::vector<double> recompute;
    for (const Episode& episode : result_.episodes) {
      result_.expansions += episode.expansions;
      result_.time_us += episode.time_us;
      if (&episode != result_.episodes.data()) recompute.push_back(episode.time_us);
    }
    result_.recompute_us = summarise(std::move(recompute));
  }

  const Recording& recording_;
  std::int64_t max_steps_ = 0;
  Grid truth_;
  Grid known_;
  GridSpace<kConnectivity> true_moves_;
  GridSpace<kConnectivity> known_moves_;
  std::unique_ptr<Driver> driver_;

  Cell at_ = 0;
  std::size_t next_event_ = 0;
  std::vector<Cell> touched_;
  std::vector<CellChange> changes_;
  ReplayResult result_;
};

}  // namespace

TimeSummary summarise(std::vector<double> times) {
  if (times.empty()) return {};
  std::sort(times.begin(), times.end());
  const std::size_t count = times.size();
  const auto percentile = [&](std::size_t percent) {
    return times[(count * percent + 99) / 100 - 1];
  };
  const double sum = std::accumulate(times.begin(), times.end(), 0.0);
  return {.mean = sum / static_cast<double>(count), .p50 = percentile(50), .p99 = percentile(99)};
}

std::int64_t default_max_steps(const Grid& grid) {
  const std::int64_t width = grid.width();
  const std::int64_t height = grid.height();
  const std::int64_t inner =
      std::max<std::int64_t>(0, width - 2) * std::max<std::int64_t>(0, height - 2);
  return 10 * (width * height - inner);
}

ReplayResult replay(const Recording& recording, const PlannerInfo& planner,
                    const GlobalReplayConfig& config, std::optional<std::int64_t> max_steps) {
  const std::int64_t limit = max_steps.value_or(default_max_steps(recording.grid));
  if (recording.connectivity == 4) return Run<4>(recording, planner, config, limit).finish();
  return Run<8>(recording, planner, config, limit).finish();
}

ReplayResult replay(const Recording& recording, const RealTimePlannerInfo& planner,
                    const RealTimeReplayConfig& config, std::optional<std::int64_t> max_steps) {
  const std::int64_t limit = max_steps.value_or(default_max_steps(recording.grid));
  if (recording.connectivity == 4) return Run<4>(recording, planner, config, limit).finish();
  return Run<8>(recording, planner, config, limit).finish();
}

}  // namespace dynamic_planners
