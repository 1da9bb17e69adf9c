#pragma once

#include <cstdint>
#include <ctime>

namespace dynamic_planners {

/// Measures the time for which this thread has had a processor, in microseconds: what other
/// programs take on a shared machine does not count. It starts when it is made.
class Stopwatch {
 public:
  double us() const { return static_cast<double>(now() - begin_) / 1e3; }

 private:
  static std::int64_t now() {  // in nanoseconds
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::int64_t{1'000'000'000} * time.tv_sec + time.tv_nsec;
  }

  std::int64_t begin_ = now();
};

}  // namespace dynamic_planners
