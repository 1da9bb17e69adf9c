#pragma once

#include <cstddef>
#include <vector>

#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/search/planner.hpp"

namespace dynamic_planners::ros {

/// A path that was answered.
struct FormerPath {
  Cell goal;
  std::vector<Point> points;
  double bound;
};

/// The paths that were answered last, one for each goal. Of two paths of nearly equal cost now one
/// is better and now the other, and a robot must not turn around each time: what is left of the
/// former one is kept to.
class FormerPaths {
 public:
  /// When a former path is kept to.
  struct Commitment {
    double share;  // that it may cost more than the best one
    double reach;  // how far off it the robot may be [cells]
  };

  enum class Choice { kFormer, kBetter, kNoBetter };

  /// Makes the plan what is left of the former path, if that is another one, leads to the same
  /// place, is free and costs at most the share more. Otherwise the plan stays, and is better than
  /// the former one or not.
  Choice choose(const Grid& grid, const TraversalConfig& traversal, const Commitment& commitment,
                Cell goal, Plan& plan) const;

  /// Where the former path to this goal ends; null if there is none.
  const Point* end(Cell goal) const;

  /// Those of so many goals are kept.
  void remember(FormerPath path, std::size_t goals);
  /// The grid has moved over the world. What has left it is no path.
  void move(const Grid& grid, const Shift& shift);
  void clear() { paths_.clear(); }

 private:
  const FormerPath* find(Cell goal) const;

  std::vector<FormerPath> paths_;  // the latest first
};

}  // namespace dynamic_planners::ros
