#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/grid/voxel_space.hpp"
#include "dynamic_planners/search/anytime.hpp"
#include "dynamic_planners/search/meter.hpp"
#include "dynamic_planners/search/open_list.hpp"
#include "dynamic_planners/search/planner.hpp"
#include "dynamic_planners/search/vertices.hpp"

namespace dynamic_planners {

/// ARA*: M. Likhachev, G. Gordon, S. Thrun, "ARA*: Anytime A* with Provable Bounds on
/// Sub-Optimality", NIPS 2003.
///
/// Searches forward with a heuristic that is inflated by epsilon, which finds a path soon, at most
/// epsilon times as dear as the best. Asked the same again, it lowers epsilon and improves the
/// path, reusing what it found: each search expands a state once at most, and what becomes better
/// after that waits in INCONS for the next one. Whatever changes, be it the world, the start or the
/// goal, makes it start over; AD* is the one that repairs.
///
/// The paper gives every queued state a new key when epsilon falls. Here an offset keeps the old
/// keys lower bounds (InflatedKeys), so that the next search can be stopped anywhere, like all
/// else.
template <Space S>
class AnytimeRepairingAStar final : public Planner {
 public:
  AnytimeRepairingAStar(const S& space, const PlannerConfig& config);

  void update(std::span<const CellChange> changes) override;
  Plan plan(const Query& query, const Budget& budget) override;
  void reset() override { query_.reset(); }
  std::size_t memory_bytes() const override {
    return vertices_.memory_bytes() + open_.memory_bytes() + incons_.memory_bytes();
  }

 private:
  struct Vertex {
    static constexpr std::uint32_t kMaxGeneration = 0x3FFF;

    PackedCost g = kInfinity;
    std::uint16_t generation : 14 = 0;
    std::uint16_t was_expanded : 1 = false;
    std::uint16_t in_incons : 1 = false;
    std::uint32_t position = 0;
    std::uint32_t closed_by = 0;  // the number of the search in whose CLOSED it is
  };
  static_assert(sizeof(Vertex) == 16);

  // The procedures of the paper, under its names.
  Key fvalue(Cell cell, const Vertex& vertex) const;
  Progress improve_path(Meter& meter);

  void begin(const Query& query);
  void lower_epsilon();
  Plan answer(Meter& meter);
  Progress search(Meter& meter);
  Progress reopen(Meter& meter);
  void expand(Cell cell, Vertex& vertex);
  void publish(Meter& meter);
  void prove_least(Meter& meter);
  void check() const;

  S space_;
  Epsilon epsilon_;
  Vertices<Vertex> vertices_;
  OpenList<Vertex> open_;
  Incons<Vertex> incons_;
  std::uint32_t search_ = 1;   // number of the search whose CLOSED counts
  bool reopening_ = false;     // the states of INCONS are on their way into OPEN
  typename S::HeuristicTo h_;  // h(., s_goal)
  InflatedKeys<S> keys_;

  std::optional<Query> query_;  // what the search is for, if there is one
  AnytimeAnswer answer_;        // to it
  bool improving_ = false;      // the search is for a lower epsilon than the answer's
  std::uint64_t changed_cells_ = 0;
  std::uint64_t reexpansions_ = 0;  // of the plan() under way
};

extern template class AnytimeRepairingAStar<GridSpace<4>>;
extern template class AnytimeRepairingAStar<GridSpace<8>>;
extern template class AnytimeRepairingAStar<VoxelSpace>;

}  // namespace dynamic_planners
