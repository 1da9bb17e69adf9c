#include "dynamic_planners/ros/message_numbers.hpp"

#include <algorithm>
#include <utility>

namespace dynamic_planners::ros {

bool MessageNumbers::is_gap_before(const rmw_message_info_t& info) {
  constexpr std::uint64_t kNone = RMW_MESSAGE_INFO_SEQUENCE_NUMBER_UNSUPPORTED;
  const std::uint64_t number = info.from_intra_process ? kNone : info.publication_sequence_number;
  const std::uint64_t before = std::exchange(last_, number);
  // Whoever publishes now may have begun long ago, or be the same that was started again.
  const bool is_same = std::equal(publisher_.begin(), publisher_.end(), info.publisher_gid.data);
  std::copy_n(info.publisher_gid.data, publisher_.size(), publisher_.begin());
  return is_same && before != kNone && number != kNone && number != before + 1;
}

}  // namespace dynamic_planners::ros
