#include "dynamic_planners/lab/program.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "dynamic_planners/grid/moving_ai.hpp"
#include "dynamic_planners/lab/recording.hpp"
#include "dynamic_planners/realtime/registry.hpp"
#include "dynamic_planners/search/registry.hpp"
#include "test/support/input.hpp"
#include "test/support/oracle.hpp"

namespace dynamic_planners {
namespace {

using Json = nlohmann::ordered_json;
using Names = std::vector<std::string>;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream input(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(input), {}};
}

/// What the program left behind.
struct Outcome {
  int code;  // minus the signal, if one ended it
  std::string output;
  std::string errors;

  std::vector<Json> lines() const {
    std::vector<Json> lines;
    std::istringstream text(output);
    for (std::string line; std::getline(text, line);) lines.push_back(Json::parse(line));
    return lines;
  }
};

Names keys_of(const Json& object) {
  Names keys;
  for (const auto& item : object.items()) keys.push_back(item.key());
  return keys;
}

/// Runs the real program in a folder of its own.
class Program : public ::testing::Test {
 protected:
  /// `before` are words of the shell, such as "ulimit -f 8;".
  Outcome run(const std::string& arguments, const std::string& before = "") const {
    const std::filesystem::path output = streams_.path() / "output";
    const std::filesystem::path errors = streams_.path() / "errors";
    const std::string command = "cd '" + folder_.path().string() + "' && { " + before +
                                " exec '" DYNAMIC_PLANNERS_PROGRAM "' " + arguments + "; } >'" +
                                output.string() + "' 2>'" + errors.string() + "'";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), text_of(output),
            text_of(errors)};
  }

  /// The program ends with 2, says nothing but one line on the standard error, and that line has
  /// all these parts.
  void expect_refused(const std::string& arguments, const Names& parts) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(outcome.output, "") << arguments;
    expect_one_line(outcome.errors, parts);
  }

  static void expect_one_line(const std::string& errors, const Names& parts) {
    EXPECT_TRUE(errors.starts_with("dynamic_planners: ")) << errors;
    EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors;
    EXPECT_TRUE(errors.ends_with('\n')) << errors;
    for (const std::string& part : parts) EXPECT_NE(errors.find(part), errors.npos) << errors;
  }

  /// The names of what is in the folder.
  Names files() const {
    Names names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  std::string read(const std::string& name) const { return text_of(folder_.path() / name); }

  /// A small town: 12 x 8 cells, one of them walled in.
  void write_town() const {
    folder_.write("town.map",
                  "type octile\nheight 8\nwidth 12\nmap\n"
                  "............\n"
                  "..TTT...@@@@\n"
                  "..T.T......@\n"
                  "..TTT.@@@@.@\n"
                  "......@..@.@\n"
                  ".WWWW.@..@..\n"
                  "......@.....\n"
                  "......@@@@@.\n");
  }

  oracle::World town(int connectivity) const {
    const Grid grid = read_moving_ai_map(folder_.path() / "town.map");
    return {.width = grid.width(),
            .height = grid.height(),
            .costs = {grid.costs().begin(), grid.costs().end()},
            .connectivity = connectivity};
  }

  const test_support::TemporaryFolder folder_;

 private:
  const test_support::TemporaryFolder streams_;
};

const std::string kRecording =
    R"({"format":"dynamic_planners/recording/1","width":5,"height":2,"connectivity":4,)"
    R"("start":[0,0],"goal":[4,0],"visibility":null,"rows":[".....","....."]})"
    "\n"
    R"({"step":2,"set":[[3,0,254]]})"
    "\n";

// --- the command line ---------------------------------------------------------------------------

TEST_F(Program, HelpsAndTellsItsVersion) {
  for (const std::string arguments :
       {"--help", "plan --help", "scen -h", "replay --help", "record --help", "bench --help",
        "world --help", "demo --help"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.output.find("Usage: dynamic_planners"), std::string::npos) << arguments;
    EXPECT_EQ(outcome.errors, "");
  }
  EXPECT_TRUE(run("--version").output.starts_with("dynamic_planners "));
}

TEST_F(Program, RefusesWhatIsNoCommand) {
  const Names commands = {"plan, scen, replay, record, bench, world, demo"};
  expect_refused("", commands);
  expect_refused("fly", {"'fly'", commands.front()});
  expect_refused("--json", {"'--json'", commands.front()});
  expect_refused("plan demo", {"--map"});
  expect_refused("demo plan", {"plan"});
  expect_refused("bench", {"SUITE is required"});
  expect_refused("bench plan", {"SUITE", "dynamic-grids, real-time", "'plan'"});
  expect_refused("bench real-time --output", {"--output"});
  expect_refused("bench real-time --runs 0", {"--runs", "a whole number from 1", "'0'"});
}

