#include "dynamic_planners/simulation/moving_world.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace dynamic_planners {
namespace {

constexpr double kStep = 0.02;  // seconds
/// So much room people and doors leave to a robot, beside the robot itself.
constexpr double kRespect = 0.4;
/// So much doors leave to people.
constexpr double kDoorRespect = 0.1;
/// So long somebody waits for a robot to go out of the way.
constexpr double kPatience = 2.0;

/// 0 … 1, the same everywhere: what the standard's distributions draw is not fixed.
double draw(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11U) *
         (1.0 / static_cast<double>(std::uint64_t{1} << 53U));
}

}  // namespace

MovingWorld::MovingWorld(World world, std::uint64_t seed) : world_(std::move(world)) {
  std::mt19937_64 random(seed);
  for (const Person& person : world_.people) {
    Walker walker;
    walker.along.push_back(0.0);
    for (std::size_t i = 0; i < person.walk.size(); ++i) {
      const Place& next = person.walk[(i + 1) % person.walk.size()];
      walker.along.push_back(walker.along.back() + length(next - person.walk[i]));
    }
    walker.at = draw(random) * walker.along.back();
    walkers_.push_back(std::move(walker));
  }
  for (const Door& door : world_.doors) {
    // As if it had closed so long ago.
    panels_.push_back({.waited = draw(random) * door.closed_for});
  }
}

Place MovingWorld::place_on_walk(std::size_t i, double at) const {
  const std::vector<double>& along = walkers_[i].along;
  const std::vector<Place>& walk = world_.people[i].walk;
  const auto next = std::upper_bound(along.begin() + 1, along.end() - 1, at);
  const auto leg = static_cast<std::size_t>(next - along.begin()) - 1;
  const double legs_length = along[leg + 1] - along[leg];
  const double share = legs_length > 0.0 ? (at - along[leg]) / legs_length : 0.0;
  const Place& from = walk[leg];
  return from + (walk[(leg + 1) % walk.size()] - from) * share;
}

Place MovingWorld::person(std::size_t i) const {
  return place_on_walk(i, walkers_[i].at);
}

Place MovingWorld::panel_moved(std::size_t i) const {
  const Place& slide = world_.doors[i].slide;
  return slide * (panels_[i].moved / length(slide));
}

Box MovingWorld::panel_at(std::size_t i, double moved) const {
  const Door& door = world_.doors[i];
  return door.panel + door.slide * (moved / length(door.slide));
}

void MovingWorld::advance(double seconds, const std::optional<Place>& robot) {
  const auto steps = std::max<std::int64_t>(1, std::llround(seconds / kStep));
  const double step = seconds / static_cast<double>(steps);
  for (std::int64_t k = 0; k < steps; ++k) {
    for (std::size_t i = 0; i < walkers_.size(); ++i) walk(i, step, robot);
    for (std::size_t i = 0; i < panels_.size(); ++i) slide(i, step, robot);
  }
}

void MovingWorld::walk(std::size_t i, double seconds, const std::optional<Place>& robot) {
  const Person& person = world_.people[i];
  Walker& walker = walkers_[i];
  const double whole = walker.along.back();
  double next = std::fmod(walker.at + walker.direction * person.speed * seconds, whole);
  if (next < 0.0) next += whole;
  if (robot) {
    const double before = length(*robot - place_on_walk(i, walker.at));
    const double after = length(*robot - place_on_walk(i, next));
    if (after < before && after < person.radius + world_.robot_radius + kRespect) {
      walker.waited += seconds;
      if (walker.waited < kPatience) return;
      walker.direction = -walker.direction;
      walker.waited = 0.0;
      return;
    }
  }
  walker.waited = 0.0;
  walker.at = next;
}

/// Whether a panel that moved there would come too close to somebody.
bool MovingWorld::in_the_way(std::size_t i, double moved, const std::optional<Place>& robot) const {
  const Box now = panel(i);
  const Box then = panel_at(i, moved);
  const auto comes_close = [&](const Place& place, double room) {
    const double after = distance(then, place);
    return after < room && after < distance(now, place);
  };
  if (robot && comes_close(*robot, world_.robot_radius + kRespect)) return true;
  for (std::size_t k = 0; k < walkers_.size(); ++k) {
    if (comes_close(person(k), world_.people[k].radius + kDoorRespect)) return true;
  }
  return false;
}

void MovingWorld::slide(std::size_t i, double seconds, const std::optional<Place>& robot) {
  using State = Panel::State;
  const Door& door = world_.doors[i];
  Panel& panel = panels_[i];
  const double whole = length(door.slide);
  const auto move_to = [&](double moved, State blocked) {
    moved = std::clamp(moved, 0.0, whole);
    if (in_the_way(i, moved, robot)) {
      panel.state = blocked;
      return;
    }
    panel.moved = moved;
  };
  const auto wait = [&](double limit, State next) {
    panel.waited += seconds;
    if (panel.waited < limit) return;
    panel.waited = 0.0;
    panel.state = next;
  };
  switch (panel.state) {
    case State::kClosed:
      wait(door.closed_for, State::kOpening);
      break;
    case State::kOpening:
      move_to(panel.moved + door.speed * seconds, State::kOpening);
      if (panel.moved == whole) panel.state = State::kOpen;
      break;
    case State::kOpen:
      wait(door.open_for, State::kClosing);
      break;
    case State::kClosing:
      move_to(panel.moved - door.speed * seconds, State::kOpening);
      if (panel.moved == 0.0) panel.state = State::kClosed;
      break;
  }
}

double MovingWorld::look(const Place& from, double angle, double range) const {
  const Place way{std::cos(angle), std::sin(angle)};
  double nearest = INFINITY;
  const auto see = [&](double seen) { nearest = std::min(nearest, seen); };
  for (const Box& wall : world_.walls) see(first_on_ray(wall, from, way));
  for (std::size_t i = 0; i < panels_.size(); ++i) see(first_on_ray(panel(i), from, way));
  for (std::size_t i = 0; i < walkers_.size(); ++i) {
    see(first_on_ray(person(i), world_.people[i].radius, from, way));
  }
  return nearest <= range ? nearest : INFINITY;
}

double MovingWorld::clearance(const Place& place) const {
  double nearest = INFINITY;
  for (const Box& wall : world_.walls) nearest = std::min(nearest, distance(wall, place));
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    nearest = std::min(nearest, distance(panel(i), place));
  }
  for (std::size_t i = 0; i < walkers_.size(); ++i) {
    nearest = std::min(nearest, length(person(i) - place) - world_.people[i].radius);
  }
  return nearest;
}

}  // namespace dynamic_planners
