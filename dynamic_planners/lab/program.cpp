#include "dynamic_planners/lab/program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <iostream>
#include <limits>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "dynamic_planners/grid/input_text.hpp"
#include "dynamic_planners/lab/commands.hpp"
#include "dynamic_planners/lab/demo.hpp"

namespace dynamic_planners {
namespace {

constexpr int kWrongLength = 1;
constexpr int kBadInput = 2;
constexpr std::uint64_t kMaxRuns = 10'000;

[[noreturn]] void refuse(const std::string& option, const std::string& expected,
                         const std::string& text) {
  throw InputError(fmt::format("{}: expected {}, found {}", option, expected, in_quotes(text)));
}

// --- options -----------------------------------------------------------------------------------
// Their texts are read here and not by CLI11: its messages do not say what was expected.

CLI::Option* add_option(CLI::App& app, const std::string& name, const std::string& help,
                        const std::string& type,
                        const std::function<void(const std::string&)>& read) {
  return app.add_option_function<std::string>(name, read, help)->type_name(type);
}

/// `target` is a path, or an optional one.
template <typename Target>
CLI::Option* add_path(CLI::App& app, const std::string& name, const std::string& help,
                      const std::string& type, Target& target) {
  return add_option(app, name, help, type, [=, &target](const std::string& text) {
    if (text.empty()) refuse(name, "a name", text);
    target = text;
  });
}

/// `target` is a number, or an optional one.
template <typename Number, typename Target>
CLI::Option* add_whole_number(CLI::App& app, const std::string& name, const std::string& help,
                              Target& target, Number min,
                              Number max = std::numeric_limits<Number>::max()) {
  return add_option(app, name, help, "N", [=, &target](const std::string& text) {
    const auto number = parse_number<Number>(text);
    if (!number || *number < min || *number > max) {
      refuse(name, fmt::format("a whole number from {} to {}", min, max), text);
    }
    target = *number;
  });
}

CLI::Option* add_connectivity(CLI::App& app, int& target) {
  const std::string help = fmt::format("neighbours of a cell, by default {}", target);
  return add_option(app, "--connectivity", help, "4|8", [&target](const std::string& text) {
    if (text != "4" && text != "8") refuse("--connectivity", "4 or 8", text);
    target = text == "4" ? 4 : 8;
  });
}

CLI::Option* add_place(CLI::App& app, const std::string& name, const std::string& help,
                       Grid::Position& target) {
  return add_option(app, name, help, "X,Y", [=, &target](const std::string& text) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto x = parse_number<int>(text.substr(0, comma));
    const auto y = parse_number<int>(text.substr(std::min(comma + 1, text.size())));
    if (!x || !y) refuse(name, "two whole numbers X,Y", text);
    target = {*x, *y};
  });
}

const PlannerInfo& planner_named(const std::string& name) {
  try {
    return find_planner(name);
  } catch (const std::invalid_argument& error) {
    throw InputError(std::string("--planner: ") + error.what());
  }
}

std::string planner_help() {
  std::vector<std::string_view> names;
  for (const PlannerInfo& info : planners()) names.push_back(info.name);
  return fmt::format("{}; by default {}", fmt::join(names, ", "), kDefaultPlanner);
}

CLI::Option* add_planner(CLI::App& app, const PlannerInfo*& target) {
  return add_option(app, "--planner", planner_help(), "NAME",
                    [&target](const std::string& text) { target = &planner_named(text); });
}

/// `all` are all that `everyone()` names; a single name is read by `find`.
template <typename Info>
CLI::Option* add_planner_list(CLI::App& app, const std::string& help, std::vector<Info>& target,
                              const std::function<std::vector<Info>()>& everyone,
                              const std::function<Info(const std::string&)>& find) {
  return add_option(app, "--planner", help, "NAME[,NAME]|all",
                    [=, &target](const std::string& text) {
                      target.clear();
                      if (text == "all") {
                        target = everyone();
                        return;
                      }
                      std::istringstream names(text + ',');
                      for (std::string name; std::getline(names, name, ',');) {
                        target.push_back(find(name));
                      }
                    });
}

CLI::Option* add_planners(CLI::App& app, std::vector<const PlannerInfo*>& target) {
  using Info = const PlannerInfo*;
  return add_planner_list<Info>(
      app, planner_help(), target,
      [] {
        std::vector<Info> all;
        for (const PlannerInfo& info : planners()) all.push_back(&info);
        return all;
      },
      [](const std::string& name) -> Info { return &planner_named(name); });
}

/// Those of both kinds.
CLI::Option* add_planners(CLI::App& app, std::vector<AnyPlanner>& target) {
  std::vector<std::string_view> names;
  for (const RealTimePlannerInfo& info : real_time_planners()) names.push_back(info.name);
  const std::string real_time = fmt::format("{}", fmt::join(names, ", "));
  return add_planner_list<AnyPlanner>(
      app, fmt::format("{}, {}", real_time, planner_help()), target,
      [] {
        std::vector<AnyPlanner> all;
        for (const PlannerInfo& info : planners()) all.emplace_back(&info);
        for (const RealTimePlannerInfo& info : real_time_planners()) all.emplace_back(&info);
        return all;
      },
      [real_time](const std::string& name) -> AnyPlanner {
        if (const auto* const info = find_real_time_planner(name)) return info;
        try {
          return &planner_named(name);
        } catch (const InputError& error) {
          throw InputError(fmt::format("{}, {}", error.what(), real_time));
        }
      });
}

CLI::Option* add_expansion_limit(CLI::App& app, std::uint64_t& target) {
  const std::string help =
      fmt::format("real-time planners: expansions per step, by default {}", target);
  return add_option(app, "--expansion-limit", help, "N|unlimited",
                    [&target](const std::string& text) {
                      const auto number = parse_number<std::uint64_t>(text);
                      if (text != "unlimited" && number.value_or(0) == 0) {
                        refuse("--expansion-limit", "a whole number from 1, or unlimited", text);
                      }
                      target = number.value_or(kUnlimited);
                    });
}

/// What is more than all of it can only be meant in percent: 0.5 and 50 are the same.
CLI::Option* add_local_ratio(CLI::App& app, double& target) {
  const std::string help =
      fmt::format("rtd: share of the limit for the local search, by default {}", target);
  return add_option(app, "--local-ratio", help, "R", [&target](const std::string& text) {
    const double ratio = parse_number<double>(text).value_or(-1.0);
    if (!(ratio >= 0.0 && ratio <= 100.0)) {
      refuse("--local-ratio", "a share from 0 to 1, or percent up to 100", text);
    }
    target = ratio <= 1.0 ? ratio : ratio / 100.0;
  });
}

CLI::Option* add_global(CLI::App& app, GlobalSearchKind& target) {
  return add_option(app, "--global", "rtd: the global search, by default dstar_lite",
                    "dstar_lite|ad", [&target](const std::string& text) {
                      if (text != "dstar_lite" && text != "ad")
                        refuse("--global", "dstar_lite or ad", text);
                      target = text == "ad" ? GlobalSearchKind::kAD : GlobalSearchKind::kDStarLite;
                    });
}

CLI::Option* add_local(CLI::App& app, LocalSearchKind& target) {
  return add_option(app, "--local",
                    "rtd: the local search, by default lss_lrta; noop waits for the global one",
                    "lrta|lss_lrta|noop", [&target](const std::string& text) {
                      if (text == "lrta") {
                        target = LocalSearchKind::kLRTA;
                      } else if (text == "lss_lrta") {
                        target = LocalSearchKind::kLSSLRTA;
                      } else if (text == "noop") {
                        target = LocalSearchKind::kNoOp;
                      } else {
                        refuse("--local", "lrta, lss_lrta or noop", text);
                      }
                    });
}

CLI::Option* add_world(CLI::App& app, WorldKind& target) {
  return add_option(app, "--world", "the kind of world", "rooms|random",
                    [&target](const std::string& text) {
                      if (text != "rooms" && text != "random") {
                        refuse("--world", "rooms or random", text);
                      }
                      target = text == "rooms" ? WorldKind::kRooms : WorldKind::kRandom;
                    });
}

CLI::Option* add_change(CLI::App& app, double& target) {
  return add_option(app, "--change", "percent of the dynamic obstacles that change at a time", "P",
                    [&target](const std::string& text) {
                      const double percent = parse_number<double>(text).value_or(0.0);
                      if (!(percent > 0.0 && percent <= 100.0)) {
                        refuse("--change", "a number above 0, at most 100", text);
                      }
                      target = percent;
                    });
}

CLI::Option* add_suite(CLI::App& app, const SuiteInfo*& target) {
  std::vector<std::string_view> names;
  for (const SuiteInfo& info : suites()) names.push_back(info.name);
  const std::string known = fmt::format("{}", fmt::join(names, ", "));
  return add_option(app, "SUITE", known, "NAME", [known, &target](const std::string& text) {
    target = find_suite(text);
    if (target == nullptr) refuse("SUITE", "one of " + known, text);
  });
}

// --- commands -----------------------------------------------------------------------------------

/// The command line and what it says.
class CommandLine {
 public:
  CommandLine() {
    app_.set_version_flag("--version", std::string("dynamic_planners ") + DYNAMIC_PLANNERS_VERSION);
    app_.require_subcommand(1);
    define_plan();
    define_scen();
    define_replay();
    define_record();
    define_bench();
    define_world();
    define_demo();
  }
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// Returns the exit code.
  int run(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success& asked) {  // --help, --version
      return app_.exit(asked, std::cout);
    } catch (const CLI::ParseError& error) {
      if (app_.get_subcommands().empty()) refuse_command(argc > 1 ? argv[1] : "");
      throw InputError(error.what());
    }
    command_();
    return exit_code_;
  }

