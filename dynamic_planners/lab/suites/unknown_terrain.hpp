#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "dynamic_planners/lab/experiment.hpp"

namespace dynamic_planners {

/// How much of the suite.
struct UnknownTerrainConfig {
  /// Problems of each terrain.
  std::uint64_t runs = 200;
  int size = 512;
  std::vector<int> visibilities = {2, 10, 20};
  /// The maps of this folder and below are terrains too, with the problems that lie there under the
  /// name of the map and `.scen`; empty means none.
  std::filesystem::path maps = {};
};

/// The experiments of C. Hernández, J. Baier, R. Asín, "Multipath Adaptive A*: Factors That
/// Influence Performance in Goal-Directed Navigation in Unknown Terrain", IEEE Access 8, 2020,
/// section V, with more of our planners beside those of the paper. A scenario is named
/// TERRAIN-HEURISTIC-VISIBILITY. Throws InputError.
Suite unknown_terrain_suite(const UnknownTerrainConfig& config = {});

}  // namespace dynamic_planners
