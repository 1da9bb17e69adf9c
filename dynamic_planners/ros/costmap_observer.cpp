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

CostmapObserver::CostmapObserver() {
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

void CostmapObserver::note(const Window& window) {
  const std::lock_guard lock(mutex_);
  add(window);
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

void CostmapObserver::note_everything() {
  const std::lock_guard lock(mutex_);
  everything_ = true;
}

}  // namespace dynamic_planners::ros
