#include "dynamic_planners/search/adaptive_astar.hpp"

#include "dynamic_planners/search/answer.hpp"

namespace dynamic_planners {

template <Space S>
AdaptiveAStar<S>::AdaptiveAStar(const S& space, const PlannerConfig& /*config*/)
    : space_(space), search_(space) {}

template <Space S>
Plan AdaptiveAStar<S>::plan(Cell start, const Budget& budget) {
  Meter meter(budget);
  Plan plan;
  const Progress progress = search_.run(
      start, meter, plan.counts,
      // Of two cells with the same f, the one with the larger g has the smaller h.
      [](Cell, const Vertex& vertex) {
        return Key{vertex.g + vertex.h, vertex.h};
      },
      [&](Cell cell) { return cell == goal(); });
  if (progress == Progress::kSpent) {
    plan.status = meter.status();
    return plan;
  }
  search_.check();
  if (search_.end() == kNoCell) return plan;
  plan.status = PlanStatus::kFound;
  plan.bound = 1.0;
  plan.cost = search_.cost();
  plan.points = to_points(space_, search_.cells());
  return plan;
}

template class AdaptiveAStar<GridSpace<4>>;
template class AdaptiveAStar<GridSpace<8>>;
template class AdaptiveAStar<VoxelSpace>;

}  // namespace dynamic_planners
