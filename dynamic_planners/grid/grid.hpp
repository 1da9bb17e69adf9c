#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dynamic_planners {

/// A cell's index, row-major: y * width + x.
using Cell = std::uint32_t;
inline constexpr Cell kNoCell = ~Cell{0};

/// What one byte of a grid says, in Nav2's meaning (nav2_costmap_2d/cost_values.hpp).
inline constexpr std::uint8_t kFree = 0;
inline constexpr std::uint8_t kMaxPassable = 252;
inline constexpr std::uint8_t kInscribed = 253;
inline constexpr std::uint8_t kLethal = 254;
inline constexpr std::uint8_t kUnknown = 255;

/// The largest grid anybody may ask for: 16384 x 16384 cells.
inline constexpr std::uint64_t kMaxCells = std::uint64_t{1} << 28;

/// One cell took another cost.
struct CellChange {
  Cell cell;
  std::uint8_t before;
  std::uint8_t after;

  bool operator==(const CellChange&) const = default;
};

/// A rectangle of cells.
struct Window {
  int x;
  int y;
  int width;
  int height;
};

/// A grid moved over the world: what was at (x + dx, y + dy) is at (x, y) now.
struct Shift {
  int dx;
  int dy;

  Shift operator-() const { return {-dx, -dy}; }
};

/// Divides by a number known only at run time with one multiplication, exactly, for every 32-bit
/// dividend (A. D. Robison, "N-bit unsigned division via N-bit multiply-add", 2005).
class FastDivider {
 public:
  explicit FastDivider(std::uint32_t divisor) : inverse_(~std::uint64_t{0} / divisor) {}

  std::uint32_t operator()(std::uint32_t dividend) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint32_t>((Wide{inverse_} * (std::uint64_t{dividend} + 1)) >> 64U);
  }

 private:
  std::uint64_t inverse_;  // rounded down, so the dividend is taken one larger
};

/// What the robot knows: one cost byte per cell. It reports what changes and asks nobody.
class Grid {
 public:
  struct Position {
    int x;
    int y;

    bool operator==(const Position&) const = default;
  };

  /// Throws std::invalid_argument when a side is not positive or there are more than kMaxCells.
  Grid(int width, int height, std::uint8_t fill = kFree);
  /// The costs row by row; also throws when there are not as many as cells.
  Grid(int width, int height, std::span<const std::uint8_t> costs);

  int width() const { return width_; }
  int height() const { return height_; }
  Cell size() const { return static_cast<Cell>(costs_.size()); }
  std::span<const std::uint8_t> costs() const { return costs_; }
  std::uint8_t operator[](Cell cell) const { return costs_[cell]; }

  bool contains(int x, int y) const { return x >= 0 && y >= 0 && x < width_ && y < height_; }
  Cell cell(int x, int y) const {
    return static_cast<Cell>(y) * static_cast<Cell>(width_) + static_cast<Cell>(x);
  }
  Position position(Cell cell) const {
    const Cell y = row_of_(cell);
    return {static_cast<int>(cell - y * static_cast<Cell>(width_)), static_cast<int>(y)};
  }

  /// Where a cell is after a shift; kNoCell when it has left the grid.
  Cell shifted(Cell cell, const Shift& shift) const {
    const auto [x, y] = position(cell);
    return contains(x - shift.dx, y - shift.dy) ? this->cell(x - shift.dx, y - shift.dy) : kNoCell;
  }

  /// Visits each cell that leaves the grid by a shift. Those that come in are those that leave by
  /// the opposite one.
  template <typename Visit>
  void for_each_leaving(const Shift& shift, Visit&& visit) const;

  /// Moves over the world. The cells that come in are lethal until it is said what they are.
  void move(const Shift& shift);

  /// Gives a cell its cost; the change, if it was one.
  std::optional<CellChange> set(Cell cell, std::uint8_t cost);

  /// Gives a window's cells the costs (row by row, `stride` bytes from one row to the next) and
  /// appends what really changed to `changes`. Throws std::out_of_range when the window reaches
  /// outside the grid or the costs do not fill it; nothing has changed then.
  void assign(const Window& window, std::span<const std::uint8_t> costs, std::size_t stride,
              std::vector<CellChange>& changes);

 private:
  int width_;
  int height_;
  FastDivider row_of_;
  std::vector<std::uint8_t> costs_;
};

template <typename Visit>
void Grid::for_each_leaving(const Shift& shift, Visit&& visit) const {
  for (int y = 0; y < height_; ++y) {
    const bool row_leaves = y < shift.dy || y >= height_ + shift.dy;
    // Of the other rows, what stays lies between these.
    const int first = row_leaves ? width_ : std::clamp(shift.dx, 0, width_);
    const int last = row_leaves ? width_ : std::clamp(width_ + shift.dx, 0, width_);
    for (int x = 0; x < first; ++x) visit(cell(x, y));
    for (int x = last; x < width_; ++x) visit(cell(x, y));
  }
}

}  // namespace dynamic_planners
