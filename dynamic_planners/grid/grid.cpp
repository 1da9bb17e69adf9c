#include "dynamic_planners/grid/grid.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

namespace dynamic_planners {
namespace {

std::size_t checked_size(int width, int height) {
  if (width <= 0 || height <= 0) {
    throw std::invalid_argument("a grid needs at least one cell, not " + std::to_string(width) +
                                " x " + std::to_string(height));
  }
  const std::uint64_t cells =
      static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
  if (cells > kMaxCells) {
    throw std::invalid_argument("a grid of " + std::to_string(width) + " x " +
                                std::to_string(height) + " cells is larger than the limit of " +
                                std::to_string(kMaxCells) + " cells");
  }
  return cells;
}

}  // namespace

Grid::Grid(int width, int height, std::uint8_t fill)
    : width_(width),
      height_(height),
      row_of_(width > 0 ? static_cast<std::uint32_t>(width) : 1),
      costs_(checked_size(width, height), fill) {}

Grid::Grid(int width, int height, std::span<const std::uint8_t> costs) : Grid(width, height) {
  if (costs.size() != costs_.size()) {
    throw std::invalid_argument("a grid of " + std::to_string(width) + " x " +
                                std::to_string(height) + " cells cannot have " +
                                std::to_string(costs.size()) + " costs");
  }
  std::copy(costs.begin(), costs.end(), costs_.begin());
}

void Grid::move(const Shift& shift) {
  std::vector<std::uint8_t> moved(costs_.size(), kLethal);
  for (int y = std::max(0, -shift.dy); y < height_ - std::max(0, shift.dy); ++y) {
    const int x = std::max(0, -shift.dx);
    const int length = width_ - std::abs(shift.dx);
    if (length <= 0) break;
    std::copy_n(costs_.begin() + cell(x + shift.dx, y + shift.dy), length,
                moved.begin() + cell(x, y));
  }
  // Into the same memory, where others may be reading.
  std::copy(moved.begin(), moved.end(), costs_.begin());
}

std::optional<CellChange> Grid::set(Cell cell, std::uint8_t cost) {
  const std::uint8_t before = costs_[cell];
  if (before == cost) return std::nullopt;
  costs_[cell] = cost;
  return CellChange{cell, before, cost};
}

void Grid::assign(const Window& window, std::span<const std::uint8_t> costs, std::size_t stride,
                  std::vector<CellChange>& changes) {
  const auto width = static_cast<std::size_t>(window.width);
  const auto height = static_cast<std::size_t>(window.height);
  if (window.x < 0 || window.y < 0 || window.width < 1 || window.height < 1 ||
      window.width > width_ - window.x || window.height > height_ - window.y) {
    throw std::out_of_range("the window reaches outside the grid");
  }
  if (stride < width || costs.size() < (height - 1) * stride + width) {
    throw std::out_of_range("the costs do not fill the window");
  }
  // Most of a costmap is as it was: whole rows, and then blocks, are compared before single bytes.
  constexpr std::size_t kBlock = 32;
  for (std::size_t row = 0; row < height; ++row) {
    const std::uint8_t* const source = costs.data() + row * stride;
    const Cell first = cell(window.x, window.y + static_cast<int>(row));
    std::uint8_t* const target = costs_.data() + first;
    if (std::memcmp(source, target, width) == 0) continue;
    for (std::size_t begin = 0; begin < width; begin += kBlock) {
      const std::size_t end = std::min(begin + kBlock, width);
      if (std::memcmp(source + begin, target + begin, end - begin) == 0) continue;
      for (std::size_t i = begin; i < end; ++i) {
        if (source[i] == target[i]) continue;
        changes.push_back({first + static_cast<Cell>(i), target[i], source[i]});
        target[i] = source[i];
      }
    }
  }
}

}  // namespace dynamic_planners
