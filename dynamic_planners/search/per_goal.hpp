#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "dynamic_planners/search/answer.hpp"
#include "dynamic_planners/search/planner.hpp"

namespace dynamic_planners {

/// Makes a planner of a search that is rooted at its goal: a new goal is a new search, and the last
/// few are kept alive, since Nav2 asks for several goals in turn.
///
/// `Search` has: Search(space, config); restart(goal); goal(); note(changes); plan(start, budget);
/// memory_bytes(); and move(shift) if what it knows can move with the grid.
template <Space S, typename Search>
class PerGoal final : public Planner {
 public:
  PerGoal(const S& space, const PlannerConfig& config) : space_(space), config_(config) {
    kept_.push_back(std::make_unique<Search>(space_, config_));
  }

  void update(std::span<const CellChange> changes) override {
    for (const auto& search : kept_) search->note(changes);
  }

  void move(const Shift& shift) override {
    if constexpr (PlanarSpace<S>) {
      for (const auto& search : kept_) {
        if constexpr (requires { search->move(shift); }) {
          search->move(shift);
        } else {
          search->restart(moved(space_.grid(), search->goal(), shift));
        }
      }
    } else {
      Planner::move(shift);
    }
  }

  Plan plan(const Query& query, const Budget& budget) override {
    if (const auto blocked = blocked_answer(space_, query)) return *blocked;
    return search_for(query.goal).plan(query.start, budget);
  }

  void reset() override {
    kept_.resize(1);
    kept_.front()->restart(kNoCell);
  }

  std::size_t memory_bytes() const override {
    std::size_t bytes = 0;
    for (const auto& search : kept_) bytes += search->memory_bytes();
    return bytes;
  }

 private:
  /// The search for this goal, moved to the front: the most recently used one comes first.
  Search& search_for(Cell goal) {
    auto found = std::find_if(kept_.begin(), kept_.end(),
                              [&](const auto& search) { return search->goal() == goal; });
    if (found == kept_.end()) {
      // One that has no goal yet serves first.
      found = std::find_if(kept_.begin(), kept_.end(),
                           [](const auto& search) { return search->goal() == kNoCell; });
      if (found == kept_.end() && may_keep_another()) {
        kept_.push_back(std::make_unique<Search>(space_, config_));
        found = kept_.end() - 1;
      }
      if (found == kept_.end()) --found;
      (*found)->restart(goal);
    }
    std::rotate(kept_.begin(), found, found + 1);
    return *kept_.front();
  }

  bool may_keep_another() const {
    return kept_.size() < static_cast<std::size_t>(std::max(config_.kept_searches, 1)) &&
           memory_bytes() + kept_.back()->memory_bytes() <= config_.memory_limit;
  }

  S space_;
  PlannerConfig config_;
  std::vector<std::unique_ptr<Search>> kept_;
};

}  // namespace dynamic_planners
