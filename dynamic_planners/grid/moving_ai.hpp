#pragma once

#include <filesystem>
#include <istream>
#include <string>
#include <vector>

#include "dynamic_planners/grid/grid.hpp"

namespace dynamic_planners {

/// Reads a map of the Moving AI collection (N. Sturtevant, "Benchmarks for Grid-Based Pathfinding",
/// 2012): "type octile", height, width, "map", the rows. '.', 'G' and 'S' are free; '@', 'O', 'T'
/// and 'W' are lethal. Row 0 is y = 0. Throws InputError; `name` stands for the file in it.
Grid read_moving_ai_map(std::istream& input, const std::string& name);
Grid read_moving_ai_map(const std::filesystem::path& file);

/// One line of a problem file.
struct Problem {
  Grid::Position start;
  Grid::Position goal;
  /// The optimal octile length, in cells.
  double optimal;
};

/// Reads a problem file for a map of this size: "version 1", then per line, separated by tabs or
/// spaces: bucket, map, width, height, start x, start y, goal x, goal y, optimal length. Throws
/// InputError.
std::vector<Problem> read_scenario(std::istream& input, const std::string& name, const Grid& grid);
std::vector<Problem> read_scenario(const std::filesystem::path& file, const Grid& grid);

}  // namespace dynamic_planners