TEST_F(Program, RefusesBadArguments) {
  write_town();
  const std::string plan = "plan --map town.map ";
  expect_refused("plan --start 0,0 --goal 1,1", {"--map is required"});
  expect_refused(plan + "--goal 1,1", {"--start is required"});
  expect_refused(plan + "--start 0,0", {"--goal is required"});
  for (const std::string bad : {"1", "1,", ",1", "1,2,3", "1;2", "1.5,2", "a,b", "'1, 2'", "''",
                                "99999999999,0", "0x1,2", "+1,2"}) {
    expect_refused(plan + "--start " + bad + " --goal 1,1", {"--start", "two whole numbers X,Y"});
    expect_refused(plan + "--start 1,1 --goal " + bad, {"--goal", "two whole numbers X,Y"});
  }
  const std::string there = "--start 0,0 --goal 1,0 ";
  expect_refused(plan + there + "--start 0,0", {"--start"});
  expect_refused(plan + there + "--start", {"--start"});
  expect_refused(plan + there + "--connectivity 6", {"--connectivity", "4 or 8", "'6'"});
  expect_refused(plan + there + "--planner", {"--planner"});
  expect_refused(plan + there + "extra", {"extra"});
  expect_refused(plan + there + "--fast", {"--fast"});
  expect_refused("plan --map '' " + there, {"--map", "expected a name"});
}

TEST_F(Program, RefusesUnknownPlanners) {
  write_town();
  folder_.write("town.scen", "version 1\n");
  folder_.write("world.jsonl", kRecording);
  Names known;
  for (const PlannerInfo& info : planners()) known.emplace_back(info.name);
  const auto refused = [&](const std::string& arguments, const std::string& name) {
    Names parts = {"--planner", "'" + name + "'"};
    parts.insert(parts.end(), known.begin(), known.end());
    expect_refused(arguments, parts);
  };
  refused("plan --map town.map --start 0,0 --goal 1,0 --planner dijkstra", "dijkstra");
  refused("plan --map town.map --start 0,0 --goal 1,0 --planner all", "all");
  refused("scen town.scen --map town.map --planner astar,dijkstra", "dijkstra");
  refused("scen town.scen --map town.map --planner ''", "");
  refused("replay world.jsonl --planner astar,,dstar_lite", "");
  refused("replay world.jsonl --planner astar,all", "all");
}

TEST_F(Program, SaysItOnOneLineWhateverANameContains) {
  expect_refused("replay \"$(printf 'a\\nb\\033[31mc')\"", {"cannot be read"});
}

// --- plan ---------------------------------------------------------------------------------------

TEST_F(Program, PlansAsTheOracleSays) {
  write_town();
  for (const int connectivity : {4, 8}) {
    const oracle::World world = town(connectivity);
    const auto best = oracle::costs_to(world, world.index(7, 4));
    for (const PlannerInfo& info : planners()) {
      if (info.promise == Promise::kAnyAngle) continue;
      const Outcome outcome =
          run("plan --json --map town.map --start 0,0 --goal 7,4 --planner " +
              std::string(info.name) + " --connectivity " + std::to_string(connectivity));
      EXPECT_EQ(outcome.code, 0);
      EXPECT_EQ(outcome.errors, "");
      const auto lines = outcome.lines();
      ASSERT_EQ(lines.size(), 1U);
      const Json& line = lines.front();
      EXPECT_EQ(keys_of(line),
                (Names{"planner", "status", "cost", "bound", "expansions", "time_us", "path"}));
      EXPECT_EQ(line["planner"], info.name);
      EXPECT_EQ(line["status"], "found");
      const double least = static_cast<double>(best[0]) / 985.0;
      if (info.promise == Promise::kOptimal) {
        EXPECT_NEAR(line["cost"].get<double>(), least, 1e-9);
        EXPECT_EQ(line["bound"], 1.0);
      } else {
        EXPECT_LE(line["cost"].get<double>(), line["bound"].get<double>() * least + 1e-9);
      }
      EXPECT_GT(line["expansions"], 0);
      EXPECT_GT(line["time_us"], 0.0);
      const auto path = line["path"].get<std::vector<std::vector<int>>>();
      EXPECT_EQ(path.front(), (std::vector<int>{0, 0}));
      EXPECT_EQ(path.back(), (std::vector<int>{7, 4}));
      std::int64_t cost = 0;
      for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        const auto step = oracle::move_cost(world, world.index(path[i][0], path[i][1]),
                                            world.index(path[i + 1][0], path[i + 1][1]));
        ASSERT_TRUE(step.has_value());
        cost += *step;
      }
      EXPECT_NEAR(line["cost"].get<double>(), static_cast<double>(cost) / 985.0, 1e-9);
    }
  }
}

TEST_F(Program, PlansWithDStarLiteAndEightNeighboursByDefault) {
  write_town();
  const Json line = run("plan --map town.map --start 0,0 --goal 1,1 --json").lines().at(0);
  EXPECT_EQ(line["planner"], "dstar_lite");
  EXPECT_NEAR(line["cost"].get<double>(), std::sqrt(2.0), 1e-6);
}

TEST_F(Program, PlansATable) {
  write_town();
  const Outcome outcome = run("plan --map town.map --start 0,0 --goal 5,0");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.output.find("dstar_lite   found  5.0000  1.000"), std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("turns at 0,0 5,0\n"), std::string::npos) << outcome.output;
}

