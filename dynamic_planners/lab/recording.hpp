#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "dynamic_planners/grid/grid.hpp"

namespace dynamic_planners {

/// A cell and the cost it takes.
struct CellCost {
  Cell cell;
  std::uint8_t cost;

  bool operator==(const CellCost&) const = default;
};

/// When `step` time steps have passed, the cells take their costs, in this order.
struct RecordedEvent {
  std::int64_t step = 0;
  std::vector<CellCost> set = {};

  bool operator==(const RecordedEvent&) const = default;
};

/// A world that changes, the same for every planner that is sent through it.
struct Recording {
  /// The truth at the beginning.
  Grid grid;
  int connectivity = 8;
  Cell start = 0;
  Cell goal = 0;
  /// How far the robot sees (Chebyshev distance); nothing means that it knows everything at once.
  std::optional<int> visibility = std::nullopt;
  /// In the order of their steps.
  std::vector<RecordedEvent> events = {};
};

/// Reads a recording; docs/recording.md has the format. Throws InputError; `name` stands for the
/// file in it.
Recording read_recording(std::istream& input, const std::string& name);
Recording read_recording(const std::filesystem::path& file);

/// Writes the first line, which has everything but the events. Throws std::invalid_argument when a
/// cell is neither free nor lethal: rows have no character for it (an event at step 0 can set it).
void write_recording_header(std::ostream& output, const Recording& recording);

/// Writes one event's line; `grid` tells where its cells are.
void write_recording_event(std::ostream& output, const Grid& grid, const RecordedEvent& event);

/// Writes all of it.
void write_recording(std::ostream& output, const Recording& recording);

}  // namespace dynamic_planners
