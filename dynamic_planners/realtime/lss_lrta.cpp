#include "dynamic_planners/realtime/lss_lrta.hpp"

namespace dynamic_planners {

/// Values may fall here too: where a way has opened within the lookahead, what was learned before
/// was too much.
template <Space S>
void LSSLRTAStar<S>::dijkstra() {
  auto& vertices = this->vertices_;
  // From here on, g is the cost to the goal that a cell learns.
  for (const Cell cell : this->reached()) {
    if (vertices[cell].closed) vertices[cell].g = kInfinity;
  }
  this->rekey([&](Cell cell) -> Key { return {this->h_(cell), 0}; });
  for (std::uint64_t to_learn = this->expansions_; to_learn > 0;) {
    const Cell cell = this->pop();
    const bool learns = vertices[cell].closed;
    const Cost h = learns ? Cost{vertices[cell].g} : this->h_(cell);
    if (learns) {
      this->h_.learn(cell, h);
      --to_learn;
    }
    this->space_.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
      auto& next = vertices[neighbour];
      if (!next.closed || Cost{next.g} <= step + h) return;
      next.g = step + h;
      this->push_or_move(neighbour, {step + h, 0});
    });
  }
}

template class LSSLRTAStar<GridSpace<4>>;
template class LSSLRTAStar<GridSpace<8>>;

}  // namespace dynamic_planners
