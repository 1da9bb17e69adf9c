#include "test/support/random_world.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace test_support {

using dynamic_planners::Cell;
using dynamic_planners::CellChange;
using dynamic_planners::Grid;
using dynamic_planners::Heuristic;
using dynamic_planners::PlannerConfig;
using dynamic_planners::Shift;
using dynamic_planners::Ties;

RandomWorld::RandomWorld(std::uint64_t seed)
    : random_(seed), config_(draw_config()), grid_(draw_side(), draw_side()) {
  truth_ = {.width = grid_.width(),
            .height = grid_.height(),
            .costs = std::vector<std::uint8_t>(grid_.size(), 0),
            .connectivity = config_.traversal.connectivity,
            .cost_weight = config_.traversal.cost_weight,
            .allow_unknown = config_.traversal.allow_unknown,
            .unknown_cost = config_.traversal.unknown_cost};
  switch (draw(4)) {
    case 0:
      fill_at_random(draw(50), false);
      break;
    case 1:
      fill_at_random(draw(30), true);
      break;
    case 2:
      build_rooms();
      break;
    default:
      break;  // empty
  }
  changes_.clear();
  for (int i = 0; i < 3; ++i) goals_.push_back(draw_cell());
  query_ = {draw_cell(), goals_.front()};
}

std::optional<Shift> RandomWorld::maybe_move() {
  if (draw(8) != 0) return std::nullopt;
  // Mostly by a few cells, now and then by more than there are.
  const int reach = draw(10) == 0 ? 60 : 3;
  const Shift shift{draw(2 * reach + 1) - reach, draw(2 * reach + 1) - reach};
  const std::vector<std::uint8_t> before = truth_.costs;
  for (int y = 0; y < truth_.height; ++y) {
    for (int x = 0; x < truth_.width; ++x) {
      const bool known = grid_.contains(x + shift.dx, y + shift.dy);
      truth_.costs[truth_.index(x, y)] =
          known ? before[truth_.index(x + shift.dx, y + shift.dy)] : 254;
      if (!known) came_in_.push_back(grid_.cell(x, y));
    }
  }
  grid_.move(shift);
  stay_inside(query_.start, shift);
  stay_inside(query_.goal, shift);
  for (Cell& goal : goals_) stay_inside(goal, shift);
  path_.clear();
  return shift;
}

void RandomWorld::stay_inside(Cell& cell, const Shift& shift) {
  const Cell there = grid_.shifted(cell, shift);
  cell = there == dynamic_planners::kNoCell ? draw_cell() : there;
}

std::vector<CellChange> RandomWorld::next_event() {
  changes_.clear();
  for (const Cell cell : came_in_) {
    const auto [x, y] = grid_.position(cell);
    if (!closed_) set(x, y, draw_cost());
  }
  came_in_.clear();
  change_world();
  move_start();
  // Nav2 asks for several goals in turn: mostly one of those it had, now and then a new one.
  if (draw(6) == 0) query_.goal = goals_[draw(static_cast<int>(goals_.size()))];
  if (draw(25) == 0) {
    goals_[draw(static_cast<int>(goals_.size()))] = draw_cell();
    query_.goal = goals_.front();
  }
  return changes_;
}

/// Mostly large enough for a detour, now and then a corridor or a single cell.
int RandomWorld::draw_side() {
  return draw(8) == 0 ? 1 + draw(6) : 12 + draw(30);
}

Cell RandomWorld::draw_cell() {
  return static_cast<Cell>(draw(static_cast<int>(grid_.size())));
}

PlannerConfig RandomWorld::draw_config() {
  PlannerConfig config;
  config.traversal.connectivity = draw(2) == 0 ? 4 : 8;
  config.traversal.heuristic = draw(3) == 0 ? Heuristic::kEuclidean : Heuristic::kNatural;
  constexpr double kWeights[] = {0.0, 0.7, 3.0, 25.0};
  config.traversal.cost_weight = kWeights[draw(4)];
  config.traversal.allow_unknown = draw(2) == 0;
  config.traversal.unknown_cost = static_cast<std::uint8_t>(draw(253));
  config.kept_searches = 1 + draw(4);
  constexpr double kEpsilons[] = {1.0, 1.3, 3.0, 20.0};
  config.anytime.epsilon = kEpsilons[draw(4)];
  constexpr double kEpsilonSteps[] = {0.07, 0.5, 3.0};
  config.anytime.epsilon_decrease = kEpsilonSteps[draw(3)];
  config.anytime.epsilon_increase = kEpsilonSteps[draw(3)];
  constexpr double kShares[] = {0.0, 0.1, 0.5, 1.0};
  config.anytime.significant_change = kShares[draw(4)];
  constexpr Ties kTies[] = {Ties::kLargerG, Ties::kFifo, Ties::kSmallerG};
  config.ties = kTies[draw(3)];
  return config;
}

