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

/// A*: P. Hart, N. Nilsson, B. Raphael, "A Formal Basis for the Heuristic Determination of Minimum
/// Cost Paths", IEEE Transactions on Systems Science and Cybernetics 4(2), 1968.
///
/// Searches forward and from scratch every time: what the incremental planners are measured
/// against. Of cells with the same f, the one that was found last comes first, and the search ends
/// when none is left whose f is less than the goal's g. A search that ran out of budget goes on
/// when it is asked the same again and nothing has changed.
template <Space S>
class AStar final : public Planner {
 public:
  AStar(const S& space, const PlannerConfig& config);

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
    std::uint16_t generation = 0;
    std::uint32_t position = 0;
  };
  static_assert(sizeof(Vertex) == 12);

  void begin(const Query& query);
  Key calculate_key(Cell cell) const;
  Progress search(const Query& query, Meter& meter);
  void expand(Cell cell);
  /// Seldom called among those who ask whether to: kept out of their loop.
  [[gnu::noinline]] void reach(Cell cell, Cost g);
  void check() const;

  S space_;
  Vertices<Vertex> vertices_;
  OpenList<Vertex> open_;
  typename S::HeuristicTo h_;  // h(., s_goal)
  std::optional<Query> unfinished_;
  std::uint64_t changed_cells_ = 0;
};

extern template class AStar<GridSpace<4>>;
extern template class AStar<GridSpace<8>>;
extern template class AStar<VoxelSpace>;

}  // namespace dynamic_planners
