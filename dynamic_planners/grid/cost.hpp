#pragma once

#include <cstdint>

namespace dynamic_planners {

/// The cost of a path or of a step: a fixed-point integer, so that `g == rhs` means in the code
/// what it means in the papers. One straight step over free ground is kStraight.
using Cost = std::uint64_t;

/// Neighbouring Pell numbers: 1393 / 985 is sqrt(2) to 3e-7.
inline constexpr Cost kStraight = 985;
inline constexpr Cost kDiagonal = 1393;

/// Searches store path costs in this many bits. GridSpace refuses a map on which a simple path
/// could cost as much as kInfinity, so no sum of a path's steps ever overflows.
inline constexpr int kCostBits = 40;
inline constexpr Cost kInfinity = (Cost{1} << kCostBits) - 1;

/// A cost as people read it: in straight steps over free ground.
constexpr double in_cells(Cost cost) {
  return static_cast<double>(cost) / kStraight;
}

}  // namespace dynamic_planners
