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

  enum class Outcome { kChanged, kMoved, kNewGrid, kOld, kLate, kRefused };

  /// Makes the grid what the costmap in memory is now. Appends what changed: kChanged, or kMoved if
  /// before that the grid has moved over the world by shift(), or kNewGrid. Throws
  /// std::invalid_argument when the costmap has no size, or is larger than any grid; all is as it
  /// was then.
  Outcome reconcile(std::vector<CellChange>& changes);
  const Shift& shift() const { return shift_; }

  /// Whether Nav2 would plan with the costmap as it is. Not after it was cleared, until its layers
  /// have written it anew, and not while one of them misses its sensor.
  bool is_current() const;
  /// The same as reconcile(), unless the costmap is not current. Then nothing happens.
  std::optional<Outcome> reconcile_if_current(std::vector<CellChange>& changes);
  /// The same, and compares one strip of the map more than what the update cycles have written:
  /// within kStrips calls, what somebody wrote beside them is seen too. Nothing happens either
  /// where there are no update cycles and all is compared in every request.
  std::optional<Outcome> patrol(std::vector<CellChange>& changes);
  static constexpr int kStrips = 20;
  /// The next reconcile() is to compare everything.
  void distrust() { observer_->note_everything(); }

  /// Applies a window that was published and arrived `now`: kChanged; kOld when it was published
  /// before the grid was reconciled; kLate when that was so long ago that others may have been lost
  /// meanwhile; kMoved when the costmap has moved since, and kRefused when it does not fit. In all
  /// but the first nothing of it was applied, and the grid must be reconciled. What is late or
  /// refused is so for the reason given.
  Outcome apply(const nav2_msgs::msg::CostmapUpdate& update, const rclcpp::Time& now,
                std::vector<CellChange>& changes, std::string& reason);
  Outcome apply(const nav2_msgs::msg::Costmap& costmap, const rclcpp::Time& now,
                std::vector<CellChange>& changes, std::string& reason);

 private:
  /// What stands against a message of this time, or nothing.
  std::optional<Outcome> objection(const builtin_interfaces::msg::Time& stamp,
                                   const rclcpp::Time& now, std::string& reason);
  void assign(const Window& window, std::span<const std::uint8_t> costs,
              std::vector<CellChange>& changes);

  std::shared_ptr<nav2_costmap_2d::Costmap2DROS> costmap_ros_;
  std::shared_ptr<CostmapObserver> observer_;
  std::unique_ptr<Grid> grid_;
  Frame frame_;
  Shift shift_{};
  rclcpp::Time reconciled_;
  rclcpp::Time applied_;  // the message before
  int next_row_ = 0;      // of the patrol
};

}  // namespace dynamic_planners::ros
