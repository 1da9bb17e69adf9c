#pragma once

#include <algorithm>

#include "dynamic_planners/grid/cost.hpp"
#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/search/vertices.hpp"

/// How the searches with a `g` and a one-step lookahead `rhs` per vertex keep the latter right.
namespace dynamic_planners {

/// Of vertices with the same f, underconsistent ones (g < rhs) come first: this is the second part
/// of their keys, and of all others'.
inline constexpr Cost kUnderconsistent = 0;
inline constexpr Cost kOverconsistent = 1;

/// What the rhs of every vertex but the root has to be.
template <Space S, typename Vertex>
Cost least_through_neighbours(const S& space, const Vertices<Vertex>& vertices, Cell cell) {
  Cost least = kInfinity;
  space.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
    least = std::min<Cost>(least, step + vertices.peek(neighbour).g);
  });
  return least;
}

/// The cell's g has fallen to this value: its neighbours may become cheaper. Calls
/// `update_vertex(cell, vertex)` for each whose rhs changed.
template <Space S, typename Vertex, typename UpdateVertex>
void spread_lower_g(const S& space, Vertices<Vertex>& vertices, Cell cell, Cost g,
                    UpdateVertex&& update_vertex) {
  space.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
    if (Cost{vertices.peek(neighbour).rhs} <= step + g) return;
    Vertex& next = vertices[neighbour];
    next.rhs = step + g;
    update_vertex(neighbour, next);
  });
}

/// The cell's g has risen from `g_old`: what was reached through it must look for another way.
template <Space S, typename Vertex, typename UpdateVertex>
void spread_raised_g(const S& space, Vertices<Vertex>& vertices, Cell cell, Cost g_old, Cell root,
                     UpdateVertex&& update_vertex) {
  space.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
    if (Cost{vertices.peek(neighbour).rhs} != step + g_old || neighbour == root) return;
    Vertex& next = vertices.touched(neighbour);
    const Cost rhs = least_through_neighbours(space, vertices, neighbour);
    if (rhs == next.rhs) return;
    next.rhs = rhs;
    update_vertex(neighbour, next);
  });
}

}  // namespace dynamic_planners
