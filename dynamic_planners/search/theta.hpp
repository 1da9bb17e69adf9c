#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/grid/voxel_space.hpp"
#include "dynamic_planners/search/meter.hpp"
#include "dynamic_planners/search/open_list.hpp"
#include "dynamic_planners/search/planner.hpp"
#include "dynamic_planners/search/vertices.hpp"

namespace dynamic_planners {

/// Theta*: A. Nash, K. Daniel, S. Koenig, A. Felner, "Theta*: Any-Angle Path Planning on Grids",
/// AAAI 2007; K. Daniel, A. Nash, S. Koenig, A. Felner, Journal of Artificial Intelligence Research
/// 39, 2010 (Basic Theta*, figure 5).
///
/// A* in which the parent of a cell need not be its neighbour: whoever is expanded offers its
/// neighbours its own parent too, where that one sees them. It searches from scratch every time, as
/// A* does; a search that ran out of budget goes on when it is asked the same again and nothing has
/// changed.
///
/// The paper's cells are free or blocked, so what is seen is always nearer. Here the line costs
/// what the cells cost that it crosses, and is taken only where it costs no more than the step.
/// Therefore no path costs more than the best from cell to cell: the proof is that of A*. If the
/// goal is in sight, the start offers it that line before anything else; on even ground nothing is
/// left to do then.
///
/// Its heuristic may be inflated, as those of ARA* are; the path has then only that bound.
template <Space S>
class ThetaStar final : public Planner {
 public:
  ThetaStar(const S& space, const PlannerConfig& config);

  void update(std::span<const CellChange> changes) override;
  Plan plan(const Query& query, const Budget& budget) override;
  void reset() override { unfinished_.reset(); }
  std::size_t memory_bytes() const override {
    return vertices_.memory_bytes() + open_.memory_bytes();
  }

 private:
  struct Vertex {
    static constexpr std::uint32_t kMaxGeneration = 0xFFFF;

    PackedCost g = kInfinity;
    bool closed = false;
    std::uint16_t generation = 0;
    Cell parent = kNoCell;
    std::uint32_t position = 0;
  };
  static_assert(sizeof(Vertex) == 16);

  /// Looking along a line of so many cells takes about as long as an expansion of A*.
  static constexpr std::uint64_t kCellsPerExpansion = 32;

  void begin(const Query& query);
  Key calculate_key(Cell cell) const;
  Progress search(const Query& query, Meter& meter);
  void expand(Cell cell, Meter& meter);
  void update_vertex(Cell cell, Cell parent, Cost g);
  Cost line_to(Cell from, Cell to) const;
  void check() const;

  S space_;
  Cost inflation_;  // in hundredths
  Vertices<Vertex> vertices_;
  OpenList<Vertex> open_;
  typename S::HeuristicTo h_;  // h(., s_goal), which is the straight line
  std::optional<Query> unfinished_;
  std::uint64_t changed_cells_ = 0;
};

extern template class ThetaStar<GridSpace<8>>;
extern template class ThetaStar<VoxelSpace>;

}  // namespace dynamic_planners
