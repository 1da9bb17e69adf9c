#pragma once

#include <algorithm>
#include <cstdint>

#include "dynamic_planners/realtime/real_time_planner.hpp"

namespace dynamic_planners {

/// What is left of a step's limit while a search spends it.
class Work {
 public:
  explicit Work(std::uint64_t expansions)
      : left_(std::min(expansions, kUnlimited / kExpansion) * kExpansion) {}

  std::uint64_t expansions_left() const { return left_ / kExpansion; }

  /// Whether there was enough left for it.
  bool spend_expansions(std::uint64_t count) { return spend(count * kExpansion); }
  bool spend_requeued() { return spend(1); }

 private:
  static constexpr std::uint64_t kExpansion = kRequeuedPerExpansion;

  bool spend(std::uint64_t work) {
    if (left_ < work) return false;
    left_ -= work;
    return true;
  }

  std::uint64_t left_;
};

}  // namespace dynamic_planners