TEST_F(Program, NoPathIsAnAnswer) {
  write_town();
  for (const PlannerInfo& info : planners()) {
    const std::string arguments =
        "plan --map town.map --start 3,2 --goal 0,0 --planner " + std::string(info.name);
    const Outcome outcome = run(arguments + " --json");
    EXPECT_EQ(outcome.code, 0);
    const Json line = outcome.lines().at(0);
    EXPECT_EQ(line["status"], "no_path");
    EXPECT_TRUE(line["cost"].is_null());
    EXPECT_TRUE(line["bound"].is_null());
    EXPECT_EQ(line["path"], Json::array());
    const Outcome table = run(arguments);
    EXPECT_EQ(table.code, 0);
    EXPECT_NE(table.output.find("no_path"), std::string::npos);
  }
}

TEST_F(Program, StartAndGoalMayBeTheSameCell) {
  write_town();
  const Json line = run("plan --map town.map --start 3,2 --goal 3,2 --json").lines().at(0);
  EXPECT_EQ(line["cost"], 0.0);
  EXPECT_EQ(line["path"], Json::parse("[[3,2]]"));
}

TEST_F(Program, RefusesPlacesOutsideTheMapAndBlockedOnes) {
  write_town();
  for (const std::string outside : {"12,0", "0,8", "-1,0", "0,-1", "2147483647,2147483647"}) {
    const Names start = {"--start " + outside, "expected a cell of town.map", "12 x 8"};
    expect_refused("plan --map town.map --goal 0,0 --start " + outside, start);
    expect_refused("plan --map town.map --json --goal 0,0 --start=" + outside, start);
    expect_refused("plan --map town.map --start 0,0 --goal " + outside,
                   {"--goal " + outside, "12 x 8"});
  }
  expect_refused("plan --map town.map --start 2,1 --goal 0,0",
                 {"--start 2,1: expected a free cell", "town.map"});
  expect_refused("plan --map town.map --start 0,0 --goal 8,1 --json",
                 {"--goal 8,1: expected a free cell", "town.map"});
}

TEST_F(Program, ReadsMapsOfNav2) {
  folder_.write("floor.pgm", "P2\n3 2\n255\n254 0 254\n254 254 254\n");
  folder_.write("floor.yaml",
                "image: floor.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\n"
                "occupied_thresh: 0.65\nfree_thresh: 0.25\n");
  // The image's lower row is y = 0.
  const Json line =
      run("plan --map floor.yaml --start 0,1 --goal 2,1 --connectivity 4 --json").lines().at(0);
  EXPECT_EQ(line["path"], Json::parse("[[0,1],[0,0],[1,0],[2,0],[2,1]]"));
}

TEST_F(Program, RefusesBadMaps) {
  const auto refused = [&](const std::string& map, const Names& parts) {
    folder_.write("bad.map", map);
    expect_refused("plan --map bad.map --start 0,0 --goal 0,0", parts);
  };
  expect_refused("plan --map none.map --start 0,0 --goal 0,0", {"none.map: cannot be read: No"});
  expect_refused("plan --map none.png --start 0,0 --goal 0,0", {"none.png: expected"});
  expect_refused("plan --map . --start 0,0 --goal 0,0", {".: expected"});
  refused("", {"bad.map:1: expected 'type octile', found the end of the file"});
  refused("type octile\nheight 2\nwidth 2\nmap\n..\n", {"bad.map:6: expected 2 rows, found 1"});
  refused("type octile\nheight 1\nwidth 3\nmap\n..\n", {"bad.map:5: expected 3 cells, found 2"});
  refused("type octile\nheight 1\nwidth 2\nmap\n.x\n", {"bad.map:5: expected one of", "'x'"});
  refused("type octile\nheight 1000000000\nwidth 1000000000\nmap\n", {"bad.map:2: expected"});
}

// --- scen ---------------------------------------------------------------------------------------

class Scen : public Program {
 protected:
  Scen() {
    write_town();
    const oracle::World world = town(8);
    for (const auto& [x, y] : {std::pair{0, 0}, {11, 0}, {7, 4}, {11, 7}, {0, 7}, {5, 4}}) {
      const auto best = oracle::costs_to(world, world.index(10, 2));
      lengths_.push_back(static_cast<double>(best[world.index(x, y)]) / 985.0);
      problems_.push_back(std::to_string(x) + "\t" + std::to_string(y) + "\t10\t2\t");
    }
  }

  /// Writes the problems, each length off by so much.
  void write_problems(const std::vector<double>& errors) const {
    std::ostringstream text;
    text.precision(12);
    text << "version 1\n";
    for (std::size_t k = 0; k < problems_.size(); ++k) {
      text << "0\ttown.map\t12\t8\t" << problems_[k] << lengths_[k] + errors[k] << '\n';
    }
    folder_.write("town.scen", text.str());
  }

  std::vector<double> lengths_;
  Names problems_;
};

