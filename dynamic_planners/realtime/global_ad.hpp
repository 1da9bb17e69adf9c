#pragma once

#include <cstdint>

#include "dynamic_planners/realtime/global_search.hpp"
#include "dynamic_planners/search/anytime.hpp"

namespace dynamic_planners {

struct GlobalADVertex {
  static constexpr std::uint32_t kMaxGeneration = 0x3FFF;

  PackedCost g = kInfinity;
  PackedCost rhs = kInfinity;
  std::uint16_t generation : 14 = 0;
  std::uint16_t noted : 1 = false;
  std::uint16_t marked : 1 = false;
  QueueLinks links = {};
  std::uint32_t closed_by = 0;  // the number of the search in whose CLOSED it is
};
static_assert(sizeof(GlobalADVertex) == 28);

/// AD* as the global search of RTD*: M. Likhachev, D. Ferguson, G. Gordon, A. Stentz, S. Thrun,
/// "Anytime Dynamic A*: An Anytime, Replanning Algorithm", ICAPS 2005; in RTD* by Bond and others,
/// SoCS 2010.
///
/// Epsilon rises with every change and falls whenever a path is found and work is left. INCONS is a
/// list like those of the open list, and goes back into it a cell at a time. CLOSED stays as it is
/// when the robot moves, since what is proven of a closed state does not depend on the start.
template <Space S>
class GlobalAD final : public PortionedSearch<S, GlobalADVertex> {
 public:
  GlobalAD(const S& space, const AnytimeConfig& config)
      : Base(space, kBucketShift),
        epsilon_(config),
        longest_(space.heuristic(0, space.size() - 1)) {}

  void restart(Cell goal) override;
  void note(std::span<const CellChange> changes) override;

 private:
  using Base = PortionedSearch<S, GlobalADVertex>;
  using Vertex = GlobalADVertex;
  using Base::goal_;
  using Base::h_;
  using Base::open_;
  using Base::space_;
  using Base::start_;
  using Base::vertices_;

  /// Keys are a hundred times a cost.
  static constexpr int kBucketShift = 15;
  static constexpr std::uint32_t kInIncons = BucketQueue<Vertex>::kElsewhere;

  // The procedures of the paper, under its names.
  Cost key(Cell cell, const Vertex& vertex) const;
  Cost start_key() const;
  void update_state(Cell cell, Vertex& vertex);
  void initialize() override;
  bool compute_or_improve_path(Work& work, StepCounts& counts);

  void focus_moves(Cost by) override { offset_ += epsilon_.value() * by; }
  void begin_portion() override { begin_search(); }
  void rhs_changed(Cell cell, Vertex& vertex) override { update_state(cell, vertex); }
  void repair(Work& work, StepCounts& counts) override;
  void begin_search();
  void lower_epsilon();
  void take_out(Cell cell, const Vertex& vertex);
  bool reopen(Work& work, StepCounts& counts);
  void expand(Cell cell, Vertex& vertex);
  void check() const override;

  Epsilon epsilon_;
  Cost longest_;     // no two cells have a larger heuristic
  Cost offset_ = 0;  // keeps old keys lower bounds: D* Lite's k_m, for epsilon too
  CellList incons_;
  bool reopening_ = false;    // the states of INCONS are on their way into OPEN
  std::uint32_t search_ = 1;  // number of the search whose CLOSED counts
};

extern template class GlobalAD<GridSpace<4>>;
extern template class GlobalAD<GridSpace<8>>;

}  // namespace dynamic_planners
