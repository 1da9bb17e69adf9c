#pragma once

#include <cstdint>
#include <span>

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/search/changed_cells.hpp"
#include "dynamic_planners/search/meter.hpp"
#include "dynamic_planners/search/open_list.hpp"
#include "dynamic_planners/search/planner.hpp"
#include "dynamic_planners/search/vertices.hpp"

namespace dynamic_planners {

/// D* Lite, the optimised version: S. Koenig, M. Likhachev, "D* Lite", AAAI 2002, figure 4 (and
/// "Fast Replanning for Navigation in Unknown Terrain", IEEE Transactions on Robotics 21(3), 2005).
///
/// Searches from the goal to the start and keeps what it found. A change of the world makes the
/// cells around it inconsistent (g != rhs); only what depends on these is expanded again. The start
/// may move freely; k_m keeps the queued keys lower bounds of what they ought to be.
///
/// The paper takes in changed edges one by one. Here a set of changed cells is taken in at once:
/// each vertex near them gets its rhs anew, from its neighbours, exactly one time.
template <Space S>
class DStarLite {
 public:
  DStarLite(const S& space, const PlannerConfig& config);
  DStarLite(const DStarLite&) = delete;
  DStarLite& operator=(const DStarLite&) = delete;

  /// Forgets everything and is for this goal from now on.
  void restart(Cell goal);
  Cell goal() const { return goal_; }

  /// Remembers that cells have changed, for the next plan().
  void note(std::span<const CellChange> changes);

  Plan plan(Cell start, const Budget& budget);

  std::size_t memory_bytes() const;

 private:
  struct Vertex {
    static constexpr std::uint32_t kMaxGeneration = 0x3FFF;

    PackedCost g = kInfinity;
    PackedCost rhs = kInfinity;
    std::uint16_t generation : 14 = 0;
    std::uint16_t was_expanded : 1 = false;
    std::uint16_t marked : 1 = false;
    std::uint32_t position = 0;
  };
  static_assert(sizeof(Vertex) == 16);

  // The procedures of the paper, under its names.
  Key calculate_key(Cell cell, const Vertex& vertex) const;
  void update_vertex(Cell cell, Vertex& vertex);
  void initialize();
  Progress compute_shortest_path(Meter& meter);

  void move_start(Cell start);
  Progress take_in_changes(Meter& meter);
  void lower(Cell cell, Vertex& vertex);
  void raise(Cell cell, Vertex& vertex);
  void check() const;

  S space_;
  Vertices<Vertex> vertices_;
  OpenList<Vertex> open_;  // U
  Cell goal_ = kNoCell;
  Cell start_ = kNoCell;       // s_last; kNoCell before the first search
  typename S::HeuristicTo h_;  // h(s_start, .)
  Cost k_m_ = 0;
  ChangedCells changed_;
  PlanCounts counts_;  // of the plan() under way
};

extern template class DStarLite<GridSpace<4>>;
extern template class DStarLite<GridSpace<8>>;

}  // namespace dynamic_planners
