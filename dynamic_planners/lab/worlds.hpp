#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/lab/recording.hpp"

namespace dynamic_planners {

/// Random draws that are the same everywhere: the standard fixes what the engine says, but not what
/// the distributions and std::shuffle make of it.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// One of 0 … n - 1, all equally likely.
  std::uint64_t below(std::uint64_t n);

 private:
  std::mt19937_64 engine_;
};

enum class WorldKind { kRooms, kRandom };

/// What it means that P percent of the dynamic obstacles change.
enum class ChangeKind {
  /// So many become what they were not, half of them free and half of them blocked.
  kSwitch,
  /// So many are chosen, and each of these is then blocked with the chance that the ratio gives it,
  /// whatever it was: about a third of them become what they were not.
  kRedraw
};

inline constexpr int kMinWorldSize = 8;
inline constexpr int kMaxWorldSize = 4096;
inline constexpr std::int64_t kMaxWorldSteps = 1'000'000'000;

/// One of the changing worlds of the 2024 thesis, sections 4.1 and 4.2.
struct WorldConfig {
  WorldKind kind = WorldKind::kRooms;
  /// Cells per side.
  int size = 128;
  /// How many percent of the dynamic obstacles change at a time, and how.
  double change_percent = 2.0;
  ChangeKind change_kind = ChangeKind::kSwitch;
  std::uint64_t seed = 0;
  int connectivity = 4;
  /// The world changes whenever so many steps have passed.
  std::int64_t every = 10;
  /// How many steps are recorded; by default eight times the size.
  std::optional<std::int64_t> steps = std::nullopt;
};

/// Cells that become obstacles, and free again, together.
using DynamicObstacle = std::vector<Cell>;

/// A square world with obstacles that come and go. Whatever they do, every free cell can reach the
/// goal. The start is at the bottom left, the goal at the top right; both are always free.
class DynamicWorld {
 public:
  /// Throws std::invalid_argument when a value is out of its range.
  explicit DynamicWorld(const WorldConfig& config);

  const WorldConfig& config() const { return config_; }
  const Grid& grid() const { return grid_; }
  Cell start() const { return grid_.cell(0, grid_.height() - 1); }
  Cell goal() const { return grid_.cell(grid_.width() - 1, 0); }
  const std::vector<DynamicObstacle>& obstacles() const { return obstacles_; }

  /// The world changes once; the cells that did, with their new costs.
  std::vector<CellCost> change();

 private:
  /// Indices of obstacles_ that open and that close.
  struct Changes {
    std::vector<std::uint32_t> opening = {};
    std::vector<std::uint32_t> closing = {};
  };

  Changes take_switches(std::int64_t count);
  Changes take_redrawn(std::int64_t count);
  void switch_to(const std::vector<std::uint32_t>& obstacles, std::uint8_t cost,
                 std::vector<CellCost>& set);

  WorldConfig config_;
  Random random_;
  Grid grid_;
  std::vector<DynamicObstacle> obstacles_;
  // Indices of obstacles_.
  std::vector<std::uint32_t> closed_;
  std::vector<std::uint32_t> open_;
};

/// A recording of the world as it is now, no event yet.
Recording recording_of(const DynamicWorld& world);

/// Lets the world go on to the end of its steps and hands over one event after the other: all of
/// them together may not fit into memory.
void record_events(DynamicWorld& world, const std::function<void(RecordedEvent)>& sink);

/// All of it at once.
Recording record_world(const WorldConfig& config);

}  // namespace dynamic_planners
