#include "dynamic_planners/lab/suites/unknown_terrain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "dynamic_planners/grid/input_error.hpp"
#include "dynamic_planners/grid/moving_ai.hpp"
#include "dynamic_planners/lab/replay.hpp"
#include "dynamic_planners/lab/terrain.hpp"

namespace dynamic_planners {
namespace {

/// The visibility "unless otherwise specified".
constexpr int kUsualVisibility = 10;

struct Contender {
  std::string title;
  std::string_view planner;
  Ties ties = Ties::kLargerG;
  /// Takes part in every so many runs.
  std::uint64_t every = 1;
};

/// A* begins anew whenever it sees something, which takes many times as long as all others together
/// in mazes; planners at any angle take longer still and say little here, where the robot follows
/// their lines from cell to cell.
constexpr std::uint64_t kSeldom = 20;

/// Those of the paper, then ours.
std::vector<Contender> contenders() {
  return {{"D* Extra Lite", "dstar_extra_lite"},
          {"D* Lite", "dstar_lite"},
          {"MPAA* +g", "mpaa", Ties::kLargerG},
          {"MPAA* FIFO", "mpaa", Ties::kFifo},
          {"MPAA* -g", "mpaa", Ties::kSmallerG},
          {"Adaptive A*", "adaptive_astar"},
          {"D*", "dstar"},
          {"AD* 3", "ad"},
          {"A*", "astar", {}, kSeldom},
          {"Theta*", "theta", {}, kSeldom},
          {"Field D*", "field_dstar", {}, kSeldom}};
}

struct Terrain {
  Grid grid;
  Query query;
};

/// Where problems come from: the same for the same run.
struct Source {
  std::string name;
  std::function<Terrain(std::uint64_t run)> make;
};

Source generated(const std::string& name,
                 std::function<Grid(Random& random, std::uint64_t run)> grid) {
  return {name, [grid = std::move(grid)](std::uint64_t run) {
            Random random(run);
            Terrain terrain{.grid = grid(random, run), .query = {}};
            terrain.query = draw_problem(random, terrain.grid);
            return terrain;
          }};
}

/// The sizes of the Moving AI collection take turns.
std::vector<Source> generated_sources(int size) {
  return {
      generated("random-10", [size](Random& random,
                                    std::uint64_t) { return scattered_terrain(random, size, 10); }),
      generated("random-40", [size](Random& random,
                                    std::uint64_t) { return scattered_terrain(random, size, 40); }),
      generated("mazes",
                [size](Random& random, std::uint64_t run) {
                  constexpr std::array kCorridors{1, 2, 4, 8, 16, 32};
                  return maze_terrain(random, size, kCorridors[run % kCorridors.size()]);
                }),
      generated("rooms", [size](Random& random, std::uint64_t run) {
        constexpr std::array kPitches{8, 16, 32, 64};
        return rooms_terrain(random, size, kPitches[run % kPitches.size()]);
      })};
}

/// Problems of a file are ordered by their length: the runs are spread over all of it (by the
/// golden ratio, as in Fibonacci hashing), however many of them there are.
std::size_t spread(std::uint64_t run, std::size_t count) {
  constexpr std::uint64_t kGolden = 2'654'435'769;
  return static_cast<std::size_t>(((run * kGolden & 0xFFFFFFFFU) * count) >> 32U);
}

Source from_files(const std::filesystem::path& map, const std::filesystem::path& scenario) {
  const auto grid = std::make_shared<const Grid>(read_moving_ai_map(map));
  const auto problems =
      std::make_shared<const std::vector<Problem>>(read_scenario(scenario, *grid));
  if (problems->empty()) throw InputError(scenario.string() + ": expected at least one problem");
  return {map.stem().string(), [=](std::uint64_t run) {
            const Problem& problem = (*problems)[spread(run, problems->size())];
            return Terrain{.grid = *grid,
                           .query = {grid->cell(problem.start.x, problem.start.y),
                                     grid->cell(problem.goal.x, problem.goal.y)}};
          }};
}

std::vector<Source> sources_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> maps;
  std::vector<std::filesystem::path> scenarios;
  std::error_code error;
  std::filesystem::recursive_directory_iterator file(folder, error);
  for (; !error && file != std::filesystem::end(file); file.increment(error)) {
    if (file->path().extension() == ".map") maps.push_back(file->path());
    if (file->path().extension() == ".scen") scenarios.push_back(file->path());
  }
  if (error) throw InputError(folder.string() + ": " + error.message());
  std::sort(maps.begin(), maps.end());
  std::sort(scenarios.begin(), scenarios.end());
  std::vector<Source> sources;
  for (const std::filesystem::path& map : maps) {
    const auto scenario = std::find_if(scenarios.begin(), scenarios.end(), [&](const auto& path) {
      return path.stem() == map.filename();
    });
    if (scenario != scenarios.end()) sources.push_back(from_files(map, *scenario));
  }
  if (sources.empty()) {
    throw InputError(folder.string() + ": expected maps NAME.map with problems NAME.map.scen");
  }
  return sources;
}

std::vector<Measurement> measure(const Terrain& terrain, int visibility, Heuristic heuristic,
                                 std::uint64_t run) {
  const Recording recording{.grid = terrain.grid,
                            .connectivity = 8,
                            .start = terrain.query.start,
                            .goal = terrain.query.goal,
                            .visibility = visibility};
  // Nobody walks as far as that who arrives at all.
  const std::int64_t max_steps = std::int64_t{20} * terrain.grid.size();
  std::vector<Measurement> measurements;
  for (const Contender& contender : contenders()) {
    if (run % contender.every != 0) continue;
    const GlobalReplayConfig config{
        .planner = {.traversal = {.heuristic = heuristic}, .ties = contender.ties}};
    const ReplayResult result =
        replay(recording, find_planner(contender.planner), config, max_steps);
    measurements.push_back(
        {contender.title,
         {result.time_us, static_cast<double>(result.expansions), in_cells(result.travelled),
          static_cast<double>(result.episodes.size()), result.reached ? 1.0 : 0.0}});
  }
  return measurements;
}

}  // namespace

Suite unknown_terrain_suite(const UnknownTerrainConfig& config) {
  std::vector<Source> sources = generated_sources(config.size);
  std::vector<std::string> maps;
  if (!config.maps.empty()) {
    for (Source& source : sources_in(config.maps)) {
      maps.push_back(source.name);
      sources.push_back(std::move(source));
    }
  }
  Suite suite{.name = "unknown-terrain",
              .version = 3,
              .parameters = {{"size", fmt::format("{}", config.size)},
                             {"maps", fmt::format("{}", fmt::join(maps, ", "))},
                             {"seeds", "the number of the run"}},
              .quantities = {{"total", true}, {"nodes"}, {"length"}, {"searches"}, {"reached"}}};
  struct View {
    int visibility;
    Heuristic heuristic;
    std::string_view name;
  };
  std::vector<View> views;
  for (const int visibility : config.visibilities) {
    views.push_back({visibility, Heuristic::kNatural, "octile"});
  }
  views.push_back({kUsualVisibility, Heuristic::kEuclidean, "euclidean"});
  for (std::uint64_t run = 1; run <= config.runs; ++run) {
    for (const Source& source : sources) {
      for (const View& view : views) {
        suite.jobs.push_back(
            {fmt::format("{}-{}-{}", source.name, view.name, view.visibility), run,
             [=] { return measure(source.make(run), view.visibility, view.heuristic, run); }});
      }
    }
  }
  return suite;
}

}  // namespace dynamic_planners
