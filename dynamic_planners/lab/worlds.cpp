#include "dynamic_planners/lab/worlds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace dynamic_planners {
namespace {

/// A world without its changes: the dynamic obstacles are all closed.
struct Layout {
  Grid grid;
  std::vector<DynamicObstacle> obstacles = {};
};

/// Takes `count` of the pool's members out of it, all equally likely.
std::vector<std::uint32_t> take(Random& random, std::vector<std::uint32_t>& pool,
                                std::size_t count) {
  std::vector<std::uint32_t> taken;
  taken.reserve(count);
  while (taken.size() < count) {
    std::uint32_t& member = pool[random.below(pool.size())];
    taken.push_back(member);
    member = pool.back();
    pool.pop_back();
  }
  return taken;
}

// --- rooms --------------------------------------------------------------------------------------

/// The thesis divides the grid into 16 x 16 rooms with walls of one cell between them. As in the
/// Moving AI room maps, which it follows, a wall is counted to its room: walls are 16 cells apart,
/// and 128 x 128 cells hold 8 x 8 rooms.
constexpr int kRoomPitch = 16;

/// Where a room begins and ends along one axis.
struct Span {
  int first;
  int last;
};

std::vector<Span> room_spans(int size) {
  std::vector<Span> spans;
  for (int wall = 0; wall < size; wall += kRoomPitch) {
    // The map's edge is not a wall, so the first room has one cell more than the others; and a wall
    // on the last line would have no room behind it, so that line belongs to the last room.
    if (wall == size - 1) {
      spans.back().last = wall;
    } else {
      spans.push_back({wall == 0 ? 0 : wall + 1, std::min(wall + kRoomPitch, size) - 1});
    }
  }
  return spans;
}

struct Door {
  Cell cell;
  std::size_t room;
  std::size_t other;
};

class RoomsBuilder {
 public:
  RoomsBuilder(Random& random, int size)
      : random_(random), spans_(room_spans(size)), grid_(size, size), doors_of_(rooms()) {}

  Layout build() {
    build_walls();
    place_doors();
    open_maze();
    Layout layout{.grid = std::move(grid_)};
    for (std::size_t door = 0; door < doors_.size(); ++door) {
      const Cell cell = doors_[door].cell;
      layout.grid.set(cell, always_open_[door] ? kFree : kLethal);
      if (!always_open_[door]) layout.obstacles.push_back({cell});
    }
    return layout;
  }

 private:
  std::size_t rooms() const { return spans_.size() * spans_.size(); }
  std::size_t room(std::size_t column, std::size_t row) const {
    return row * spans_.size() + column;
  }

  void build_walls() {
    for (std::size_t i = 0; i + 1 < spans_.size(); ++i) {
      const int wall = spans_[i].last + 1;
      for (int along = 0; along < grid_.width(); ++along) {
        grid_.set(grid_.cell(wall, along), kLethal);
        grid_.set(grid_.cell(along, wall), kLethal);
      }
    }
  }

  /// One door per pair of adjacent rooms, anywhere on the wall they share.
  void place_doors() {
    for (std::size_t row = 0; row < spans_.size(); ++row) {
      for (std::size_t column = 0; column < spans_.size(); ++column) {
        if (column + 1 < spans_.size()) {
          const int y = somewhere_in(spans_[row]);
          add_door(
              {grid_.cell(spans_[column].last + 1, y), room(column, row), room(column + 1, row)});
        }
        if (row + 1 < spans_.size()) {
          const int x = somewhere_in(spans_[column]);
          add_door({grid_.cell(x, spans_[row].last + 1), room(column, row), room(column, row + 1)});
        }
      }
    }
    always_open_.assign(doors_.size(), false);
  }

  int somewhere_in(const Span& span) {
    const int length = span.last - span.first + 1;
    return span.first + static_cast<int>(random_.below(static_cast<std::uint64_t>(length)));
  }

  void add_door(const Door& door) {
    doors_of_[door.room].push_back(doors_.size());
    doors_of_[door.other].push_back(doors_.size());
    doors_.push_back(door);
  }

  /// A randomized depth-first search opens the doors it goes through for good. The thesis does not
  /// say where it begins: here, in the start's room.
  void open_maze() {
    std::vector<bool> visited(rooms(), false);
    std::vector<std::size_t> way = {room(0, spans_.size() - 1)};
    visited[way.back()] = true;
    while (!way.empty()) {
      const std::size_t here = way.back();
      const auto behind = [&](std::size_t door) {
        return doors_[door].room == here ? doors_[door].other : doors_[door].room;
      };
      std::vector<std::size_t> untried;
      std::copy_if(doors_of_[here].begin(), doors_of_[here].end(), std::back_inserter(untried),
                   [&](std::size_t door) { return !visited[behind(door)]; });
      if (untried.empty()) {
        way.pop_back();
        continue;
      }
      const std::size_t door = untried[random_.below(untried.size())];
      always_open_[door] = true;
      visited[behind(door)] = true;
      way.push_back(behind(door));
    }
  }

