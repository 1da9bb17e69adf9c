#include "dynamic_planners/search/field_dstar.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dynamic_planners {

struct FieldDStar::Ring {
  static constexpr int kSize = 8;
  static constexpr std::array<int, kSize> kX = {1, 1, 0, -1, -1, -1, 0, 1};
  static constexpr std::array<int, kSize> kY = {0, 1, 1, 1, 0, -1, -1, -1};

  unsigned level;
  std::array<unsigned, kSize> levels;  // blocked outside the grid

  static int next(int i) { return (i + 1) % kSize; }
  static int previous(int i) { return (i + kSize - 1) % kSize; }
  bool passable(int i) const { return levels[i] < S::kBlocked; }
  /// Whether the square between the vertex and the one across from it may be crossed.
  bool square(int across) const {
    return passable(across) && passable(previous(across)) && passable(next(across));
  }
};

FieldDStar::FieldDStar(const S& space, const PlannerConfig& /*config*/) : RepairingSearch(space) {
  const auto width = static_cast<Cell>(space.grid().width());
  for (int i = 0; i < Ring::kSize; ++i) {
    offset_[i] = static_cast<Cell>(Ring::kY[i]) * width + static_cast<Cell>(Ring::kX[i]);
  }
}

Key FieldDStar::key_of(Cell cell, const Vertex& vertex) const {
  return key(cell, std::min<Cost>(vertex.g, vertex.rhs));
}

void FieldDStar::update_state(Cell cell, Vertex& vertex) {
  if (Cost{vertex.g} != Cost{vertex.rhs}) {
    put_into_open(cell, vertex, key_of(cell, vertex));
  } else if (vertex.position != 0) {
    open_.remove(cell);
  }
}

/// The cost from s to the goal through the edge between s1, straight ahead of s, and s2, across
/// from it, where the line ends between the two; kInfinity where it had better end in one of them,
/// which the steps of the grid are there for. (Figure 4 of the paper has these as lines 10 and 15.)
///
/// It crosses at cost c to the share y of the edge and goes on at the interpolated cost: the least
/// c sqrt(1 + y^2) + (1 - y) g1 + y g2 is at y = f / sqrt(c^2 - f^2) with f = g1 - g2 (line 17),
/// where it is g1 + sqrt(c^2 - f^2) (line 18). The line lies in the cells of s and s1 first and may
/// end in that of s2; c is what the dearer choice of the two costs. With that, to go along the edge
/// from s to s1 for a while (lines 20 to 24) gains nothing that s1 does not know.
Cost FieldDStar::compute_cost(unsigned level, unsigned level1, Cost g1, unsigned level2,
                              Cost g2) const {
  if (g1 <= g2) return kInfinity;
  const Cost c = space_.straight_cost(level + std::max(level1, level2));
  const Cost f = g1 - g2;
  if (f >= c || 2 * f * f >= c * c) return kInfinity;
  // Rounded rightly for certain: the root of an integer is never close to k + 1/2, nor negative.
  // NOLINTNEXTLINE(bugprone-incorrect-roundings): std::lround is a call, and this is hot
  return g1 + static_cast<Cost>(std::sqrt(static_cast<double>(c * c - f * f)) + 0.5);
}

void FieldDStar::initialize() {
  Vertex& vertex = vertices_[goal_];
  vertex.rhs = 0;
  open_.insert(goal_, key_of(goal_, vertex));
}

Progress FieldDStar::compute_shortest_path(Meter& meter) {
  const Vertex& start = vertices_[start_];
  const auto key_now = [&](Cell cell, const Vertex& vertex) { return key_of(cell, vertex); };
  for (;;) {
    if (!bring_near(key_now)) return Progress::kFull;
    if (open_.empty()) return Progress::kDone;
    const Cost rhs = start.rhs;
    if (rhs <= start.g && open_.top_key() >= Key{rhs + k_m_, rhs}) return Progress::kDone;
    if (meter.spent()) return Progress::kSpent;
    const Cell cell = open_.top();
    Vertex& vertex = vertices_.touched(cell);
    count_expansion(cell, vertex, meter);
    if (Cost{vertex.g} > Cost{vertex.rhs}) {
      lower(cell, vertex);
    } else {
      raise(cell, vertex);
    }
  }
}

auto FieldDStar::ring_around(Cell cell) const -> Ring {
  const Grid& grid = space_.grid();
  const auto [x, y] = grid.position(cell);
  Ring ring{.level = space_.level(cell), .levels = {}};
  if (x > 0 && y > 0 && x + 1 < grid.width() && y + 1 < grid.height()) {
    for (int i = 0; i < Ring::kSize; ++i) ring.levels[i] = space_.level(cell + offset_[i]);
  } else {
    for (int i = 0; i < Ring::kSize; ++i) {
      const bool inside = grid.contains(x + Ring::kX[i], y + Ring::kY[i]);
      ring.levels[i] = inside ? space_.level(cell + offset_[i]) : S::kBlocked;
    }
  }
  return ring;
}

