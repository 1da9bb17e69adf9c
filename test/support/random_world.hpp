#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/search/planner.hpp"
#include "test/support/oracle.hpp"

namespace test_support {

/// A small world that changes in every way planners may meet, the same for the same seed: scattered
/// obstacles, rooms, weighted ground; single cells, inflated discs, doors, whole rooms and
/// everything at once change; the start wanders or jumps, the goal is one of a few or a new one;
/// the grid moves over the world.
class RandomWorld {
 public:
  explicit RandomWorld(std::uint64_t seed);

  const dynamic_planners::Grid& grid() const { return grid_; }
  const dynamic_planners::PlannerConfig& config() const { return config_; }
  /// The same world as the oracle knows it.
  const oracle::World& truth() const { return truth_; }
  const dynamic_planners::Query& query() const { return query_; }

  /// Now and then, before an event, the grid moves; how far.
  std::optional<dynamic_planners::Shift> maybe_move();

  /// Lets something happen; what changed in the grid.
  std::vector<dynamic_planners::CellChange> next_event();

  /// The robot drives along its plan for a while, as far as next_event() leaves it there.
  void follow(const std::vector<dynamic_planners::Point>& path) { path_ = path; }

  /// From 0 to n - 1.
  int draw(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }

 private:
  static constexpr int kRoom = 6;

  int draw_side();
  dynamic_planners::Cell draw_cell();
  dynamic_planners::PlannerConfig draw_config();
  std::uint8_t draw_cost();
  void set(int x, int y, std::uint8_t cost);
  void fill_at_random(int blocked_percent, bool weighted);
  void build_rooms();
  void change_world();
  void move_start();
  void stay_inside(dynamic_planners::Cell& cell, const dynamic_planners::Shift& shift);
  void put_disc();
  void toggle_door();
  void toggle_room();
  void set_everything(std::uint8_t cost);

  std::mt19937_64 random_;
  dynamic_planners::PlannerConfig config_;
  dynamic_planners::Grid grid_;
  oracle::World truth_;
  dynamic_planners::Query query_{0, 0};
  bool closed_ = false;  // everything is blocked
  std::vector<dynamic_planners::Cell> goals_;
  std::vector<dynamic_planners::Point> path_;
  std::vector<dynamic_planners::Cell> came_in_;  // by a move, and nobody has said yet what they are
  std::vector<dynamic_planners::CellChange> changes_;
};

}  // namespace test_support
