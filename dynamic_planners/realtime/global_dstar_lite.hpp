#pragma once

#include <cstdint>

#include "dynamic_planners/realtime/global_search.hpp"

namespace dynamic_planners {

struct GlobalDStarLiteVertex {
  static constexpr std::uint32_t kMaxGeneration = 0x3FFF;

  PackedCost g = kInfinity;
  PackedCost rhs = kInfinity;
  std::uint16_t generation : 14 = 0;
  std::uint16_t noted : 1 = false;
  std::uint16_t marked : 1 = false;
  QueueLinks links = {};
};
static_assert(sizeof(GlobalDStarLiteVertex) == 24);

/// D* Lite as the global search of RTD*: D. M. Bond, N. A. Widger, W. Ruml, X. Sun, "Real-Time
/// Search in Dynamic Worlds", SoCS 2010, figure 1.
///
/// Vertices leave the open list in the order of its buckets, which are a quarter of a straight step
/// wide, and not in that of their keys. All that are due before the start, or in the same bucket,
/// are expanded before a path is believed, so the costs are those of D* Lite.
///
/// k_m grows whenever the h of the keys is that of another cell, changes or not: the bug of the
/// paper's footnote is not here.
template <Space S>
class GlobalDStarLite final : public PortionedSearch<S, GlobalDStarLiteVertex> {
 public:
  explicit GlobalDStarLite(const S& space) : Base(space, kBucketShift) {}

  void restart(Cell goal) override;

 private:
  using Base = PortionedSearch<S, GlobalDStarLiteVertex>;
  using Vertex = GlobalDStarLiteVertex;
  using Base::goal_;
  using Base::h_;
  using Base::open_;  // U
  using Base::space_;
  using Base::start_;
  using Base::vertices_;

  static constexpr int kBucketShift = 8;

  // The procedures of the paper, under its names.
  Cost calculate_key(Cell cell, const Vertex& vertex) const;
  void update_vertex(Cell cell, Vertex& vertex);
  void initialize() override;

  void focus_moves(Cost by) override { k_m_ += by; }
  void rhs_changed(Cell cell, Vertex& vertex) override { update_vertex(cell, vertex); }
  void repair(Work& work, StepCounts& counts) override;
  void expand(Cell cell, Vertex& vertex);
  void check() const override;

  Cost k_m_ = 0;
};

extern template class GlobalDStarLite<GridSpace<4>>;
extern template class GlobalDStarLite<GridSpace<8>>;

}  // namespace dynamic_planners
