// How long a step of RTD* takes, and that it takes the same on every map: `./run bench
// real-time-steps`. With a number, so many steps in the first table instead of a million.

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/worlds.hpp"
#include "dynamic_planners/lab/stopwatch.hpp"
#include "dynamic_planners/realtime/registry.hpp"

namespace {

using namespace dynamic_planners;

/// Cells around the robot become lethal for a while and then what they were.
class Noise {
 public:
  explicit Noise(Grid& grid) : grid_(grid) {}

  /// So many cells in a square window become lethal, and what became so before is given back.
  const std::vector<CellChange>& change(Cell robot, Cell goal, std::size_t cells, int window) {
    changes_.clear();
    for (const auto& [cell, cost] : lethal_) set(cell, cost);
    lethal_.clear();
    const auto [x, y] = grid_.position(robot);
    while (lethal_.size() < cells) {
      const Cell cell =
          grid_.cell(beside(x, window, grid_.width()), beside(y, window, grid_.height()));
      if (cell == robot || cell == goal || grid_[cell] == kLethal) continue;
      lethal_.emplace_back(cell, grid_[cell]);
      set(cell, kLethal);
    }
    return changes_;
  }

 private:
  void set(Cell cell, std::uint8_t cost) {
    if (const auto change = grid_.set(cell, cost)) changes_.push_back(*change);
  }
  int beside(int place, int window, int size) {
    const int first = std::clamp(place - window / 2, 0, std::max(0, size - window));
    return first + static_cast<int>(random_() % static_cast<unsigned>(std::min(window, size)));
  }

  Grid& grid_;
  std::mt19937_64 random_{1};
  std::vector<std::pair<Cell, std::uint8_t>> lethal_;
  std::vector<CellChange> changes_;
};

struct Workload {
  GlobalSearchKind global = GlobalSearchKind::kDStarLite;
  std::uint64_t limit = 512;
  /// After so many steps the robot gets a new goal, and the search begins anew.
  std::int64_t mission = 1000;
  /// So many cells become lethal every hundred steps.
  std::size_t changed_at_once = 0;
};

/// A robot on a map of this size, and how long its steps have taken.
class Ride {
 public:
  Ride(int size, const Workload& work)
      : work_(work),
        grid_(bench::rooms(size, 1)),
        planner_(make_real_time_planner("rtd", grid_, {.global = work.global})),
        noise_(grid_),
        robot_(free_cell()),
        goal_(free_cell()) {}
  Ride(const Ride&) = delete;
  Ride& operator=(const Ride&) = delete;

  void make_step(bool counts) {
    if (robot_ == goal_ || step_ % work_.mission == 0) goal_ = free_cell();
    const bool at_once = work_.changed_at_once > 0 && step_ % 100 == 0;
    // With as many that are given back, 1,000 change between any two steps.
    const auto& changes = at_once ? noise_.change(robot_, goal_, work_.changed_at_once, 500)
                                  : noise_.change(robot_, goal_, 500, 100);
    const Stopwatch updating;
    planner_->update(changes);
    const double update_time = updating.us();
    const Stopwatch stepping;
    const Step next = planner_->step(robot_, goal_, work_.limit);
    const double step_time = stepping.us();
    robot_ = next.next;
    ++step_;
    // Where cells change at once, only the steps right after that are of interest.
    if (!counts || (work_.changed_at_once > 0 && !at_once)) return;
    updates_.push_back(update_time);
    spent_ += next.counts.in_expansions();
    steps_.push_back(step_time);
  }

  void print() {
    std::sort(steps_.begin(), steps_.end());
    std::sort(updates_.begin(), updates_.end());
    const auto at = [&](double share) {
      return steps_[static_cast<std::size_t>(share * static_cast<double>(steps_.size() - 1))];
    };
    const double spent = static_cast<double>(spent_) / static_cast<double>(steps_.size());
    fmt::print("  {:<14}{:>10.1f}{:>10.1f}{:>10.1f}{:>10.1f}{:>10.2f}{:>14.1f}{:>14.1f}{:>10.1f}\n",
               fmt::format("{} x {}", grid_.width(), grid_.height()), at(0.5), at(0.99), at(0.999),
               steps_.back(), at(0.999) / at(0.5), updates_[updates_.size() / 2], updates_.back(),
               spent);
    std::fflush(stdout);
  }

 private:
  Cell free_cell() {
    for (;;) {
      const auto cell = static_cast<Cell>(random_() % grid_.size());
      if (grid_[cell] == kFree) return cell;
    }
  }

  Workload work_;
  Grid grid_;
  std::unique_ptr<RealTimePlanner> planner_;
  std::mt19937_64 random_{7};
  Noise noise_;
  Cell robot_;
  Cell goal_;
  std::int64_t step_ = 0;
  std::vector<double> steps_;
  std::vector<double> updates_;
  std::uint64_t spent_ = 0;
};

/// The rides take turns, so that whatever else the machine does hits all of them alike.
void run(const std::string& title, std::int64_t count, const Workload& work) {
  constexpr std::int64_t kTurn = 1000;
  fmt::print("\n{}\n", title);
  fmt::print("  {:<14} {:>9}{:>10}{:>10}{:>10}{:>10}{:>14}{:>14}{:>10}\n", "map", "median", "p99",
             "p99.9", "worst", "p99.9/med", "update median", "update worst", "spent");
  std::vector<std::unique_ptr<Ride>> rides;
  for (const int size : {500, 2000, 8000}) rides.push_back(std::make_unique<Ride>(size, work));
  for (std::int64_t step = -kTurn; step < count; step += kTurn) {
    for (const auto& ride : rides) {
      for (std::int64_t i = 0; i < kTurn; ++i) ride->make_step(step >= 0);
    }
  }
  for (const auto& ride : rides) ride->print();
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t count = argc > 1 ? std::max(10'000L, std::atol(argv[1])) : 1'000'000;
  fmt::print(
      "Steps of RTD* with LSS-LRTA* in rooms, ratio 50 %; 1,000 cells around the robot change "
      "between\n"
      "any two. Microseconds of processor time; what a step spent, on average, in\n"
      "expansions.\n");
  const auto title = [](std::string_view what, std::int64_t steps) {
    return fmt::format("{}; {} steps each", what, steps);
  };
  run(title("D* Lite, limit 512, a new goal every 1,000 steps", count), count, {});
  run(title("D* Lite, limit 512, a new goal every 50,000 steps", count / 10), count / 10,
      {.mission = 50'000});
  run(title("AD*, limit 512, a new goal every 1,000 steps", count / 10), count / 10,
      {.global = GlobalSearchKind::kAD});
  run(title("D* Lite, limit 64, a new goal every 1,000 steps", count / 10), count / 10,
      {.limit = 64});
  run(title("D* Lite, limit 512, right after 100,000 cells have changed at once", count / 1000),
      count / 10, {.changed_at_once = 100'000});
  return 0;
}
