#include "dynamic_planners/grid/moving_ai.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "test/support/input.hpp"

namespace dynamic_planners {
namespace {

using test_support::input_error;
using test_support::TemporaryFolder;

Grid read_map_text(const std::string& text) {
  std::istringstream input(text);
  return read_moving_ai_map(input, "a.map");
}

std::vector<Problem> read_scenario_text(const std::string& text, const Grid& grid) {
  std::istringstream input(text);
  return read_scenario(input, "a.scen", grid);
}

std::string map_error(const std::string& text) {
  return input_error([&] { read_map_text(text); });
}

std::string scenario_error(const std::string& text, const Grid& grid) {
  return input_error([&] { read_scenario_text(text, grid); });
}

/// The grid's rows: '.' free, '@' lethal, '?' whatever should not be there.
std::vector<std::string> drawn(const Grid& grid) {
  std::vector<std::string> rows;
  for (int y = 0; y < grid.height(); ++y) {
    std::string& row = rows.emplace_back();
    for (int x = 0; x < grid.width(); ++x) {
      const std::uint8_t cost = grid[grid.cell(x, y)];
      row += cost == kFree ? '.' : cost == kLethal ? '@' : '?';
    }
  }
  return rows;
}

using Rows = std::vector<std::string>;

TEST(MovingAiMap, KnowsEveryTerrainAndPutsRowZeroFirst) {
  const Grid grid = read_map_text(
      "type octile\n"
      "height 2\n"
      "width 7\n"
      "map\n"
      ".GS.GS.\n"
      "@OTW@.@\n");
  EXPECT_EQ(drawn(grid), (Rows{".......", "@@@@@.@"}));
}

TEST(MovingAiMap, ReadsWhatRealFilesDo) {
  const Rows expected{".@.", "..."};
  EXPECT_EQ(drawn(read_map_text("type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n.@.\r\n...")),
            expected);
  EXPECT_EQ(drawn(read_map_text("type\toctile\nheight\t2\nwidth  3 \nmap\n.@.\n...\n\n \r\n\t\n")),
            expected);
}

TEST(MovingAiMap, SaysWhatIsWrongAndWhere) {
  const std::string head = "type octile\nheight 2\nwidth 3\nmap\n";
  const std::string too_long(5000, '.');
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "a.map:1: expected 'type octile', found the end of the file"},
      {"type tile\n", "a.map:1: expected 'type octile', found 'type tile'"},
      {std::string("\0\xff\x1b[31m\n", 8),
       "a.map:1: expected 'type octile', found '\\x00\\xff\\x1b[31m'"},
      {"type octile\n",
       "a.map:2: expected 'height' and a number from 1 to 268435456, "
       "found the end of the file"},
      {"type octile\nwidth 3\n",
       "a.map:2: expected 'height' and a number from 1 to 268435456, found 'width 3'"},
      {"type octile\nheight 2\nwidth 3\n...\n", "a.map:4: expected 'map', found '...'"},
      {head + "...\n..\n", "a.map:6: expected 3 cells, found 2"},
      {head + "....\n...\n", "a.map:5: expected 3 cells, found 4"},
      {head + "\n...\n...\n", "a.map:5: expected 3 cells, found 0"},
      {head + ".x.\n...\n", "a.map:5: expected one of .GS@OTW in column 2, found 'x'"},
      {head + "...\n..\x07\n", "a.map:6: expected one of .GS@OTW in column 3, found '\\x07'"},
      {head + "...\n", "a.map:6: expected 2 rows, found 1"},
      {head, "a.map:5: expected 2 rows, found 0"},
      {head + "...\n...\n\n...\n",
       "a.map:8: expected the end of the file after the last row, found '...'"},
      {head + too_long, "a.map:5: expected at most 4099 characters in a line"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(map_error(text), message);
  }
}

TEST(MovingAiMap, RefusesAbsurdSizesBeforeItAllocates) {
  const auto error_for = [](const std::string& height, const std::string& width) {
    return input_error(
        [&] { read_map_text("type octile\nheight " + height + "\nwidth " + width + "\nmap\n"); });
  };
  const std::string range = "and a number from 1 to 268435456, found ";
  for (const std::string side : {"1000000000", "1e9", "0", "-5", "3.0", "+3", "nan", "0x10", "",
                                 "99999999999999999999999", "3 4"}) {
    EXPECT_EQ(error_for(side, "3"),
              "a.map:2: expected 'height' " + range + "'height " + side + "'");
    EXPECT_EQ(error_for("3", side), "a.map:3: expected 'width' " + range + "'width " + side + "'");
  }
  EXPECT_EQ(error_for("16385", "16384"),
            "a.map:3: expected at most 268435456 cells, found 16384 x 16385");
  EXPECT_EQ(error_for("268435456", "268435456"),
            "a.map:3: expected at most 268435456 cells, found 268435456 x 268435456");
  // The largest map is fine, and costs nothing while its rows are not there.
  EXPECT_EQ(error_for("16384", "16384"), "a.map:5: expected 16384 rows, found 0");
}

TEST(MovingAiMap, NamesAFileThatCannotBeRead) {
  const TemporaryFolder folder;
  const auto missing = folder.path() / "missing.map";
  EXPECT_EQ(input_error([&] { read_moving_ai_map(missing); }),
            missing.string() + ": cannot be read: No such file or directory");
  EXPECT_EQ(input_error([&] { read_moving_ai_map(folder.path()); }),
            folder.path().string() + ": cannot be read: Is a directory");
  const auto empty = folder.write("empty.map", "");
  EXPECT_EQ(input_error([&] { read_moving_ai_map(empty); }),
            empty.string() + ":1: expected 'type octile', found the end of the file");
}

TEST(MovingAiScenario, ReadsProblems) {
  const Grid grid(5, 4);
  const auto problems = read_scenario_text(
      "version 1\n"
      "0\tmaps/a.map\t5\t4\t1\t2\t4\t3\t3.41421356\n"
      "12\ta.map\t5\t4\t0\t0\t0\t0\t0\n",
      grid);
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[0].start, (Grid::Position{1, 2}));
  EXPECT_EQ(problems[0].goal, (Grid::Position{4, 3}));
  EXPECT_DOUBLE_EQ(problems[0].optimal, 3.41421356);
  EXPECT_EQ(problems[1].start, problems[1].goal);
}

