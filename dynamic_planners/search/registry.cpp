#include "dynamic_planners/search/registry.hpp"

#include <array>
#include <stdexcept>

#include "dynamic_planners/search/ad.hpp"
#include "dynamic_planners/search/adaptive_astar.hpp"
#include "dynamic_planners/search/ara.hpp"
#include "dynamic_planners/search/astar.hpp"
#include "dynamic_planners/search/dstar_lite.hpp"
#include "dynamic_planners/search/mpaa.hpp"
#include "dynamic_planners/search/per_goal.hpp"

namespace dynamic_planners {
namespace {

template <template <typename> typename PlannerOver>
std::unique_ptr<Planner> make(const Grid& grid, const PlannerConfig& config) {
  switch (config.traversal.connectivity) {
    case 4:
      return std::make_unique<PlannerOver<GridSpace<4>>>(GridSpace<4>(grid, config.traversal),
                                                         config);
    case 8:
      return std::make_unique<PlannerOver<GridSpace<8>>>(GridSpace<8>(grid, config.traversal),
                                                         config);
    default:
      throw std::invalid_argument("connectivity must be 4 or 8, not " +
                                  std::to_string(config.traversal.connectivity));
  }
}

template <typename S>
using AdaptiveAStarPlanner = PerGoal<S, AdaptiveAStar<S>>;
template <typename S>
using MultipathAdaptiveAStarPlanner = PerGoal<S, MultipathAdaptiveAStar<S>>;
template <typename S>
using DStarLitePlanner = PerGoal<S, DStarLite<S>>;
template <typename S>
using AnytimeDStarPlanner = PerGoal<S, AnytimeDStar<S>>;

constexpr std::array kPlanners{
    PlannerInfo{"astar", "A*", Promise::kOptimal, make<AStar>},
    PlannerInfo{"adaptive_astar", "Adaptive A*", Promise::kOptimal, make<AdaptiveAStarPlanner>},
    PlannerInfo{"mpaa", "MPAA*", Promise::kOptimal, make<MultipathAdaptiveAStarPlanner>},
    PlannerInfo{"ara", "ARA*", Promise::kBounded, make<AnytimeRepairingAStar>},
    PlannerInfo{"dstar_lite", "D* Lite", Promise::kOptimal, make<DStarLitePlanner>},
    PlannerInfo{"ad", "AD*", Promise::kBounded, make<AnytimeDStarPlanner>},
};

}  // namespace

std::span<const PlannerInfo> planners() {
  return kPlanners;
}

const PlannerInfo& find_planner(std::string_view name) {
  std::string known;
  for (const PlannerInfo& info : kPlanners) {
    if (info.name == name) return info;
    known += (known.empty() ? "" : ", ") + std::string(info.name);
  }
  throw std::invalid_argument("unknown planner '" + std::string(name) + "', expected one of " +
                              known);
}

std::unique_ptr<Planner> make_planner(std::string_view name, const Grid& grid,
                                      const PlannerConfig& config) {
  return find_planner(name).make(grid, config);
}

}  // namespace dynamic_planners