  Random& random_;
  std::vector<Span> spans_;
  Grid grid_;
  std::vector<Door> doors_;
  std::vector<std::vector<std::size_t>> doors_of_;
  std::vector<bool> always_open_;
};

// --- random obstacles ---------------------------------------------------------------------------

constexpr int kObstaclePercent = 25;

/// The cells of the same cost around `from` that hang together by their sides. `seen` is marked.
std::vector<Cell> connected(const Grid& grid, Cell from, std::vector<bool>& seen) {
  std::vector<Cell> cells = {from};
  seen[from] = true;
  const auto visit = [&](int x, int y) {
    if (!grid.contains(x, y)) return;
    const Cell cell = grid.cell(x, y);
    if (seen[cell] || grid[cell] != grid[from]) return;
    seen[cell] = true;
    cells.push_back(cell);
  };
  // NOLINTNEXTLINE(modernize-loop-convert): it grows as we go
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto [x, y] = grid.position(cells[i]);
    visit(x, y - 1);
    visit(x - 1, y);
    visit(x + 1, y);
    visit(x, y + 1);
  }
  return cells;
}

/// Exactly a quarter of the cells become obstacles, never the start and the goal: each cell in
/// turn, with the chance that is left (Knuth, The Art of Computer Programming 2, algorithm 3.4.2
/// S).
Grid scatter(Random& random, int size) {
  Grid grid(size, size);
  const Cell start = grid.cell(0, size - 1);
  const Cell goal = grid.cell(size - 1, 0);
  std::uint64_t wanted = std::uint64_t{grid.size()} * kObstaclePercent / 100;
  std::uint64_t left = grid.size() - 2;
  for (Cell cell = 0; cell < grid.size(); ++cell) {
    if (cell == start || cell == goal) continue;
    if (random.below(left--) < wanted) {
      grid.set(cell, kLethal);
      --wanted;
    }
  }
  return grid;
}

/// The thesis does not say how it ensures a route from start to goal: here, worlds without one are
/// thrown away and drawn again. Cells that cannot reach the goal become obstacles, and each block
/// of obstacles that hangs together by its sides is one dynamic obstacle. An open one touches the
/// free ground around it, so nobody is ever locked in; and where no diagonal cuts a corner, that
/// holds for 8-connected robots as for 4-connected ones.
Layout build_random(Random& random, int size) {
  while (true) {
    Layout layout{.grid = scatter(random, size)};
    Grid& grid = layout.grid;
    std::vector<bool> seen(grid.size(), false);
    connected(grid, grid.cell(size - 1, 0), seen);
    if (!seen[grid.cell(0, size - 1)]) continue;
    for (Cell cell = 0; cell < grid.size(); ++cell) {
      if (!seen[cell]) grid.set(cell, kLethal);
    }
    for (Cell cell = 0; cell < grid.size(); ++cell) {
      if (!seen[cell]) layout.obstacles.push_back(connected(grid, cell, seen));
    }
    return layout;
  }
}

// --- changes ------------------------------------------------------------------------------------

/// The thesis keeps obstacles and empty cells "at around 80 : 20". Here the dynamic obstacles are
/// counted, not their cells: it is them that change, and of them that P percent change.
constexpr int kClosedPercent = 80;

std::size_t closed_target(std::size_t obstacles) {
  return (obstacles * kClosedPercent + 50) / 100;
}

struct Switches {
  std::size_t openings;
  std::size_t closings;
};

/// How many open and how many close when `wanted` shall change: half and half, as far as the ratio
/// holds, an odd one to be tossed for. No more can close than are open: above 40 percent of change,
/// the ratio wins.
Switches draw_switches(Random& random, std::int64_t wanted, std::int64_t closed,
                       std::int64_t open) {
  const auto target =
      static_cast<std::int64_t>(closed_target(static_cast<std::size_t>(closed + open)));
  const std::int64_t missing = target - closed;  // closings - openings shall be this
  const std::int64_t most = std::min(2 * open - missing, 2 * closed + missing);
  const std::int64_t count = std::max<std::int64_t>(1, std::min(wanted, most));
  std::int64_t twice_closings = count + missing;
  if (twice_closings % 2 != 0 && random.below(2) == 1) ++twice_closings;
  const std::int64_t closings = std::clamp<std::int64_t>(
      twice_closings / 2, std::max<std::int64_t>(0, count - closed), std::min(count, open));
  return {static_cast<std::size_t>(count - closings), static_cast<std::size_t>(closings)};
}

void check(const WorldConfig& config) {
  const auto require = [](bool holds, const std::string& what) {
    if (!holds) throw std::invalid_argument("expected " + what);
  };
  require(config.size >= kMinWorldSize && config.size <= kMaxWorldSize,
          "the size to be from " + std::to_string(kMinWorldSize) + " to " +
              std::to_string(kMaxWorldSize));
  require(config.change_percent > 0.0 && config.change_percent <= 100.0,
          "the change to be more than 0 and at most 100 percent");
  require(config.connectivity == 4 || config.connectivity == 8, "the connectivity to be 4 or 8");
  const std::string up_to = " to " + std::to_string(kMaxWorldSteps);
  require(config.every >= 1 && config.every <= kMaxWorldSteps,
          "from 1" + up_to + " steps between two changes");
  require(config.steps.value_or(0) >= 0 && config.steps.value_or(0) <= kMaxWorldSteps,
          "from 0" + up_to + " steps to record");
}

