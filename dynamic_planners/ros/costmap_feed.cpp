#include "dynamic_planners/ros/costmap_feed.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

namespace dynamic_planners::ros {
namespace {

Frame frame_of(const nav2_costmap_2d::Costmap2D& costmap) {
  return {costmap.getOriginX(), costmap.getOriginY(), costmap.getResolution(),
          static_cast<int>(costmap.getSizeInCellsX()), static_cast<int>(costmap.getSizeInCellsY())};
}

}  // namespace

std::optional<Grid::Position> Frame::cell_at(double x, double y) const {
  const double cell_x = std::floor((x - origin_x) / resolution);
  const double cell_y = std::floor((y - origin_y) / resolution);
  // Written so that NaN is outside.
  if (!(cell_x >= 0.0 && cell_x < width && cell_y >= 0.0 && cell_y < height)) return std::nullopt;
  return Grid::Position{static_cast<int>(cell_x), static_cast<int>(cell_y)};
}

std::optional<Shift> Frame::shift_to(const Frame& other) const {
  // The resolution is a float in messages, and origins have gone through additions.
  const double hair = 1e-3;
  if (other.width != width || other.height != height ||
      !(std::abs(other.resolution - resolution) < hair * resolution)) {
    return std::nullopt;
  }
  const double dx = (other.origin_x - origin_x) / resolution;
  const double dy = (other.origin_y - origin_y) / resolution;
  if (!(std::abs(dx) < width && std::abs(dy) < height)) return std::nullopt;
  const Shift shift{static_cast<int>(std::lround(dx)), static_cast<int>(std::lround(dy))};
  if (!(std::abs(dx - shift.dx) < hair && std::abs(dy - shift.dy) < hair)) return std::nullopt;
  return shift;
}

CostmapFeed::CostmapFeed(std::shared_ptr<nav2_costmap_2d::Costmap2DROS> costmap_ros)
    : costmap_ros_(std::move(costmap_ros)),
      observer_(std::make_shared<CostmapObserver>()),
      reconciled_(0, 0, costmap_ros_->get_clock()->get_clock_type()),
      applied_(reconciled_) {
  costmap_ros_->getLayeredCostmap()->addPlugin(observer_);
}

CostmapFeed::~CostmapFeed() {
  // A costmap that was cleaned up before us has forgotten its layers already.
  auto* const layered = costmap_ros_->getLayeredCostmap();
  if (layered == nullptr) return;
  const std::lock_guard lock(*layered->getCostmap()->getMutex());
  std::erase(*layered->getPlugins(), observer_);
}

CostmapFeed::Outcome CostmapFeed::reconcile(std::vector<CellChange>& changes) {
  const nav2_costmap_2d::Costmap2D& costmap = *costmap_ros_->getCostmap();
  const std::lock_guard lock(*costmap_ros_->getCostmap()->getMutex());
  const Frame frame = frame_of(costmap);
  const std::span<const std::uint8_t> costs(costmap.getCharMap(),
                                            static_cast<std::size_t>(frame.width) * frame.height);
  const auto shift = frame_.shift_to(frame);
  const bool is_new = grid_ == nullptr || !shift;
  if (is_new) grid_ = std::make_unique<Grid>(frame.width, frame.height, costs);
  frame_ = frame;
  reconciled_ = costmap_ros_->now();
  applied_ = reconciled_;
  CostmapObserver::Seen seen = observer_->take();
  if (is_new) return Outcome::kNewGrid;
  shift_ = *shift;
  const bool moved = shift_.dx != 0 || shift_.dy != 0;
  if (moved) grid_->move(shift_);
  if (seen.everything || moved) seen.windows = {{0, 0, frame.width, frame.height}};
  const auto stride = static_cast<std::size_t>(frame.width);
  for (const Window& window : seen.windows) {
    const Cell first = grid_->cell(window.x, window.y);
    const std::size_t length = static_cast<std::size_t>(window.height - 1) * stride +
                               static_cast<std::size_t>(window.width);
    grid_->assign(window, costs.subspan(first, length), stride, changes);
  }
  return moved ? Outcome::kMoved : Outcome::kChanged;
}

std::optional<CostmapFeed::Outcome> CostmapFeed::objection(
    const builtin_interfaces::msg::Time& stamp, std::string& reason) {
  if (grid_ == nullptr) return Outcome::kOld;
  const rclcpp::Time time(stamp, reconciled_.get_clock_type());
  // At the very time of the comparison, it may have been before it or after it.
  if (time <= reconciled_) return Outcome::kOld;
  if (time < applied_) {
    reason = "it is older than the one before it";
    return Outcome::kRefused;
  }
  // A window does not say where its map lies.
  const std::lock_guard lock(*costmap_ros_->getCostmap()->getMutex());
  if (!(frame_of(*costmap_ros_->getCostmap()) == frame_)) return Outcome::kMoved;
  applied_ = time;
  return std::nullopt;
}

void CostmapFeed::assign(const Window& window, std::span<const std::uint8_t> costs,
                         std::vector<CellChange>& changes) {
  grid_->assign(window, costs, static_cast<std::size_t>(window.width), changes);
  // The costmap in memory has the last word on it.
  observer_->note(window);
}

CostmapFeed::Outcome CostmapFeed::apply(const nav2_msgs::msg::CostmapUpdate& update,
                                        std::vector<CellChange>& changes, std::string& reason) {
  if (const auto outcome = objection(update.header.stamp, reason)) return *outcome;
  const std::uint64_t right = std::uint64_t{update.x} + update.size_x;
  const std::uint64_t top = std::uint64_t{update.y} + update.size_y;
  if (right > static_cast<std::uint64_t>(frame_.width) ||
      top > static_cast<std::uint64_t>(frame_.height)) {
    reason = "its window reaches outside the map";
    return Outcome::kRefused;
  }
  if (update.data.size() != std::uint64_t{update.size_x} * update.size_y) {
    reason = "it has " + std::to_string(update.data.size()) + " costs for a window of " +
             std::to_string(update.size_x) + " x " + std::to_string(update.size_y);
    return Outcome::kRefused;
  }
  if (update.data.empty()) return Outcome::kChanged;
  assign({static_cast<int>(update.x), static_cast<int>(update.y), static_cast<int>(update.size_x),
          static_cast<int>(update.size_y)},
         update.data, changes);
  return Outcome::kChanged;
}

CostmapFeed::Outcome CostmapFeed::apply(const nav2_msgs::msg::Costmap& costmap,
                                        std::vector<CellChange>& changes, std::string& reason) {
  if (const auto outcome = objection(costmap.header.stamp, reason)) return *outcome;
  const auto& metadata = costmap.metadata;
  const bool countable = metadata.size_x <= kMaxCells && metadata.size_y <= kMaxCells;
  const Frame frame{metadata.origin.position.x, metadata.origin.position.y, metadata.resolution,
                    countable ? static_cast<int>(metadata.size_x) : 0,
                    countable ? static_cast<int>(metadata.size_y) : 0};
  const auto shift = frame_.shift_to(frame);
  if (shift && (shift->dx != 0 || shift->dy != 0)) return Outcome::kMoved;
  if (!shift) {
    reason = "it is of another size, place or resolution";
    return Outcome::kRefused;
  }
  if (costmap.data.size() != std::uint64_t{metadata.size_x} * metadata.size_y) {
    reason = "it has " + std::to_string(costmap.data.size()) + " costs for a map of " +
             std::to_string(metadata.size_x) + " x " + std::to_string(metadata.size_y);
    return Outcome::kRefused;
  }
  assign({0, 0, frame_.width, frame_.height}, costmap.data, changes);
  return Outcome::kChanged;
}

}  // namespace dynamic_planners::ros
