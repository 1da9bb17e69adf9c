#include "dynamic_planners/ros/message_feed.hpp"

#include <utility>

#include "dynamic_planners/ros/costmap_messages.hpp"

namespace dynamic_planners::ros {

MessageFeed::Outcome MessageFeed::apply(const nav2_msgs::msg::CostmapUpdate& update, Time now,
                                        std::vector<CellChange>& changes, std::string& reason) {
  const Time stamp = time_of(update.header.stamp);
  if (trust_ == Trust::kNone) return Outcome::kOld;
  if (!fits(update.header, now, reason)) return refuse();
  // Published before, or at the very time of, what has it already.
  if (stamp <= everything_) return Outcome::kOld;
  if (stamp < stamp_) {
    reason = "it is older than the one before it";
    return refuse();
  }
  const auto window = window_of(update, frame_, reason);
  if (!window) return refuse();
  if (!update.data.empty()) {
    grid_->assign(*window, update.data, static_cast<std::size_t>(window->width), changes);
  }
  stamp_ = stamp;
  trust_ = Trust::kFull;
  return Outcome::kChanged;
}

MessageFeed::Outcome MessageFeed::apply(const nav2_msgs::msg::Costmap& costmap, Time now,
                                        std::vector<CellChange>& changes, std::string& reason) {
  const Outcome outcome = take_over(costmap, now, changes, reason);
  if (outcome != Outcome::kOld && outcome != Outcome::kRefused) trust_ = Trust::kFull;
  return outcome;
}

MessageFeed::Outcome MessageFeed::apply_answer(const nav2_msgs::msg::Costmap& costmap, Time now,
                                               std::vector<CellChange>& changes,
                                               std::string& reason) {
  // A costmap that has come by itself meanwhile is better.
  if (trust_ == Trust::kFull) return Outcome::kOld;
  const Outcome outcome = take_over(costmap, now, changes, reason);
  if (outcome != Outcome::kOld && outcome != Outcome::kRefused) trust_ = Trust::kUnconfirmed;
  return outcome;
}

MessageFeed::Outcome MessageFeed::refuse() {
  trust_ = Trust::kNone;
  return Outcome::kRefused;
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

MessageFeed::Outcome MessageFeed::take_over(const nav2_msgs::msg::Costmap& costmap, Time now,
                                            std::vector<CellChange>& changes, std::string& reason) {
  const Time stamp = time_of(costmap.header.stamp);
  if (!fits(costmap.header, now, reason)) {
    // A costmap keeps the last message for who comes late. It may be of any age.
    const bool is_kept = trust_ == Trust::kNone && now - stamp > timeout_;
    return is_kept ? Outcome::kOld : refuse();
  }
  const auto frame = frame_of(costmap, reason);
  if (!frame) return refuse();
  if (trust_ != Trust::kNone && stamp < stamp_) return Outcome::kOld;
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
  if (is_new) return Outcome::kNewGrid;
  return is_there ? Outcome::kChanged : Outcome::kMoved;
}

}  // namespace dynamic_planners::ros
