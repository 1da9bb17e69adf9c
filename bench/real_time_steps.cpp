// How long a step of RTD* takes, and that it takes the same on every map: `./run bench
// real-time-steps`. With a number, so many steps per row instead of a million.

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "bench/worlds.hpp"
#include "dynamic_planners/realtime/registry.hpp"

namespace {

using namespace dynamic_planners;

/// The time this thread has had a processor, in microseconds: what other programs take on a shared
/// machine does not count.
double now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
}

/// Cells around the robot become lethal for a while and then what they were.
class Noise {
 public:
  Noise(Grid& grid, int window, std::uint64_t seed) : grid_(grid), window_(window), random_(seed) {}

  /// So many cells change: one half becomes lethal, and what became so before is given back.
  const std::vector<CellChange>& change(Cell robot, Cell goal, std::size_t cells) {
    changes_.clear();
    for (const auto& [cell, cost] : lethal_) set(cell, cost);
    lethal_.clear();
    const auto [x, y] = grid_.position(robot);
    while (lethal_.size() < cells / 2) {
      const Cell cell = grid_.cell(beside(x, grid_.width()), beside(y, grid_.height()));
      if (cell == robot || cell == goal) continue;
      lethal_.emplace_back(cell, grid_[cell]);
      set(cell, kLethal);
    }
    // The last word on a cell that was drawn twice is its first cost.
    std::reverse(lethal_.begin(), lethal_.end());
    return changes_;
  }

 private:
  void set(Cell cell, std::uint8_t cost) {
    if (const auto change = grid_.set(cell, cost)) changes_.push_back(*change);
  }
  int beside(int place, int size) {
    const int first = std::clamp(place - window_ / 2, 0, std::max(0, size - window_));
    return first + static_cast<int>(random_() % static_cast<unsigned>(std::min(window_, size)));
  }

  Grid& grid_;
  int window_;
  std::mt19937_64 random_;
  std::vector<std::pair<Cell, std::uint8_t>> lethal_;
  std::vector<CellChange> changes_;
};

struct Workload {
  GlobalSearchKind global = GlobalSearchKind::kDStarLite;
  std::uint64_t limit = 512;
  /// After so many steps the robot gets a new goal: the search begins anew and is never idle.
  std::int64_t mission = 1000;
  std::size_t changed_cells = 1000;
  /// So many cells around the robot change, a hundredth of all steps apart.
  std::size_t changed_at_once = 0;
};

void print_header() {
  fmt::print("  {:<14}{:>10}{:>10}{:>10}{:>10}{:>10}{:>14}{:>14}\n", "map", "median", "p99",
             "p99.9", "worst", "p99.9/med", "update median", "update worst");
}

void print_times(int size, std::vector<double>& steps, std::vector<double>& updates) {
  std::sort(steps.begin(), steps.end());
  std::sort(updates.begin(), updates.end());
  const auto at = [&](double share) {
    return steps[static_cast<std::size_t>(share * static_cast<double>(steps.size() - 1))];
  };
  fmt::print("  {:<14}{:>10.1f}{:>10.1f}{:>10.1f}{:>10.1f}{:>10.2f}{:>14.1f}{:>14.1f}\n",
             fmt::format("{0} x {0}", size), at(0.5), at(0.99), at(0.999), steps.back(),
             at(0.999) / at(0.5), updates[updates.size() / 2], updates.back());
  std::fflush(stdout);
}

/// Where cells change at once, the times are those of the steps right after that.
void run(int size, std::int64_t count, const Workload& work) {
  Grid grid = bench::rooms(size, 1);
  const auto planner = make_real_time_planner("rtd", grid, {.global = work.global});
  std::mt19937_64 random(7);
  const auto free_cell = [&] {
    for (;;) {
      const auto cell = static_cast<Cell>(random() % grid.size());
      if (grid[cell] == kFree) return cell;
    }
  };
  Noise noise(grid, 100, 1);
  Noise upheaval(grid, 500, 2);
  Cell robot = free_cell();
  Cell goal = free_cell();
  std::vector<double> steps;
  std::vector<double> updates;
  steps.reserve(static_cast<std::size_t>(count));
  updates.reserve(static_cast<std::size_t>(count));
  const std::int64_t warm_up = std::min<std::int64_t>(count / 10, 5000);
  for (std::int64_t step = -warm_up; step < count; ++step) {
    if (robot == goal || step % work.mission == 0) goal = free_cell();
    const bool at_once = work.changed_at_once > 0 && step % 100 == 0;
    const auto& changes = at_once ? upheaval.change(robot, goal, work.changed_at_once)
                                  : noise.change(robot, goal, work.changed_cells);
    const double begin = now();
    planner->update(changes);
    const double updated = now();
    const Step next = planner->step(robot, goal, work.limit);
    const double end = now();
    robot = next.next;
    if (step < 0 || (work.changed_at_once > 0 && !at_once)) continue;
    updates.push_back(updated - begin);
    steps.push_back(end - updated);
  }
  print_times(size, steps, updates);
}

void run_sizes(const std::string& title, std::int64_t count, const Workload& work) {
  fmt::print("\n{}\n", title);
  print_header();
  for (const int size : {500, 2000, 8000}) run(size, count, work);
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t count = argc > 1 ? std::max(1000L, std::atol(argv[1])) : 1'000'000;
  fmt::print(
      "Steps of RTD* with LSS-LRTA* in rooms, limit 512, ratio 50 %, {} per row; 1,000 cells\n"
      "around the robot change between any two. Microseconds of processor time.\n",
      count);
  run_sizes("D* Lite, a new goal every 1,000 steps", count, {});
  run_sizes("D* Lite, a new goal every 50,000 steps", count, {.mission = 50'000});
  run_sizes("AD*, a new goal every 1,000 steps", count, {.global = GlobalSearchKind::kAD});
  run_sizes("D* Lite, limit 64, a new goal every 1,000 steps", count, {.limit = 64});
  run_sizes("D* Lite, the steps after 100,000 cells have changed at once", count / 10,
            {.changed_at_once = 100'000});
  return 0;
}
