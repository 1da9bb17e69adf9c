#pragma once

#include <cstdint>
#include <span>

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/grid/voxel_space.hpp"
#include "dynamic_planners/search/adaptive_search.hpp"
#include "dynamic_planners/search/planner.hpp"
#include "dynamic_planners/search/vertices.hpp"

namespace dynamic_planners {

/// Adaptive A*: S. Koenig, M. Likhachev, "Adaptive A*", AAMAS 2005; with the consistency procedure
/// of X. Sun, S. Koenig, W. Yeoh, "Generalized Adaptive A*", AAMAS 2008, so that it finds the best
/// path also where costs fall.
///
/// Searches forward and anew whenever something has changed, but with what the searches before have
/// learned: the heuristic of every cell that was expanded is as large as that search proved. Ties
/// go to the larger g.
template <Space S>
class AdaptiveAStar {
 public:
  AdaptiveAStar(const S& space, const PlannerConfig& config);

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
  };
  static_assert(sizeof(Vertex) == 20);

  S space_;
  AdaptiveSearch<S, Vertex> search_;
};

extern template class AdaptiveAStar<GridSpace<4>>;
extern template class AdaptiveAStar<GridSpace<8>>;
extern template class AdaptiveAStar<VoxelSpace>;

}  // namespace dynamic_planners
