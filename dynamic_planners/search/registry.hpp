#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "dynamic_planners/grid/voxels.hpp"
#include "dynamic_planners/search/planner.hpp"

namespace dynamic_planners {

/// What is promised of a path that is found.
enum class Promise {
  kOptimal,   // no path from cell to cell costs less; the bound is 1
  kBounded,   // from cell to cell, within the bound it states
  kAnyAngle,  // need not lead from cell to cell, so it may even be shorter than the best that does
};

/// One planner under its one name. Whatever lists planners (the program, the property tests, the
/// benchmarks) reads it from here.
struct PlannerInfo {
  std::string_view name;
  std::string_view title;
  /// Its name in a Nav2 configuration.
  std::string_view plugin;
  Promise promise;
  std::unique_ptr<Planner> (*make)(const Grid& grid, const PlannerConfig& config);
  /// The same search among voxels; nullptr for those that are made for the plane.
  std::unique_ptr<Planner> (*make_in_voxels)(const Voxels& voxels, const PlannerConfig& config);
};

/// All planners, in the order in which people should see them.
std::span<const PlannerInfo> planners();

/// Throws std::invalid_argument that lists the known names when there is none of this one.
const PlannerInfo& find_planner(std::string_view name);

/// The same for the name in a Nav2 configuration.
const PlannerInfo& find_plugin(std::string_view plugin);

/// A new planner over `grid`, which must outlive it. Throws std::invalid_argument when the name is
/// unknown or the configuration does not fit the grid.
std::unique_ptr<Planner> make_planner(std::string_view name, const Grid& grid,
                                      const PlannerConfig& config = {});

}  // namespace dynamic_planners
