#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <cstdlib>

#include "dynamic_planners/grid/cost.hpp"
#include "dynamic_planners/grid/grid.hpp"

namespace dynamic_planners {

/// What a search needs to know of the world: its vertices are cells, its edges are moves. Moves
/// cost the same both ways, so a search may run forward or backward.
template <typename S>
concept Space = requires(const S& space, Cell cell) {
  { space.size() } -> std::same_as<Cell>;
  // No path costs more.
  { space.max_path_cost() } -> std::same_as<Cost>;
  { space.blocked(cell) } -> std::same_as<bool>;
  // Where a cell is, along as many axes as there are dimensions, and how far apart in the order of
  // cells those are that are neighbours along each.
  { space.coordinates(cell) } -> std::same_as<std::array<int, S::kDimensions>>;
  { space.strides() } -> std::same_as<std::array<Cell, S::kDimensions>>;
  // What a move from one cell to a neighbouring one costs; kInfinity when it is not a move, be it
  // because there is no such cell.
  { space.step_cost(cell, cell) } -> std::same_as<Cost>;
  // A consistent lower bound on the cost of any path between two cells, the same both ways, that
  // obeys the triangle inequality.
  { space.heuristic(cell, cell) } -> std::same_as<Cost>;
  // The same with one end fixed, for many others.
  { space.heuristic_to(cell)(cell) } -> std::same_as<Cost>;
  // Visits each cell that one move reaches, with that move's cost.
  space.for_each_neighbour(cell, [](Cell, Cost) {});
  // Visits each cell whose moves depend on the cost of this one, itself included.
  space.for_each_affected(cell, [](Cell) {});
  // Visits the cells before and behind this one across the rows: what will soon be needed in
  // memory. Some may lie outside the grid.
  space.for_each_row_around(cell, [](Cell) {});
  { S::kMaxNeighbours } -> std::convertible_to<int>;
};

/// A space of cells that lie in a Grid, which may move over the world.
template <typename S>
concept PlanarSpace = Space<S> && requires(const S& space) {
  { space.grid() } -> std::same_as<const Grid&>;
};

/// kNatural is Manhattan on 4-connected grids, octile on 8-connected ones: the exact distance where
/// nothing is in the way.
enum class Heuristic { kNatural, kEuclidean };

/// How a grid's bytes become moves and costs.
struct TraversalConfig {
  /// 4 or 8 neighbours; 6 among voxels.
  int connectivity = 8;
  Heuristic heuristic = Heuristic::kNatural;
  /// A step costs its length times 1 + cost_weight * m / 252, where m is the mean costmap cost of
  /// the two cells. 0 makes all passable cells alike.
  double cost_weight = 3.0;
  /// Whether unknown cells may be crossed, and as what costmap cost they count then.
  bool allow_unknown = true;
  std::uint8_t unknown_cost = 128;

  bool operator==(const TraversalConfig&) const = default;
};

/// A grid whose cells have 4 or 8 neighbours. A diagonal is a move only where both cells beside it
/// are passable: no corner is ever cut. It reads the grid it was made for, live.
template <int kConnectivity>
class GridSpace {
  static_assert(kConnectivity == 4 || kConnectivity == 8);

 public:
  static constexpr int kMaxNeighbours = kConnectivity;
  static constexpr int kDimensions = 2;

  /// Throws std::invalid_argument when a value is out of its range, or when the grid is so large
  /// and the weight so high that the cost of a path might not fit.
  GridSpace(const Grid& grid, const TraversalConfig& config);

  const Grid& grid() const { return *grid_; }
  Cell size() const { return grid_->size(); }
  Cost max_path_cost() const {
    // A path without a cycle has fewer steps than the grid has cells, and none is dearer than this.
    return Cost{kConnectivity == 8 ? diagonal_.back() : straight_.back()} * size();
  }
  bool blocked(Cell cell) const { return level_[costs_[cell]] >= kBlocked; }

  Cost step_cost(Cell from, Cell to) const;

  std::array<int, 2> coordinates(Cell cell) const {
    const auto [x, y] = grid_->position(cell);
    return {x, y};
  }
  std::array<Cell, 2> strides() const { return {1, width_}; }

  // What any-angle planners need, whose lines do not lead from cell to cell.

  /// Cells are passable at the levels 0 to 252; the level of two cells together is their sum.
  static constexpr unsigned kBlocked = kMaxPassable + 1;
  unsigned level(Cell cell) const { return level_[costs_[cell]]; }
  /// A straight and a diagonal step between two cells that have these levels together.
  Cost straight_cost(unsigned levels) const { return straight_[levels]; }
  Cost diagonal_cost(unsigned levels) const { return diagonal_[levels]; }
  /// A line through a passable cell costs so many times its length. Half of each step lies in
  /// either cell, so lines cost what steps cost.
  double weight(Cell cell) const { return weight_of_level(level(cell)); }
  double weight_of_level(double level) const { return 1.0 + weight_per_level_ * level; }

  class HeuristicTo;
  HeuristicTo heuristic_to(Cell end) const { return HeuristicTo(*this, end); }
  Cost heuristic(Cell a, Cell b) const { return heuristic_to(b)(a); }
  /// The same space but for its heuristic.
  GridSpace with_heuristic(Heuristic heuristic) const;

  template <typename Visit>
  void for_each_neighbour(Cell cell, Visit&& visit) const;

