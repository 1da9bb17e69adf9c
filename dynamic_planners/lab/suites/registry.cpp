#include "dynamic_planners/lab/suites/registry.hpp"

#include <algorithm>
#include <array>

#include "dynamic_planners/lab/suites/dynamic_grids.hpp"
#include "dynamic_planners/lab/suites/real_time.hpp"
#include "dynamic_planners/lab/suites/unknown_terrain.hpp"
#include "dynamic_planners/lab/suites/voxels.hpp"

namespace dynamic_planners {
namespace {

std::uint64_t runs(const SuiteOptions& options, std::uint64_t quick, std::uint64_t full) {
  return options.runs.value_or(options.quick ? quick : full);
}

constexpr std::array kSuites{
    SuiteInfo{"dynamic-grids", "rooms and random obstacles that change, known to the robot",
              [](const SuiteOptions& options) {
                return dynamic_grids_suite({.runs = runs(options, 1, 100)});
              }},
    SuiteInfo{"real-time", "how far real-time planners travel, by their limit",
              [](const SuiteOptions& options) {
                return real_time_suite({.runs = runs(options, 5, 100)});
              }},
    SuiteInfo{"unknown-terrain", "robots that see obstacles only when they come near",
              [](const SuiteOptions& options) {
                return unknown_terrain_suite({.runs = runs(options, 1, 200), .maps = options.maps});
              }},
    SuiteInfo{
        "voxels", "three dimensions, obstacles and a destination that move",
        [](const SuiteOptions& options) { return voxels_suite({.runs = runs(options, 2, 100)}); }},
};

}  // namespace

std::span<const SuiteInfo> suites() {
  return kSuites;
}

const SuiteInfo* find_suite(std::string_view name) {
  const auto* const found = std::find_if(kSuites.begin(), kSuites.end(),
                                         [&](const SuiteInfo& info) { return info.name == name; });
  return found == kSuites.end() ? nullptr : found;
}

}  // namespace dynamic_planners
