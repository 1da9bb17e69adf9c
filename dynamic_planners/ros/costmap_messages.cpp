#include "dynamic_planners/ros/costmap_messages.hpp"

#include <cmath>
#include <cstdint>

namespace dynamic_planners::ros {
namespace {

std::string wrong_length(std::size_t length, const char* of, std::uint32_t width,
                         std::uint32_t height) {
  return "it has " + std::to_string(length) + " costs for a " + of + " of " +
         std::to_string(width) + " x " + std::to_string(height);
}

}  // namespace

std::optional<Frame> frame_of(const nav2_msgs::msg::Costmap& costmap, std::string& reason) {
  const auto& metadata = costmap.metadata;
  const auto& origin = metadata.origin;
  const std::uint64_t cells = std::uint64_t{metadata.size_x} * metadata.size_y;
  if (cells == 0 || cells > kMaxCells) {
    reason = "it is of " + std::to_string(metadata.size_x) + " x " +
             std::to_string(metadata.size_y) + " cells";
    return std::nullopt;
  }
  if (!(std::isfinite(metadata.resolution) && metadata.resolution > 0.0F) ||
      !std::isfinite(origin.position.x) || !std::isfinite(origin.position.y)) {
    reason = "its resolution or origin is no number that a map can have";
    return std::nullopt;
  }
  if (origin.orientation.x != 0.0 || origin.orientation.y != 0.0 || origin.orientation.z != 0.0) {
    reason = "its rows do not lie along the axes of its frame";
    return std::nullopt;
  }
  if (costmap.data.size() != cells) {
    reason = wrong_length(costmap.data.size(), "map", metadata.size_x, metadata.size_y);
    return std::nullopt;
  }
  return Frame{origin.position.x, origin.position.y, metadata.resolution,
               static_cast<int>(metadata.size_x), static_cast<int>(metadata.size_y)};
}

std::optional<Window> window_of(const nav2_msgs::msg::CostmapUpdate& update, const Frame& frame,
                                std::string& reason) {
  if (std::uint64_t{update.x} + update.size_x > static_cast<std::uint64_t>(frame.width) ||
      std::uint64_t{update.y} + update.size_y > static_cast<std::uint64_t>(frame.height)) {
    reason = "its window reaches outside the map";
    return std::nullopt;
  }
  if (update.data.size() != std::uint64_t{update.size_x} * update.size_y) {
    reason = wrong_length(update.data.size(), "window", update.size_x, update.size_y);
    return std::nullopt;
  }
  return Window{static_cast<int>(update.x), static_cast<int>(update.y),
                static_cast<int>(update.size_x), static_cast<int>(update.size_y)};
}

}  // namespace dynamic_planners::ros
