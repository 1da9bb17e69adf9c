#include "test/support/any_angle.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace oracle {
namespace {

/// Closer than this is on the border.
constexpr double kHair = 1e-9;

/// Visits every cell that a place lies in, on the border or at a corner of; false when one of them
/// is blocked or there is none.
template <typename Visit>
bool visit_cells_at(const World& world, double x, double y, Visit&& visit) {
  bool inside = false;
  for (int cy = static_cast<int>(std::floor(y)) - 1; cy <= y + 1; ++cy) {
    for (int cx = static_cast<int>(std::floor(x)) - 1; cx <= x + 1; ++cx) {
      if (cx < 0 || cy < 0 || cx >= world.width || cy >= world.height) continue;
      if (std::abs(x - cx) > 0.5 + kHair || std::abs(y - cy) > 0.5 + kHair) continue;
      const int cell = world.index(cx, cy);
      if (blocked(world, cell)) return false;
      inside = true;
      visit(cell);
    }
  }
  return inside;
}

}  // namespace

std::optional<LineCost> line_cost(const World& world, double x0, double y0, double x1, double y1) {
  // All shares of the line at which it may pass from one cell to another.
  std::vector<double> shares{0.0, 1.0};
  const auto cut = [&](double from, double to) {
    for (double k = std::floor(std::min(from, to)) - 0.5; k <= std::max(from, to); k += 1.0) {
      const double share = (k - from) / (to - from);
      if (share > 0.0 && share < 1.0) shares.push_back(share);
    }
  };
  if (x0 != x1) cut(x0, x1);
  if (y0 != y1) cut(y0, y1);
  std::sort(shares.begin(), shares.end());

  LineCost cost;
  const double length = std::hypot(x1 - x0, y1 - y0);
  const auto at = [&](double share, auto&& visit) {
    return visit_cells_at(world, x0 + share * (x1 - x0), y0 + share * (y1 - y0), visit);
  };
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (!at(shares[i], [](int) {})) return std::nullopt;
    if (i == 0 || shares[i] - shares[i - 1] < kHair) continue;
    double least = 1e300;
    double most = 0.0;
    const bool passable = at((shares[i - 1] + shares[i]) / 2.0, [&](int cell) {
      const int worth = world.costs[cell] == 255 ? world.unknown_cost : world.costs[cell];
      const double weight = 1.0 + world.cost_weight * worth / 252.0;
      least = std::min(least, weight);
      most = std::max(most, weight);
    });
    if (!passable) return std::nullopt;
    const double piece = 985.0 * length * (shares[i] - shares[i - 1]);
    cost.least += piece * least;
    cost.most += piece * most;
  }
  return cost;
}

}  // namespace oracle
