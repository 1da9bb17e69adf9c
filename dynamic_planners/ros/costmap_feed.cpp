#include "dynamic_planners/ros/costmap_feed.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include "dynamic_planners/ros/costmap_messages.hpp"

namespace dynamic_planners::ros {
namespace {

/// A message that is older tells of a backlog.
constexpr auto kLate = std::chrono::milliseconds(100);

Frame frame_of(const nav2_costmap_2d::Costmap2D& costmap) {
  return {costmap.getOriginX(), costmap.getOriginY(), costmap.getResolution(),
          static_cast<int>(costmap.getSizeInCellsX()), static_cast<int>(costmap.getSizeInCellsY())};
}

}  // namespace

CostmapFeed::CostmapFeed(std::shared_ptr<nav2_costmap_2d::Costmap2DROS> costmap_ros)
    : costmap_ros_(std::move(costmap_ros)),
      observer_(std::make_shared<CostmapObserver>(*costmap_ros_->getLayeredCostmap())),
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

/// LayeredCostmap::isCurrent() says the same, but Jazzy's writes it down where nobody locks.
bool CostmapFeed::is_current() const {
  auto& layered = *costmap_ros_->getLayeredCostmap();
  const std::lock_guard lock(*layered.getCostmap()->getMutex());
  const auto is_current = [](const auto& layer) {
    return layer->isCurrent() || !layer->isEnabled();
  };
  return std::all_of(layered.getPlugins()->begin(), layered.getPlugins()->end(), is_current) &&
         std::all_of(layered.getFilters()->begin(), layered.getFilters()->end(), is_current);
}

std::optional<CostmapFeed::Outcome> CostmapFeed::reconcile_if_current(
    std::vector<CellChange>& changes) {
  const std::lock_guard lock(*costmap_ros_->getCostmap()->getMutex());  // so that it stays current
  if (!is_current()) return std::nullopt;
  return reconcile(changes);
}

std::optional<CostmapFeed::Outcome> CostmapFeed::patrol(std::vector<CellChange>& changes) {
  if (grid_ == nullptr || !observer_->is_driven()) return std::nullopt;
  if (next_row_ >= frame_.height) next_row_ = 0;
  const int rows = std::min((frame_.height + kStrips - 1) / kStrips, frame_.height - next_row_);
  observer_->note({0, next_row_, frame_.width, rows});
  next_row_ += rows;
  return reconcile_if_current(changes);
}

std::optional<CostmapFeed::Outcome> CostmapFeed::objection(
    const builtin_interfaces::msg::Time& stamp, const rclcpp::Time& now, std::string& reason) {
  if (grid_ == nullptr) return Outcome::kOld;
  if (stamp.sec < 0) {
    reason = "its stamp is negative";
    return Outcome::kRefused;
  }
  const rclcpp::Time time(stamp, reconciled_.get_clock_type());
  if (now - time > rclcpp::Duration(kLate)) {
    reason = "it came too late, and others may be lost";
    return Outcome::kLate;
  }
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
                                        const rclcpp::Time& now, std::vector<CellChange>& changes,
                                        std::string& reason) {
  if (const auto outcome = objection(update.header.stamp, now, reason)) return *outcome;
  const auto window = window_of(update, frame_, reason);
  if (!window) return Outcome::kRefused;
  if (!update.data.empty()) assign(*window, update.data, changes);
  return Outcome::kChanged;
}

CostmapFeed::Outcome CostmapFeed::apply(const nav2_msgs::msg::Costmap& costmap,
                                        const rclcpp::Time& now, std::vector<CellChange>& changes,
                                        std::string& reason) {
  if (const auto outcome = objection(costmap.header.stamp, now, reason)) return *outcome;
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
