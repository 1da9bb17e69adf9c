#include "dynamic_planners/ros/message_feed.hpp"

#include <utility>

#include "dynamic_planners/ros/costmap_messages.hpp"

namespace dynamic_planners::ros {

MessageFeed::Outcome MessageFeed::apply(const nav2_msgs::msg::CostmapUpdate& update, Time now,
                                        std::vector<CellChange>& changes, std::string& reason) {
  const bool is_waiting = trust_ == Trust::kNone;
  // A topic keeps the last message for who comes late. It may be of any age.
  if (is_waiting && now - time_of(update.header.stamp) > timeout_) return Outcome::kOld;
  if (!fits(update.header, now, reason)) return refuse(now);
  if (!is_waiting) return take_over(update, now, changes, reason);
  keep(update, now);
  return Outcome::kOld;
}

MessageFeed::Outcome MessageFeed::apply(const nav2_msgs::msg::Costmap& costmap, Time now,
                                        std::vector<CellChange>& changes, std::string& reason) {
  return take_over(costmap, Trust::kFull, now, changes, reason);
}

MessageFeed::Outcome MessageFeed::apply_answer(const nav2_msgs::msg::Costmap& costmap, Time now,
                                               std::vector<CellChange>& changes,
                                               std::string& reason) {
  // A costmap that has come by itself meanwhile is better.
  if (trust_ == Trust::kFull) return Outcome::kOld;
  return take_over(costmap, Trust::kUnconfirmed, now, changes, reason);
}

void MessageFeed::distrust(Time now) {
  trust_ = Trust::kNone;
  not_before_ = now;
  waiting_.clear();
}

MessageFeed::Outcome MessageFeed::refuse(Time now) {
  trust_ = Trust::kNone;
  not_before_ = now;
  return Outcome::kRefused;
}

void MessageFeed::keep(const nav2_msgs::msg::CostmapUpdate& update, Time now) {
  // What is older than this is in every costmap that can still be believed.
  std::erase_if(waiting_, [&](const nav2_msgs::msg::CostmapUpdate& one) {
    return now - time_of(one.header.stamp) > timeout_;
  });
  waiting_.push_back(update);
}

bool MessageFeed::fits(const std_msgs::msg::Header& header, Time now, std::string& reason) const {
  const double age = std::chrono::duration<double>(now - time_of(header.stamp)).count();
  if (header.frame_id != global_frame_) {
    reason = "it is in the frame '" + header.frame_id + "' and not in '" + global_frame_ + "'";
  } else if (now - time_of(header.stamp) > timeout_) {
    reason = "it was published " + std::to_string(age) + " s ago";
  } else if (time_of(header.stamp) - now > timeout_) {
    reason = "it comes from " + std::to_string(-age) + " s in the future";
  } else {
    return true;
  }
  return false;
}

MessageFeed::Outcome MessageFeed::take_over(const nav2_msgs::msg::Costmap& costmap, Trust trust,
                                            Time now, std::vector<CellChange>& changes,
                                            std::string& reason) {
  const Time stamp = time_of(costmap.header.stamp);
  // Kept for who comes late, or on its way when something was lost.
  if (trust_ == Trust::kNone && stamp <= not_before_) return Outcome::kOld;
  if (!fits(costmap.header, now, reason)) return refuse(now);
  const auto frame = frame_of(costmap, reason);
  if (!frame) return refuse(now);
  if (trust_ != Trust::kNone) {
    if (stamp < everything_) return Outcome::kOld;
    // Windows come on a topic of their own, and so may be here first. Then they were taken for
    // windows of another costmap.
    if (stamp <= stamp_ && everything_ < stamp_) {
      reason = "a window that was published after it has come before it";
      return refuse(now);
    }
  }
  const bool is_new =
      grid_ == nullptr || frame->width != grid_->width() || frame->height != grid_->height();
  const auto shift = frame_.shift_to(*frame);
  const bool is_there = shift && shift->dx == 0 && shift->dy == 0;
  if (is_new) {
    grid_ = std::make_unique<Grid>(frame->width, frame->height, costmap.data);
  } else {
    grid_->assign({0, 0, frame->width, frame->height}, costmap.data,
                  static_cast<std::size_t>(frame->width), changes);
  }
  frame_ = *frame;
  stamp_ = stamp;
  everything_ = stamp;
  trust_ = trust;
  for (const auto& update : std::exchange(waiting_, {})) {
    if (take_over(update, now, changes, reason) == Outcome::kRefused) break;
  }
  if (is_new) return Outcome::kNewGrid;
  return is_there ? Outcome::kChanged : Outcome::kMoved;
}

MessageFeed::Outcome MessageFeed::take_over(const nav2_msgs::msg::CostmapUpdate& update, Time now,
                                            std::vector<CellChange>& changes, std::string& reason) {
  const Time stamp = time_of(update.header.stamp);
  if (stamp < everything_) return Outcome::kOld;  // what was published since has it already
  if (stamp < stamp_) {
    reason = "it is older than the one before it";
    return refuse(now);
  }
  // Simulated time has moments in which much happens. To an answer of the service the window can be
  // applied whichever was first, for one of a later moment has to follow.
  if (stamp == everything_ && trust_ == Trust::kFull) {
    reason = "it is of the same moment as all of the costmap, and which was first is not known";
    return refuse(now);
  }
  const auto window = window_of(update, frame_, reason);
  if (!window) return refuse(now);
  if (!update.data.empty()) {
    grid_->assign(*window, update.data, static_cast<std::size_t>(window->width), changes);
  }
  stamp_ = stamp;
  if (stamp > everything_) trust_ = Trust::kFull;
  return Outcome::kChanged;
}

}  // namespace dynamic_planners::ros
