#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/grid/voxel_space.hpp"
#include "dynamic_planners/search/adaptive_search.hpp"
#include "dynamic_planners/search/planner.hpp"
#include "dynamic_planners/search/vertices.hpp"

namespace dynamic_planners {

/// MPAA*: C. Hernandez, R. Asin, J. A. Baier, "Reusing Previously Found A* Paths for Fast
/// Goal-Directed Navigation in Dynamic Terrain", AAAI 2015; algorithm 1 and the ties of
/// C. Hernandez, J. A. Baier, R. Asin-Acha, "Multipath Adaptive A*: Factors That Influence
/// Performance in Goal-Directed Navigation in Unknown Terrain", IEEE Access 8, 2020.
///
/// Adaptive A* that remembers the paths it found: a search ends as soon as it comes upon a cell
/// from which one of these leads to the goal and is as short as the heuristic says. The consistency
/// procedure of Generalized Adaptive A* lowers the heuristic where costs fall (MPGAA*), so that
/// this is proof that no path is shorter, in a world that opens up too.
template <Space S>
class MultipathAdaptiveAStar {
 public:
  MultipathAdaptiveAStar(const S& space, const PlannerConfig& config);

  /// Forgets everything and is for this goal from now on.
  void restart(Cell goal) { search_.restart(goal); }
  Cell goal() const { return search_.goal(); }

  /// Remembers that cells have changed, for the next plan().
  void note(std::span<const CellChange> changes) { search_.note(changes); }

  Plan plan(Cell start, const Budget& budget);

  std::size_t memory_bytes() const { return search_.memory_bytes(); }

 private:
  struct Vertex {
    static constexpr std::uint32_t kMaxGeneration = 0xFFFF;

    PackedCost g = kInfinity;
    PackedCost h = kInfinity;
    std::uint16_t generation = 0;
    std::uint16_t search = 0;
    std::uint32_t position = 0;
    std::uint32_t order = 0;
    Cell next = kNoCell;  // on a path that was found
  };
  static_assert(sizeof(Vertex) == 28);

  template <Ties kTies>
  Progress search(Cell start, Meter& meter, PlanCounts& counts);

  // The procedures of the paper, under its names.
  bool goal_condition(Cell cell);
  std::vector<Cell> build_path();

  S space_;
  Ties ties_;
  AdaptiveSearch<S, Vertex> search_;
};

extern template class MultipathAdaptiveAStar<GridSpace<4>>;
extern template class MultipathAdaptiveAStar<GridSpace<8>>;
extern template class MultipathAdaptiveAStar<VoxelSpace>;

}  // namespace dynamic_planners
