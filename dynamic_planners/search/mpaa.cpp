#include "dynamic_planners/search/mpaa.hpp"

#include <utility>

#include "dynamic_planners/search/answer.hpp"

namespace dynamic_planners {

template <Space S>
MultipathAdaptiveAStar<S>::MultipathAdaptiveAStar(const S& space, const PlannerConfig& config)
    : space_(space), ties_(config.ties), search_(space) {}

template <Space S>
Plan MultipathAdaptiveAStar<S>::plan(Cell start, const Budget& budget) {
  Meter meter(budget);
  Plan plan;
  const Progress progress =
      ties_ == Ties::kLargerG ? search<Ties::kLargerG>(start, meter, plan.counts)
      : ties_ == Ties::kFifo  ? search<Ties::kFifo>(start, meter, plan.counts)
                              : search<Ties::kSmallerG>(start, meter, plan.counts);
  if (progress == Progress::kSpent) {
    plan.status = meter.status();
    return plan;
  }
  search_.check();
  if (search_.end() == kNoCell) return plan;
  plan.status = PlanStatus::kFound;
  plan.bound = 1.0;
  plan.cost = search_.cost();
  plan.points = to_points(space_, build_path());
  return plan;
}

template <Space S>
template <Ties kTies>
Progress MultipathAdaptiveAStar<S>::search(Cell start, Meter& meter, PlanCounts& counts) {
  return search_.run(
      start, meter, counts,
      [](Cell, const Vertex& vertex) {
        const Cost g = vertex.g;
        const Cost h = vertex.h;
        // Of two cells with the same f, the one with the larger g has the smaller h.
        if constexpr (kTies == Ties::kLargerG) return Key{g + h, h};
        if constexpr (kTies == Ties::kFifo) return Key{g + h, vertex.order};
        if constexpr (kTies == Ties::kSmallerG) return Key{g + h, g};
      },
      [&](Cell cell) { return goal_condition(cell); });
}

/// Whether a remembered path leads from here to the goal and costs what h says.
template <Space S>
bool MultipathAdaptiveAStar<S>::goal_condition(Cell cell) {
  Cell at = cell;
  while (at != goal()) {
    const Cell next = search_.vertices().peek(at).next;
    if (next == kNoCell || search_.h(at) != space_.step_cost(at, next) + search_.h(next)) break;
    at = next;
  }
  if (at == goal()) return true;
  // Neither costs nor h change while the search lasts: nobody need walk here again.
  while (cell != at) cell = std::exchange(search_.vertices()[cell].next, kNoCell);
  search_.vertices()[at].next = kNoCell;
  return false;
}

template <Space S>
std::vector<Cell> MultipathAdaptiveAStar<S>::build_path() {
  std::vector<Cell> cells = search_.cells();
  for (std::size_t i = 1; i < cells.size(); ++i) {
    search_.vertices()[cells[i - 1]].next = cells[i];
  }
  while (cells.back() != goal()) {
    cells.push_back(search_.vertices().peek(cells.back()).next);
  }
  return cells;
}

template class MultipathAdaptiveAStar<GridSpace<4>>;
template class MultipathAdaptiveAStar<GridSpace<8>>;
template class MultipathAdaptiveAStar<VoxelSpace>;

}  // namespace dynamic_planners