TEST_F(Scen, EveryLengthIsRight) {
  write_problems({0, 0.019, -0.019, 0, 0, 0});
  const Outcome outcome = run("scen town.scen --map town.map --planner all --json");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.errors, "");
  const auto lines = outcome.lines();
  ASSERT_EQ(lines.size(), planners().size() * problems_.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t k = i % problems_.size();
    EXPECT_EQ(keys_of(lines[i]), (Names{"planner", "status", "cost", "bound", "expansions",
                                        "time_us", "problem", "optimal"}));
    const PlannerInfo& info = planners()[i / problems_.size()];
    EXPECT_EQ(lines[i]["planner"], info.name);
    EXPECT_EQ(lines[i]["status"], "found");
    EXPECT_EQ(lines[i]["problem"], k);
    const double cost = lines[i]["cost"].get<double>();
    if (info.promise == Promise::kOptimal) {
      EXPECT_NEAR(cost, lengths_[k], 1e-9);
    } else if (info.promise == Promise::kBounded) {
      EXPECT_LE(cost, lines[i]["bound"].get<double>() * lengths_[k] + 1e-9);
    } else {
      EXPECT_LE(cost, lengths_[k] + 0.002);
    }
    EXPECT_NEAR(lines[i]["optimal"].get<double>(), lengths_[k], 0.02);
  }

  const Outcome table = run("scen town.scen --map town.map");
  EXPECT_EQ(table.code, 0);
  EXPECT_NE(table.output.find("right within 0.02"), std::string::npos) << table.output;
  EXPECT_NE(
      table.output.find("\ndstar_lite         6       6                  6              0.0190"),
      std::string::npos)
      << table.output;
}

TEST_F(Scen, AWrongLengthEndsWithOne) {
  write_problems({0, 0, 0.03, 0, -0.03, 0});
  const Outcome json = run("scen town.scen --map town.map --json");
  EXPECT_EQ(json.code, 1);
  EXPECT_EQ(json.errors, "");
  EXPECT_EQ(json.lines().size(), problems_.size());
  const Outcome table = run("scen town.scen --map town.map");
  EXPECT_EQ(table.code, 1);
  EXPECT_NE(
      table.output.find("\ndstar_lite         6       6                  4              0.0300"),
      std::string::npos)
      << table.output;
}

TEST_F(Scen, AProblemWithoutAPathIsWrong) {
  folder_.write("town.scen", "version 1\n0 town.map 12 8 3 2 0 0 5\n0 town.map 12 8 2 1 0 0 3\n");
  const Outcome outcome = run("scen town.scen --map town.map --json");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.lines().at(0)["status"], "no_path");
  EXPECT_TRUE(outcome.lines().at(0)["cost"].is_null());
  EXPECT_EQ(outcome.lines().at(1)["status"], "start_blocked");
  const Outcome table = run("scen town.scen --map town.map");
  EXPECT_EQ(table.code, 1);
  EXPECT_NE(table.output.find("\ndstar_lite         2       0                  0"),
            std::string::npos)
      << table.output;
}

TEST_F(Scen, NoProblemHelpsTheNextOne) {
  const std::string problem = "0 town.map 12 8 0 0 10 2 5\n";
  folder_.write("town.scen", "version 1\n" + problem + problem);
  const auto lines = run("scen town.scen --map town.map --planner all --json").lines();
  ASSERT_EQ(lines.size(), 2 * planners().size());
  for (std::size_t i = 0; i < lines.size(); i += 2) {
    EXPECT_GT(lines[i]["expansions"], 0);
    EXPECT_EQ(lines[i]["expansions"], lines[i + 1]["expansions"]);
  }
}

TEST_F(Scen, TakesEveryNthProblem) {
  write_problems({0, 1, 0, 1, 0, 1});
  const Outcome outcome = run("scen town.scen --map town.map --every 2 --json");
  EXPECT_EQ(outcome.code, 0) << "the wrong ones are left out";
  std::vector<int> numbers;
  for (const Json& line : outcome.lines()) numbers.push_back(line["problem"]);
  EXPECT_EQ(numbers, (std::vector<int>{0, 2, 4}));
  EXPECT_EQ(run("scen town.scen --map town.map --every 18446744073709551615 --json").lines().size(),
            1U);
  for (const std::string bad : {"0", "-1", "1.5", "x", "99999999999999999999"}) {
    expect_refused("scen town.scen --map town.map --every " + bad,
                   {"--every", "whole number from 1", "'" + bad + "'"});
  }
}

TEST_F(Scen, RefusesBadFiles) {
  expect_refused("scen none.scen --map town.map", {"none.scen: cannot be read: No such file"});
  expect_refused("scen town.scen --map none.map", {"none.map: cannot be read: No such file"});
  folder_.write("town.scen", "version 1\n0 town.map 12 8 0 0 1 0 1\n0 town.map 12 8 0 0 12 0 1\n");
  expect_refused("scen town.scen --map town.map --json", {"town.scen:3: expected the goal inside"});
  folder_.write("town.scen", "version 1\n0 town.map 13 8 0 0 1 0 1\n");
  expect_refused("scen town.scen --map town.map", {"town.scen:2: expected a map of 12 x 8"});
}

// --- replay -------------------------------------------------------------------------------------

