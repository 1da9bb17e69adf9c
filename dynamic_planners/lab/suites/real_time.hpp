#pragma once

#include <cstdint>
#include <vector>

#include "dynamic_planners/lab/experiment.hpp"

namespace dynamic_planners {

/// How much of the suite.
struct RealTimeSuiteConfig {
  std::vector<std::uint64_t> limits = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
  /// Worlds of each kind.
  std::uint64_t runs = 100;
  int unknown_size = 161;
  int rooms_size = 100;
};

/// The experiments of D. M. Bond, N. A. Widger, W. Ruml, X. Sun, "Real-Time Search in Dynamic
/// Worlds", SoCS 2010: unknown static worlds (figure 3) and dynamic rooms (figure 4), every pairing
/// of a global with a local search, and the baselines. A scenario is named WORLD-LIMIT.
Suite real_time_suite(const RealTimeSuiteConfig& config = {});

}  // namespace dynamic_planners
