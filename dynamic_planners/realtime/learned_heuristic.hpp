#pragma once

#include <algorithm>
#include <cstdint>

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/search/vertices.hpp"

namespace dynamic_planners {

/// The heuristic h(., goal) and what a real-time search has learned of it.
///
/// What was learned for one goal may serve the next: where h is consistent, so is
/// max(h(s, goal), learned(s) - learned(goal)), which is 0 at the new goal (X. Sun, S. Koenig,
/// W. Yeoh, "Generalized Adaptive A*", AAMAS 2008, on moving targets). Nothing is rewritten for it:
/// all learned values are stored with an offset that only grows, and so a new goal is a larger
/// offset, whatever the size of the map. What the offset has overtaken is forgotten.
template <Space S>
class LearnedHeuristic {
 public:
  explicit LearnedHeuristic(const S& space)
      : space_(space), learned_(space.size()), h_(space.heuristic_to(0)) {
    learned_.prefault();
  }

  Cell goal() const { return goal_; }

  void set_goal(Cell goal) {
    if (goal == goal_) return;
    if (goal_ != kNoCell) offset_ += (*this)(goal);
    goal_ = goal;
    h_ = space_.heuristic_to(goal);
  }

  /// To add kInfinity would do too, and after 16 million times no more.
  void forget() {
    offset_ = std::max(offset_, most_stored_);
    goal_ = kNoCell;
  }

  Cost operator()(Cell cell) const {
    const std::uint64_t stored = learned_[cell];
    return std::max(h_(cell), stored > offset_ ? stored - offset_ : 0);
  }

  void learn(Cell cell, Cost h) {
    const std::uint64_t stored = offset_ + std::min(h, kMost);
    learned_[cell] = stored;
    most_stored_ = std::max(most_stored_, stored);
  }

  std::size_t memory_bytes() const { return learned_.size() * sizeof(std::uint64_t); }

 private:
  /// A robot that is locked in learns larger and larger values; sums with them must not overflow.
  static constexpr Cost kMost = kInfinity / 2;

  S space_;
  ZeroedArray<std::uint64_t> learned_;
  std::uint64_t offset_ = 0;
  std::uint64_t most_stored_ = 0;
  Cell goal_ = kNoCell;
  typename S::HeuristicTo h_;
};

}  // namespace dynamic_planners
