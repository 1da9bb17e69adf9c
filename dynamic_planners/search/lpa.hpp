#pragma once

#include <span>

#include "dynamic_planners/grid/voxel_space.hpp"
#include "dynamic_planners/search/dstar_lite.hpp"

namespace dynamic_planners {

/// Lifelong Planning A*: S. Koenig, M. Likhachev, "Incremental A*", NIPS 2001 (and S. Koenig,
/// M. Likhachev, D. Furcy, "Lifelong Planning A*", Artificial Intelligence 155, 2004).
///
/// Searches from the start to the goal and repairs what it found when the world changes. It is
/// rooted at the start: where the robot has moved, all it knows is of no use and it begins anew,
/// which PlanCounts::restarts tells. For robots that wait, and to see what D* Lite is worth.
///
/// D* Lite is LPA* turned round and taught to follow the start by k_m; the two papers share their
/// procedures, names and all. As moves cost the same both ways, LPA* in turn is D* Lite of the
/// reversed question, whose far end stays where it is: k_m is 0, calculate_key() is
/// [min(g, rhs) + h(s, s_goal); min(g, rhs)] but for ties, and the procedures stand in
/// dstar_lite.cpp.
///
/// 16 bytes per cell and the open list.
template <Space S>
class LifelongPlanningAStar {
 public:
  LifelongPlanningAStar(const S& space, const PlannerConfig& config) : reversed_(space, config) {}

  /// Forgets everything and is for this goal from now on.
  void restart(Cell goal);
  Cell goal() const { return goal_; }

  /// Remembers that cells have changed, for the next plan().
  void note(std::span<const CellChange> changes) { reversed_.note(changes); }

  /// The grid moved over the world.
  void move(const Shift& shift) requires PlanarSpace<S>;

  Plan plan(Cell start, const Budget& budget);

  std::size_t memory_bytes() const { return reversed_.memory_bytes(); }

 private:
  DStarLite<S> reversed_;  // its goal is the start, its start the goal
  Cell goal_ = kNoCell;
};

extern template class LifelongPlanningAStar<GridSpace<4>>;
extern template class LifelongPlanningAStar<GridSpace<8>>;
extern template class LifelongPlanningAStar<VoxelSpace>;

}  // namespace dynamic_planners
