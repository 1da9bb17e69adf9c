#pragma once

#include <filesystem>
#include <optional>
#include <ostream>

namespace dynamic_planners {

struct DemoOptions {
  /// Where the recording, the results and a picture are left.
  std::optional<std::filesystem::path> directory = std::nullopt;
};

/// Shows a newcomer what the package is about. Throws InputError.
void run_demo(const DemoOptions& options, std::ostream& output);

}  // namespace dynamic_planners
