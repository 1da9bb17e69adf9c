#include "dynamic_planners/simulation/geometry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace dynamic_planners {
namespace {

/// Everything is compared with what many samples say.
class Geometry : public testing::Test {
 protected:
  static constexpr int kSamples = 4000;

  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Place place() { return {number(-2.0, 2.0), number(-2.0, 2.0)}; }
  Box box() {
    const Place a = place();
    const Place b = place();
    return {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)};
  }

  std::mt19937 random_{7};
};

bool inside(const Box& box, const Place& place) {
  return place.x >= box.left && place.x <= box.right && place.y >= box.bottom && place.y <= box.top;
}

TEST_F(Geometry, HowFarABoxIs) {
  for (int k = 0; k < 50; ++k) {
    const Box one = box();
    const Place from = place();
    if (inside(one, from)) {
      EXPECT_EQ(distance(one, from), 0.0);
      continue;
    }
    double least = INFINITY;
    for (int i = 0; i <= kSamples; ++i) {
      const double share = static_cast<double>(i) / kSamples;
      const double x = one.left + share * (one.right - one.left);
      const double y = one.bottom + share * (one.top - one.bottom);
      for (const Place& on :
           {Place{x, one.bottom}, Place{x, one.top}, Place{one.left, y}, Place{one.right, y}}) {
        least = std::min(least, length(on - from));
      }
    }
    EXPECT_NEAR(distance(one, from), least, 1e-3);
  }
}

TEST_F(Geometry, HowFarALineIsFromABox) {
  for (int k = 0; k < 50; ++k) {
    const Box one = box();
    const Place from = place();
    const Place to = place();
    double least = INFINITY;
    for (int i = 0; i <= kSamples; ++i) {
      least = std::min(least, distance(one, from + (to - from) * (1.0 * i / kSamples)));
    }
    EXPECT_NEAR(distance(one, from, to), least, 1e-3);
  }
  const Place here = place();
  EXPECT_EQ(distance(Box{3.0, 3.0, 4.0, 4.0}, here, here), distance(Box{3.0, 3.0, 4.0, 4.0}, here));
}

TEST_F(Geometry, WhereARayMeetsSomething) {
  int met = 0;
  for (int k = 0; k < 300; ++k) {
    const Box one = box();
    const Place centre = place();
    const double radius = number(0.1, 1.0);
    const Place from = place();
    const double angle = number(-4.0, 4.0);
    const Place way{std::cos(angle), std::sin(angle)};
    double box_at = INFINITY;
    double disc_at = INFINITY;
    constexpr double kFar = 8.0;
    for (int i = kSamples; i >= 0; --i) {
      const double along = kFar * i / kSamples;
      const Place at = from + way * along;
      if (inside(one, at)) box_at = along;
      if (length(at - centre) <= radius) disc_at = along;
    }
    const auto compare = [&](double found, double sampled) {
      if (std::isinf(sampled)) return;  // it may touch between two samples
      ++met;
      EXPECT_NEAR(found, sampled, 2 * kFar / kSamples);
    };
    compare(first_on_ray(one, from, way), box_at);
    compare(first_on_ray(centre, radius, from, way), disc_at);
    // What is met is there.
    const double hit = first_on_ray(one, from, way);
    EXPECT_TRUE(std::isinf(hit) || distance(one, from + way * hit) < 1e-9);
    const double round = first_on_ray(centre, radius, from, way);
    EXPECT_TRUE(std::isinf(round) || length(from + way * round - centre) < radius + 1e-9);
  }
  EXPECT_GT(met, 50);
}

TEST_F(Geometry, ARayAlongAnAxis) {
  const Box one{1.0, 1.0, 2.0, 2.0};
  EXPECT_EQ(first_on_ray(one, {0.0, 1.5}, {1.0, 0.0}), 1.0);
  EXPECT_TRUE(std::isinf(first_on_ray(one, {0.0, 2.5}, {1.0, 0.0})));
  EXPECT_TRUE(std::isinf(first_on_ray(one, {3.0, 1.5}, {1.0, 0.0})));
  EXPECT_EQ(first_on_ray(one, {1.5, 1.5}, {1.0, 0.0}), 0.0);
}

}  // namespace
}  // namespace dynamic_planners