  template <typename Visit>
  void for_each_affected(Cell cell, Visit&& visit) const;

  template <typename Visit>
  void for_each_row_around(Cell cell, Visit&& visit) const {
    visit(cell - width_);
    visit(cell + width_);
  }

 private:
  static constexpr int kLevels = 2 * kMaxPassable + 1;

  static Cost euclidean(Cost dx, Cost dy);

  const Grid* grid_;
  const std::uint8_t* costs_;
  Cell width_;
  Heuristic heuristic_;
  double weight_per_level_;
  std::array<std::uint16_t, 256> level_{};
  std::array<std::uint32_t, kLevels> straight_{};
  std::array<std::uint32_t, kLevels> diagonal_{};
};

/// A lower bound on the cost of any path to one cell. It may be kept and copied as long as the grid
/// is there.
template <int kConnectivity>
class GridSpace<kConnectivity>::HeuristicTo {
 public:
  HeuristicTo(const GridSpace& space, Cell end)
      : grid_(space.grid_), end_(grid_->position(end)), kind_(space.heuristic_) {}

  Cost operator()(Cell cell) const {
    const auto [x, y] = grid_->position(cell);
    const auto dx = static_cast<Cost>(std::abs(x - end_.x));
    const auto dy = static_cast<Cost>(std::abs(y - end_.y));
    if (kind_ == Heuristic::kEuclidean) return euclidean(dx, dy);
    if constexpr (kConnectivity == 4) return kStraight * (dx + dy);
    return kStraight * std::max(dx, dy) + (kDiagonal - kStraight) * std::min(dx, dy);
  }

 private:
  const Grid* grid_;
  Grid::Position end_;
  Heuristic kind_;
};

template <int kConnectivity>
Cost GridSpace<kConnectivity>::step_cost(Cell from, Cell to) const {
  if (to >= size()) return kInfinity;
  const auto [x, y] = grid_->position(from);
  const auto [to_x, to_y] = grid_->position(to);
  const int dx = std::abs(to_x - x);
  const int dy = std::abs(to_y - y);
  if (dx > 1 || dy > 1 || dx + dy == 0 || dx + dy > kConnectivity / 4) return kInfinity;
  const unsigned here = level(from);
  const unsigned there = level(to);
  if (here >= kBlocked || there >= kBlocked) return kInfinity;
  if (dx + dy == 1) return straight_[here + there];
  if (blocked(grid_->cell(x, to_y)) || blocked(grid_->cell(to_x, y))) return kInfinity;
  return diagonal_[here + there];
}

template <int kConnectivity>
template <typename Visit>
void GridSpace<kConnectivity>::for_each_neighbour(Cell cell, Visit&& visit) const {
  const unsigned here = level_[costs_[cell]];
  if (here >= kBlocked) return;
  const auto [x, y] = grid_->position(cell);
  const bool has_west = x > 0;
  const bool has_east = x + 1 < grid_->width();
  const bool has_north = y > 0;
  const bool has_south = y + 1 < grid_->height();

  const auto level = [&](bool inside, Cell at) -> unsigned {
    return inside ? level_[costs_[at]] : kBlocked;
  };
  const unsigned west = level(has_west, cell - 1);
  const unsigned east = level(has_east, cell + 1);
  const unsigned north = level(has_north, cell - width_);
  const unsigned south = level(has_south, cell + width_);
  if (north < kBlocked) visit(cell - width_, Cost{straight_[here + north]});
  if (west < kBlocked) visit(cell - 1, Cost{straight_[here + west]});
  if (east < kBlocked) visit(cell + 1, Cost{straight_[here + east]});
  if (south < kBlocked) visit(cell + width_, Cost{straight_[here + south]});

  if constexpr (kConnectivity == 8) {
    const auto visit_diagonal = [&](unsigned beside, unsigned also_beside, Cell at) {
      if (beside >= kBlocked || also_beside >= kBlocked) return;
      const unsigned there = level_[costs_[at]];
      if (there < kBlocked) visit(at, Cost{diagonal_[here + there]});
    };
    visit_diagonal(north, west, cell - width_ - 1);
    visit_diagonal(north, east, cell - width_ + 1);
    visit_diagonal(south, west, cell + width_ - 1);
    visit_diagonal(south, east, cell + width_ + 1);
  }
}

template <int kConnectivity>
template <typename Visit>
void GridSpace<kConnectivity>::for_each_affected(Cell cell, Visit&& visit) const {
  const auto [x, y] = grid_->position(cell);
  const bool has_west = x > 0;
  const bool has_east = x + 1 < grid_->width();
  const bool has_north = y > 0;
  const bool has_south = y + 1 < grid_->height();
  if (has_north) visit(cell - width_);
  if (has_west) visit(cell - 1);
  visit(cell);
  if (has_east) visit(cell + 1);
  if (has_south) visit(cell + width_);
  if constexpr (kConnectivity == 8) {
    if (has_north && has_west) visit(cell - width_ - 1);
    if (has_north && has_east) visit(cell - width_ + 1);
    if (has_south && has_west) visit(cell + width_ - 1);
    if (has_south && has_east) visit(cell + width_ + 1);
  }
}

extern template class GridSpace<4>;
extern template class GridSpace<8>;
static_assert(PlanarSpace<GridSpace<4>> && PlanarSpace<GridSpace<8>>);

}  // namespace dynamic_planners
