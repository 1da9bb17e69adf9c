#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "dynamic_planners/search/dstar_lite.hpp"
#include "dynamic_planners/search/field_path.hpp"
#include "dynamic_planners/search/repairing_search.hpp"

namespace dynamic_planners {

/// A vertex may depend on one that is cheaper by as little as 1/sqrt(2) of the step between them,
/// so this is how much Field D*'s heuristic may grow with a step. Only then is a vertex expanded
/// after all it depends on. 7/10 of the distance leaves room for rounding. It rounds up, which
/// keeps the triangle inequality that k_m needs.
class FieldHeuristic {
 public:
  explicit FieldHeuristic(const GridSpace<8>::HeuristicTo& distance) : distance_(distance) {}

  Cost operator()(Cell cell) const { return (7 * distance_(cell) + 9) / 10; }

 private:
  GridSpace<8>::HeuristicTo distance_;
};

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
class FieldDStar final : public RepairingSearch<GridSpace<8>, DStarLiteVertex, FieldHeuristic> {
 public:
  using S = GridSpace<8>;

  FieldDStar(const S& space, const PlannerConfig& config);

 private:
  using Vertex = DStarLiteVertex;

  /// A vertex and the eight around it: even ones straight ahead, odd ones across.
  struct Ring;

  // The procedures of the paper, under its names.
  Key key_of(Cell cell, const Vertex& vertex) const;
  void update_state(Cell cell, Vertex& vertex);
  Cost compute_cost(unsigned level, unsigned level1, Cost g1, unsigned level2, Cost g2) const;
  Progress compute_shortest_path(Meter& meter);

  void initialize() override;
  void update_changed(Cell cell, Vertex& vertex) override;
  Progress repair(Meter& meter) override { return compute_shortest_path(meter); }
  Cost cost() const override { return vertices_.peek(start_).rhs; }
  void publish(Plan& plan, const Budget& budget) override;
  void check() const override;

  Ring ring_around(Cell cell) const;
  template <typename Visit>
  void for_each_cost_through(Cell cell, Cost g, Visit&& visit) const;
  void lower(Cell cell, Vertex& vertex);
  void raise(Cell cell, Vertex& vertex);
  Cost least_cost(Cell cell) const;
  Cost settled_cost(Cell cell) const;

  std::array<Cell, 8> offset_{};   // from a cell to those around it, modulo 2^32
  std::optional<FieldPath> path_;  // drawn as far as the budgets reached
  std::uint64_t path_of_ = 0;      // the state() it is of
};

}  // namespace dynamic_planners
