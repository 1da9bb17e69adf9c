#pragma once

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/realtime/lookahead.hpp"

namespace dynamic_planners {

/// LRTA* with an A* lookahead: R. E. Korf, "Real-Time Heuristic Search", Artificial Intelligence
/// 42(2-3), 1990; the lookahead is his time limited A*.
///
/// Looks from the robot's cell until the limit is reached, goes one step towards the cell of the
/// frontier with the least f, and lets the cell it leaves know that f: so it leaves every local
/// minimum in the end.
///
/// What two neighbouring cells have learned must count although each lies within the lookahead of
/// the other, or the robot would go back and forth between them for ever: pathmax sees to it. What
/// only single cells learn is a lower bound, but not consistent, and so it is for one goal.
template <Space S>
class LRTAStar final : public Lookahead<S> {
 public:
  explicit LRTAStar(const S& space) : Lookahead<S>(space, Pathmax::kOn) {}

 private:
  /// Backs up the least f of the frontier.
  void learn(Cell start, Cost least_f) override { this->h_.learn(start, least_f); }
};

extern template class LRTAStar<GridSpace<4>>;
extern template class LRTAStar<GridSpace<8>>;

}  // namespace dynamic_planners