TEST_F(Program, ReplaysInTheFormatOfTheContract) {
  folder_.write("world.jsonl", kRecording);
  const Outcome outcome = run("replay world.jsonl --planner dstar_lite,astar --json");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.errors, "");
  const auto lines = outcome.lines();
  ASSERT_EQ(lines.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(lines[i]["planner"], i < 3 ? "dstar_lite" : "astar") << "in the order asked for";
  }
  for (const std::size_t i : {0U, 1U, 3U, 4U}) {
    EXPECT_EQ(keys_of(lines[i]), (Names{"planner", "event", "step", "at", "status", "cost", "bound",
                                        "expansions", "changed", "time_us"}));
    const bool first = i % 3 == 0;
    EXPECT_EQ(lines[i]["event"], first ? 0 : 1);
    EXPECT_EQ(lines[i]["step"], first ? 0 : 2);
    EXPECT_EQ(lines[i]["at"], Json::parse(first ? "[0,0]" : "[2,0]"));
    EXPECT_EQ(lines[i]["status"], "found");
    EXPECT_EQ(lines[i]["cost"], 4.0);
    EXPECT_EQ(lines[i]["bound"], 1.0);
    EXPECT_EQ(lines[i]["changed"], first ? 0 : 1);
  }
  for (const std::size_t i : {2U, 5U}) {
    EXPECT_EQ(keys_of(lines[i]), (Names{"planner", "reached", "steps", "travelled", "expansions",
                                        "time_us", "recompute_us"}));
    EXPECT_EQ(keys_of(lines[i]["recompute_us"]), (Names{"mean", "p50", "p99"}));
    EXPECT_EQ(lines[i]["reached"], true);
    EXPECT_EQ(lines[i]["steps"], 6);
    EXPECT_EQ(lines[i]["travelled"], 6.0);
    EXPECT_EQ(lines[i]["expansions"].get<int>(),
              lines[i - 2]["expansions"].get<int>() + lines[i - 1]["expansions"].get<int>());
    EXPECT_EQ(lines[i]["recompute_us"]["mean"], lines[i - 1]["time_us"]);
  }
}

TEST_F(Program, ReplaysWithEveryPlannerOfTheRegistry) {
  folder_.write("world.jsonl", kRecording);
  const Outcome outcome = run("replay world.jsonl --planner all");
  EXPECT_EQ(outcome.code, 0);
  for (const PlannerInfo& info : planners()) {
    EXPECT_NE(outcome.output.find("\n" + std::string(info.name) + " "), std::string::npos);
  }
  EXPECT_NE(run("replay world.jsonl").output.find("\ndstar_lite "), std::string::npos);
}

TEST_F(Program, ReplaysWithRealTimePlanners) {
  folder_.write("world.jsonl", kRecording);
  const Outcome outcome = run("replay world.jsonl --planner all");
  for (const RealTimePlannerInfo& info : real_time_planners()) {
    EXPECT_NE(outcome.output.find("\n" + std::string(info.name) + " "), std::string::npos);
  }
  const auto lines = run("replay world.jsonl --json --planner rtd --expansion-limit 4 "
                         "--local-ratio 25 --global ad "
                         "--local lrta")
                         .lines();
  ASSERT_GT(lines.size(), 2U);
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    EXPECT_EQ(lines[i]["planner"], "rtd");
    EXPECT_EQ(lines[i]["step"], i) << "asked before every step";
    EXPECT_LE(lines[i]["expansions"], 4);
    const bool found = lines[i]["status"] == "found";
    EXPECT_TRUE(found || lines[i]["status"] == "out_of_budget");
    EXPECT_EQ(lines[i]["cost"].is_null(), !found);
  }
  EXPECT_EQ(lines.back()["reached"], true);
}

TEST_F(Program, TheLocalRatioIsAShareOrPercent) {
  run("record --world rooms --size 40 --change 10 --seed 7 --connectivity 8 -o world.jsonl");
  const auto expansions = [&](const std::string& ratio) {
    return run("replay world.jsonl --json --planner rtd --expansion-limit 16 --local-ratio " +
               ratio)
        .lines()
        .back()["expansions"];
  };
  EXPECT_EQ(expansions("0.25"), expansions("25"));
  EXPECT_EQ(expansions("1"), expansions("100"));
  EXPECT_NE(expansions("0.25"), expansions("1"));
}

TEST_F(Program, TheBaselinesOfRealTimeSearch) {
  run("record --world rooms --size 40 --change 10 --seed 7 --connectivity 8 -o world.jsonl");
  const auto last = [&](const std::string& arguments) {
    return run("replay world.jsonl --json --planner " + arguments).lines().back();
  };
  const Json dstar_lite = last("dstar_lite");
  const Json unlimited = last("rtd --expansion-limit unlimited");
  EXPECT_EQ(unlimited["travelled"], dstar_lite["travelled"]);
  EXPECT_EQ(unlimited["steps"], dstar_lite["steps"]);
  const Json noop = last("rtd --local noop --expansion-limit 40");
  EXPECT_EQ(noop["reached"], true);
  EXPECT_GT(noop["steps"], noop["travelled"]) << "it waits";
}

TEST_F(Program, RefusesBadOptionsOfRealTimeSearch) {
  folder_.write("world.jsonl", kRecording);
  const auto refused = [&](const std::string& option, const std::string& value) {
    expect_refused("replay world.jsonl --planner rtd " + option + " " + value,
                   {option, "expected", "'" + value + "'"});
  };
  for (const std::string bad : {"0", "-1", "1.5", "many"}) refused("--expansion-limit", bad);
  for (const std::string bad : {"-1", "100.1", "half", "nan"}) refused("--local-ratio", bad);
  refused("--global", "astar");
  refused("--local", "rtd");
  expect_refused("plan --map town.map --start 0,0 --goal 1,0 --planner rtd",
                 {"--planner", "'rtd'"});
  expect_refused("replay world.jsonl --planner dijkstra", {"'dijkstra'", "lss_lrta", "rtd"});
}

