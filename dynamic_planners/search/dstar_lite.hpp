#pragma once

#include <cstdint>

#include "dynamic_planners/grid/voxel_space.hpp"
#include "dynamic_planners/search/repairing_search.hpp"

namespace dynamic_planners {

struct DStarLiteVertex {
  static constexpr bool kNamesOthers = false;
  static constexpr std::uint32_t kMaxGeneration = 0x3FFF;

  PackedCost g = kInfinity;
  PackedCost rhs = kInfinity;
  std::uint16_t generation : 14 = 0;
  std::uint16_t was_expanded : 1 = false;
  std::uint16_t marked : 1 = false;
  std::uint32_t position = 0;

  Cost cost_to_goal() const { return g; }
};
static_assert(sizeof(DStarLiteVertex) == 16);

/// D* Lite, the optimised version: S. Koenig, M. Likhachev, "D* Lite", AAAI 2002, figure 4 (and
/// "Fast Replanning for Navigation in Unknown Terrain", IEEE Transactions on Robotics 21(3), 2005).
///
/// Searches from the goal to the start and keeps what it found. A change of the world makes the
/// cells around it inconsistent (g != rhs); only what depends on these is expanded again. The start
/// may move freely; k_m keeps the queued keys lower bounds of what they ought to be.
///
/// Where the paper's keys are equal in their first part, f, the smaller min(g, rhs) comes first,
/// and the search goes on until the start comes before all others of its own f, of which there are
/// many over open ground. Here, of equal f, underconsistent vertices come first; the order within
/// either kind is left open, since no expansion makes the f of another vertex less than its own.
/// Once an overconsistent one of the start's f is at the top, no cost that the start relies on can
/// still rise, and none of those left can lower it: the search ends there.
///
/// With four neighbours the paper's order stands. There most vertices have the f of many others,
/// and the paper's first search expands all of the start's. Left out, they fall to the repairs,
/// which are then given up for new searches time and again: among random obstacles, 512 x 512 cells
/// of which 2 % change, all that takes half as many expansions again.
///
/// The paper takes in changed edges one by one. Here a set of changed cells is taken in at once:
/// each vertex near them gets its rhs anew, from its neighbours, exactly one time.
///
/// 16 bytes per cell and the open list.
template <Space S>
class DStarLite final : public RepairingSearch<S, DStarLiteVertex> {
 public:
  DStarLite(const S& space, const PlannerConfig& /*config*/) : Base(space) {}

 private:
  using Base = RepairingSearch<S, DStarLiteVertex>;
  using Vertex = DStarLiteVertex;
  using Base::goal_;
  using Base::k_m_;
  using Base::open_;  // U
  using Base::space_;
  using Base::start_;
  using Base::vertices_;

  static constexpr bool kPapersOrder = S::kMaxNeighbours == 4;

  // The procedures of the paper, under its names.
  Key calculate_key(Cell cell, const Vertex& vertex) const;
  /// Seldom called by those who look at all neighbours: kept out of their loops.
  [[gnu::noinline]] void update_vertex(Cell cell, Vertex& vertex);
  void initialize() override;
  Progress compute_shortest_path(Meter& meter);

  void update_changed(Cell cell, Vertex& vertex) override;
  Progress repair(Meter& meter) override { return compute_shortest_path(meter); }
  Cost cost() const override { return vertices_.peek(start_).rhs; }
  void check() const override;

  void lower(Cell cell, Vertex& vertex);
  void raise(Cell cell, Vertex& vertex);
};

extern template class RepairingSearch<GridSpace<4>, DStarLiteVertex>;
extern template class RepairingSearch<GridSpace<8>, DStarLiteVertex>;
extern template class RepairingSearch<VoxelSpace, DStarLiteVertex>;
extern template class DStarLite<GridSpace<4>>;
extern template class DStarLite<GridSpace<8>>;
extern template class DStarLite<VoxelSpace>;

}  // namespace dynamic_planners
