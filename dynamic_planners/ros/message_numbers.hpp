#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "rmw/types.h"

namespace dynamic_planners::ros {

/// Notices that messages of a topic with one publisher were lost, by the numbers that it gives
/// them. Fast DDS, Connext and Zenoh pass these on, Cyclone DDS does not.
class MessageNumbers {
 public:
  enum class Before {
    kNothing,  // was lost, as far as numbers tell
    kLost,     // has the publisher sent others since the one that came last
    kUnheard,  // nothing of this publisher has come yet: it may have sent any before it knew of us
  };
  /// What there was before this message.
  Before before(const rmw_message_info_t& info);

 private:
  using Publisher = std::array<std::uint8_t, RMW_GID_STORAGE_SIZE>;

  std::uint64_t last_ = RMW_MESSAGE_INFO_SEQUENCE_NUMBER_UNSUPPORTED;
  std::optional<Publisher> publisher_;
};

}  // namespace dynamic_planners::ros
