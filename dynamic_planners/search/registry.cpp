#include "dynamic_planners/search/registry.hpp"

#include <array>
#include <stdexcept>

#include "dynamic_planners/search/ad.hpp"
#include "dynamic_planners/search/adaptive_astar.hpp"
#include "dynamic_planners/search/ara.hpp"
#include "dynamic_planners/search/astar.hpp"
#include "dynamic_planners/search/dstar.hpp"
#include "dynamic_planners/search/dstar_extra_lite.hpp"
#include "dynamic_planners/search/dstar_lite.hpp"
#include "dynamic_planners/search/field_dstar.hpp"
#include "dynamic_planners/search/lpa.hpp"
#include "dynamic_planners/search/mpaa.hpp"
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

template <template <typename> typename PlannerOver>
std::unique_ptr<Planner> make_in_voxels(const Voxels& voxels, const PlannerConfig& config) {
  return std::make_unique<PlannerOver<VoxelSpace>>(VoxelSpace(voxels, config.traversal), config);
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
using AdaptiveAStarPlanner = PerGoal<S, AdaptiveAStar<S>>;
template <typename S>
using MPAAStarPlanner = PerGoal<S, MultipathAdaptiveAStar<S>>;
template <typename S>
using LPAStarPlanner = PerGoal<S, LifelongPlanningAStar<S>>;
template <typename S>
using DStarPlanner = PerGoal<S, DStar<S>>;
template <typename S>
using DStarLitePlanner = PerGoal<S, DStarLite<S>>;
template <typename S>
using DStarExtraLitePlanner = PerGoal<S, DStarExtraLite<S>>;
template <typename S>
using ADStarPlanner = PerGoal<S, AnytimeDStar<S>>;

constexpr auto kOptimal = Promise::kOptimal;
constexpr auto kBounded = Promise::kBounded;
constexpr auto kAnyAngle = Promise::kAnyAngle;

constexpr std::array kPlanners{
    PlannerInfo{"astar", "A*", "dynamic_planners::AStar", kOptimal, make<AStar>,
                make_in_voxels<AStar>},
    PlannerInfo{"adaptive_astar", "Adaptive A*", "dynamic_planners::AdaptiveAStar", kOptimal,
                make<AdaptiveAStarPlanner>, make_in_voxels<AdaptiveAStarPlanner>},
    PlannerInfo{"mpaa", "MPAA*", "dynamic_planners::MPAAStar", kOptimal, make<MPAAStarPlanner>,
                make_in_voxels<MPAAStarPlanner>},
    PlannerInfo{"ara", "ARA*", "dynamic_planners::ARAStar", kBounded, make<AnytimeRepairingAStar>,
                make_in_voxels<AnytimeRepairingAStar>},
    PlannerInfo{"theta", "Theta*", "dynamic_planners::ThetaStar", kAnyAngle,
                make_any_angle<ThetaStar<GridSpace<8>>>, make_in_voxels<ThetaStar>},
    PlannerInfo{"lpa", "LPA*", "dynamic_planners::LPAStar", kOptimal, make<LPAStarPlanner>,
                make_in_voxels<LPAStarPlanner>},
    PlannerInfo{"dstar", "D*", "dynamic_planners::DStar", kOptimal, make<DStarPlanner>,
                make_in_voxels<DStarPlanner>},
    PlannerInfo{"dstar_lite", "D* Lite", "dynamic_planners::DStarLite", kOptimal,
                make<DStarLitePlanner>, make_in_voxels<DStarLitePlanner>},
    PlannerInfo{"dstar_extra_lite", "D* Extra Lite", "dynamic_planners::DStarExtraLite", kOptimal,
                make<DStarExtraLitePlanner>, make_in_voxels<DStarExtraLitePlanner>},
    PlannerInfo{"ad", "AD*", "dynamic_planners::ADStar", kBounded, make<ADStarPlanner>,
                make_in_voxels<ADStarPlanner>},
    PlannerInfo{"field_dstar", "Field D*", "dynamic_planners::FieldDStar", kAnyAngle,
                make_any_angle<PerGoal<GridSpace<8>, FieldDStar>>, nullptr},
};

const PlannerInfo& find(std::string_view PlannerInfo::*member, std::string_view name) {
  std::string known;
  for (const PlannerInfo& info : kPlanners) {
    if (info.*member == name) return info;
    known += (known.empty() ? "" : ", ") + std::string(info.*member);
  }
  throw std::invalid_argument("unknown planner '" + std::string(name) + "', expected one of " +
                              known);
}

}  // namespace

std::span<const PlannerInfo> planners() {
  return kPlanners;
}

const PlannerInfo& find_planner(std::string_view name) {
  return find(&PlannerInfo::name, name);
}

const PlannerInfo& find_plugin(std::string_view plugin) {
  return find(&PlannerInfo::plugin, plugin);
}

std::unique_ptr<Planner> make_planner(std::string_view name, const Grid& grid,
                                      const PlannerConfig& config) {
  return find_planner(name).make(grid, config);
}

}  // namespace dynamic_planners
