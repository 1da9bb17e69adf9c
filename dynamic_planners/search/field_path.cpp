#include "dynamic_planners/search/field_path.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "dynamic_planners/search/answer.hpp"
#include "dynamic_planners/search/line.hpp"

namespace dynamic_planners {
namespace {

using S = GridSpace<8>;

constexpr double kNever = std::numeric_limits<double>::infinity();

/// What drawing takes, in expansions: a step of interpolation, and a line for each cell it crosses.
constexpr std::uint64_t kStepWork = 8;
constexpr double kWorkPerCell = 0.25;

std::uint64_t line_work(const Point& from, const Point& to) {
  return 1 + static_cast<std::uint64_t>(kWorkPerCell * std::hypot(to.x - from.x, to.y - from.y));
}

/// Whether the square that four cell centres span, this the first, may be crossed.
bool is_passable_square(const S& space, int x, int y) {
  const Grid& grid = space.grid();
  if (!grid.contains(x, y) || !grid.contains(x + 1, y + 1)) return false;
  const Cell above = grid.cell(x, y);
  const Cell below = grid.cell(x, y + 1);
  return !space.blocked(above) && !space.blocked(above + 1) && !space.blocked(below) &&
         !space.blocked(below + 1);
}

/// A vertex (then a == b), or a place between two vertices.
struct Place {
  Point point;
  Cell a;
  Cell b;
  double cost;  // to the goal, interpolated between the two
};

struct Move {
  Place to;
  double total;  // the line and the cost from its end
  bool looked_ahead;
};

/// A vertex has eight neighbours and eight edges around it, a place on an edge six of each.
class Moves {
 public:
  void add(const Move& move) { moves_[size_++] = move; }
  bool empty() const { return size_ == 0; }
  Move& best() {
    return *std::min_element(moves_.begin(), moves_.begin() + size_,
                             [](const Move& l, const Move& r) { return l.total < r.total; });
  }

 private:
  std::array<Move, 32> moves_{};
  int size_ = 0;
};

/// Walks down the interpolated costs.
class Extraction {
 public:
  Extraction(const S& space, Cell from, Cell to, const std::function<Cost(Cell)>& cost)
      : space_(space),
        grid_(space.grid()),
        to_(to),
        cost_(cost),
        place_(vertex(from)),
        points_{place_.point} {}

  Progress go_on(Meter& meter) {
    while (place_.a != to_ || place_.b != to_) {
      if (meter.spent()) return Progress::kSpent;
      place_ = next(place_);
      append_point(points_, place_.point);
      meter.worked(kStepWork);
    }
    return Progress::kDone;
  }
  std::vector<Point>& points() { return points_; }

 private:
  /// Places closer than this to a vertex are left out: the vertex is there too. This, and that no
  /// line may cost twice what it gains, bounds the number of steps.
  static constexpr double kClosest = 0.02;

  Place vertex(Cell cell) const {
    const auto [x, y] = grid_.position(cell);
    const Cost cost = cost_(cell);
    return {{static_cast<double>(x), static_cast<double>(y)},
            cell,
            cell,
            cost == kInfinity ? kNever : static_cast<double>(cost)};
  }

  /// Visits all places that are worth a line from here, with that line's cost.
  template <typename Visit>
  void for_each_exit(const Place& from, Visit&& visit) const {
    const auto [ax, ay] = grid_.position(from.a);
    const auto [bx, by] = grid_.position(from.b);
    if (from.a == from.b) {
      space_.for_each_neighbour(from.a, [&](Cell neighbour, Cost step) {
        visit(vertex(neighbour), static_cast<double>(step));
      });
    } else {
      for (const Cell end : {from.a, from.b}) visit_vertex(from, end, visit);
    }
    // The squares of which this place is on the rim.
    for (int y = by - 1; y <= ay; ++y) {
      for (int x = bx - 1; x <= ax; ++x) {
        if (is_passable_square(space_, x, y)) visit_square(from, x, y, visit);
      }
    }
  }

  template <typename Visit>
  void visit_vertex(const Place& from, Cell cell, Visit&& visit) const {
    const Place place = vertex(cell);
    if (place.cost < kNever) visit(place, line_cost(space_, from.point, place.point));
  }

