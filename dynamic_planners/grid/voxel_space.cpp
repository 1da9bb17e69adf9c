#include "dynamic_planners/grid/voxel_space.hpp"

#include <stdexcept>
#include <string>

#include "dynamic_planners/grid/ceil_sqrt.hpp"

namespace dynamic_planners {
namespace {

TraversalConfig within_a_layer(TraversalConfig config) {
  if (config.connectivity != VoxelSpace::kMaxNeighbours) {
    throw std::invalid_argument("connectivity must be 6 among voxels, not " +
                                std::to_string(config.connectivity));
  }
  config.connectivity = 4;
  return config;
}

}  // namespace

VoxelSpace::VoxelSpace(const Voxels& voxels, const TraversalConfig& config)
    : voxels_(&voxels),
      rows_(voxels.rows(), within_a_layer(config)),
      row_(static_cast<Cell>(voxels.width())),
      layer_(static_cast<Cell>(voxels.height()) * row_),
      heuristic_(config.heuristic) {}

Cost VoxelSpace::step_cost(Cell from, Cell to) const {
  Cost cost = kInfinity;
  for_each_neighbour(from, [&](Cell neighbour, Cost step) {
    if (neighbour == to) cost = step;
  });
  return cost;
}

VoxelSpace VoxelSpace::with_heuristic(Heuristic heuristic) const {
  VoxelSpace space = *this;
  space.heuristic_ = heuristic;
  return space;
}

Cost VoxelSpace::euclidean(Cost dx, Cost dy, Cost dz) {
  // Rounding up keeps it consistent (steps are integers) and keeps the triangle inequality.
  return ceil_sqrt(Wide{kStraight} * kStraight * (dx * dx + dy * dy + dz * dz));
}

}  // namespace dynamic_planners
