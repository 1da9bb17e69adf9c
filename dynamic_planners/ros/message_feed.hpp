#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "builtin_interfaces/msg/time.hpp"
#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/ros/frame.hpp"
#include "nav2_msgs/msg/costmap.hpp"
#include "nav2_msgs/msg/costmap_update.hpp"

namespace dynamic_planners::ros {

inline std::chrono::nanoseconds time_of(const builtin_interfaces::msg::Time& stamp) {
  return std::chrono::seconds(stamp.sec) + std::chrono::nanoseconds(stamp.nanosec);
}

/// Keeps a grid equal to a costmap of which there are only messages: all of it now and then, and
/// windows in between. A message is applied as a whole or not at all.
class MessageFeed {
 public:
  using Time = std::chrono::nanoseconds;

  /// Messages that differ from the time at which they come by more than `timeout` are not believed,
  /// nor a costmap of before `now`: windows that came after it may have been missed.
  MessageFeed(std::string global_frame, Time timeout, Time now)
      : global_frame_(std::move(global_frame)), timeout_(timeout), not_before_(now) {}

  /// Null until all of the costmap has come. Another object whenever apply() answered kNewGrid.
  const Grid* grid() const { return grid_.get(); }
  const Frame& frame() const { return frame_; }

  /// What has become of a message. kMoved: the costmap lies elsewhere now, and everything may have
  /// changed.
  enum class Outcome { kChanged, kMoved, kNewGrid, kOld, kRefused };

  /// Applies a message that has come now. Appends what changed when it answers kChanged. kOld: the
  /// grid has it already, or waits for all of the costmap. kRefused: for the reason given, and the
  /// grid is not to be relied on until all of the costmap has come again, as it is now or later.
  Outcome apply(const nav2_msgs::msg::CostmapUpdate& update, Time now,
                std::vector<CellChange>& changes, std::string& reason);
  Outcome apply(const nav2_msgs::msg::Costmap& costmap, Time now, std::vector<CellChange>& changes,
                std::string& reason);
  /// The same for what the costmap's service has answered. Nav2 copies the costmap for it while it
  /// may be written, so it counts only once a message has come that was published after it.
  Outcome apply_answer(const nav2_msgs::msg::Costmap& costmap, Time now,
                       std::vector<CellChange>& changes, std::string& reason);

  /// Nothing of before `now` is believed, which may be a time that has been already. All of the
  /// costmap has to come again.
  void distrust(Time now);
  bool needs_everything() const { return trust_ == Trust::kNone; }
  /// The grid is what the costmap was at stamp().
  bool is_trusted() const { return trust_ == Trust::kFull; }
  Time stamp() const { return stamp_; }

 private:
  enum class Trust { kNone, kUnconfirmed, kFull };

  Outcome refuse(Time now);
  bool fits(const std_msgs::msg::Header& header, Time now, std::string& reason) const;
  Outcome take_over(const nav2_msgs::msg::Costmap& costmap, Trust trust, Time now,
                    std::vector<CellChange>& changes, std::string& reason);
  Outcome take_over(const nav2_msgs::msg::CostmapUpdate& update, Time now,
                    std::vector<CellChange>& changes, std::string& reason);
  void keep(const nav2_msgs::msg::CostmapUpdate& update, Time now);

  std::string global_frame_;
  Time timeout_;
  std::unique_ptr<Grid> grid_;
  Frame frame_;
  Trust trust_ = Trust::kNone;
  Time not_before_;    // something that was published until then may be lost
  Time everything_{};  // when all of the costmap was published last
  Time stamp_{};       // when the newest message was published
  /// Windows that have come while all of the costmap is waited for. Those that were published after
  /// it are applied to it.
  std::vector<nav2_msgs::msg::CostmapUpdate> waiting_;
};

}  // namespace dynamic_planners::ros
