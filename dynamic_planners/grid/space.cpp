#include "dynamic_planners/grid/space.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "dynamic_planners/grid/ceil_sqrt.hpp"

namespace dynamic_planners {
template <int kConnectivity>
GridSpace<kConnectivity>::GridSpace(const Grid& grid, const TraversalConfig& config)
    : grid_(&grid),
      costs_(grid.costs().data()),
      width_(static_cast<Cell>(grid.width())),
      heuristic_(config.heuristic),
      weight_per_level_(config.cost_weight / kMaxPassable) {
  if (config.connectivity != kConnectivity) {
    throw std::invalid_argument("connectivity is " + std::to_string(config.connectivity) +
                                " where the space has " + std::to_string(kConnectivity));
  }
  if (!(config.cost_weight >= 0.0 && config.cost_weight <= 1000.0)) {
    throw std::invalid_argument("cost_weight must be from 0 to 1000, not " +
                                std::to_string(config.cost_weight));
  }
  if (config.unknown_cost > kMaxPassable) {
    throw std::invalid_argument("unknown_cost must be from 0 to 252, not " +
                                std::to_string(config.unknown_cost));
  }
  for (unsigned cost = 0; cost < level_.size(); ++cost) {
    level_[cost] = static_cast<std::uint16_t>(std::min<unsigned>(cost, kBlocked));
  }
  if (config.allow_unknown) level_[kUnknown] = config.unknown_cost;

  for (int level = 0; level < kLevels; ++level) {
    const double weight = 1.0 + config.cost_weight * level / (2.0 * kMaxPassable);
    straight_[level] = static_cast<std::uint32_t>(std::lround(kStraight * weight));
    diagonal_[level] = static_cast<std::uint32_t>(std::lround(kDiagonal * weight));
  }
  if (max_path_cost() >= kInfinity) {
    throw std::invalid_argument(
        std::to_string(grid.width()) + " x " + std::to_string(grid.height()) +
        " cells are too many for cost_weight " + std::to_string(config.cost_weight) +
        ": the cost of a path might not fit");
  }
}

template <int kConnectivity>
GridSpace<kConnectivity> GridSpace<kConnectivity>::with_heuristic(Heuristic heuristic) const {
  GridSpace space = *this;
  space.heuristic_ = heuristic;
  return space;
}

template <int kConnectivity>
Cost GridSpace<kConnectivity>::euclidean(Cost dx, Cost dy) {
  // Measured in diagonals, since kDiagonal is a hair less than sqrt(2) * kStraight. Rounding up
  // keeps it consistent (steps are integers) and keeps the triangle inequality.
  return ceil_sqrt((Wide{kDiagonal} * kDiagonal * (dx * dx + dy * dy) + 1) / 2);
}

template class GridSpace<4>;
template class GridSpace<8>;

}  // namespace dynamic_planners