std::uint8_t RandomWorld::draw_cost() {
  switch (draw(4)) {
    case 0:
      return 0;
    case 1:
      return 254;
    default:
      return static_cast<std::uint8_t>(draw(256));
  }
}

void RandomWorld::set(int x, int y, std::uint8_t cost) {
  if (x < 0 || y < 0 || x >= truth_.width || y >= truth_.height) return;
  truth_.costs[truth_.index(x, y)] = cost;
  if (const auto change = grid_.set(grid_.cell(x, y), cost)) changes_.push_back(*change);
}

void RandomWorld::fill_at_random(int blocked_percent, bool weighted) {
  for (int y = 0; y < truth_.height; ++y) {
    for (int x = 0; x < truth_.width; ++x) {
      if (draw(100) < blocked_percent) {
        set(x, y, 254);
      } else if (weighted) {
        set(x, y, static_cast<std::uint8_t>(draw(253)));
      }
    }
  }
}

void RandomWorld::build_rooms() {
  for (int y = 0; y < truth_.height; ++y) {
    for (int x = 0; x < truth_.width; ++x) {
      const bool wall = x % kRoom == kRoom - 1 || y % kRoom == kRoom - 1;
      if (wall && draw(kRoom) != 0) set(x, y, 254);
    }
  }
}

void RandomWorld::change_world() {
  if (closed_) {  // what closed entirely opens again
    set_everything(0);
    fill_at_random(draw(30), draw(2) == 0);
    return;
  }
  switch (draw(10)) {
    case 0:
    case 1:
    case 2:
      for (int i = 1 + draw(4); i > 0; --i) {
        set(draw(truth_.width), draw(truth_.height), draw_cost());
      }
      break;
    case 3:
    case 4:
      put_disc();
      break;
    case 5:
    case 6:
      toggle_door();
      break;
    case 7:
      toggle_room();
      break;
    case 8:
      if (draw(4) == 0) set_everything(draw_cost());
      break;
    default:
      break;  // nothing changes
  }
}

void RandomWorld::move_start() {
  switch (path_.size() < 5 ? 0 : draw(5)) {
    case 0:
      query_.start = draw_cell();
      break;
    case 1:
    case 2: {
      const auto point = path_[draw(static_cast<int>(path_.size() / 2))];
      query_.start = grid_.cell(static_cast<int>(std::lround(point.x)),
                                static_cast<int>(std::lround(point.y)));
      break;
    }
    default:
      break;
  }
  // Now and then a blocked end is what we want to see; most of the time it hides everything else.
  for (Cell* end : {&query_.start, &query_.goal}) {
    if (oracle::blocked(truth_, static_cast<int>(*end)) && draw(4) != 0) *end = draw_cell();
  }
  path_.clear();
}

/// A lethal disc with a rim of falling costs, as the inflation layer draws it; or its removal.
void RandomWorld::put_disc() {
  const int x0 = draw(truth_.width);
  const int y0 = draw(truth_.height);
  const int radius = 1 + draw(3);
  const bool removed = draw(2) == 0;
  for (int y = y0 - 2 * radius; y <= y0 + 2 * radius; ++y) {
    for (int x = x0 - 2 * radius; x <= x0 + 2 * radius; ++x) {
      const double distance = std::hypot(x - x0, y - y0);
      if (distance > 2 * radius) continue;
      const double share = 1.0 - (distance - radius) / radius;
      const int cost = distance <= radius ? 254 : static_cast<int>(252 * share);
      set(x, y, static_cast<std::uint8_t>(removed ? 0 : std::clamp(cost, 0, 254)));
    }
  }
}

void RandomWorld::toggle_door() {
  const int x = kRoom * draw(truth_.width / kRoom + 1) + kRoom - 1;
  const int y = draw(truth_.height);
  set(x, y, draw(2) == 0 ? 254 : 0);
}

void RandomWorld::toggle_room() {
  const int x0 = kRoom * draw(truth_.width / kRoom + 1);
  const int y0 = kRoom * draw(truth_.height / kRoom + 1);
  const std::uint8_t cost = draw_cost();
  for (int y = y0; y < y0 + kRoom - 1; ++y) {
    for (int x = x0; x < x0 + kRoom - 1; ++x) set(x, y, cost);
  }
}

void RandomWorld::set_everything(std::uint8_t cost) {
  closed_ = cost >= 253;
  for (int y = 0; y < truth_.height; ++y) {
    for (int x = 0; x < truth_.width; ++x) set(x, y, cost);
  }
}

}  // namespace test_support
