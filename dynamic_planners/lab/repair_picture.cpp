#include "dynamic_planners/lab/repair_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dynamic_planners/search/registry.hpp"

namespace dynamic_planners {
namespace {

/// What a planner did for one path.
struct Answer {
  Plan plan;
  std::vector<Cell> expanded;
};

struct Moment {
  Grid grid;
  std::vector<CellChange> changes;
  Answer anew;
  Answer repaired;
};

Answer ask(Planner& planner, const Query& query) {
  Answer answer;
  Budget budget;
  budget.expanded = &answer.expanded;
  answer.plan = planner.plan(query, budget);
  return answer;
}

/// Empty when no repair ever saved anything.
std::optional<Moment> most_telling_moment(const Recording& recording, const ReplayResult& route) {
  Grid grid = recording.grid;
  const PlannerConfig config{.traversal = {.connectivity = recording.connectivity}};
  const auto forgets = make_planner("astar", grid, config);
  const auto keeps = make_planner("dstar_lite", grid, config);
  std::optional<Moment> best;
  std::int64_t most_saved = 0;
  std::size_t next_event = 0;
  for (const Episode& episode : route.episodes) {
    std::vector<CellChange> changes;
    for (;
         next_event < recording.events.size() && recording.events[next_event].step <= episode.step;
         ++next_event) {
      for (const auto& [cell, cost] : recording.events[next_event].set) {
        if (const auto change = grid.set(cell, cost)) changes.push_back(*change);
      }
    }
    forgets->update(changes);
    keeps->update(changes);
    const Query query{episode.at, recording.goal};
    Answer anew = ask(*forgets, query);
    Answer repaired = ask(*keeps, query);
    const bool is_repair = repaired.plan.counts.restarts == 0 && !repaired.expanded.empty();
    const std::int64_t saved = std::ssize(anew.expanded) - std::ssize(repaired.expanded);
    if (is_repair && saved > most_saved) {
      most_saved = saved;
      best = Moment{grid, changes, std::move(anew), std::move(repaired)};
    }
  }
  return best;
}

constexpr int kScale = 3;  // pixels a cell
constexpr int kMargin = 4 * kScale;
constexpr int kTitle = 24;

/// One path of SVG over the cells, run by run of each row.
std::string area(const Grid& grid, std::vector<Cell> cells, std::string_view style) {
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  std::string path;
  for (std::size_t i = 0; i < cells.size();) {
    const auto [x, y] = grid.position(cells[i]);
    std::size_t end = i + 1;
    while (end < cells.size() && cells[end] == cells[end - 1] + 1 &&
           grid.position(cells[end]).y == y) {
      ++end;
    }
    path += fmt::format("M{} {}h{}v1h-{}z", x, y, end - i, end - i);
    i = end;
  }
  return fmt::format("<path {} d=\"{}\"/>\n", style, path);
}

std::string panel(const Moment& moment, const Answer& answer, std::string_view title, int left) {
  const Grid& grid = moment.grid;
  std::vector<Cell> walls;
  for (Cell cell = 0; cell < grid.size(); ++cell) {
    if (grid[cell] > kMaxPassable) walls.push_back(cell);
  }
  std::vector<Cell> changed;
  for (const CellChange& change : moment.changes) changed.push_back(change.cell);
  std::string line;
  for (const Point& point : answer.plan.points) {
    line += fmt::format("{},{} ", point.x + 0.5, point.y + 0.5);
  }
  return fmt::format("<text x=\"{}\" y=\"16\">{}: {} cells expanded</text>\n", left, title,
                     answer.expanded.size()) +
         fmt::format(
             "<g transform=\"translate({} {}) scale({})\" shape-rendering=\"crispEdges\">\n", left,
             kTitle, kScale) +
         fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"#f4f4f4\"/>\n", grid.width(),
                     grid.height()) +
         area(grid, answer.expanded, "fill=\"#88bbee\"") + area(grid, walls, "fill=\"#333333\"") +
         area(grid, changed, "fill=\"#ee7733\" stroke=\"#ee7733\" stroke-width=\"2\"") +
         fmt::format("<polyline fill=\"none\" stroke=\"#118833\" points=\"{}\"/>\n</g>\n", line);
}

}  // namespace

void draw_repair(std::ostream& output, const Recording& recording, const ReplayResult& route) {
  const auto moment = most_telling_moment(recording, route);
  const int width = kScale * recording.grid.width();
  output << fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" "
      "font-family=\"sans-serif\" font-size=\"14\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      2 * width + 3 * kMargin, kTitle + kScale * recording.grid.height() + kMargin);
  if (moment) {
    output << panel(*moment, moment->anew, "A* starts over", kMargin)
           << panel(*moment, moment->repaired, "D* Lite repairs", width + 2 * kMargin);
  }
  output << "</svg>\n";
}

}  // namespace dynamic_planners
