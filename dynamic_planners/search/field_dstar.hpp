#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/search/meter.hpp"
#include "dynamic_planners/search/open_list.hpp"
#include "dynamic_planners/search/planner.hpp"
#include "dynamic_planners/search/vertices.hpp"

namespace dynamic_planners {

/// Field D*: D. Ferguson, A. Stentz, "Field D*: An Interpolation-Based Path Planner and Replanner",
/// ISRR 2005; "Using Interpolation to Improve Path Planning: The Field D* Algorithm", Journal of
/// Field Robotics 23(2), 2006.
///
/// D* Lite whose vertices may be left at any angle: a path from s goes to any point of the edge
/// between two neighbours of s, and the cost from there is interpolated between theirs.
///
/// The paper's nodes are the corners of cells, its paths may touch what is blocked, and it has no
/// rule for corners. Here the nodes are the corners of the squares that four neighbouring cell
/// centres span: the same interpolation, shifted by half a cell. So starts and goals are nodes, a
/// corridor of one cell is passable, a place is reached exactly when the 8-connected grid reaches
/// it, and no path touches a blocked cell: it crosses only squares of four passable cells, and goes
/// from centre to centre elsewhere.
///
/// All costs are integers and monotone in each other, so g == rhs is exact, and a search that was
/// repaired has the costs that a new one would have.
class FieldDStar {
 public:
  using S = GridSpace<8>;

  FieldDStar(const S& space, const PlannerConfig& config);
  FieldDStar(const FieldDStar&) = delete;
  FieldDStar& operator=(const FieldDStar&) = delete;

  /// Forgets everything and is for this goal from now on.
  void restart(Cell goal);
  Cell goal() const { return goal_; }

  /// Remembers that cells have changed, for the next plan().
  void note(std::span<const CellChange> changes);

  Plan plan(Cell start, const Budget& budget);

  std::size_t memory_bytes() const;

 private:
  struct Vertex {
    static constexpr std::uint32_t kMaxGeneration = 0x3FFF;

    PackedCost g = kInfinity;
    PackedCost rhs = kInfinity;
    std::uint16_t generation : 14 = 0;
    std::uint16_t was_expanded : 1 = false;
    std::uint16_t marked : 1 = false;
    std::uint32_t position = 0;
  };
  static_assert(sizeof(Vertex) == 16);

  enum class Progress { kDone, kSpent, kFull };

  /// A vertex and the eight around it: even ones straight ahead, odd ones across.
  struct Ring;

  // The procedures of the paper, under its names.
  Key key(Cell cell, const Vertex& vertex) const;
  void update_state(Cell cell, Vertex& vertex);
  Cost compute_cost(unsigned level, unsigned level1, Cost g1, unsigned level2, Cost g2) const;
  Progress compute_shortest_path(Meter& meter);

  Cost h(Cell cell) const;
  void initialize();
  void move_start(Cell start);
  Progress take_in_changes(Meter& meter);
  Ring ring_around(Cell cell) const;
  template <typename Visit>
  void for_each_cost_through(Cell cell, Cost g, Visit&& visit) const;
  void lower(Cell cell, Vertex& vertex);
  void raise(Cell cell, Vertex& vertex);
  Cost least_cost(Cell cell) const;
  Cost settled_cost(Cell cell) const;
  void check() const;

  S space_;
  Vertices<Vertex> vertices_;
  OpenList<Vertex> open_;
  Cell goal_ = kNoCell;
  Cell start_ = kNoCell;        // kNoCell before the first search
  std::array<Cell, 8> offset_;  // from a cell to those around it, modulo 2^32
  S::HeuristicTo unscaled_h_;   // see h()
  Cost k_m_ = 0;

  /// Cells that changed since they were last taken in. First the vertices around each are marked,
  /// then the marked ones are updated; both passes can be stopped and gone on with.
  std::vector<Cell> changed_;
  std::size_t marked_ = 0;
  std::size_t updated_ = 0;

  PlanCounts counts_;  // of the plan() under way
};

}  // namespace dynamic_planners
