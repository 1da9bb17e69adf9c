#pragma once

#include <algorithm>
#include <cstdint>

#include "dynamic_planners/search/planner.hpp"

namespace dynamic_planners {

/// How a piece of a search's work ended: it is done, the budget is spent, or the open list must
/// grow before it can go on.
enum class Progress { kDone, kSpent, kFull };

/// Watches over a budget while a search spends it.
class Meter {
 public:
  explicit Meter(const Budget& budget) : budget_(&budget) {}

  /// To be asked before each piece of work; true means stop, and status() says why.
  bool spent() {
    if (expansions_ >= budget_->max_expansions) return true;
    if (work_ < next_look_) return false;
    next_look_ = work_ + std::max(budget_->check_interval, 1U);
    cancelled_ = budget_->cancelled && budget_->cancelled();
    late_ = budget_->deadline != Budget::Clock::time_point::max() &&
            Budget::Clock::now() >= budget_->deadline;
    return cancelled_ || late_;
  }

  /// An expansion was made.
  void expanded() {
    ++work_;
    ++expansions_;
  }
  /// Something was done that takes about as long as so many expansions and is none.
  void worked(std::uint64_t pieces = 1) { work_ += pieces; }

  PlanStatus status() const {
    return cancelled_ ? PlanStatus::kCancelled : PlanStatus::kOutOfBudget;
  }
  std::uint64_t expansions() const { return expansions_; }

 private:
  const Budget* budget_;
  std::uint64_t expansions_ = 0;
  std::uint64_t work_ = 0;
  std::uint64_t next_look_ = 0;
  bool cancelled_ = false;
  bool late_ = false;
};

}  // namespace dynamic_planners