TEST_F(Program, ReplayGivesUp) {
  folder_.write("world.jsonl", kRecording);
  const Outcome outcome = run("replay world.jsonl --max-steps 3 --json");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.lines().back()["reached"], false);
  EXPECT_EQ(outcome.lines().back()["steps"], 3);
  EXPECT_TRUE(run("replay world.jsonl --max-steps 1").output.ends_with("-    -    -\n"))
      << "nothing was recomputed";
  for (const std::string bad : {"-1", "1.5", "x", "9223372036854775808"}) {
    expect_refused("replay world.jsonl --max-steps " + bad,
                   {"--max-steps", "whole number", "'" + bad + "'"});
  }
}

TEST_F(Program, ReplayShowsWhatHasNoPathAsNull) {
  folder_.write("world.jsonl", kRecording + R"({"step":3,"set":[[3,1,254]]})" + "\n" +
                                   R"({"step":9,"set":[[2,1,254]]})" + "\n" +
                                   R"({"step":12,"set":[[2,1,0],[4,0,253]]})" + "\n");
  const auto lines = run("replay world.jsonl --json").lines();
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[2]["status"], "no_path");
  EXPECT_EQ(lines[3]["status"], "start_blocked");
  EXPECT_EQ(lines[4]["status"], "goal_blocked");
  for (const std::size_t i : {2U, 3U, 4U}) {
    EXPECT_TRUE(lines[i]["cost"].is_null());
    EXPECT_TRUE(lines[i]["bound"].is_null());
  }
  EXPECT_EQ(lines[5]["reached"], false);
  EXPECT_EQ(lines[5]["steps"], 100) << "ten times the border's cells";
  EXPECT_EQ(lines[5]["travelled"], 3.0);
}

TEST_F(Program, RefusesBadRecordings) {
  const auto refused = [&](const std::string& text, const Names& parts) {
    folder_.write("world.jsonl", text);
    expect_refused("replay world.jsonl --json", parts);
  };
  expect_refused("replay none.jsonl", {"none.jsonl: cannot be read: No such file"});
  expect_refused("replay .", {".: cannot be read"});
  refused("", {"world.jsonl:1: expected the first line of a recording"});
  std::string events;
  for (int line = 3; line < 7; ++line)
    events += R"({"step":5,"set":[]})"
              "\n";
  refused(kRecording + events + "{\"step\":6,\"set\":[[1,1,0]}\n",
          {"world.jsonl:7: expected JSON"});
  refused(kRecording + R"({"step":5,"set":[[5,0,0]]})", {"world.jsonl:3:", "5 x 2", "[5,0,0]"});
  refused(kRecording.substr(0, 100), {"world.jsonl:1: expected JSON"});
  std::string huge = kRecording;
  huge.replace(huge.find("\"width\":5"), 9, "\"width\":1000000000");
  huge.replace(huge.find("\"height\":2"), 10, "\"height\":1000000000");
  refused(huge, {"world.jsonl:1: expected the width", "1000000000"});
}

// --- record -------------------------------------------------------------------------------------

const std::string kRecord = "record --world rooms --size 40 --change 10 --seed 7 -o world.jsonl ";

TEST_F(Program, RecordsAWorldThatCanBeReplayed) {
  const Outcome outcome = run(kRecord);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.errors, "");
  EXPECT_NE(outcome.output.find("world.jsonl: 40 x 40 cells"), std::string::npos);
  EXPECT_EQ(files(), (Names{"world.jsonl"}));
  const Recording recording = read_recording(folder_.path() / "world.jsonl");
  EXPECT_EQ(recording.connectivity, 4);
  EXPECT_EQ(recording.visibility, std::nullopt);
  EXPECT_EQ(recording.start, recording.grid.cell(0, 39));
  EXPECT_EQ(recording.goal, recording.grid.cell(39, 0));
  ASSERT_EQ(recording.events.size(), 32U) << "every 10 of 8 * 40 steps";
  EXPECT_EQ(recording.events.front().step, 10);
  for (const Json& line : run("replay world.jsonl --planner all --json").lines()) {
    EXPECT_TRUE(line.value("reached", true));
  }
}

TEST_F(Program, RecordsTheSameForTheSameSeed) {
  run(kRecord);
  const std::string first = read("world.jsonl");
  run(kRecord);
  EXPECT_EQ(read("world.jsonl"), first);
  run("record --world rooms --size 40 --change 10 --seed 8 -o world.jsonl");
  EXPECT_NE(read("world.jsonl"), first);
}

TEST_F(Program, RecordsAsItIsTold) {
  const Outcome outcome =
      run("record --world random --size 16 --change 0.5 --seed 18446744073709551615 "
          "--connectivity 8 --every 3 --steps 10 --output world.jsonl");
  EXPECT_EQ(outcome.code, 0);
  const Recording recording = read_recording(folder_.path() / "world.jsonl");
  EXPECT_EQ(recording.connectivity, 8);
  ASSERT_EQ(recording.events.size(), 3U);
  EXPECT_EQ(recording.events.back().step, 9);
}

