#include "dynamic_planners/search/vertices.hpp"

#include <gtest/gtest.h>

#include <random>

namespace dynamic_planners {
namespace {

struct Vertex {
  static constexpr std::uint32_t kMaxGeneration = 7;

  int value = 0;
  std::uint16_t generation = 0;
};

/// Whether none but the vertices that were touched since the last start_over() say anything.
template <typename StartOver>
void expect_all_as_new(Cell size, StartOver&& start_over) {
  std::mt19937 random(size);
  Vertices<Vertex> vertices(size);
  for (int round = 1; round < 200; ++round) {
    start_over(vertices);
    for (Cell cell = 0; cell < size; ++cell) ASSERT_EQ(vertices.peek(cell).value, 0) << round;
    // Some are not touched for so long that the generations begin again.
    for (Cell cell = 0; cell < size; ++cell) {
      if (random() % 10 == 0) vertices[cell].value = round;
    }
  }
}

TEST(VerticesTest, AreAsNewAfterEveryStartingOver) {
  for (const Cell size : {1U, 6U, 7U, 8U, 100U}) {
    expect_all_as_new(size, [](Vertices<Vertex>& vertices) { vertices.start_over(); });
    expect_all_as_new(size,
                      [](Vertices<Vertex>& vertices) { vertices.start_over_within_bounds(); });
  }
}

}  // namespace
}  // namespace dynamic_planners
