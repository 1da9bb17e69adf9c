#include "dynamic_planners/search/dstar.hpp"

#include <algorithm>

namespace dynamic_planners {

/// INSERT: the state has this h from now on, and its neighbours are to hear of it.
template <Space S>
void DStar<S>::insert(Cell cell, Vertex& vertex, Cost h_new) {
  vertex.h = h_new;
  if (h_new == kInfinity) vertex.b = kNoCell;
  vertex.k = std::min<Cost>(vertex.k, h_new);
  this->put_into_open(cell, vertex, this->key(cell, vertex.k));
}

/// MOVE-ROBOT's inner loop: until the robot's state comes before all that is queued.
template <Space S>
Progress DStar<S>::repair(Meter& meter) {
  const Vertex& robot = vertices_[start_];
  const auto key_of = [&](Cell cell, const Vertex& vertex) { return this->key(cell, vertex.k); };
  for (;;) {
    if (!this->bring_near(key_of)) return Progress::kFull;
    if (open_.empty()) return Progress::kDone;
    if (robot.h != kInfinity && open_.top_key() >= cost_of(start_, robot)) return Progress::kDone;
    if (meter.spent()) return Progress::kSpent;
    const Cell cell = open_.top();
    Vertex& vertex = vertices_.touched(cell);
    this->count_expansion(cell, vertex, meter);
    process_state(cell, vertex);
  }
}

template <Space S>
void DStar<S>::process_state(Cell cell, Vertex& vertex) {
  const Key val = open_.top_key();
  const Cost k_old = vertex.k;
  open_.remove(cell);
  if (k_old < vertex.h) find_another_way(cell, vertex, val);
  vertex.k = vertex.h;
  if (k_old == vertex.h) {
    process_lower(cell, vertex);
  } else {
    process_raise(cell, vertex);
  }
}

/// Lines L4 to L7. Neighbours that cost no more than what is taken from the queue are right.
template <Space S>
void DStar<S>::find_another_way(Cell cell, Vertex& vertex, const Key& val) const {
  space_.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
    const Vertex& other = vertices_.peek(neighbour);
    if (step + other.h >= vertex.h || cost_of(neighbour, other) > val) return;
    vertex.b = neighbour;
    vertex.h = step + other.h;
  });
}

/// Lines L8 to L13.
template <Space S>
void DStar<S>::process_lower(Cell cell, const Vertex& vertex) {
  const Cost h = vertex.h;
  space_.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
    Vertex& other = vertices_[neighbour];
    const bool relies = other.b == cell;
    if (relies ? Cost{other.h} == step + h : other.h <= step + h) return;
    other.b = cell;
    insert(neighbour, other, step + h);
  });
}

/// Lines L14 to L25.
template <Space S>
void DStar<S>::process_raise(Cell cell, Vertex& vertex) {
  bool could_lower_others = false;
  space_.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
    Vertex& other = vertices_[neighbour];
    const Cost through = std::min<Cost>(step + vertex.h, kInfinity);
    if (other.b == cell) {
      if (Cost{other.h} != through) insert(neighbour, other, through);
    } else if (other.h > through) {
      could_lower_others = true;
    } else if (vertex.h > step + other.h && other.position == 0) {
      insert(neighbour, other, other.h);
    }
  });
  if (could_lower_others) insert(cell, vertex, vertex.h);
}

/// MODIFY-COST, for all moves of a state at once. Neighbours from which it could now be reached at
/// less are queued to lower it. If its own way has become dearer, it is raised.
template <Space S>
void DStar<S>::modify_cost(Cell cell, Vertex& vertex) {
  space_.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
    if (step + vertices_.peek(neighbour).h >= vertex.k) return;
    Vertex& other = vertices_.touched(neighbour);
    if (other.position == 0) insert(neighbour, other, other.h);
  });
  if (!is_too_cheap(cell, vertex)) return;
  const Cost step = space_.step_cost(cell, vertex.b);
  insert(cell, vertex, std::min<Cost>(step + vertices_.peek(vertex.b).h, kInfinity));
}

/// Whether a state costs less than the way its backpointer shows. A queued one there will see to it
/// itself as long as its k allows for it.
template <Space S>
bool DStar<S>::is_too_cheap(Cell cell, const Vertex& vertex) const {
  if (vertex.b == kNoCell) return false;
  const Cost step = space_.step_cost(cell, vertex.b);
  return step == kInfinity || vertex.h < step + vertices_.peek(vertex.b).k;
}

template <Space S>
void DStar<S>::check() const {
  for (Cell cell = 0; cell < vertices_.size(); ++cell) {
    const Vertex vertex = vertices_.peek(cell);
    const bool is_open = vertex.position != 0;
    require(
        is_open ? vertex.k <= vertex.h && vertex.k < kInfinity : Cost{vertex.k} == Cost{vertex.h},
        "D*: k is at most h, and h where the state is not open");
    require((vertex.b == kNoCell) == (vertex.h == kInfinity || cell == goal_),
            "D*: whoever has a way has a backpointer");
    require(!is_too_cheap(cell, vertex), "D*: no state costs less than its backpointer's k allows");
    require(!is_open || open_.is_due_by(vertex, this->key(cell, vertex.k)),
            "D*: a queued key is a lower bound of the state's key");
    if (is_open || vertex.h == kInfinity) continue;
    space_.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
      require(vertices_.peek(neighbour).k <= step + vertex.h,
              "D*: a closed state has told its neighbours");
    });
  }
}

template class RepairingSearch<GridSpace<4>, DStarVertex>;
template class RepairingSearch<GridSpace<8>, DStarVertex>;
template class RepairingSearch<VoxelSpace, DStarVertex>;
template class DStar<GridSpace<4>>;
template class DStar<GridSpace<8>>;
template class DStar<VoxelSpace>;

}  // namespace dynamic_planners
