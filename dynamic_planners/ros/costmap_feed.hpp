#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/ros/costmap_observer.hpp"
#include "dynamic_planners/ros/frame.hpp"
#include "nav2_costmap_2d/costmap_2d_ros.hpp"
#include "nav2_msgs/msg/costmap.hpp"
#include "nav2_msgs/msg/costmap_update.hpp"
#include "rclcpp/time.hpp"

namespace dynamic_planners::ros {

/// Keeps a grid equal to Nav2's costmap: by the windows it publishes, and by comparison with the
/// costmap in memory, which has the last word.
class CostmapFeed {
 public:
  explicit CostmapFeed(std::shared_ptr<nav2_costmap_2d::Costmap2DROS> costmap_ros);
  CostmapFeed(const CostmapFeed&) = delete;
  CostmapFeed& operator=(const CostmapFeed&) = delete;
  ~CostmapFeed();

  /// Null until the first reconcile(). Another object whenever that answered kNewGrid.
  const Grid* grid() const { return grid_.get(); }
  const Frame& frame() const { return frame_; }

  enum class Outcome { kChanged, kMoved, kNewGrid, kOld, kRefused };

  /// Makes the grid what the costmap in memory is now. Appends what changed: kChanged, or kMoved if
  /// before that the grid has moved over the world by shift(), or kNewGrid. Throws
  /// std::invalid_argument when the costmap has no size, or is larger than any grid; all is as it
  /// was then.
  Outcome reconcile(std::vector<CellChange>& changes);
  const Shift& shift() const { return shift_; }

  /// Applies a window that was published: kChanged; kOld when it was published before the grid was
  /// reconciled; kMoved when the costmap has moved since, and kRefused when it does not fit, for
  /// the reason given. In all but the first nothing of it was applied, and the grid must be
  /// reconciled.
  Outcome apply(const nav2_msgs::msg::CostmapUpdate& update, std::vector<CellChange>& changes,
                std::string& reason);
  Outcome apply(const nav2_msgs::msg::Costmap& costmap, std::vector<CellChange>& changes,
                std::string& reason);

 private:
  /// What stands against a message of this time, or nothing.
  std::optional<Outcome> objection(const builtin_interfaces::msg::Time& stamp, std::string& reason);
  void assign(const Window& window, std::span<const std::uint8_t> costs,
              std::vector<CellChange>& changes);

  std::shared_ptr<nav2_costmap_2d::Costmap2DROS> costmap_ros_;
  std::shared_ptr<CostmapObserver> observer_;
  std::unique_ptr<Grid> grid_;
  Frame frame_;
  Shift shift_{};
  rclcpp::Time reconciled_;
  rclcpp::Time applied_;  // the message before
};

}  // namespace dynamic_planners::ros