TEST(MovingAiScenario, ReadsWhatRealFilesDo) {
  const Grid grid(5, 4);
  EXPECT_EQ(read_scenario_text("version 1.0\r\n1 a.map 5 4 1 2 4 3 1e1\r\n\r\n \t\n", grid).size(),
            1U);
  EXPECT_EQ(read_scenario_text("version 1", grid).size(), 0U);
}

TEST(MovingAiScenario, SaysWhatIsWrongAndWhere) {
  const Grid grid(5, 4);
  const std::string whole = " as a whole number from 0 to 268435456, found ";
  const std::vector<std::pair<std::string, std::string>> lines = {
      {"0 a.map 5 4 1 2 4 3",
       "expected 9 fields (bucket, map, width, height, start x, start y, goal x, goal y, length), "
       "found 8"},
      {"0 a.map 5 4 1 2 4 3 1.0 2",
       "expected 9 fields (bucket, map, width, height, start x, start y, goal x, goal y, length), "
       "found 10"},
      {"x a.map 5 4 1 2 4 3 1", "expected the bucket" + whole + "'x'"},
      {"0 a.map 4 5 1 2 4 3 1", "expected a map of 5 x 4 cells, found 4 x 5"},
      {"0 a.map 5.0 4 1 2 4 3 1", "expected the map's width" + whole + "'5.0'"},
      {"0 a.map 5 4294967300 1 2 4 3 1", "expected the map's height" + whole + "'4294967300'"},
      {"0 a.map 5 4 -1 2 4 3 1", "expected the start's x" + whole + "'-1'"},
      {"0 a.map 5 4 1 nan 4 3 1", "expected the start's y" + whole + "'nan'"},
      {"0 a.map 5 4 5 2 4 3 1", "expected the start inside the map of 5 x 4 cells, found (5, 2)"},
      {"0 a.map 5 4 1 2 4 4 1", "expected the goal inside the map of 5 x 4 cells, found (4, 4)"},
      {"0 a.map 5 4 1 2 4 \x01 1", "expected the goal's y" + whole + "'\\x01'"},
      {"0 a.map 5 4 1 2 4 3 -1", "expected the optimal length as a number from 0, found '-1'"},
      {"0 a.map 5 4 1 2 4 3 nan", "expected the optimal length as a number from 0, found 'nan'"},
      {"0 a.map 5 4 1 2 4 3 inf", "expected the optimal length as a number from 0, found 'inf'"},
      {"0 a.map 5 4 1 2 4 3 1e999",
       "expected the optimal length as a number from 0, found '1e999'"},
      {"0 a.map 5 4 1 2 4 3 1,5", "expected the optimal length as a number from 0, found '1,5'"},
  };
  for (const auto& [line, message] : lines) {
    const std::string text = "version 1\n0 a.map 5 4 1 2 4 3 1\n" + line + "\n";
    EXPECT_EQ(scenario_error(text, grid), "a.scen:3: " + message);
  }
  EXPECT_EQ(scenario_error("", grid), "a.scen:1: expected 'version 1', found the end of the file");
  EXPECT_EQ(scenario_error("version 2\n", grid),
            "a.scen:1: expected 'version 1', found 'version 2'");
  EXPECT_EQ(scenario_error("0 a.map 5 4 1 2 4 3 1\n", grid),
            "a.scen:1: expected 'version 1', found '0 a.map 5 4 1 2 4 3 1'");
}

