#pragma once

#include <cstdint>
#include <vector>

#include "dynamic_planners/lab/experiment.hpp"

namespace dynamic_planners {

/// How much of the suite.
struct DynamicGridsConfig {
  std::vector<int> sizes = {128, 256, 512};
  /// Percent of the dynamic obstacles.
  std::vector<int> changes = {2, 5, 10, 20};
  std::uint64_t runs = 100;
};

/// The experiments of J. Mäntysalo, "Graph search-based pathfinding in dynamic environments",
/// master's thesis, University of Turku, 2024, chapters 4 and 5, with all our planners beside those
/// of the thesis. A scenario is named KIND-SIZE-CHANGE. That P percent of the obstacles change
/// means that so many draw their state anew; what A* and D* Lite do where so many become what they
/// were not has the name KIND-SIZE-CHANGE-switched.
Suite dynamic_grids_suite(const DynamicGridsConfig& config = {});

}  // namespace dynamic_planners
