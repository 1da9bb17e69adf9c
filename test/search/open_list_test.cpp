#include "dynamic_planners/search/open_list.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <utility>

namespace {

using dynamic_planners::Cell;
using dynamic_planners::Cost;
using dynamic_planners::Key;
using dynamic_planners::OpenList;
using dynamic_planners::Vertices;

struct Vertex {
  static constexpr std::uint32_t kMaxGeneration = 0xFFFF;

  std::uint16_t generation = 0;
  std::uint32_t position = 0;
};

/// An open list beside a std::set that says what it must hold.
class Pair {
 public:
  explicit Pair(Cell cells, Cost step = 1000) : vertices_(cells), open_(vertices_, step) {}

  void set(Cell cell, const Key& key) {
    if (!open_.has_room()) open_.grow();
    const bool queued = vertices_[cell].position != 0;
    ASSERT_EQ(queued, keys_.contains(cell));
    if (queued) {
      order_.erase({keys_[cell], cell});
      open_.update(cell, key);
    } else {
      open_.insert(cell, key);
    }
    keys_[cell] = key;
    order_.insert({key, cell});
  }

  void remove(Cell cell) {
    open_.remove(cell);
    order_.erase({keys_[cell], cell});
    keys_.erase(cell);
  }

  /// Brings the least near and compares it.
  void look() {
    while (!open_.bring_near([&](Cell cell) { return keys_.at(cell); })) open_.grow();
    ASSERT_TRUE(open_.valid());
    ASSERT_EQ(open_.empty(), order_.empty());
    if (order_.empty()) return;
    ASSERT_EQ(open_.top_key(), order_.begin()->first);
    ASSERT_EQ(open_.top_key(), keys_.at(open_.top()));
  }

  void clear() {
    vertices_.start_over();
    open_.clear();
    keys_.clear();
    order_.clear();
  }

  OpenList<Vertex>& open() { return open_; }
  bool holds(Cell cell) const { return keys_.contains(cell); }
  bool empty() const { return order_.empty(); }
  Cell least() const { return order_.begin()->second; }

 private:
  Vertices<Vertex> vertices_;
  OpenList<Vertex> open_;
  std::map<Cell, Key> keys_;
  std::set<std::pair<Key, Cell>> order_;
};

TEST(OpenList, GivesCellsInTheOrderOfTheirKeys) {
  Pair pair(10);
  pair.set(3, {7000, 1});
  pair.set(4, {20, 9});
  pair.set(5, {20, 2});
  pair.set(6, {900000, 0});
  std::vector<Cell> order;
  for (pair.look(); !pair.empty(); pair.look()) {
    order.push_back(pair.open().top());
    pair.remove(pair.open().top());
  }
  EXPECT_EQ(order, (std::vector<Cell>{5, 4, 3, 6}));
}

TEST(OpenList, WhatWasQueuedTooEarlyGetsItsKeyWhenBroughtNear) {
  Vertices<Vertex> vertices(4);
  OpenList<Vertex> open(vertices, 1000);
  for (Cell cell = 0; cell < 3; ++cell) vertices[cell];
  open.insert(0, {10, 0});
  open.insert(1, {100000, 0});
  open.insert(2, {200000, 0});
  open.remove(0);
  // Cell 1 has become dearer than cell 2 without telling the list.
  const auto key_of = [](Cell cell) { return cell == 1 ? Key{300000, 0} : Key{200000, 0}; };
  ASSERT_TRUE(open.bring_near(key_of));
  EXPECT_EQ(open.top(), 2U);
  open.remove(2);
  ASSERT_TRUE(open.bring_near(key_of));
  EXPECT_EQ(open.top(), 1U);
  EXPECT_EQ(open.top_key(), (Key{300000, 0}));
}

TEST(OpenList, GrowsWhenAllCellsWaitInOneBucket) {
  constexpr Cell kCells = 5000;
  Pair pair(kCells);
  for (Cell cell = 0; cell < kCells; ++cell) pair.set(cell, {777777, kCells - cell});
  for (Cell left = kCells; left > 0; --left) {
    pair.look();
    ASSERT_EQ(pair.open().top(), left - 1);
    pair.remove(left - 1);
  }
}

/// Whatever comes near may nearly fill what is near: there is room after it, or the list must grow.
TEST(OpenList, HasRoomAfterWhateverItBringsNear) {
  constexpr Cell kCells = 1000;
  for (Cell due = 1; due + OpenList<Vertex>::kRoom < kCells; ++due) {
    Vertices<Vertex> vertices(kCells);
    OpenList<Vertex> open(vertices, 1000);
    for (Cell cell = 0; cell < kCells; ++cell) vertices[cell];
    open.insert(0, {1, 0});
    for (Cell cell = 1; cell <= due; ++cell) {
      if (!open.has_room()) open.grow();
      open.insert(cell, {777777, cell});
    }
    open.remove(0);
    while (!open.bring_near([](Cell cell) { return Key{777777, cell}; })) open.grow();
    ASSERT_TRUE(open.has_room()) << due;
    for (Cell i = 0; i < OpenList<Vertex>::kRoom; ++i) open.insert(due + 1 + i, {777777, 0});
    ASSERT_TRUE(open.valid()) << due;
  }
}

TEST(OpenList, MovingOneCellForEverTakesNoMemory) {
  Pair pair(100);
  pair.set(0, {1, 0});
  const std::size_t before = pair.open().memory_bytes();
  for (Cost round = 0; round < 100000; ++round) {
    pair.set(1 + round % 3, {100000 + 5000 * (round % 7), round});
    if (round % 1000 == 0) pair.look();
  }
  EXPECT_EQ(pair.open().memory_bytes(), before);
}

/// Draws operations like those of a search: keys near the least one, far from it, beyond the ring
/// of slots, beyond the last bucket; a front that moves on, returns and starts anew.
class RandomOperations : public ::testing::TestWithParam<int> {};

TEST_P(RandomOperations, AgreeWithAnOrderedSet) {
  std::mt19937_64 random(GetParam());
  const auto draw = [&](std::uint64_t n) { return random() % n; };
  const Cell cells = 1 + static_cast<Cell>(draw(400));
  const Cost step = Cost{1} << draw(24);
  Pair pair(cells, Cost{1} << draw(18));
  Cost front = draw(1U << 20U);
  for (int i = 0; i < 4000; ++i) {
    const auto cell = static_cast<Cell>(draw(cells));
    switch (draw(16)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
      case 5:
        pair.set(cell, {front + draw(4 * step), draw(5)});
        break;
      case 6:
        pair.set(cell, {front + draw(5000 * step), draw(1U << 30U)});
        break;
      case 7:
        pair.set(cell, {draw(front + 1), draw(5)});
        break;
      case 8:
      case 9:
        if (pair.holds(cell)) pair.remove(cell);
        break;
      case 10:
        pair.open().rewind();
        break;
      case 11:
        if (draw(20) == 0) pair.open().grow();
        break;
      case 12:
        if (draw(50) == 0) pair.clear();
        if (draw(50) == 0) front = draw(1U << 20U);
        break;
      default:
        pair.look();
        if (!pair.empty()) {
          front = std::max(front, pair.open().top_key().first);
          pair.remove(pair.least());
        }
        break;
    }
    if (HasFatalFailure()) return;
  }
  while (!pair.empty()) {
    pair.look();
    if (HasFatalFailure()) return;
    pair.remove(pair.least());
  }
}

INSTANTIATE_TEST_SUITE_P(Seed, RandomOperations, ::testing::Range(1, 201));

}  // namespace