TEST(MovingAiScenario, NamesAFileThatCannotBeRead) {
  const TemporaryFolder folder;
  const auto missing = folder.path() / "missing.scen";
  EXPECT_EQ(input_error([&] { read_scenario(missing, Grid(1, 1)); }),
            missing.string() + ": cannot be read: No such file or directory");
}

double octile_distance(const Grid::Position& a, const Grid::Position& b) {
  const int dx = std::abs(a.x - b.x);
  const int dy = std::abs(a.y - b.y);
  return std::abs(dx - dy) + std::sqrt(2.0) * std::min(dx, dy);
}

/// The maps and problems that are measured with; they are not part of the project.
std::filesystem::path collection() {
  if (const char* const folder = std::getenv("DYNAMIC_PLANNERS_MOVINGAI")) return folder;
  const auto root = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
  return root / ".." / "shared" / "movingai";
}

TEST(MovingAi, ReadsTheRealCollection) {
  const auto folder = collection();
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "the Moving AI maps are not here";
  int scenarios = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "maps")) {
    SCOPED_TRACE(entry.path());
    const Grid grid = read_moving_ai_map(entry.path());
    const auto scenario = folder / "scenarios" / (entry.path().filename().string() + ".scen");
    const std::vector<Problem> problems = read_scenario(scenario, grid);
    ++scenarios;
    std::ifstream lines(scenario);
    EXPECT_EQ(static_cast<std::ptrdiff_t>(problems.size()) + 1,
              std::count(std::istreambuf_iterator<char>(lines), {}, '\n'));
    std::size_t misplaced = 0;
    for (const Problem& problem : problems) {
      for (const auto& end : {problem.start, problem.goal}) {
        misplaced += grid[grid.cell(end.x, end.y)] == kFree ? 0 : 1;
      }
      ASSERT_GE(problem.optimal, octile_distance(problem.start, problem.goal) - 0.02);
    }
    // Some old sets put a few ends among the trees. With x and y, or rows, in the wrong order it
    // would be many on almost every map.
    EXPECT_LE(100 * misplaced, 2 * problems.size());
  }
  EXPECT_GT(scenarios, 0);
  const std::filesystem::directory_iterator files(folder / "scenarios");
  EXPECT_EQ(scenarios, std::distance(begin(files), end(files)));
}

}  // namespace
}  // namespace dynamic_planners
