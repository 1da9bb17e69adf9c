#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/ros/costmap_messages.hpp"
#include "test/fuzz/fuzz.hpp"

namespace dynamic_planners::ros {
namespace {

/// Fills fields from bytes, with zeros when these come to an end.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : left_(bytes) {}

  template <typename T>
  void fill(T& field) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::string_view bytes = take(sizeof(T));
    std::memcpy(&field, bytes.data(), bytes.size());
  }
  std::string_view take(std::size_t size) {
    const std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(taken.size());
    return taken;
  }

  /// As many costs as the message should have, if that is not much, or fewer or more.
  std::vector<std::uint8_t> costs(std::uint64_t cells) {
    constexpr std::uint64_t kMost = 1 << 12;
    std::int8_t error = 0;
    fill(error);
    const auto size = static_cast<std::int64_t>(std::min(cells, kMost)) + error;
    const std::string_view bytes = take(static_cast<std::size_t>(std::max<std::int64_t>(size, 0)));
    std::vector<std::uint8_t> costs(bytes.begin(), bytes.end());
    costs.resize(static_cast<std::size_t>(std::max<std::int64_t>(size, 0)));
    return costs;
  }

 private:
  std::string_view left_;
};

nav2_msgs::msg::Costmap costmap_of(Bytes& bytes) {
  nav2_msgs::msg::Costmap costmap;
  auto& metadata = costmap.metadata;
  bytes.fill(metadata.size_x);
  bytes.fill(metadata.size_y);
  bytes.fill(metadata.resolution);
  bytes.fill(metadata.origin.position.x);
  bytes.fill(metadata.origin.position.y);
  bytes.fill(metadata.origin.orientation.z);
  costmap.data = bytes.costs(std::uint64_t{metadata.size_x} * metadata.size_y);
  return costmap;
}

nav2_msgs::msg::CostmapUpdate update_of(Bytes& bytes) {
  nav2_msgs::msg::CostmapUpdate update;
  bytes.fill(update.x);
  bytes.fill(update.y);
  bytes.fill(update.size_x);
  bytes.fill(update.size_y);
  update.data = bytes.costs(std::uint64_t{update.size_x} * update.size_y);
  return update;
}

void check_reason(const std::string& reason) {
  require(!reason.empty(), "a reason is given");
  require(std::all_of(reason.begin(), reason.end(), [](char c) { return c >= ' ' && c <= '~'; }),
          reason);
}

/// Whatever is accepted can be taken over.
void check_messages(const nav2_msgs::msg::Costmap& costmap,
                    const nav2_msgs::msg::CostmapUpdate& update) {
  std::string reason;
  const auto frame = frame_of(costmap, reason);
  if (!frame) return check_reason(reason);
  require(frame->resolution > 0.0 && std::isfinite(frame->resolution), "a resolution");
  require(std::isfinite(frame->origin_x) && std::isfinite(frame->origin_y), "a place");
  Grid grid(frame->width, frame->height, costmap.data);
  const auto window = window_of(update, *frame, reason);
  if (!window) return check_reason(reason);
  if (update.data.empty()) return;
  std::vector<CellChange> changes;
  grid.assign(*window, update.data, static_cast<std::size_t>(window->width), changes);
  require(changes.size() <= update.data.size(), "no more changes than costs");
  for (const CellChange& change : changes) {
    require(change.before != change.after && grid[change.cell] == change.after, "a change is one");
  }
}

template <typename... T>
std::string text_of(const T&... fields) {
  std::string text;
  (text.append(reinterpret_cast<const char*>(&fields), sizeof(fields)), ...);
  return text;
}

}  // namespace
}  // namespace dynamic_planners::ros

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  using dynamic_planners::ros::text_of;
  // A map of 5 x 4 and a window of 3 x 2 in it; an empty one in a corner of a small map.
  static const std::array<std::string, 2> kGood = {
      text_of(5U, 4U, 0.05F, -1.0, 2.0, 0.0, std::int8_t{0}) + "abcdefghijklmnopqrst" +
          text_of(2U, 1U, 3U, 2U, std::int8_t{0}) + "abcdef",
      text_of(1U, 1U, 1.0F, 0.0, 0.0, 0.0, std::int8_t{0}) + "a" +
          text_of(1U, 1U, 0U, 0U, std::int8_t{0})};
  return dynamic_planners::mutate_from(kGood, data, size, max_size, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynamic_planners::ros;
  Bytes bytes(dynamic_planners::as_text(data, size));
  const auto costmap = costmap_of(bytes);
  check_messages(costmap, update_of(bytes));
  return 0;
}
