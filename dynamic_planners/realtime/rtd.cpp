#include "dynamic_planners/realtime/rtd.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "dynamic_planners/realtime/global_ad.hpp"
#include "dynamic_planners/realtime/global_dstar_lite.hpp"
#include "dynamic_planners/realtime/lrta.hpp"
#include "dynamic_planners/realtime/lss_lrta.hpp"

namespace dynamic_planners {
namespace {

template <Space S>
std::unique_ptr<GlobalSearch<S>> make_global(const S& space, const RealTimeConfig& config) {
  if (config.global == GlobalSearchKind::kAD) {
    return std::make_unique<GlobalAD<S>>(space, config.anytime);
  }
  return std::make_unique<GlobalDStarLite<S>>(space);
}

template <Space S>
std::unique_ptr<RealTimePlanner> make_local(const S& space, LocalSearchKind kind) {
  switch (kind) {
    case LocalSearchKind::kLRTA:
      return std::make_unique<LRTAStar<S>>(space);
    case LocalSearchKind::kLSSLRTA:
      return std::make_unique<LSSLRTAStar<S>>(space);
    case LocalSearchKind::kNoOp:
      break;
  }
  return nullptr;
}

}  // namespace

template <Space S>
RTDStar<S>::RTDStar(const S& space, const RealTimeConfig& config)
    : space_(space),
      local_ratio_(config.local_ratio),
      global_(make_global(space, config)),
      local_(make_local(space, config.local)) {
  if (!(local_ratio_ >= 0.0 && local_ratio_ <= 1.0)) {
    throw std::invalid_argument("local_ratio must be from 0 to 1, not " +
                                std::to_string(local_ratio_));
  }
}

template <Space S>
void RTDStar<S>::update(std::span<const CellChange> changes) {
  global_->note(changes);
  if (local_) local_->update(changes);
}

/// The loop of the paper's Main, lines 26 to 35, once.
template <Space S>
Step RTDStar<S>::step(Cell start, Cell goal, std::uint64_t limit, Deadline deadline) {
  Step step;
  guide_ = Guide::kNone;
  const bool answered = answered_at_once(space_, start, goal, limit, step);
  if (goal != global_->goal()) global_->restart(goal);
  const std::uint64_t local = local_limit(limit);
  const std::uint64_t global = limit == kUnlimited ? kUnlimited : limit - local;
  // Who must wait can think meanwhile.
  const Deadline global_deadline = local_ ? share_of(deadline, 1.0 - local_ratio_) : deadline;
  const bool complete = global_->compute_shortest_path(start, global, global_deadline, step.counts);
  if (!answered) choose_step(complete, local, deadline, start, step);
  return step;
}

template <Space S>
void RTDStar<S>::choose_step(bool complete, std::uint64_t local_limit, Deadline deadline,
                             Cell start, Step& step) {
  if (complete && global_->cost() == kInfinity) {
    step.status = StepStatus::kNoPath;
  } else if (complete) {
    step.status = StepStatus::kFullyInformed;
    step.cost = global_->cost();
    step.next = global_->take_first_step();
    guide_ = Guide::kGlobal;
  } else if (local_) {
    const Step look = local_->step(start, global_->goal(), local_limit, deadline);
    step.status = look.status;
    step.cost = look.cost;
    step.next = look.next;
    step.counts.local_expansions = look.counts.local_expansions;
    guide_ = Guide::kLocal;
  }
}

/// Line 21 of the paper, but never less than one.
template <Space S>
std::uint64_t RTDStar<S>::local_limit(std::uint64_t limit) const {
  if (!local_) return 0;
  if (limit == kUnlimited) return kUnlimited;
  const auto share = std::llround(local_ratio_ * static_cast<double>(limit));
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(share), 1, limit);
}

template <Space S>
std::size_t RTDStar<S>::way(std::span<Cell> cells) const {
  if (guide_ == Guide::kNone) return 0;
  return guide_ == Guide::kGlobal ? global_->way(cells) : local_->way(cells);
}

template <Space S>
void RTDStar<S>::reset() {
  guide_ = Guide::kNone;
  global_->restart(kNoCell);
  if (local_) local_->reset();
}

template <Space S>
std::size_t RTDStar<S>::memory_bytes() const {
  return global_->memory_bytes() + (local_ ? local_->memory_bytes() : 0);
}

template class RTDStar<GridSpace<4>>;
template class RTDStar<GridSpace<8>>;

}  // namespace dynamic_planners
