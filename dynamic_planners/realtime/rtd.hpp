#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/realtime/global_search.hpp"
#include "dynamic_planners/realtime/real_time_planner.hpp"

namespace dynamic_planners {

/// RTD*: D. M. Bond, N. A. Widger, W. Ruml, X. Sun, "Real-Time Search in Dynamic Worlds", SoCS
/// 2010.
///
/// A global search comes from the goal towards the robot, a little with every step, and repairs
/// what a change of the world has made wrong. Once it has arrived, the robot follows its path;
/// before that, a local search around the robot chooses the step.
///
/// The paper bounds the expansions of a step. Here all of it is bounded: the open list costs the
/// same on every map (BucketQueue), and changes enter the global search in portions within the
/// limit, while the local search sees all of them at once (PortionedSearch).
template <Space S>
class RTDStar final : public RealTimePlanner {
 public:
  /// Throws std::invalid_argument when a value of the configuration is out of its range.
  RTDStar(const S& space, const RealTimeConfig& config);

  void update(std::span<const CellChange> changes) override;
  Step step(Cell start, Cell goal, std::uint64_t limit, Deadline deadline) override;
  std::size_t way(std::span<Cell> cells) const override;
  void reset() override;
  std::size_t memory_bytes() const override;

 private:
  // The procedure of the paper, under its name.
  void choose_step(bool complete, std::uint64_t local_limit, Deadline deadline, Cell start,
                   Step& step);

  std::uint64_t local_limit(std::uint64_t limit) const;

  S space_;
  double local_ratio_;
  std::unique_ptr<GlobalSearch<S>> global_;
  std::unique_ptr<RealTimePlanner> local_;  // none for NoOp
  /// Who has chosen the last step, if it was not to stay.
  enum class Guide { kNone, kGlobal, kLocal } guide_ = Guide::kNone;
};

extern template class RTDStar<GridSpace<4>>;
extern template class RTDStar<GridSpace<8>>;

}  // namespace dynamic_planners