/// Visits each neighbour with the costs that it has by a step to this vertex, and through each edge
/// that ends in this vertex, if the vertex itself costs g.
template <typename Visit>
void FieldDStar::for_each_cost_through(Cell cell, Cost g, Visit&& visit) const {
  const Ring ring = ring_around(cell);
  if (ring.level >= S::kBlocked) return;
  std::array<Cost, Ring::kSize> costs{};
  costs.fill(kInfinity);
  std::array<Cost, Ring::kSize> known{};
  for (int i = 0; i < Ring::kSize; ++i) {
    known[i] = ring.passable(i) ? Cost{vertices_.peek(cell + offset_[i]).g} : kInfinity;
  }
  for (int i = 0; i < Ring::kSize; i += 2) {
    if (ring.passable(i)) costs[i] = g + space_.straight_cost(ring.level + ring.levels[i]);
  }
  for (int across = 1; across < Ring::kSize; across += 2) {
    if (!ring.square(across)) continue;
    costs[across] = g + space_.diagonal_cost(ring.level + ring.levels[across]);
    const std::array sides{Ring::previous(across), Ring::next(across)};
    for (int k = 0; k < 2; ++k) {
      const int side = sides[k];
      const int other = sides[1 - k];
      // Seen from across, this vertex is across; seen from a side, it is straight ahead.
      costs[across] = std::min(costs[across], compute_cost(ring.levels[across], ring.levels[side],
                                                           known[side], ring.level, g));
      costs[side] = std::min(costs[side], compute_cost(ring.levels[side], ring.level, g,
                                                       ring.levels[other], known[other]));
    }
  }
  for (int i = 0; i < Ring::kSize; ++i) {
    if (costs[i] < kInfinity) visit(cell + offset_[i], costs[i]);
  }
}

/// Expands an overconsistent vertex: its neighbours may become cheaper.
void FieldDStar::lower(Cell cell, Vertex& vertex) {
  const Cost g = vertex.rhs;
  vertex.g = g;
  open_.remove(cell);
  for_each_cost_through(cell, g, [&](Cell neighbour, Cost cost) {
    Vertex& next = vertices_[neighbour];
    if (Cost{next.rhs} <= cost) return;
    next.rhs = cost;
    update_state(neighbour, next);
  });
}

/// Expands an underconsistent vertex: what was reached through it must look for another way.
void FieldDStar::raise(Cell cell, Vertex& vertex) {
  const Cost g_old = vertex.g;
  vertex.g = kInfinity;
  for_each_cost_through(cell, g_old, [&](Cell neighbour, Cost cost) {
    Vertex& next = vertices_[neighbour];
    if (Cost{next.rhs} != cost || neighbour == goal_) return;
    const Cost rhs = least_cost(neighbour);
    if (rhs == next.rhs) return;
    next.rhs = rhs;
    update_state(neighbour, next);
  });
  update_state(cell, vertex);
}

/// What rhs is: the least cost by a step to a neighbour or through an edge between two.
Cost FieldDStar::least_cost(Cell cell) const {
  const Ring ring = ring_around(cell);
  if (ring.level >= S::kBlocked) return kInfinity;
  std::array<Cost, Ring::kSize> known{};
  Cost least = kInfinity;
  for (int i = 0; i < Ring::kSize; ++i) {
    known[i] = ring.passable(i) ? Cost{vertices_.peek(cell + offset_[i]).g} : kInfinity;
  }
  for (int i = 0; i < Ring::kSize; i += 2) {
    if (!ring.passable(i)) continue;
    least = std::min(least, known[i] + space_.straight_cost(ring.level + ring.levels[i]));
  }
  for (int across = 1; across < Ring::kSize; across += 2) {
    if (!ring.square(across)) continue;
    least = std::min(least, known[across] + space_.diagonal_cost(ring.level + ring.levels[across]));
    for (const int side : {Ring::previous(across), Ring::next(across)}) {
      least = std::min(least, compute_cost(ring.level, ring.levels[side], known[side],
                                           ring.levels[across], known[across]));
    }
  }
  return std::min(least, kInfinity);
}

void FieldDStar::update_changed(Cell cell, Vertex& vertex) {
  if (cell == goal_) return;
  const Cost rhs = least_cost(cell);
  if (rhs == Cost{vertex.rhs}) return;
  vertex.rhs = rhs;
  update_state(cell, vertex);
}

void FieldDStar::publish(Plan& plan, const Budget& budget) {
  if (!path_ || path_of_ != state()) {
    path_.emplace(space_, start_, goal_, [this](Cell cell) { return settled_cost(cell); });
    path_of_ = state();
  }
  Budget time = budget;
  time.max_expansions = std::numeric_limits<std::uint64_t>::max();  // drawing expands nothing
  Meter meter(time);
  if (path_->draw(meter) == Progress::kSpent) {
    plan.status = meter.status();
    return;
  }
  plan.points = path_->points();
  plan.cost = path_->cost();
}

/// The cost of a vertex if the search is done with it. The start need not have been expanded.
Cost FieldDStar::settled_cost(Cell cell) const {
  const Vertex& vertex = vertices_.peek(cell);
  return cell == start_ || vertex.position == 0 ? Cost{vertex.rhs} : kInfinity;
}

void FieldDStar::check() const {
  for (Cell cell = 0; cell < vertices_.size(); ++cell) {
    const Vertex vertex = vertices_.peek(cell);
    const Cost rhs = cell == goal_ ? 0 : least_cost(cell);
    require(Cost{vertex.rhs} == rhs, "Field D*: rhs is the least cost through an edge or a step");
    require((Cost{vertex.g} != rhs) == (vertex.position != 0),
            "Field D*: the inconsistent vertices are queued, and no other");
    require(vertex.position == 0 || open_.is_due_by(vertex, key_of(cell, vertex)),
            "Field D*: a queued key is a lower bound of the vertex's key");
  }
}

}  // namespace dynamic_planners
