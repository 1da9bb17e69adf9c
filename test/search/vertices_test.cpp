#include "dynamic_planners/search/vertices.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace dynamic_planners {
namespace {

struct Vertex {
  static constexpr std::uint32_t kMaxGeneration = 7;

  int value = 0;
  std::uint16_t generation = 0;
};

void expect_values(const Vertices<Vertex>& vertices, const std::vector<int>& values) {
  for (Cell cell = 0; cell < values.size(); ++cell) {
    ASSERT_EQ(vertices.peek(cell).value, values[cell]) << cell;
  }
}

/// Some are not touched for so long that the generations begin again, several times over.
TEST(VerticesTest, AreAsNewAfterEveryStartingOver) {
  for (const Cell size : {1U, 6U, 7U, 8U, 100U}) {
    std::mt19937 random(size);
    Vertices<Vertex> vertices(size);
    for (int round = 1; round < 200; ++round) {
      vertices.start_over();
      expect_values(vertices, std::vector<int>(size, 0));
      for (Cell cell = 0; cell < size; ++cell) {
        if (random() % 10 == 0) vertices[cell].value = round;
      }
    }
  }
}

TEST(VerticesTest, FollowTheirGridWhateverWasKnownBefore) {
  constexpr int kWidth = 9;
  constexpr int kHeight = 7;
  for (unsigned seed = 1; seed <= 50; ++seed) {
    std::mt19937 random(seed);
    const Grid grid(kWidth, kHeight);
    Vertices<Vertex> vertices(grid.size());
    std::vector<int> values(grid.size(), 0);
    for (int round = 1; round < 100; ++round) {
      if (random() % 2 == 0) {
        vertices.start_over();
        values.assign(grid.size(), 0);
      }
      for (Cell cell = 0; cell < grid.size(); ++cell) {
        if (random() % 10 == 0) vertices[cell].value = values[cell] = round;
      }
      if (random() % 3 == 0) {
        const Shift shift{static_cast<int>(random() % 5) - 2, static_cast<int>(random() % 5) - 2};
        vertices.move(grid, shift);
        std::vector<int> moved(grid.size(), 0);
        for (Cell cell = 0; cell < grid.size(); ++cell) {
          const Cell there = grid.shifted(cell, shift);
          if (there != kNoCell) moved[there] = values[cell];
        }
        values = std::move(moved);
      }
      expect_values(vertices, values);
      if (HasFatalFailure()) FAIL() << "seed " << seed << ", round " << round;
    }
  }
}

}  // namespace
}  // namespace dynamic_planners
