#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "dynamic_planners/simulation/world.hpp"

namespace dynamic_planners {

/// A world as time passes. The same seed and the same robot see the same world.
///
/// People stop for the robot, as people do, and turn around when it stays in their way. A door does
/// not close on anybody: it opens again.
class MovingWorld {
 public:
  /// The seed says where on their walks people begin, and when doors open first.
  MovingWorld(World world, std::uint64_t seed);

  const World& world() const { return world_; }

  /// Lets time pass, in steps so small that the order of things does not matter.
  void advance(double seconds, const std::optional<Place>& robot);

  std::size_t people() const { return walkers_.size(); }
  std::size_t doors() const { return panels_.size(); }
  Place person(std::size_t i) const;
  /// How far a door's panel has moved from where it is closed.
  Place panel_moved(std::size_t i) const;
  Box panel(std::size_t i) const { return world_.doors[i].panel + panel_moved(i); }

  /// How far it is from a place to what stands in a direction; infinity when that is further away
  /// than `range`.
  double look(const Place& from, double angle, double range) const;

  /// How far the nearest wall, panel or person is away, negative inside a person.
  double clearance(const Place& place) const;

 private:
  struct Walker {
    std::vector<double> along;  // how far from the first point of the walk to each, and back to it
    double at = 0.0;            // how far along
    double direction = 1.0;
    double waited = 0.0;
  };
  struct Panel {
    enum class State { kClosed, kOpening, kOpen, kClosing };
    State state = State::kClosed;
    double moved = 0.0;  // 0 … length of the slide
    double waited = 0.0;
  };

  Place place_on_walk(std::size_t i, double at) const;
  Box panel_at(std::size_t i, double moved) const;
  void walk(std::size_t i, double seconds, const std::optional<Place>& robot);
  void slide(std::size_t i, double seconds, const std::optional<Place>& robot);
  bool in_the_way(std::size_t i, double moved, const std::optional<Place>& robot) const;

  World world_;
  std::vector<Walker> walkers_;
  std::vector<Panel> panels_;
};

}  // namespace dynamic_planners
