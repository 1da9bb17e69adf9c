#include "dynamic_planners/ros/costmap_feed.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "dynamic_planners/ros/costmap_messages.hpp"

namespace dynamic_planners::ros {
namespace {

Frame frame_of(const nav2_costmap_2d::Costmap2D& costmap) {
  return {costmap.getOriginX(), costmap.getOriginY(), costmap.getResolution(),
          static_cast<int>(costmap.getSizeInCellsX()), static_cast<int>(costmap.getSizeInCellsY())};
}

}  // namespace

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
  const auto window = window_of(update, frame_, reason);
  if (!window) return Outcome::kRefused;
  if (!update.data.empty()) assign(*window, update.data, changes);
  return Outcome::kChanged;
}

CostmapFeed::Outcome CostmapFeed::apply(const nav2_msgs::msg::Costmap& costmap,
                                        std::vector<CellChange>& changes, std::string& reason) {
  if (const auto outcome = objection(costmap.header.stamp, reason)) return *outcome;
  const auto frame = frame_of(costmap, reason);
  if (!frame) return Outcome::kRefused;
  const auto shift = frame_.shift_to(*frame);
  if (!shift) {
    reason = "it is of another size, place or resolution";
    return Outcome::kRefused;
  }
  if (shift->dx != 0 || shift->dy != 0) return Outcome::kMoved;
  assign({0, 0, frame_.width, frame_.height}, costmap.data, changes);
  return Outcome::kChanged;
}

}  // namespace dynamic_planners::ros
