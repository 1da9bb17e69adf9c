#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

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
  bool spent() { return work_ >= next_look_ && look(); }

  /// A cell was expanded.
  void expanded(Cell cell) {
    ++work_;
    ++expansions_;
    if (budget_->expanded != nullptr) budget_->expanded->push_back(cell);
  }
  /// Something was done that takes about as long as so many expansions and is none.
  void worked(std::uint64_t pieces = 1) { work_ += pieces; }

  PlanStatus status() const {
    return cancelled_ ? PlanStatus::kCancelled : PlanStatus::kOutOfBudget;
  }
  std::uint64_t expansions() const { return expansions_; }
  /// Expansions and what is like them.
  std::uint64_t work() const { return work_; }

  /// Lets spent() be true as well when so much work is done in all. gave_up() tells.
  void set_patience(std::uint64_t work) {
    patience_ = work;
    next_look_ = 0;
  }
  bool gave_up() const { return work_ >= patience_; }

 private:
  bool look() {
    if (expansions_ >= budget_->max_expansions || gave_up()) return true;
    cancelled_ = budget_->cancelled && budget_->cancelled();
    const bool late = budget_->deadline != Budget::Clock::time_point::max() &&
                      Budget::Clock::now() >= budget_->deadline;
    next_look_ = work_ + std::min({std::uint64_t{std::max(budget_->check_interval, 1U)},
                                   budget_->max_expansions - expansions_, patience_ - work_});
    return cancelled_ || late;
  }

  const Budget* budget_;
  std::uint64_t expansions_ = 0;
  std::uint64_t work_ = 0;
  std::uint64_t next_look_ = 0;
  std::uint64_t patience_ = std::numeric_limits<std::uint64_t>::max();
  bool cancelled_ = false;
};

}  // namespace dynamic_planners