TEST_F(Program, RefusesBadWorlds) {
  const auto refused = [&](const std::string& option, const std::string& value,
                           const std::string& expected) {
    Names words = {"record", "--world", "rooms", "--size",      "40",   "--change", "10",
                   "--seed", "7",       "-o",    "world.jsonl", option, value};
    const auto same = std::find(words.begin(), words.end() - 2, option);
    if (same != words.end() - 2) words.erase(same, same + 2);
    std::string arguments;
    for (const std::string& word : words) arguments += word + " ";
    expect_refused(arguments, {option, expected, "'" + value + "'"});
  };
  refused("--world", "mars", "rooms or random");
  for (const std::string bad : {"7", "4097", "-40", "40.5", "forty", "99999999999"}) {
    refused("--size", bad, "whole number from 8 to 4096");
  }
  for (const std::string bad : {"0", "-1", "100.1", "nan", "inf", "2%", "1e999"}) {
    refused("--change", bad, "above 0, at most 100");
  }
  for (const std::string bad : {"-1", "18446744073709551616", "x"}) {
    refused("--seed", bad, "whole number from 0");
  }
  for (const std::string bad : {"0", "-1", "1000000001"}) {
    refused("--every", bad, "from 1 to 1000000000");
  }
  for (const std::string bad : {"-1", "1000000001"}) {
    refused("--steps", bad, "from 0 to 1000000000");
  }
  refused("--connectivity", "6", "4 or 8");
  expect_refused("record --world rooms --size 40 --change 10 --seed 7", {"--output is required"});
  EXPECT_EQ(files(), Names{}) << "a refused record leaves nothing";
}

// --- a simulated world --------------------------------------------------------------------------

constexpr std::string_view kSmallWorld =
    "{name: small, size: [4, 3], resolution: 0.1, outer_wall: 0.1,\n"
    "robot: {radius: 0.2, start: [0.5, 0.5, 0], goal: [3, 2, 0]}}\n";

TEST_F(Program, MakesTheFilesOfAWorld) {
  folder_.write("small.yaml", kSmallWorld);
  const Outcome outcome = run("world small.yaml -o a/b");
  EXPECT_EQ(outcome.errors, "");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output, "map.yaml, map.pgm, world.sdf and bridge.yaml of small are in a/b\n");
  EXPECT_EQ(run("plan --map a/b/map.yaml --start 5,5 --goal 30,20").code, 0);
  expect_refused("plan --map a/b/map.yaml --start 0,5 --goal 30,20", {"expected a free cell"});
  EXPECT_NE(read("a/b/world.sdf").find("<world name=\"small\">"), std::string::npos);
  EXPECT_NE(read("a/b/bridge.yaml").find("topic_name: \"scan\""), std::string::npos);
}

TEST_F(Program, RefusesBadSimulatedWorlds) {
  folder_.write("bad.yaml",
                "{name: small, size: [4, 3], resolution: 0.1, outer_wall: 0.1,\nrobo: 1}");
  expect_refused("world bad.yaml -o out", {"bad.yaml:2: expected one of the keys", "'robo'"});
  expect_refused("world none.yaml -o out", {"none.yaml: cannot be read"});
  expect_refused("world bad.yaml", {"--output is required"});
  EXPECT_EQ(files(), Names{"bad.yaml"});
  folder_.write("small.yaml", kSmallWorld);
  expect_refused("world small.yaml -o small.yaml", {"small.yaml: cannot be made"});
  EXPECT_EQ(run("world small.yaml -o full", "trap '' XFSZ; ulimit -f 1;").code, 2);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path() / "full"));
}

// --- outputs ------------------------------------------------------------------------------------

TEST_F(Program, AnOutputThatCannotBeWrittenIsRefused) {
  const std::string record = "record --world rooms --size 40 --change 10 --seed 7 -o ";
  folder_.write("file", "");
  ASSERT_EQ(mkfifo((folder_.path() / "pipe").c_str(), 0600), 0);
  expect_refused(record + "''", {"--output", "expected a name"});
  expect_refused(record + "none/world.jsonl", {"none/world.jsonl: cannot be written: No such"});
  expect_refused(record + "file/world.jsonl", {"file/world.jsonl: cannot be written: Not a dir"});
  expect_refused(record + ".", {".: cannot be written"});
  expect_refused(record + "pipe", {"pipe: cannot be written: it is there and not a regular file"});
  expect_refused(record + "/proc/world.jsonl", {"/proc/world.jsonl: cannot be written"});
  expect_refused("demo -o file", {"file: cannot be made"});
  expect_refused("demo -o file/results", {"file/results: cannot be made"});
  expect_refused("demo -o /proc/results", {"/proc/results: cannot be made"});
  expect_refused("demo -o /proc", {"/proc/recording.jsonl: cannot be written"});
  expect_refused("demo -o ''", {"--output", "expected a name"});
  EXPECT_EQ(files(), (Names{"file", "pipe"}));
  EXPECT_TRUE(std::filesystem::is_fifo(folder_.path() / "pipe"));
}

TEST_F(Program, WritesWhereALinkLeads) {
  folder_.write("there.jsonl", "");
  std::filesystem::create_symlink("there.jsonl", folder_.path() / "world.jsonl");
  EXPECT_EQ(run(kRecord).code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_.path() / "world.jsonl"));
  EXPECT_NE(read("there.jsonl"), "");
}