  template <typename Visit>
  void visit_square(const Place& from, int x, int y, Visit&& visit) const {
    const std::array<Cell, 4> corners = {grid_.cell(x, y), grid_.cell(x + 1, y),
                                         grid_.cell(x, y + 1), grid_.cell(x + 1, y + 1)};
    double weight = 0.0;
    for (const Cell corner : corners) weight += space_.weight(corner) / 4.0;
    constexpr std::array<std::array<int, 2>, 4> kEdges = {{{0, 1}, {2, 3}, {0, 2}, {1, 3}}};
    for (const auto& [i, j] : kEdges) {
      visit_edge(from, vertex(corners[i]), vertex(corners[j]), weight, visit);
    }
    if (from.a == from.b) return;  // its neighbours have been visited
    for (const Cell corner : corners) {
      if (corner == from.a || corner == from.b || vertex(corner).cost >= from.cost) continue;
      visit_vertex(from, corner, visit);
    }
  }

  /// The best place on an edge, as ComputeCost has it, but from wherever we are.
  template <typename Visit>
  void visit_edge(const Place& from, const Place& a, const Place& b, double weight,
                  Visit&& visit) const {
    if (!(a.cost < kNever && b.cost < kNever)) return;
    if (std::min(a.cost, b.cost) >= from.cost) return;  // uphill
    const bool level = a.point.y == b.point.y;
    const double across = level ? from.point.y - a.point.y : from.point.x - a.point.x;
    const double along = level ? from.point.x - a.point.x : from.point.y - a.point.y;
    if (across == 0.0) return;  // we are on it
    const double slope = (b.cost - a.cost) / (kStraight * weight);
    if (std::abs(slope) >= 1.0) return;
    const double t = along - std::abs(across) * slope / std::sqrt(1.0 - slope * slope);
    if (t < kClosest || t > 1.0 - kClosest) return;
    const Point point = level ? Point{a.point.x + t, a.point.y} : Point{a.point.x, a.point.y + t};
    visit(Place{point, a.a, b.a, a.cost + t * (b.cost - a.cost)},
          line_cost(space_, from.point, point));
  }

  /// What a place is worth by what can be reached from it.
  double look_ahead(const Place& place) const {
    if (place.a == place.b) return place.cost;
    double least = kNever;
    for_each_exit(place,
                  [&](const Place& to, double line) { least = std::min(least, line + to.cost); });
    return least;
  }

  Place next(const Place& from) const {
    Moves moves;
    for_each_exit(from, [&](const Place& to, double line) {
      if (to.cost + line / 2.0 <= from.cost) moves.add({to, line + to.cost, false});
    });
    while (!moves.empty()) {
      Move& best = moves.best();
      if (best.looked_ahead) return best.to;
      best.total += std::max(0.0, look_ahead(best.to) - best.to.cost);
      best.looked_ahead = true;
    }
    // Interpolation promised what is not there: the cheaper end of the edge knows its way.
    require(from.a != from.b, "Field D*: a vertex has a neighbour that is cheaper");
    const Place a = vertex(from.a);
    const Place b = vertex(from.b);
    return a.cost <= b.cost ? a : b;
  }

  const S& space_;
  const Grid& grid_;
  Cell to_;
  const std::function<Cost(Cell)>& cost_;
  Place place_;  // how far it has got
  std::vector<Point> points_;
};

/// Draws one line instead of several wherever that costs no more and crosses the same kind of
/// squares. Costs are rounded and interpolated, so lines that ought to be straight tremble a bit.
class Straightening {
 public:
  Straightening(const S& space, std::vector<Point> points)
      : space_(space), points_(std::move(points)), costs_{0.0}, straight_{points_.front()} {
    costs_.reserve(points_.size());
  }

  Progress go_on(Meter& meter) {
    for (std::size_t i = costs_.size(); i < points_.size(); ++i) {
      if (meter.spent()) return Progress::kSpent;
      costs_.push_back(costs_.back() + line_cost(space_, points_[i - 1], points_[i]));
      meter.worked(line_work(points_[i - 1], points_[i]));
    }
    while (from_ + 1 < points_.size()) {
      while (stride_ > 0) {
        if (meter.spent()) return Progress::kSpent;
        const std::size_t further = to_ + stride_;
        if (further < points_.size() && is_better(further, meter)) {
          to_ = further;
          stride_ *= 2;
        } else {
          stride_ /= 2;
        }
      }
      append_point(straight_, points_[to_]);
      from_ = to_++;
      stride_ = 1;
    }
    return Progress::kDone;
  }
  const std::vector<Point>& straight() const { return straight_; }