Layout build(const WorldConfig& config, Random& random) {
  check(config);
  return config.kind == WorldKind::kRooms ? RoomsBuilder(random, config.size).build()
                                          : build_random(random, config.size);
}

}  // namespace

std::uint64_t Random::below(std::uint64_t n) {
  // The numbers beyond the last multiple of n would favour the small remainders.
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t limit = kMax - kMax % n;
  std::uint64_t drawn = engine_();
  while (drawn >= limit) drawn = engine_();
  return drawn % n;
}

DynamicWorld::DynamicWorld(const WorldConfig& config)
    : config_(config), random_(config.seed), grid_(1, 1) {
  Layout layout = build(config, random_);
  grid_ = std::move(layout.grid);
  obstacles_ = std::move(layout.obstacles);
  closed_.resize(obstacles_.size());
  for (std::size_t i = 0; i < closed_.size(); ++i) closed_[i] = static_cast<std::uint32_t>(i);
  open_ = take(random_, closed_, obstacles_.size() - closed_target(obstacles_.size()));
  std::vector<CellCost> set;
  switch_to(open_, kFree, set);
}

std::vector<CellCost> DynamicWorld::change() {
  std::vector<CellCost> set;
  if (obstacles_.empty()) return set;
  const std::int64_t wanted = std::max<std::int64_t>(
      1, std::llround(static_cast<double>(obstacles_.size()) * config_.change_percent / 100.0));
  const auto& [opening, closing] =
      config_.change_kind == ChangeKind::kSwitch ? take_switches(wanted) : take_redrawn(wanted);
  switch_to(opening, kFree, set);
  switch_to(closing, kLethal, set);
  open_.insert(open_.end(), opening.begin(), opening.end());
  closed_.insert(closed_.end(), closing.begin(), closing.end());
  return set;
}

DynamicWorld::Changes DynamicWorld::take_switches(std::int64_t count) {
  const Switches switches = draw_switches(random_, count, std::ssize(closed_), std::ssize(open_));
  // Both are drawn before any is put back: none changes twice at once.
  Changes changes;
  changes.opening = take(random_, closed_, switches.openings);
  changes.closing = take(random_, open_, switches.closings);
  return changes;
}

DynamicWorld::Changes DynamicWorld::take_redrawn(std::int64_t count) {
  // Places in closed_ and, behind them, in open_.
  std::vector<std::uint32_t> places(obstacles_.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::uint32_t>(i);
  std::vector<bool> leaves(places.size(), false);
  for (const std::uint32_t place : take(random_, places, static_cast<std::size_t>(count))) {
    const bool was_closed = place < closed_.size();
    leaves[place] = was_closed != (random_.below(100) < std::uint64_t{kClosedPercent});
  }
  Changes changes;
  const auto part = [&](std::vector<std::uint32_t>& obstacles, std::size_t first,
                        std::vector<std::uint32_t>& leaving) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < obstacles.size(); ++i) {
      if (leaves[first + i]) {
        leaving.push_back(obstacles[i]);
      } else {
        obstacles[kept++] = obstacles[i];
      }
    }
    obstacles.resize(kept);
  };
  const std::size_t closed = closed_.size();
  part(closed_, 0, changes.opening);
  part(open_, closed, changes.closing);
  return changes;
}

void DynamicWorld::switch_to(const std::vector<std::uint32_t>& obstacles, std::uint8_t cost,
                             std::vector<CellCost>& set) {
  for (const std::uint32_t obstacle : obstacles) {
    for (const Cell cell : obstacles_[obstacle]) {
      grid_.set(cell, cost);
      set.push_back({cell, cost});
    }
  }
}

Recording recording_of(const DynamicWorld& world) {
  return {.grid = world.grid(),
          .connectivity = world.config().connectivity,
          .start = world.start(),
          .goal = world.goal()};
}

void record_events(DynamicWorld& world, const std::function<void(RecordedEvent)>& sink) {
  // A world of a single room has no doors: nothing ever changes.
  if (world.obstacles().empty()) return;
  const WorldConfig& config = world.config();
  const std::int64_t steps = config.steps.value_or(std::int64_t{8} * config.size);
  for (std::int64_t step = config.every; step <= steps; step += config.every) {
    sink({step, world.change()});
  }
}

Recording record_world(const WorldConfig& config) {
  DynamicWorld world(config);
  Recording recording = recording_of(world);
  record_events(world, [&](RecordedEvent event) { recording.events.push_back(std::move(event)); });
  return recording;
}

}  // namespace dynamic_planners
