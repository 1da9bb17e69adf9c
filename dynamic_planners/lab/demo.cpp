#include "dynamic_planners/lab/demo.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "dynamic_planners/lab/output_file.hpp"
#include "dynamic_planners/lab/recording.hpp"
#include "dynamic_planners/lab/repair_picture.hpp"
#include "dynamic_planners/lab/replay.hpp"
#include "dynamic_planners/lab/report.hpp"
#include "dynamic_planners/lab/worlds.hpp"
#include "dynamic_planners/search/registry.hpp"

namespace dynamic_planners {
namespace {

constexpr WorldConfig kWorld{
    .kind = WorldKind::kRooms, .size = 128, .change_percent = 2.0, .seed = 5};

/// The map and the way the robot went, small enough for a terminal: one character stands for a
/// block of cells about as wide as it is high on the screen.
std::string picture(const Recording& recording, const ReplayResult& result) {
  constexpr int kBlockWidth = 2;
  constexpr int kBlockHeight = 4;
  const Grid& grid = recording.grid;
  const auto blocks = [](int cells, int per_block) { return (cells + per_block - 1) / per_block; };
  std::vector<std::string> rows(
      static_cast<std::size_t>(blocks(grid.height(), kBlockHeight)),
      std::string(static_cast<std::size_t>(blocks(grid.width(), kBlockWidth)), ' '));
  const auto block_of = [&](Cell cell) -> char& {
    const auto [x, y] = grid.position(cell);
    return rows[static_cast<std::size_t>(y / kBlockHeight)]
               [static_cast<std::size_t>(x / kBlockWidth)];
  };
  for (Cell cell = 0; cell < grid.size(); ++cell) {
    if (grid[cell] == kLethal) block_of(cell) = '#';
  }
  for (const Cell cell : result.route) block_of(cell) = '.';
  block_of(recording.start) = 'S';
  block_of(recording.goal) = 'G';
  std::string text;
  for (const std::string& row : rows) text += row + '\n';
  return text;
}

/// The last of the results is D* Lite's.
void leave_files(const std::filesystem::path& directory, const Recording& recording,
                 const std::vector<ReplayResult>& results) {
  make_directory(directory);
  OutputFile recording_file(directory / "recording.jsonl");
  OutputFile results_file(directory / "results.jsonl");
  OutputFile picture_file(directory / "repair.svg");
  write_recording(recording_file.stream(), recording);
  for (const ReplayResult& result : results) {
    write_replay_lines(results_file.stream(), recording.grid, result);
  }
  draw_repair(picture_file.stream(), recording, results.back());
  recording_file.commit();
  results_file.commit();
  picture_file.commit();
}

}  // namespace

void run_demo(const DemoOptions& options, std::ostream& output) {
  const Recording recording = record_world(kWorld);
  const std::vector<ReplayResult> results = {replay(recording, find_planner("astar")),
                                             replay(recording, find_planner("dstar_lite"))};
  if (options.directory) leave_files(*options.directory, recording, results);
  const ReplayResult& astar = results[0];
  const ReplayResult& dstar_lite = results[1];

  output << fmt::format(
      "A robot crosses {0} x {0} cells of rooms, from S to G. Every {1} steps some doors open or\n"
      "close, and it plans anew. A* starts over each time; D* Lite repairs what it already knows.\n"
      "Both find shortest paths every time.\n\n",
      kWorld.size, kWorld.every);
  output << picture(recording, dstar_lite) << '\n';
  write_replay_table(output, results);
  output << fmt::format(
      "\nD* Lite expanded {:.1f} times fewer cells than A*.\n",
      static_cast<double>(astar.expansions) / static_cast<double>(dstar_lite.expansions));
  if (options.directory) {
    output << fmt::format(
        "\nThe recording, the results and a picture of a repair (repair.svg) are in {}.\n",
        options.directory->string());
  }
}

}  // namespace dynamic_planners
