#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/grid/voxel_space.hpp"
#include "dynamic_planners/search/anytime.hpp"
#include "dynamic_planners/search/changed_cells.hpp"
#include "dynamic_planners/search/meter.hpp"
#include "dynamic_planners/search/open_list.hpp"
#include "dynamic_planners/search/planner.hpp"
#include "dynamic_planners/search/vertices.hpp"

namespace dynamic_planners {

/// AD*: M. Likhachev, D. Ferguson, G. Gordon, A. Stentz, S. Thrun, "Anytime Dynamic A*: An Anytime,
/// Replanning Algorithm", ICAPS 2005.
///
/// Searches from the goal to the start with a heuristic that is inflated by epsilon, which finds a
/// path soon, at most epsilon times as dear as the best. Asked again while the world stays as it
/// is, it lowers epsilon and improves the path; each search expands a vertex once at most, and what
/// becomes better after that waits in INCONS for the next one. A change of the world is repaired as
/// D* Lite does it: only overconsistent vertices have inflated keys, so that costs which rose reach
/// whatever depends on them first.
///
/// The paper gives every queued vertex a new key when epsilon falls or the start moves. Here an
/// offset keeps the old keys lower bounds (InflatedKeys), so that a search for the next epsilon can
/// be stopped anywhere, like all else.
template <Space S>
class AnytimeDStar {
 public:
  AnytimeDStar(const S& space, const PlannerConfig& config);
  AnytimeDStar(const AnytimeDStar&) = delete;
  AnytimeDStar& operator=(const AnytimeDStar&) = delete;

  /// Forgets everything and is for this goal from now on.
  void restart(Cell goal);
  Cell goal() const { return goal_; }

  /// Remembers that cells have changed, for the next plan().
  void note(std::span<const CellChange> changes);

  Plan plan(Cell start, const Budget& budget);

  std::size_t memory_bytes() const;

 private:
  struct Vertex {
    static constexpr std::uint32_t kMaxGeneration = 0x1FFF;

    PackedCost g = kInfinity;
    PackedCost rhs = kInfinity;
    std::uint16_t generation : 13 = 0;
    std::uint16_t was_expanded : 1 = false;
    std::uint16_t marked : 1 = false;
    std::uint16_t in_incons : 1 = false;
    std::uint32_t position = 0;
    std::uint32_t closed_by = 0;  // the number of the search in whose CLOSED it is
  };
  static_assert(sizeof(Vertex) == 20);

  // The procedures of the paper, under its names.
  Key key(Cell cell, const Vertex& vertex) const;
  void update_state(Cell cell, Vertex& vertex);
  void initialize();
  Progress compute_or_improve_path(Meter& meter);

  Plan answer(Meter& meter);
  void move_start(Cell start);
  bool repair_pays(Cell start) const;
  void set_epsilon(Epsilon epsilon);
  void begin_search();
  Progress search(Meter& meter);
  Progress take_in_changes(Meter& meter);
  Progress reopen(Meter& meter);
  void improve(Meter& meter);
  void publish(Meter& meter);
  void prove_least(Meter& meter);
  void check() const;

  S space_;
  Epsilon epsilon_;
  double significant_change_;
  Vertices<Vertex> vertices_;
  OpenList<Vertex> open_;
  Incons<Vertex> incons_;
  std::uint32_t search_ = 1;  // number of the search whose CLOSED counts
  bool reopening_ = false;    // the states of INCONS are on their way into OPEN
  Cell goal_ = kNoCell;
  Cell start_ = kNoCell;       // kNoCell before the first search
  typename S::HeuristicTo h_;  // h(s_start, .)
  InflatedKeys<S> keys_;
  ChangedCells changed_;
  bool changes_noted_ = false;  // since epsilon was raised for what had changed

  AnytimeAnswer answer_;            // for this start in this world
  bool world_is_answered_ = false;  // there was an answer since the world changed
  bool improving_ = false;          // the search is for a lower epsilon than the answer's

  std::vector<Cell> path_;            // the last one
  std::uint64_t expansions_ = 0;      // since the search was begun
  double expansions_per_step_ = 0.0;  // of the first path it found

  PlanCounts counts_;  // of the plan() under way
};

extern template class AnytimeDStar<GridSpace<4>>;
extern template class AnytimeDStar<GridSpace<8>>;
extern template class AnytimeDStar<VoxelSpace>;

}  // namespace dynamic_planners
