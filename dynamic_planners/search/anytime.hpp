#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "dynamic_planners/grid/cost.hpp"
#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/search/answer.hpp"
#include "dynamic_planners/search/meter.hpp"
#include "dynamic_planners/search/planner.hpp"
#include "dynamic_planners/search/trace.hpp"
#include "dynamic_planners/search/vertices.hpp"

/// What the anytime planners, ARA* and AD*, have in common: the inflation of the heuristic as an
/// exact number, the keys made with it, and the bound that is proven by it.
namespace dynamic_planners {

/// The inflation of the heuristic, in hundredths. Keys are a hundred times what the papers have, so
/// that g + epsilon * h is an integer too and what the papers prove holds to the last digit.
class Epsilon {
 public:
  static constexpr Cost kOne = 100;

  /// Throws std::invalid_argument when a value is out of its range.
  explicit Epsilon(const AnytimeConfig& config)
      : first_(hundredths(config.epsilon, 1.0, "epsilon")),
        decrease_(hundredths(config.epsilon_decrease, 0.01, "epsilon_decrease")),
        increase_(hundredths(config.epsilon_increase, 0.0, "epsilon_increase")),
        value_(first_) {}

  Cost value() const { return value_; }
  Cost first() const { return first_; }
  bool is_one() const { return value_ == kOne; }

  void start_over() { value_ = first_; }
  void raise() { value_ = std::min(first_, value_ + increase_); }
  /// One step below the bound that is proven already, which may be less than epsilon.
  void lower(double bound) {
    const auto proven = static_cast<Cost>(std::ceil(std::min(bound, kMost) * kOne));
    value_ = std::max(kOne + decrease_, std::min(value_, proven)) - decrease_;
  }

 private:
  static constexpr double kMost = 1000.0;

  static Cost hundredths(double value, double least, const char* name) {
    if (!(value >= least && value <= kMost)) {
      std::ostringstream text;
      text << name << " must be from " << least << " to " << kMost << ", not " << value;
      throw std::invalid_argument(text.str());
    }
    return static_cast<Cost>(std::llround(value * kOne));
  }

  Cost first_;
  Cost decrease_;
  Cost increase_;
  Cost value_;
};

/// Keys of cells that wait in the open list stay lower bounds of what they ought to be, whatever
/// happens to the heuristic's end and to epsilon: instead of giving all of them new keys, every new
/// key is made larger by an offset. It grows by as much as a key can have fallen, which is the k_m
/// of D* Lite, for epsilon too. The open list sets keys right as they come near.
template <Space S>
class InflatedKeys {
 public:
  /// Throws std::invalid_argument when keys might not fit into an open list.
  InflatedKeys(const S& space, const Epsilon& epsilon)
      : longest_(space.heuristic(0, space.size() - 1)) {
    if (longest_ > kMaxInflated / epsilon.first()) {
      throw std::invalid_argument("epsilon is too large for a grid of this size");
    }
  }

  Cost offset() const { return offset_; }
  void start_over() { offset_ = 0; }
  /// The keys have grown so much that a new search must be begun.
  bool exhausted() const { return offset_ > kMaxOffset; }

  /// The heuristic's fixed end moved by so much.
  void end_moved(Cost by, const Epsilon& epsilon) { offset_ += epsilon.value() * by; }
  void epsilon_changed(Cost from, Cost to) {
    if (to < from) offset_ += (from - to) * longest_;
  }

 private:
  // What a key can be fits into its 48 bits: after a look at the offset, the end may move and
  // epsilon may fall once.
  static constexpr Cost kMaxOffset = Cost{1} << 46U;
  static constexpr Cost kMaxInflated = Cost{1} << 44U;
  static_assert(Epsilon::kOne * kInfinity + kMaxOffset + 3 * kMaxInflated < Cost{1} << 48U);

  Cost longest_;  // no two cells have a larger heuristic
  Cost offset_ = 0;
};

/// The least double that is no less than the quotient.
inline double rounded_up(Cost numerator, Cost denominator) {
  const auto n = static_cast<double>(numerator);
  const auto d = static_cast<double>(denominator);
  const double quotient = n / d;
  return std::fma(quotient, d, -n) < 0.0
             ? std::nextafter(quotient, std::numeric_limits<double>::infinity())
             : quotient;
}

/// What is proven of a path: it costs at most epsilon times the best one, which costs at least
/// `least`.
inline double proven_bound(Cost cost, Cost least, const Epsilon& epsilon) {
  if (cost <= least || epsilon.is_one()) return 1.0;
  const double by_epsilon = rounded_up(epsilon.value(), Epsilon::kOne);
  return least == 0 ? by_epsilon : std::min(by_epsilon, rounded_up(cost, least));
}

/// The best answer so far to what is asked, once there is one, and what is proven of it.
class AnytimeAnswer {
 public:
  /// Something else is asked, or the world is another one.
  void reset() {
    plan_.reset();
    least_possible_ = 0;
  }
  bool is_there() const { return plan_.has_value(); }
  const Plan& plan() const { return *plan_; }
  bool can_improve() const { return plan_->status == PlanStatus::kFound && plan_->bound > 1.0; }

  void publish_no_path() { plan_ = Plan{}; }
  /// A path that a search with this epsilon has found. It counts if it is better than the one that
  /// is there.
  template <Space S>
  void publish(const S& space, std::span<const Cell> cells, const Epsilon& epsilon) {
    if (!plan_) plan_ = Plan{.status = PlanStatus::kFound};
    const Cost cost = path_cost(space, cells);
    if (cost < plan_->cost) {
      plan_->cost = cost;
      plan_->points = to_points(space, cells);
    }
    plan_->bound = proven_bound(plan_->cost, least_possible_, epsilon);
  }
  /// No path can cost less.
  void prove_least(Cost least) { least_possible_ = std::max(least_possible_, least); }

 private:
  std::optional<Plan> plan_;
  Cost least_possible_ = 0;
};

/// INCONS: states that became better after their expansion and wait for the next search. It may
/// have states that are no longer inconsistent. `Vertex` has a bit `in_incons`.
template <typename Vertex>
class Incons {
 public:
  explicit Incons(Cell size) { cells_.reserve(size); }

  void clear() { cells_.clear(); }
  std::span<const Cell> cells() const { return cells_; }
  std::size_t memory_bytes() const { return cells_.capacity() * sizeof(Cell); }

  void add(Cell cell, Vertex& vertex) {
    if (!vertex.in_incons) cells_.push_back(cell);
    vertex.in_incons = true;
  }
  /// Hands all states to `reopen(cell, vertex)`, as far as `has_room()` and the budget lasts.
  template <typename HasRoom, typename Reopen>
  Progress empty_into(Vertices<Vertex>& vertices, Meter& meter, HasRoom&& has_room,
                      Reopen&& reopen) {
    for (; !cells_.empty(); cells_.pop_back()) {
      if (meter.spent()) return Progress::kSpent;
      if (!has_room()) return Progress::kFull;
      Vertex& vertex = vertices.touched(cells_.back());
      vertex.in_incons = false;
      reopen(cells_.back(), vertex);
      meter.worked();
    }
    return Progress::kDone;
  }

 private:
  std::vector<Cell> cells_;
};

}  // namespace dynamic_planners
