#include "dynamic_planners/lab/progress.hpp"

#include <fmt/format.h>

namespace dynamic_planners {
namespace {

constexpr std::size_t kBarWidth = 30;
constexpr std::string_view kWipe = "\r\x1b[K";
constexpr std::chrono::milliseconds kBarPause{100};
constexpr std::chrono::seconds kLinePause{30};

}  // namespace

ProgressBar::~ProgressBar() {
  if (terminal_) output_ << kWipe << std::flush;
}

void ProgressBar::show(std::size_t done, std::size_t all, std::string_view next) {
  const auto now = Clock::now();
  if (shown_ == Clock::time_point{}) {
    first_ = done;
  } else if (now - shown_ <
             (terminal_ ? Clock::duration(kBarPause) : Clock::duration(kLinePause))) {
    return;
  }
  shown_ = now;
  const std::string text = fmt::format("{}/{} {}{}", done, all, next, time_left(done, all));
  if (terminal_) {
    output_ << fmt::format("{}[{:<{}}] {}", kWipe, std::string(kBarWidth * done / all, '#'),
                           kBarWidth, text);
  } else {
    output_ << text << '\n';
  }
  output_ << std::flush;
}

/// As long as the work of this run has taken, what is left will take.
std::string ProgressBar::time_left(std::size_t done, std::size_t all) {
  if (done == first_) return "";
  const std::chrono::duration<double> passed = Clock::now() - begin_;
  const auto seconds = static_cast<long>(passed.count() * static_cast<double>(all - done) /
                                         static_cast<double>(done - first_));
  return fmt::format(", {}:{:02}:{:02} left", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

}  // namespace dynamic_planners