 private:
  CLI::App& add_command(const std::string& name, const std::string& help,
                        std::function<void()> command) {
    CLI::App* app = app_.add_subcommand(name, help);
    app->callback([this, command = std::move(command)] { command_ = command; });
    return *app;
  }

  [[noreturn]] void refuse_command(const std::string& text) const {
    std::vector<std::string> names;
    for (const CLI::App* command : app_.get_subcommands({})) names.push_back(command->get_name());
    refuse("the first argument", fmt::format("one of {}", fmt::join(names, ", ")), text);
  }

  void define_plan() {
    CLI::App& app =
        add_command("plan", "Plan one path on a map", [this] { run_plan(plan_, std::cout); });
    add_path(app, "--map", "a Moving AI .map or a Nav2 map.yaml", "FILE", plan_.map)->required();
    add_place(app, "--start", "the start's cell", plan_.start)->required();
    add_place(app, "--goal", "the goal's cell", plan_.goal)->required();
    add_planner(app, plan_.planner);
    add_connectivity(app, plan_.connectivity);
    add_json(app, plan_.json);
  }

  void define_scen() {
    CLI::App& app = add_command("scen", "Solve a map's problems of known length", [this] {
      if (!run_scen(scen_, std::cout)) exit_code_ = kWrongLength;
    });
    add_path(app, "SCENARIO", "a Moving AI .scen", "FILE", scen_.scenario)->required();
    add_path(app, "--map", "its map", "FILE", scen_.map)->required();
    add_planners(app, scen_.planners);
    add_whole_number<std::size_t>(app, "--every", "only every Nth problem, by default all",
                                  scen_.every, 1);
    add_json(app, scen_.json);
  }

