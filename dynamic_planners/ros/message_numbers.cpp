#include "dynamic_planners/ros/message_numbers.hpp"

#include <algorithm>
#include <utility>

namespace dynamic_planners::ros {

MessageNumbers::Before MessageNumbers::before(const rmw_message_info_t& info) {
  constexpr std::uint64_t kNone = RMW_MESSAGE_INFO_SEQUENCE_NUMBER_UNSUPPORTED;
  const std::uint64_t number = info.from_intra_process ? kNone : info.publication_sequence_number;
  const std::uint64_t last = std::exchange(last_, number);
  Publisher publisher;
  std::copy_n(info.publisher_gid.data, publisher.size(), publisher.begin());
  // Whoever publishes now may have begun long ago, or be the same that was started again.
  if (std::exchange(publisher_, publisher) != publisher) return Before::kUnheard;
  return last != kNone && number != kNone && number != last + 1 ? Before::kLost : Before::kNothing;
}

}  // namespace dynamic_planners::ros
