#include "dynamic_planners/search/registry.hpp"

#include <array>
#include <stdexcept>

#include "dynamic_planners/search/astar.hpp"
#include "dynamic_planners/search/dstar_lite.hpp"
#include "dynamic_planners/search/field_dstar.hpp"
#include "dynamic_planners/search/per_goal.hpp"
#include "dynamic_planners/search/theta.hpp"

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

/// To go at any angle is to have no connectivity: of either it reaches the same cells.
template <typename AnyAnglePlanner>
std::unique_ptr<Planner> make_any_angle(const Grid& grid, const PlannerConfig& config) {
  const int connectivity = config.traversal.connectivity;
  if (connectivity != 4 && connectivity != 8) {
    throw std::invalid_argument("connectivity must be 4 or 8, not " + std::to_string(connectivity));
  }
  PlannerConfig of_eight = config;
  of_eight.traversal.connectivity = 8;
  return std::make_unique<AnyAnglePlanner>(GridSpace<8>(grid, of_eight.traversal), of_eight);
}

template <typename S>
using DStarLitePlanner = PerGoal<S, DStarLite<S>>;

constexpr std::array kPlanners{
    PlannerInfo{"astar", "A*", Promise::kOptimal, make<AStar>},
    PlannerInfo{"theta", "Theta*", Promise::kAnyAngle, make_any_angle<ThetaStar>},
    PlannerInfo{"dstar_lite", "D* Lite", Promise::kOptimal, make<DStarLitePlanner>},
    PlannerInfo{"field_dstar", "Field D*", Promise::kAnyAngle,
                make_any_angle<PerGoal<GridSpace<8>, FieldDStar>>},
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
