#pragma once

#include <chrono>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

namespace dynamic_planners {

/// How far a long run has come: a bar that is drawn again and again on a terminal, a line now and
/// then elsewhere.
class ProgressBar {
 public:
  ProgressBar(std::ostream& output, bool is_terminal) : output_(output), terminal_(is_terminal) {}
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  /// Wipes the bar.
  ~ProgressBar();

  /// So many pieces of work of so many are done, and this is the next.
  void show(std::size_t done, std::size_t all, std::string_view next);

 private:
  using Clock = std::chrono::steady_clock;

  std::string time_left(std::size_t done, std::size_t all);

  std::ostream& output_;
  bool terminal_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point shown_ = {};
  std::size_t first_ = 0;
};

}  // namespace dynamic_planners
