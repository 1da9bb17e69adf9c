#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace dynamic_planners {

/// A place on the floor of a simulated world, or a way from one to another, in metres.
struct Place {
  double x = 0.0;
  double y = 0.0;

  bool operator==(const Place&) const = default;
  Place operator+(const Place& other) const { return {x + other.x, y + other.y}; }
  Place operator-(const Place& other) const { return {x - other.x, y - other.y}; }
  Place operator*(double factor) const { return {x * factor, y * factor}; }
};

inline double length(const Place& way) {
  return std::hypot(way.x, way.y);
}

/// What stands on the floor, seen from above, its sides along the axes.
struct Box {
  double left = 0.0;
  double bottom = 0.0;
  double right = 0.0;
  double top = 0.0;

  bool operator==(const Box&) const = default;
  Box operator+(const Place& way) const {
    return {left + way.x, bottom + way.y, right + way.x, top + way.y};
  }
  bool overlaps(const Box& other) const {
    return left < other.right && other.left < right && bottom < other.top && other.bottom < top;
  }
};

inline Box hull(const Box& a, const Box& b) {
  return {std::min(a.left, b.left), std::min(a.bottom, b.bottom), std::max(a.right, b.right),
          std::max(a.top, b.top)};
}

/// 0 inside.
inline double distance(const Box& box, const Place& place) {
  const double dx = std::max({box.left - place.x, 0.0, place.x - box.right});
  const double dy = std::max({box.bottom - place.y, 0.0, place.y - box.top});
  return std::hypot(dx, dy);
}

/// How far along a ray, as a multiple of `way`, the box begins; infinity where the ray misses it, 0
/// from inside of it.
inline double first_on_ray(const Box& box, const Place& from, const Place& way) {
  double enter = 0.0;
  double leave = INFINITY;
  const auto clip = [&](double low, double high, double start, double step) {
    if (step == 0.0) {
      if (start < low || start > high) leave = -INFINITY;
      return;
    }
    const double a = (low - start) / step;
    const double b = (high - start) / step;
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
  };
  clip(box.left, box.right, from.x, way.x);
  clip(box.bottom, box.top, from.y, way.y);
  return enter <= leave ? enter : INFINITY;
}

/// The same for a disc.
inline double first_on_ray(const Place& centre, double radius, const Place& from,
                           const Place& way) {
  const Place to = centre - from;
  const double inside = radius * radius - (to.x * to.x + to.y * to.y);
  if (inside >= 0.0) return 0.0;
  const double a = way.x * way.x + way.y * way.y;
  const double b = to.x * way.x + to.y * way.y;
  const double root = b * b + a * inside;
  if (b <= 0.0 || root < 0.0) return INFINITY;
  return (b - std::sqrt(root)) / a;
}

/// From a straight line between two places. It is smallest at one of the line's ends or at one of
/// the box's corners, or they cross.
inline double distance(const Box& box, const Place& from, const Place& to) {
  const Place way = to - from;
  if (first_on_ray(box, from, way) <= 1.0) return 0.0;
  double least = std::min(distance(box, from), distance(box, to));
  const double square = way.x * way.x + way.y * way.y;
  const std::array<Place, 4> corners = {
      {{box.left, box.bottom}, {box.right, box.bottom}, {box.left, box.top}, {box.right, box.top}}};
  for (const Place& corner : corners) {
    const Place to_corner = corner - from;
    const double share =
        square > 0.0 ? std::clamp((to_corner.x * way.x + to_corner.y * way.y) / square, 0.0, 1.0)
                     : 0.0;
    least = std::min(least, length(to_corner - way * share));
  }
  return least;
}

}  // namespace dynamic_planners
