#pragma once

#include <cstdint>

#include "dynamic_planners/grid/voxel_space.hpp"
#include "dynamic_planners/search/repairing_search.hpp"

namespace dynamic_planners {

struct DStarExtraLiteVertex {
  static constexpr bool kNamesOthers = true;
  static constexpr std::uint32_t kMaxGeneration = 0x3FFF;

  PackedCost g = kInfinity;  // kInfinity: not visited
  std::uint16_t generation : 14 = 0;
  std::uint16_t was_expanded : 1 = false;
  std::uint16_t marked : 1 = false;
  std::uint32_t position = 0;
  /// Of a visited vertex: the next one on the way to the goal. Of one that was just cut off: the
  /// next one in the list of those.
  Cell parent = kNoCell;

  bool visited() const { return g != kInfinity; }
  Cost cost_to_goal() const { return g; }
};
static_assert(sizeof(DStarExtraLiteVertex) == 16);

/// D* Extra Lite: M. Przybylski, B. Putz, "D* Extra Lite: A Dynamic A* with Search-Tree Cutting and
/// Frontier-Gap Repairing", International Journal of Applied Mathematics and Computer Science
/// 27(2), 2017.
///
/// A* from the goal to the start that keeps its search tree. Where a move of the tree has become
/// dearer, the whole branch behind it is cut off: its vertices are as if never visited. That leaves
/// gaps in the frontier, so the visited vertices around the branch, its rim, are opened again, and
/// the search goes on from there as any A*. Where a move has become cheaper, the vertex from which
/// it now leads to a better g is opened again.
///
/// Departures from the authors' version. A branch that another visited neighbour holds at the same
/// cost is hung onto that one, not cut off: on grids most vertices have several equally good
/// parents, and a single blocked cell would else cost half the tree. Theirs ends when the start is
/// closed or at the top of the open list, and opens it again after a fall that could matter; here
/// the search ends when nothing is open whose f is less than the start's g, which needs no such
/// care.
///
/// 16 bytes per cell and the open list.
template <Space S>
class DStarExtraLite final : public RepairingSearch<S, DStarExtraLiteVertex> {
 public:
  DStarExtraLite(const S& space, const PlannerConfig& /*config*/) : Base(space) {}

 private:
  using Base = RepairingSearch<S, DStarExtraLiteVertex>;
  using Vertex = DStarExtraLiteVertex;
  using Base::goal_;
  using Base::k_m_;
  using Base::open_;
  using Base::space_;
  using Base::start_;
  using Base::vertices_;

  // The procedures of the paper, under its names.
  Key calculate_key(Cell cell, const Vertex& vertex) const { return this->key(cell, vertex.g); }
  void initialize() override;
  Progress search(Meter& meter);
  void search_step(Cell cell, Vertex& vertex);
  Progress cut_branches(Meter& meter);
  Progress reinitialize(Meter& meter);

  void update_changed(Cell cell, Vertex& vertex) override { hang(cell, vertex); }
  Progress repair(Meter& meter) override;
  void check() const override;

  void hang(Cell cell, Vertex& vertex);
  void cut(Cell cell, Vertex& vertex);
  void reopen(Cell cell);

  /// Lists of vertices that are cut off, through their `parent`: those whose children are to be cut
  /// off too, and those around which the frontier is to be repaired after that.
  Cell to_cut_ = kNoCell;
  Cell to_repair_ = kNoCell;
};

extern template class RepairingSearch<GridSpace<4>, DStarExtraLiteVertex>;
extern template class RepairingSearch<GridSpace<8>, DStarExtraLiteVertex>;
extern template class RepairingSearch<VoxelSpace, DStarExtraLiteVertex>;
extern template class DStarExtraLite<GridSpace<4>>;
extern template class DStarExtraLite<GridSpace<8>>;
extern template class DStarExtraLite<VoxelSpace>;

}  // namespace dynamic_planners
