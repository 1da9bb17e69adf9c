#pragma once

#include <cstdint>

#include "dynamic_planners/lab/experiment.hpp"

namespace dynamic_planners {

/// How much of the suite.
struct VoxelsConfig {
  /// Scenes.
  std::uint64_t runs = 100;
  /// Steps for which the robot stands still and the world moves.
  int still_steps = 200;
  /// A robot that has not arrived by then does not arrive.
  int max_steps = 1000;
};

/// The experiments of C. Krafft, "Implementation and comparison of pathfinding algorithms in a
/// dynamic 3D space", bachelor's thesis, Hamburg, 2019, chapter 5, in the cell grid: its planners
/// under its names, and ours beside them.
///
/// Scenarios: `still`, where the robot and the destination stand still and a search counts where
/// the thesis counts a run (figure 48); `moving destination` (figures 49 to 52) and `still
/// destination` (figure 53), where a robot that thinks as fast as that of the thesis flies; `no
/// limit`, the first of these with a robot that thinks as much as it wants to.
///
/// Quantities: how many runs there were and how many succeeded, and sums over those that did. A run
/// that failed has a length, but not one that could be compared.
Suite voxels_suite(const VoxelsConfig& config = {});

}  // namespace dynamic_planners
