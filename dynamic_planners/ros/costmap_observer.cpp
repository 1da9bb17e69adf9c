#include "dynamic_planners/ros/costmap_observer.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace dynamic_planners::ros {
namespace {

/// More are joined into the one that contains them all.
constexpr std::size_t kMaxWindows = 16;

Window joined(const Window& a, const Window& b) {
  const int x = std::min(a.x, b.x);
  const int y = std::min(a.y, b.y);
  return {x, y, std::max(a.x + a.width, b.x + b.width) - x,
          std::max(a.y + a.height, b.y + b.height) - y};
}

}  // namespace

CostmapObserver::CostmapObserver(nav2_costmap_2d::LayeredCostmap& observed)
    : origin_x_(observed.getCostmap()->getOriginX()),
      origin_y_(observed.getCostmap()->getOriginY()) {
  layered_costmap_ = &observed;
  name_ = "dynamic_planners_observer";
  current_ = true;
  enabled_ = true;
}

CostmapObserver::Seen CostmapObserver::take() {
  const std::lock_guard lock(mutex_);
  // A costmap that nobody updates in cycles is written by hand, where nobody can see it.
  const bool everything = std::exchange(everything_, false) || !driven_;
  return {everything, std::exchange(windows_, {})};
}

bool CostmapObserver::is_driven() {
  const std::lock_guard lock(mutex_);
  return driven_;
}

void CostmapObserver::note(const Window& window) {
  const std::lock_guard lock(mutex_);
  add(window);
}

void CostmapObserver::note_everything() {
  const std::lock_guard lock(mutex_);
  everything_ = true;
}

/// Every cycle begins with this, also one that writes nothing. Where the map has moved, the windows
/// that were noted lie elsewhere, and what came in is new, even when it has moved back since.
void CostmapObserver::updateBounds(double /*robot_x*/, double /*robot_y*/, double /*robot_yaw*/,
                                   double* /*min_x*/, double* /*min_y*/, double* /*max_x*/,
                                   double* /*max_y*/) {
  const nav2_costmap_2d::Costmap2D& master = *layered_costmap_->getCostmap();
  const std::lock_guard lock(mutex_);
  if (master.getOriginX() == origin_x_ && master.getOriginY() == origin_y_) return;
  origin_x_ = master.getOriginX();
  origin_y_ = master.getOriginY();
  everything_ = true;
}

void CostmapObserver::updateCosts(nav2_costmap_2d::Costmap2D& /*master_grid*/, int min_i, int min_j,
                                  int max_i, int max_j) {
  const std::lock_guard lock(mutex_);
  driven_ = true;
  if (min_i < max_i && min_j < max_j) add({min_i, min_j, max_i - min_i, max_j - min_j});
}

void CostmapObserver::add(const Window& window) {
  if (windows_.size() == kMaxWindows) {
    const Window all = std::accumulate(windows_.begin(), windows_.end(), window, joined);
    windows_.clear();
    windows_.push_back(all);
  } else {
    windows_.push_back(window);
  }
}

}  // namespace dynamic_planners::ros
