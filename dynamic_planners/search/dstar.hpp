#pragma once

#include <cstdint>

#include "dynamic_planners/grid/voxel_space.hpp"
#include "dynamic_planners/search/repairing_search.hpp"

namespace dynamic_planners {

struct DStarVertex {
  static constexpr bool kNamesOthers = true;
  static constexpr std::uint32_t kMaxGeneration = 0x3FFF;

  PackedCost h = kInfinity;  // kInfinity and not queued: NEW
  /// The least h since the vertex was queued, and the one before; h itself when it is not queued.
  PackedCost k = kInfinity;
  std::uint16_t generation : 14 = 0;
  std::uint16_t was_expanded : 1 = false;
  std::uint16_t marked : 1 = false;
  std::uint32_t position = 0;
  Cell b = kNoCell;  // the backpointer; kNoCell where h is kInfinity and at the goal

  Cost cost_to_goal() const { return h; }
};
static_assert(sizeof(DStarVertex) == 20);

/// D*, focussed: A. Stentz, "Optimal and Efficient Path Planning for Partially-Known Environments",
/// ICRA 1994, with the focussing of A. Stentz, "The Focussed D* Algorithm for Real-Time
/// Replanning", IJCAI 1995.
///
/// Searches from the goal to the robot. h is what a state holds its way to the goal to cost, k the
/// least h since it was queued. A queued state is LOWER when k = h: its neighbours may become
/// cheaper; and RAISE when k < h: it has become dearer, looks for another way among the neighbours
/// that are surely right, and tells those who rely on it. States are taken in the order of k plus
/// the heuristic to the robot; k_m is the accumulated bias of the focussing.
///
/// It ends when the robot's own h comes before all that is queued in the order (f, k). With f alone
/// it could end while a state of the path, equal in f, is yet to be raised.
///
/// Departures from the papers. A state whose way is gone has h = infinity and counts as NEW where
/// they give obstacles a large cost. A RAISE state gives nothing to NEW ones at once, but waits to
/// be LOWER, as it does for others whom it could improve: so backpointers are only ever set to a
/// state that is right at that moment, and never form a cycle. A set of changes is taken in at
/// once: a state whose backpointer's move has become dearer is raised by that itself.
///
/// 20 bytes per cell and the open list.
template <Space S>
class DStar final : public RepairingSearch<S, DStarVertex> {
 public:
  DStar(const S& space, const PlannerConfig& /*config*/) : Base(space) {}

 private:
  using Base = RepairingSearch<S, DStarVertex>;
  using Vertex = DStarVertex;
  using Base::goal_;
  using Base::open_;
  using Base::space_;
  using Base::start_;
  using Base::vertices_;

  // The procedures of the papers, under their names.
  Key cost_of(Cell cell, const Vertex& vertex) const { return this->key(cell, vertex.h); }
  void insert(Cell cell, Vertex& vertex, Cost h_new);
  void process_state(Cell cell, Vertex& vertex);
  void modify_cost(Cell cell, Vertex& vertex);

  void initialize() override { insert(goal_, vertices_[goal_], 0); }
  void update_changed(Cell cell, Vertex& vertex) override { modify_cost(cell, vertex); }
  Progress repair(Meter& meter) override;
  void check() const override;

  void find_another_way(Cell cell, Vertex& vertex, const Key& val) const;
  void process_lower(Cell cell, const Vertex& vertex);
  void process_raise(Cell cell, Vertex& vertex);
  bool is_too_cheap(Cell cell, const Vertex& vertex) const;
};

extern template class RepairingSearch<GridSpace<4>, DStarVertex>;
extern template class RepairingSearch<GridSpace<8>, DStarVertex>;
extern template class RepairingSearch<VoxelSpace, DStarVertex>;
extern template class DStar<GridSpace<4>>;
extern template class DStar<GridSpace<8>>;
extern template class DStar<VoxelSpace>;

}  // namespace dynamic_planners
