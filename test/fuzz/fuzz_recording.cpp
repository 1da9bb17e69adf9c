#include <algorithm>
#include <sstream>
#include <string>

#include "dynamic_planners/lab/recording.hpp"
#include "dynamic_planners/lab/replay.hpp"
#include "test/fuzz/fuzz.hpp"

namespace dynamic_planners {
namespace {

void check_recording(const Recording& recording, std::size_t bytes) {
  const Grid& grid = recording.grid;
  require(grid.size() < bytes, "a map has no more cells than its file has bytes");
  require(recording.start < grid.size(), "the start is in the map");
  require(recording.goal < grid.size(), "the goal is in the map");
  require(recording.connectivity == 4 || recording.connectivity == 8, "4 or 8 neighbours");
  require(recording.visibility.value_or(0) >= 0, "the visibility is a distance");
  std::int64_t earliest = 0;
  for (const RecordedEvent& event : recording.events) {
    require(event.step >= earliest, "the events are in order");
    earliest = event.step;
    require(std::all_of(event.set.begin(), event.set.end(),
                        [&](const CellCost& entry) { return entry.cell < grid.size(); }),
            "the cells are in the map");
  }
}

void check_written(const Recording& recording) {
  std::stringstream text;
  write_recording(text, recording);
  const Recording again = read_recording(text, "again.jsonl");
  require(std::equal(recording.grid.costs().begin(), recording.grid.costs().end(),
                     again.grid.costs().begin(), again.grid.costs().end()) &&
              again.grid.width() == recording.grid.width() &&
              again.connectivity == recording.connectivity && again.start == recording.start &&
              again.goal == recording.goal && again.visibility == recording.visibility &&
              again.events == recording.events,
          "what was written is what was read");
}

/// Whatever is accepted can be replayed.
void check_replay(const Recording& recording) {
  constexpr std::int64_t kMaxSteps = 100;
  for (const PlannerInfo& info : planners()) {
    const ReplayResult result = replay(recording, info, {}, kMaxSteps);
    require(result.steps <= kMaxSteps, "a run ends");
    require(result.reached == (result.route.back() == recording.goal), "reached is at the goal");
  }
}

}  // namespace
}  // namespace dynamic_planners

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynamic_planners;
  std::istringstream input{std::string(as_text(data, size))};
  run_reader([&] {
    const Recording recording = read_recording(input, "fuzz.jsonl");
    check_recording(recording, size);
    check_written(recording);
    check_replay(recording);
  });
  return 0;
}