TEST_F(Program, AFullDiskLeavesNothingHalfWritten) {
  // No file may grow beyond 4 KiB: writing fails in the middle.
  const std::string full_disk = "trap '' XFSZ; ulimit -f 8;";
  const std::string record = kRecord + "--steps 1000000000";  // it stops long before the end
  const Outcome fresh = run(record, full_disk);
  EXPECT_EQ(fresh.code, 2);
  EXPECT_EQ(fresh.output, "");
  expect_one_line(fresh.errors, {"world.jsonl: cannot be written"});
  EXPECT_EQ(files(), Names{});

  folder_.write("world.jsonl", "what was there\n");
  EXPECT_EQ(run(record, full_disk).code, 2);
  EXPECT_EQ(files(), (Names{"world.jsonl"}));
  EXPECT_EQ(read("world.jsonl"), "what was there\n");

  EXPECT_EQ(run("demo -o results", full_disk).code, 2);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path() / "results"));
}

TEST_F(Program, AProgramThatIsKilledLeavesNothingUnderTheName) {
  folder_.write("world.jsonl", "what was there\n");
  EXPECT_LT(run(kRecord + "--steps 100000", "ulimit -c 0; ulimit -f 8;").code, 0);
  EXPECT_EQ(read("world.jsonl"), "what was there\n");
}

TEST_F(Program, AStandardOutputThatCannotBeWrittenIsAnError) {
  folder_.write("world.jsonl", kRecording);
  for (const std::string to : {">&-", ">/dev/full"}) {
    for (const std::string arguments :
         {"replay world.jsonl --json ", "replay world.jsonl ", "--help ", "demo "}) {
      const Outcome outcome = run(arguments + to);
      EXPECT_EQ(outcome.code, 2) << arguments << to;
      expect_one_line(outcome.errors, {"standard output"});
    }
  }
}

TEST_F(Program, ClosedStreamsDoNotEndUpInTheFile) {
  // A file that is opened next takes the number of a stream that was closed.
  run(kRecord);
  const std::string recording = read("world.jsonl");
  for (const std::string closed : {">&-", "2>&-", ">&- 2>&- <&-"}) {
    std::filesystem::remove(folder_.path() / "world.jsonl");
    run(kRecord + closed);
    EXPECT_EQ(read("world.jsonl"), recording) << closed;
  }
}

// --- demo ---------------------------------------------------------------------------------------

TEST_F(Program, DemoShowsATable) {
  const Outcome outcome = run("demo");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.errors, "");
  EXPECT_NE(outcome.output.find("\nplanner     reached  steps"), std::string::npos);
  EXPECT_NE(outcome.output.find("\nastar           yes"), std::string::npos);
  EXPECT_NE(outcome.output.find("\ndstar_lite      yes"), std::string::npos);
  EXPECT_EQ(files(), Names{});
}

TEST_F(Program, DemoLeavesItsRecordingAndResults) {
  const Outcome outcome = run("demo -o a/b");
  EXPECT_EQ(outcome.code, 0);
  std::filesystem::path folder = folder_.path() / "a" / "b";
  const Recording recording = read_recording(folder / "recording.jsonl");
  EXPECT_EQ(recording.grid.width(), 128);
  EXPECT_EQ(recording.grid.height(), 128);

  std::istringstream results(text_of(folder / "results.jsonl"));
  std::vector<Json> ends;
  double previous = 0.0;
  for (std::string line; std::getline(results, line);) {
    const Json json = Json::parse(line);
    if (json.contains("reached")) ends.push_back(json);
    if (!json.contains("status")) continue;
    EXPECT_EQ(json["status"], "found");
    previous = json["cost"];
  }
  EXPECT_GT(previous, 0.0);
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_EQ(ends[0]["planner"], "astar");
  EXPECT_EQ(ends[1]["planner"], "dstar_lite");
  EXPECT_EQ(ends[0]["reached"], true);
  EXPECT_EQ(ends[1]["reached"], true);
  EXPECT_LT(ends[1]["expansions"], ends[0]["expansions"]) << "what the demo claims";

  // What A* expands and what D* Lite does, a picture of each.
  const std::string picture = text_of(folder / "repair.svg");
  const auto expanded = [&](const std::string& title) {
    const std::size_t at = picture.find(title + ": ");
    return at == std::string::npos ? 0 : std::stoi(picture.substr(at + title.size() + 2));
  };
  EXPECT_GT(expanded("D* Lite repairs"), 0);
  EXPECT_GT(expanded("A* starts over"), expanded("D* Lite repairs"));

  // The recording is the demo's: replaying it gives the same again.
  const auto again = run("replay a/b/recording.jsonl --planner astar --json").lines();
  EXPECT_EQ(again.back()["steps"], ends[0]["steps"]);
  EXPECT_EQ(again.back()["travelled"], ends[0]["travelled"]);
  EXPECT_EQ(again.back()["expansions"], ends[0]["expansions"]);

  EXPECT_EQ(run("demo -o a/b").code, 0) << "a second time";
}

}  // namespace
}  // namespace dynamic_planners
