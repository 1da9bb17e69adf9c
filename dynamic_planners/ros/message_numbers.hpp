#pragma once

#include <array>
#include <cstdint>

#include "rmw/types.h"

namespace dynamic_planners::ros {

/// Notices that messages of a topic with one publisher were lost, by the numbers that it gives
/// them. Fast DDS, Connext and Zenoh pass these on, Cyclone DDS does not.
class MessageNumbers {
 public:
  /// Whether the publisher of this message has sent others since the one that came last.
  bool is_gap_before(const rmw_message_info_t& info);

 private:
  std::uint64_t last_ = RMW_MESSAGE_INFO_SEQUENCE_NUMBER_UNSUPPORTED;
  std::array<std::uint8_t, RMW_GID_STORAGE_SIZE> publisher_{};
};

}  // namespace dynamic_planners::ros