  void define_replay() {
    CLI::App& app = add_command("replay", "Send robots through a recorded world that changes",
                                [this] { run_replay(replay_, std::cout); });
    add_path(app, "RECORDING", "a recording", "FILE", replay_.recording)->required();
    add_planners(app, replay_.planners);
    add_whole_number<std::int64_t>(
        app, "--max-steps",
        "give up after so many time steps, by default 10 for each cell on the map's border",
        replay_.max_steps, 0);
    add_expansion_limit(app, replay_.real_time.expansion_limit);
    add_local_ratio(app, replay_.real_time.planner.local_ratio);
    add_global(app, replay_.real_time.planner.global);
    add_local(app, replay_.real_time.planner.local);
    add_json(app, replay_.json);
  }

  void define_record() {
    CLI::App& app = add_command("record", "Make a world that changes and record it",
                                [this] { run_record(record_, std::cout); });
    WorldConfig& world = record_.world;
    add_world(app, world.kind)->required();
    add_whole_number<int>(app, "--size", "cells per side", world.size, kMinWorldSize, kMaxWorldSize)
        ->required();
    add_change(app, world.change_percent)->required();
    add_whole_number<std::uint64_t>(app, "--seed", "the same seed, the same world", world.seed, 0)
        ->required();
    add_path(app, "-o,--output", "the recording", "FILE", record_.file)->required();
    add_connectivity(app, world.connectivity);
    add_whole_number<std::int64_t>(
        app, "--every",
        fmt::format("time steps from one change to the next, by default {}", world.every),
        world.every, 1, kMaxWorldSteps);
    add_whole_number<std::int64_t>(app, "--steps",
                                   "time steps to record, by default 8 times the size", world.steps,
                                   0, kMaxWorldSteps);
  }

