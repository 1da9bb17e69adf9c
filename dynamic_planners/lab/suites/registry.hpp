#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "dynamic_planners/lab/experiment.hpp"

namespace dynamic_planners {

/// What a suite can be told.
struct SuiteOptions {
  /// As few runs as take no more than two minutes.
  bool quick = false;
  /// So many runs of each scenario, and not as many as the source has or `quick` allows.
  std::optional<std::uint64_t> runs = std::nullopt;
  /// For unknown-terrain: a folder of maps that are terrains too.
  std::filesystem::path maps = {};
};

/// A suite under its one name.
struct SuiteInfo {
  std::string_view name;
  std::string_view title;
  Suite (*make)(const SuiteOptions& options);
};

/// All suites, in the order in which people should see them.
std::span<const SuiteInfo> suites();

/// Nothing when there is none of this name.
const SuiteInfo* find_suite(std::string_view name);

}  // namespace dynamic_planners
