#include "dynamic_planners/grid/voxels.hpp"

#include <stdexcept>
#include <string>

namespace dynamic_planners {
namespace {

/// The number of rows, so far as there are not too many of them.
int checked_rows(int width, int height, int depth) {
  if (width > 0 && height > 0 && depth > 0 &&
      static_cast<std::uint64_t>(height) * static_cast<std::uint64_t>(depth) <= kMaxCells) {
    return height * depth;
  }
  throw std::invalid_argument("voxels need at least one cell and at most " +
                              std::to_string(kMaxCells) + ", not " + std::to_string(width) + " x " +
                              std::to_string(height) + " x " + std::to_string(depth));
}

}  // namespace

Voxels::Voxels(int width, int height, int depth, std::uint8_t fill)
    : height_(height),
      depth_(depth),
      layer_of_(height > 0 ? static_cast<std::uint32_t>(height) : 1),
      rows_(width, checked_rows(width, height, depth), fill) {}

}  // namespace dynamic_planners
