#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "dynamic_planners/grid/cost.hpp"
#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/grid/space.hpp"

namespace dynamic_planners {

/// From where to where.
struct Query {
  Cell start;
  Cell goal;

  bool operator==(const Query&) const = default;
};

/// How long a planner may think. When any of these ends, the answer is kOutOfBudget (or
/// kCancelled), the search stays valid, and the next call goes on where this one stopped.
struct Budget {
  using Clock = std::chrono::steady_clock;

  Clock::time_point deadline = Clock::time_point::max();
  std::uint64_t max_expansions = std::numeric_limits<std::uint64_t>::max();
  /// Asked now and then; true ends the search. Empty means never.
  std::function<bool()> cancelled = {};
  /// The deadline and `cancelled` are looked at once in so many expansions.
  std::uint32_t check_interval = 128;
  /// Each expanded cell is appended here, if anywhere: for people who want to look.
  std::vector<Cell>* expanded = nullptr;
};

enum class PlanStatus { kFound, kNoPath, kStartBlocked, kGoalBlocked, kOutOfBudget, kCancelled };

/// The name of a status as the program's JSON has it.
std::string_view to_string(PlanStatus status);

/// A place in cells; the centre of cell (x, y) of a grid is (x, y), and that of (x, y, z) among
/// voxels is (x, y, z).
struct Point {
  double x;
  double y;
  double z = 0.0;

  bool operator==(const Point&) const = default;
};

/// What one call did.
struct PlanCounts {
  std::uint64_t expansions = 0;
  /// Of these, expansions of cells that the same search had expanded before.
  std::uint64_t reexpansions = 0;
  /// Changed cells that were taken in.
  std::uint64_t changed_cells = 0;
  /// Insertions, updates and removals of the open list.
  std::uint64_t queue_operations = 0;
  /// Searches that were begun anew: the first one for a goal, and whatever could not be repaired.
  std::uint64_t restarts = 0;

  PlanCounts& operator+=(const PlanCounts& other) {
    expansions += other.expansions;
    reexpansions += other.reexpansions;
    changed_cells += other.changed_cells;
    queue_operations += other.queue_operations;
    restarts += other.restarts;
    return *this;
  }
};

struct Plan {
  PlanStatus status = PlanStatus::kNoPath;
  /// From the start's to the goal's centre when found; else empty.
  std::vector<Point> points = {};
  Cost cost = kInfinity;
  /// The cost is proven to be at most this many times the best one.
  double bound = std::numeric_limits<double>::infinity();
  PlanCounts counts = {};
};

/// How ARA* and AD* trade the quality of a path for the time to find it.
struct AnytimeConfig {
  /// A first path may cost this many times the best one.
  double epsilon = 3.0;
  /// Asked again while nothing has changed, they lower it by so much, down to 1.
  double epsilon_decrease = 0.5;
  /// After a change they raise it by so much, up to `epsilon`.
  double epsilon_increase = 0.5;
  /// A change of more than this share of all cells is a new world: they start over.
  double significant_change = 0.1;

  bool operator==(const AnytimeConfig&) const = default;
};

/// Which of two cells with the same f comes first.
enum class Ties { kLargerG, kFifo, kSmallerG };

/// What every planner can be told; the parts a planner has no use for do not concern it.
struct PlannerConfig {
  TraversalConfig traversal = {};
  AnytimeConfig anytime = {};
  /// Theta* alone: more than 1 lets the heuristic count so many times, which finds a path sooner,
  /// at most about so many times as dear.
  double inflation = 1.0;
  /// MPAA* alone has the choice.
  Ties ties = Ties::kLargerG;
  /// Searches are kept per goal: at most so many, and no more than fit into the memory limit (one
  /// always does). The least recently used one makes room.
  int kept_searches = 4;
  std::size_t memory_limit = std::size_t{2} << 30U;

  bool operator==(const PlannerConfig&) const = default;
};

/// A global planner over one grid, or among voxels, for which all is the same. After every change
/// of that grid, update() must hear of it before the next plan().
class Planner {
 public:
  Planner() = default;
  Planner(const Planner&) = delete;
  Planner& operator=(const Planner&) = delete;
  virtual ~Planner() = default;

  /// The world changed: the grid has the costs `after` already.
  virtual void update(std::span<const CellChange> changes) = 0;

  /// The grid moved over the world, as Grid::move() does, and what is known moves along as far as
  /// it can. What the cells that came in are, the next update() tells.
  virtual void move(const Shift& /*shift*/) { reset(); }

  /// A path in the grid as it is: the best one, or one within the bound it states. Both cells must
  /// lie in the grid. Anytime planners lower their bound a step with every call in which nothing
  /// else is asked and nothing has changed; while they do, a budget that runs out leaves them with
  /// the path they have.
  virtual Plan plan(const Query& query, const Budget& budget = {}) = 0;

  /// Forgets every search, as if newly made.
  virtual void reset() = 0;

  /// What the planner has allocated, the grid not counted.
  virtual std::size_t memory_bytes() const = 0;
};

}  // namespace dynamic_planners