  void define_bench() {
    CLI::App& app = add_command("bench", "Repeat the experiments of the sources", [this] {
      const bool has_maps = !bench_.of_suite.maps.empty();
      if (has_maps && bench_.suite->name != "unknown-terrain") {
        refuse("--maps", "the suite unknown-terrain", std::string(bench_.suite->name));
      }
      run_bench(bench_, std::cout);
    });
    add_suite(app, bench_.suite)->required();
    app.add_flag("--quick", bench_.of_suite.quick, "a few runs, in two minutes");
    add_whole_number<std::uint64_t>(
        app, "--runs", "so many runs of each scenario, by default as many as in the source",
        bench_.of_suite.runs, 1, kMaxRuns);
    add_path(app, "-o,--output", "records and tables go here, by default results/SUITE", "DIR",
             bench_.directory);
    add_path(app, "--maps", "unknown-terrain: maps (.map) with problems (.scen) to be crossed too",
             "DIR", bench_.of_suite.maps);
  }

  void define_world() {
    CLI::App& app = add_command("world", "Make the map and the Gazebo world of a simulated world",
                                [this] { run_world(world_, std::cout); });
    add_path(app, "WORLD", "a world's YAML", "FILE", world_.world)->required();
    add_path(app, "-o,--output", "map.yaml, map.pgm, world.sdf and bridge.yaml come here", "DIR",
             world_.directory)
        ->required();
  }

  void define_demo() {
    CLI::App& app = add_command("demo", "Show A* and D* Lite in a world of rooms and doors",
                                [this] { run_demo(demo_, std::cout); });
    add_path(app, "-o,--output", "leave the recording and the results here", "DIR",
             demo_.directory);
  }

  static void add_json(CLI::App& app, bool& target) {
    app.add_flag("--json", target, "print JSON Lines");
  }

  CLI::App app_{"Planners that keep their search alive while the world changes",
                "dynamic_planners"};
  std::function<void()> command_;
  int exit_code_ = 0;
  PlanOptions plan_;
  ScenOptions scen_;
  ReplayCommandOptions replay_;
  RecordOptions record_;
  BenchOptions bench_;
  WorldFilesOptions world_;
  DemoOptions demo_;
};

int fail(std::string message) {
  // One line, whatever a name in it may contain.
  std::replace_if(
      message.begin(), message.end(), [](unsigned char c) { return c < ' '; }, ' ');
  std::cerr << "dynamic_planners: " << message << '\n';
  return kBadInput;
}

}  // namespace

int run_program(int argc, const char* const* argv) {
  std::ios::sync_with_stdio(false);
  try {
    const int code = CommandLine().run(argc, argv);
    if (!std::cout.flush()) return fail("the standard output cannot be written");
    return code;
  } catch (const std::bad_alloc&) {
    return fail("not enough memory");
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

}  // namespace dynamic_planners
