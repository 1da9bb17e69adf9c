#include "dynamic_planners/search/lpa.hpp"

#include <algorithm>

namespace dynamic_planners {

template <Space S>
void LifelongPlanningAStar<S>::restart(Cell goal) {
  goal_ = goal;
  reversed_.restart(kNoCell);
}

template <Space S>
void LifelongPlanningAStar<S>::move(const Shift& shift) requires PlanarSpace<S> {
  goal_ = moved(reversed_.grid(), goal_, shift);
  reversed_.move(shift);
}

template <Space S>
Plan LifelongPlanningAStar<S>::plan(Cell start, const Budget& budget) {
  if (reversed_.goal() != start) reversed_.restart(start);
  Plan plan = reversed_.plan(goal_, budget);
  std::reverse(plan.points.begin(), plan.points.end());
  return plan;
}

template class LifelongPlanningAStar<GridSpace<4>>;
template class LifelongPlanningAStar<GridSpace<8>>;
template class LifelongPlanningAStar<VoxelSpace>;

}  // namespace dynamic_planners
