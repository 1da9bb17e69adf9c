#pragma once

#include <mutex>
#include <vector>

#include "dynamic_planners/grid/grid.hpp"
#include "nav2_costmap_2d/layer.hpp"

namespace dynamic_planners::ros {

/// A costmap layer without costs of its own: it sees which window every update cycle of a layered
/// costmap writes, so that nobody has to compare the whole map to learn what may have changed.
class CostmapObserver : public nav2_costmap_2d::Layer {
 public:
  explicit CostmapObserver(nav2_costmap_2d::LayeredCostmap& observed);

  struct Seen {
    /// Anything may have changed: nothing was observed yet, or the map was resized, moved or reset.
    bool everything;
    /// Else only these windows.
    std::vector<Window> windows;
  };

  /// What may have changed since the last call.
  Seen take();

  /// Whether update cycles were seen: the layers write this costmap, and nobody by hand.
  bool is_driven();

  /// A window, or all of it, may differ for a reason that no update cycle tells.
  void note(const Window& window);
  void note_everything();

  void reset() override { note_everything(); }
  bool isClearable() override { return false; }
  void matchSize() override { note_everything(); }
  void updateBounds(double robot_x, double robot_y, double robot_yaw, double* min_x, double* min_y,
                    double* max_x, double* max_y) override;
  void updateCosts(nav2_costmap_2d::Costmap2D& master_grid, int min_i, int min_j, int max_i,
                   int max_j) override;

 private:
  void add(const Window& window);

  std::mutex mutex_;
  bool driven_ = false;
  bool everything_ = true;
  std::vector<Window> windows_;
  // Where the map was in the last cycle.
  double origin_x_;
  double origin_y_;
};

}  // namespace dynamic_planners::ros