 private:
  bool is_better(std::size_t to, Meter& meter) const {
    const Point& begin = points_[from_];
    const Point& end = points_[to];
    meter.worked(line_work(begin, end));
    const auto in_passable_square = [&](const Point& middle, double /*share*/) {
      return is_passable_square(space_, static_cast<int>(std::floor(middle.x)),
                                static_cast<int>(std::floor(middle.y)));
    };
    return for_each_piece(begin, end, 0.0, in_passable_square) &&
           line_cost(space_, begin, end) <= costs_[to] - costs_[from_];
  }

  const S& space_;
  std::vector<Point> points_;
  std::vector<double> costs_;  // from the first point
  std::vector<Point> straight_;
  // The line that is being drawn, and by how many points it may be longer.
  std::size_t from_ = 0;
  std::size_t to_ = 1;
  std::size_t stride_ = 1;
};

/// From cell to cell, always to cheaper ones, as the grid's own moves go.
std::vector<Point> walk(const S& space, Cell from, Cell to, const std::function<Cost(Cell)>& cost) {
  std::vector<Cell> cells{from};
  for (Cell cell = from; cell != to;) {
    const Cost here = cost(cell);
    Cost least = kInfinity;
    Cell best = kNoCell;
    space.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
      const Cost there = cost(neighbour);
      if (there >= here || step + there >= least) return;
      least = step + there;
      best = neighbour;
    });
    require(best != kNoCell, "Field D*: a vertex has a neighbour that is cheaper");
    cell = best;
    cells.push_back(cell);
  }
  return to_points(space, cells);
}

}  // namespace

class FieldPath::Drawing {
 public:
  Drawing(const S& space, Cell from, Cell to, std::function<Cost(Cell)> cost)
      : space_(space),
        from_(from),
        to_(to),
        cost_(std::move(cost)),
        extraction_(space, from, to, cost_) {}

  Progress go_on(Meter& meter) {
    // Where the ground changes from cell to cell, interpolation may promise what no line keeps.
    constexpr double kKept = 1.01;
    if (!interpolated_) {
      if (extraction_.go_on(meter) == Progress::kSpent) return Progress::kSpent;
      interpolated_.emplace(space_, std::move(extraction_.points()));
    }
    if (!walked_) {
      if (interpolated_->go_on(meter) == Progress::kSpent) return Progress::kSpent;
      take_if_better(interpolated_->straight());
      if (static_cast<double>(path_cost_) <= kKept * static_cast<double>(cost_(from_))) {
        return Progress::kDone;
      }
      walked_.emplace(space_, walk(space_, from_, to_, cost_));
    }
    if (walked_->go_on(meter) == Progress::kSpent) return Progress::kSpent;
    take_if_better(walked_->straight());
    return Progress::kDone;
  }

  const std::vector<Point>& points() const { return points_; }
  Cost cost() const { return path_cost_; }

 private:
  void take_if_better(const std::vector<Point>& points) {
    const Cost cost = path_cost(space_, points);
    if (cost >= path_cost_) return;
    points_ = points;
    path_cost_ = cost;
  }

  const S& space_;
  Cell from_;
  Cell to_;
  std::function<Cost(Cell)> cost_;
  // One after the other; the last two are there once they have begun.
  Extraction extraction_;
  std::optional<Straightening> interpolated_;
  std::optional<Straightening> walked_;
  std::vector<Point> points_;
  Cost path_cost_ = kInfinity;
};

FieldPath::FieldPath(const S& space, Cell from, Cell to, std::function<Cost(Cell)> cost)
    : drawing_(std::make_unique<Drawing>(space, from, to, std::move(cost))) {}
FieldPath::~FieldPath() = default;

Progress FieldPath::draw(Meter& meter) {
  return drawing_->go_on(meter);
}

const std::vector<Point>& FieldPath::points() const {
  return drawing_->points();
}

Cost FieldPath::cost() const {
  return drawing_->cost();
}

}  // namespace dynamic_planners
