#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "dynamic_planners/grid/cost.hpp"
#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/search/planner.hpp"

namespace dynamic_planners {

enum class StepStatus {
  /// A complete path to the goal is known, and this is its first step.
  kFullyInformed,
  /// Chosen by a look around, before such a path is known.
  kPartiallyInformed,
  /// There is none as the world is now.
  kNoPath,
  kStartBlocked,
  kGoalBlocked,
};

/// What one step took.
struct StepCounts {
  /// So many requeued cells take about as long as one expansion.
  static constexpr std::uint64_t kRequeuedPerExpansion = 4;

  std::uint64_t local_expansions = 0;
  std::uint64_t global_expansions = 0;
  /// Changed cells that the global search took in.
  std::uint64_t changed_cells = 0;
  /// Cells of the open list that only got the key they ought to have.
  std::uint64_t requeued = 0;

  /// All of it, in expansions; to take in a changed cell is as much as one.
  std::uint64_t in_expansions() const {
    return local_expansions + global_expansions + changed_cells +
           (requeued + kRequeuedPerExpansion - 1) / kRequeuedPerExpansion;
  }
};

struct Step {
  /// A neighbour of the start, or the start itself: stay.
  Cell next = kNoCell;
  StepStatus status = StepStatus::kPartiallyInformed;
  /// What the way to the goal costs, when fully informed; with a global AD* at most.
  Cost cost = kInfinity;
  StepCounts counts = {};
};

inline constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

/// When a step has to stop thinking, however much of its limit is left.
using Deadline = Budget::Clock::time_point;
inline constexpr Deadline kNoDeadline = Deadline::max();

inline bool is_over(Deadline deadline) {
  return deadline != kNoDeadline && Budget::Clock::now() >= deadline;
}

/// The end of this share of the time that is left.
inline Deadline share_of(Deadline deadline, double share) {
  if (deadline == kNoDeadline) return deadline;
  const Deadline now = Budget::Clock::now();
  return now + std::chrono::duration_cast<Budget::Clock::duration>(share * (deadline - now));
}

enum class GlobalSearchKind { kDStarLite, kAD };
/// kNoOp waits until the global search has arrived.
enum class LocalSearchKind { kNoOp, kLRTA, kLSSLRTA };

/// What every real-time planner can be told; LRTA* and LSS-LRTA* need nothing but `traversal`.
struct RealTimeConfig {
  TraversalConfig traversal = {};
  GlobalSearchKind global = GlobalSearchKind::kDStarLite;
  LocalSearchKind local = LocalSearchKind::kLSSLRTA;
  /// The share of a step's limit that is kept for the local search, from 0 to 1. It always has one
  /// expansion, since without any it cannot choose.
  double local_ratio = 0.5;
  /// For the global search AD*: the numbers of the paper.
  AnytimeConfig anytime = {.epsilon = 3.0, .epsilon_decrease = 0.5, .epsilon_increase = 0.1};

  bool operator==(const RealTimeConfig&) const = default;
};

/// A planner that thinks for a bounded time and then names the next cell. After every change of its
/// grid, update() must hear of it before the next step().
class RealTimePlanner {
 public:
  RealTimePlanner() = default;
  RealTimePlanner(const RealTimePlanner&) = delete;
  RealTimePlanner& operator=(const RealTimePlanner&) = delete;
  virtual ~RealTimePlanner() = default;

  /// The world changed: the grid has the costs `after` already. Takes a moment per cell.
  virtual void update(std::span<const CellChange> changes) = 0;

  /// One step of the robot. What it takes (StepCounts::in_expansions) is at most `limit`, which
  /// is at least 1. The next cell is always one that a move reaches in the grid as it is. Allocates
  /// nothing. Throws std::out_of_range when an end lies outside the grid, std::invalid_argument
  /// when the limit is 0.
  ///
  /// Each of its searches looks at the clock after kUnwatched expansions first, and so every step
  /// comes a little further, even one whose deadline has passed.
  virtual Step step(Cell start, Cell goal, std::uint64_t limit,
                    Deadline deadline = kNoDeadline) = 0;
  static constexpr std::uint64_t kUnwatched = 64;

  /// Where the last step leads: the cells that follow its start, as many as there is room for. The
  /// path to the goal when that step was fully informed, else the way to where it has looked; none
  /// when it was to stay. Returns how many they are. The world must not have changed since. Takes a
  /// moment per cell, allocates nothing.
  virtual std::size_t way(std::span<Cell> cells) const = 0;

  /// Forgets everything, as if newly made.
  virtual void reset() = 0;

  /// What the planner has allocated, the grid not counted.
  virtual std::size_t memory_bytes() const = 0;
};

}  // namespace dynamic_planners
