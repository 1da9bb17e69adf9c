#pragma once

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/realtime/lookahead.hpp"

namespace dynamic_planners {

/// LSS-LRTA*: S. Koenig, X. Sun, "Comparing Real-Time and Incremental Heuristic Search for
/// Real-Time Situated Agents", Autonomous Agents and Multi-Agent Systems 18(3), 2009.
///
/// Looks like LRTA*, but lets every cell that the lookahead has expanded, its local search space,
/// learn what the way through the frontier costs, by Dijkstra's algorithm from the frontier
/// inwards.
///
/// The paper's robot goes all the way to the frontier before it looks again. This one looks with
/// every step, since a step has its limit whether it is used or not, and the world may have
/// changed.
template <Space S>
class LSSLRTAStar final : public Lookahead<S> {
 public:
  explicit LSSLRTAStar(const S& space) : Lookahead<S>(space, Pathmax::kOff) {}

 private:
  void learn(Cell /*start*/, Cost /*least_f*/) override { dijkstra(); }

  // The procedure of the paper, under its name.
  void dijkstra();
};

extern template class LSSLRTAStar<GridSpace<4>>;
extern template class LSSLRTAStar<GridSpace<8>>;

}  // namespace dynamic_planners
