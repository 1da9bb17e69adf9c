#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "dynamic_planners/grid/grid.hpp"

namespace dynamic_planners {

/// What a robot knows that moves in three dimensions: one cost byte per cell, in the same meaning
/// as those of a Grid. Layers of rows, one after the other: z * height * width + y * width + x.
class Voxels {
 public:
  struct Position {
    int x;
    int y;
    int z;

    bool operator==(const Position&) const = default;
  };

  /// Throws std::invalid_argument when a side is not positive or there are more than kMaxCells.
  Voxels(int width, int height, int depth, std::uint8_t fill = kFree);

  int width() const { return rows_.width(); }
  int height() const { return height_; }
  int depth() const { return depth_; }
  Cell size() const { return rows_.size(); }
  std::span<const std::uint8_t> costs() const { return rows_.costs(); }
  std::uint8_t operator[](Cell cell) const { return rows_[cell]; }
  /// All rows of all layers, one below the other.
  const Grid& rows() const { return rows_; }

  bool contains(int x, int y, int z) const {
    return x >= 0 && y >= 0 && z >= 0 && x < width() && y < height_ && z < depth_;
  }
  Cell cell(int x, int y, int z) const { return rows_.cell(x, y + z * height_); }
  Position position(Cell cell) const {
    const auto [x, row] = rows_.position(cell);
    const auto z = static_cast<int>(layer_of_(static_cast<std::uint32_t>(row)));
    return {x, row - z * height_, z};
  }

  /// Gives a cell its cost; the change, if it was one.
  std::optional<CellChange> set(Cell cell, std::uint8_t cost) { return rows_.set(cell, cost); }

 private:
  int height_;
  int depth_;
  FastDivider layer_of_;  // of a row
  Grid rows_;
};

}  // namespace dynamic_planners
