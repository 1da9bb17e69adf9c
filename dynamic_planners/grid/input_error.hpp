#pragma once

#include <stdexcept>
#include <string>

namespace dynamic_planners {

/// Something read from outside is not as it should be. The message is one line that names the place
/// and what was expected there: "FILE:LINE: expected …, found …".
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  /// Line 0 means the file as a whole.
  InputError(const std::string& file, std::size_t line, const std::string& what)
      : std::runtime_error(file + ":" + (line > 0 ? std::to_string(line) + ":" : "") + " " + what) {
  }
};

}  // namespace dynamic_planners
