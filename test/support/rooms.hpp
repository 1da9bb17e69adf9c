#pragma once

#include <string>

#include "dynamic_planners/simulation/world.hpp"

namespace test_support {

inline constexpr const char* kConfig = DYNAMIC_PLANNERS_CONFIG;

/// The world of the simulations.
inline dynamic_planners::World rooms() {
  return dynamic_planners::read_world(std::string(kConfig) + "/worlds/rooms.yaml");
}

}  // namespace test_support
