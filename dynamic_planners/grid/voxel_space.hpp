#pragma once

#include <array>
#include <cstdlib>

#include "dynamic_planners/grid/cost.hpp"
#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/grid/voxels.hpp"

namespace dynamic_planners {

/// Voxels whose cells have 6 neighbours, those they share a side with; the connectivity of its
/// configuration is 6. What bytes mean and steps cost is the same as on a 4-connected grid. It
/// reads the voxels it was made for, live.
class VoxelSpace {
 public:
  static constexpr int kMaxNeighbours = 6;
  static constexpr int kDimensions = 3;

  /// Throws std::invalid_argument where GridSpace does.
  VoxelSpace(const Voxels& voxels, const TraversalConfig& config);

  Cell size() const { return voxels_->size(); }
  Cost max_path_cost() const { return rows_.max_path_cost(); }
  bool blocked(Cell cell) const { return rows_.blocked(cell); }
  Cost step_cost(Cell from, Cell to) const;

  std::array<int, 3> coordinates(Cell cell) const {
    const auto [x, y, z] = voxels_->position(cell);
    return {x, y, z};
  }
  std::array<Cell, 3> strides() const { return {1, row_, layer_}; }

  static constexpr unsigned kBlocked = GridSpace<4>::kBlocked;
  unsigned level(Cell cell) const { return rows_.level(cell); }
  double weight_of_level(double level) const { return rows_.weight_of_level(level); }

  /// kNatural is Manhattan.
  class HeuristicTo;
  HeuristicTo heuristic_to(Cell end) const;
  Cost heuristic(Cell a, Cell b) const;
  VoxelSpace with_heuristic(Heuristic heuristic) const;

  template <typename Visit>
  void for_each_neighbour(Cell cell, Visit&& visit) const;

  template <typename Visit>
  void for_each_affected(Cell cell, Visit&& visit) const;

  template <typename Visit>
  void for_each_row_around(Cell cell, Visit&& visit) const {
    visit(cell - row_);
    visit(cell + row_);
    visit(cell - layer_);
    visit(cell + layer_);
  }

 private:
  /// Visits each cell that shares a side with this one.
  template <typename Visit>
  void for_each_beside(Cell cell, Visit&& visit) const;

  static Cost euclidean(Cost dx, Cost dy, Cost dz);

  const Voxels* voxels_;
  GridSpace<4> rows_;  // for what it makes of bytes, not for its moves
  Cell row_;
  Cell layer_;
  Heuristic heuristic_;
};

/// A lower bound on the cost of any path to one cell. It may be kept and copied as long as the
/// voxels are there.
class VoxelSpace::HeuristicTo {
 public:
  HeuristicTo(const VoxelSpace& space, Cell end)
      : voxels_(space.voxels_), end_(voxels_->position(end)), kind_(space.heuristic_) {}

  Cost operator()(Cell cell) const {
    const auto [x, y, z] = voxels_->position(cell);
    const auto dx = static_cast<Cost>(std::abs(x - end_.x));
    const auto dy = static_cast<Cost>(std::abs(y - end_.y));
    const auto dz = static_cast<Cost>(std::abs(z - end_.z));
    return kind_ == Heuristic::kEuclidean ? euclidean(dx, dy, dz) : kStraight * (dx + dy + dz);
  }

 private:
  const Voxels* voxels_;
  Voxels::Position end_;
  Heuristic kind_;
};

inline VoxelSpace::HeuristicTo VoxelSpace::heuristic_to(Cell end) const {
  return {*this, end};
}

inline Cost VoxelSpace::heuristic(Cell a, Cell b) const {
  return heuristic_to(b)(a);
}

template <typename Visit>
void VoxelSpace::for_each_beside(Cell cell, Visit&& visit) const {
  const auto [x, y, z] = voxels_->position(cell);
  if (z > 0) visit(cell - layer_);
  if (y > 0) visit(cell - row_);
  if (x > 0) visit(cell - 1);
  if (x + 1 < voxels_->width()) visit(cell + 1);
  if (y + 1 < voxels_->height()) visit(cell + row_);
  if (cell + layer_ < size()) visit(cell + layer_);
}

template <typename Visit>
void VoxelSpace::for_each_neighbour(Cell cell, Visit&& visit) const {
  const unsigned here = rows_.level(cell);
  if (here >= kBlocked) return;
  for_each_beside(cell, [&](Cell neighbour) {
    const unsigned there = rows_.level(neighbour);
    if (there < kBlocked) visit(neighbour, rows_.straight_cost(here + there));
  });
}

template <typename Visit>
void VoxelSpace::for_each_affected(Cell cell, Visit&& visit) const {
  visit(cell);
  for_each_beside(cell, visit);
}

static_assert(Space<VoxelSpace>);

}  // namespace dynamic_planners
