#pragma once

#include <ctime>

namespace dynamic_planners {

/// Measures the time for which this thread has had a processor, in microseconds: what other
/// programs take on a shared machine does not count. It starts when it is made.
class Stopwatch {
 public:
  double us() const { return now() - begin_; }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
  }

  double begin_ = now();
};

}  // namespace dynamic_planners
