#include "dynamic_planners/realtime/bucket_queue.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <vector>

namespace dynamic_planners {
namespace {

struct Vertex {
  static constexpr std::uint32_t kMaxGeneration = 0xFFFF;

  std::uint16_t generation = 0;
  QueueLinks links = {};
};

constexpr int kShift = 8;
using Queue = BucketQueue<Vertex>;

class BucketQueueTest : public testing::Test {
 protected:
  void insert(Cell cell, Cost key, Queue::End end = Queue::End::kBack) {
    vertices_[cell];
    queue_.insert(cell, key, end);
  }
  Cell pop() {
    const Cell cell = queue_.top();
    queue_.remove(cell);
    return cell;
  }

  Vertices<Vertex> vertices_{1000};
  Queue queue_{vertices_, kShift};
};

TEST_F(BucketQueueTest, KeepsTheOrderOfBucketsAndOfBothEnds) {
  insert(1, 600);
  insert(2, 10);
  insert(3, 5, Queue::End::kFront);
  insert(4, 20);
  insert(5, 300);
  std::vector<Cell> order;
  while (!queue_.empty()) order.push_back(pop());
  EXPECT_EQ(order, (std::vector<Cell>{3, 2, 4, 5, 1}));
}

TEST_F(BucketQueueTest, TakesKeysThatAreLessThanTheFront) {
  insert(1, Cost{1} << 20U);
  EXPECT_EQ(queue_.top(), 1U);
  insert(2, 0);
  EXPECT_EQ(queue_.top(), 2U);
  EXPECT_EQ(queue_.front(), 0U);
}

TEST_F(BucketQueueTest, WhoSharesASlotWithAnEarlierBucketIsFoundTooEarly) {
  const Cost around = Cost{1} << (kShift + 18);
  insert(1, around);
  insert(2, 0);
  EXPECT_EQ(queue_.top(), 1U);
  EXPECT_TRUE(queue_.is_too_early(around));
  queue_.remove(1);
  insert(1, around);
  EXPECT_EQ(pop(), 2U);
  EXPECT_EQ(pop(), 1U);
}

TEST_F(BucketQueueTest, WhatIsTooFarForTheRingComesEarlyButNotBeforeTheOthers) {
  insert(1, Cost{1} << 47U);
  insert(2, 1000);
  insert(3, Cost{1} << 20U);
  EXPECT_EQ(pop(), 2U);
  EXPECT_EQ(pop(), 3U);
  const Cell last = queue_.top();
  EXPECT_EQ(last, 1U);
  EXPECT_TRUE(queue_.is_too_early(Cost{1} << 47U));
  queue_.remove(1);
  insert(1, Cost{1} << 47U);
  EXPECT_EQ(queue_.top(), 1U);
  EXPECT_FALSE(queue_.is_too_early(Cost{1} << 47U));
}

TEST_F(BucketQueueTest, HasForgottenEverythingAfterAClear) {
  for (Cell cell = 0; cell < 100; ++cell) insert(cell, 37 * cell);
  vertices_.start_over();
  queue_.clear();
  EXPECT_TRUE(queue_.empty());
  insert(7, 37 * 50);
  EXPECT_EQ(pop(), 7U);
  EXPECT_TRUE(queue_.empty());
}

/// Against a map from buckets to cells, with keys from all over the ring and around it.
TEST_F(BucketQueueTest, AgreesWithAnOrderedMap) {
  std::mt19937_64 random(5);
  std::map<Cell, Cost> keys;
  const auto least_bucket = [&] {
    Cost least = ~Cost{0};
    for (const auto& [cell, key] : keys) least = std::min(least, key >> kShift);
    return least;
  };
  Cost base = 0;
  for (int round = 0; round < 20000; ++round) {
    const auto cell = static_cast<Cell>(random() % vertices_.size());
    if (keys.erase(cell) > 0) {
      queue_.remove(cell);
    } else {
      const Cost key = base + random() % (Cost{1} << 24U);
      keys[cell] = key;
      insert(cell, key, random() % 2 == 0 ? Queue::End::kBack : Queue::End::kFront);
    }
    base += random() % 5000;
    if (keys.empty()) continue;
    const Cell top = queue_.top();
    ASSERT_TRUE(keys.contains(top));
    ASSERT_LE(queue_.front(), least_bucket()) << "no key may be due before the front";
    if (queue_.is_too_early(keys[top])) {
      queue_.remove(top);
      insert(top, keys[top]);
    } else {
      ASSERT_EQ(keys[top] >> kShift, least_bucket());
    }
  }
}

}  // namespace
}  // namespace dynamic_planners
