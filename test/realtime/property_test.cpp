// Every real-time planner in thousands of random worlds, one robot each. DYNAMIC_PLANNERS_WORLDS
// and DYNAMIC_PLANNERS_SEED as in test/search/property_test.cpp.

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dynamic_planners/realtime/registry.hpp"
#include "test/support/allocations.hpp"
#include "test/support/oracle.hpp"
#include "test/support/random_world.hpp"

namespace dynamic_planners {
namespace {

using test_support::RandomWorld;

constexpr int kDefaultWorlds = 400;
constexpr int kEvents = 30;
constexpr int kShards = 4;

int from_environment(const char* name, int otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

struct Kind {
  std::string_view name;
  GlobalSearchKind global;
  LocalSearchKind local;
};

constexpr std::array kKinds{
    Kind{"lrta", GlobalSearchKind::kDStarLite, LocalSearchKind::kLRTA},
    Kind{"lss_lrta", GlobalSearchKind::kDStarLite, LocalSearchKind::kLSSLRTA},
    Kind{"rtd", GlobalSearchKind::kDStarLite, LocalSearchKind::kLRTA},
    Kind{"rtd", GlobalSearchKind::kDStarLite, LocalSearchKind::kLSSLRTA},
    Kind{"rtd", GlobalSearchKind::kDStarLite, LocalSearchKind::kNoOp},
    Kind{"rtd", GlobalSearchKind::kAD, LocalSearchKind::kLRTA},
    Kind{"rtd", GlobalSearchKind::kAD, LocalSearchKind::kLSSLRTA},
    Kind{"rtd", GlobalSearchKind::kAD, LocalSearchKind::kNoOp},
};

struct Robot {
  Kind kind;
  std::unique_ptr<RealTimePlanner> planner;
  Cell at;
};

std::uint64_t draw_limit(RandomWorld& world) {
  constexpr std::array<std::uint64_t, 8> kLimits{1, 2, 3, 8, 8, 40, 300, kUnlimited};
  return kLimits[static_cast<std::size_t>(world.draw(kLimits.size()))];
}

/// Some steps have no time at all.
Deadline draw_deadline(RandomWorld& world) {
  return world.draw(4) == 0 ? Deadline() : kNoDeadline;
}

/// What the planner says is true, what it spent is within the limit, and where it leads is a move.
void check_step(const RandomWorld& world, const Robot& robot, Cell goal,
                const std::vector<std::int64_t>& costs, std::uint64_t limit, Deadline deadline,
                const Step& step) {
  const StepCounts& spent = step.counts;
  ASSERT_LE(spent.in_expansions(), limit);
  const auto at = static_cast<int>(robot.at);
  const std::int64_t best = costs[robot.at];
  const bool start_blocked = oracle::blocked(world.truth(), at);
  const bool goal_blocked = oracle::blocked(world.truth(), static_cast<int>(goal));
  ASSERT_EQ(step.status == StepStatus::kStartBlocked, start_blocked);
  ASSERT_EQ(step.status == StepStatus::kGoalBlocked, !start_blocked && goal_blocked);
  if (start_blocked || goal_blocked) {
    ASSERT_EQ(step.next, robot.at);
    return;
  }
  if (step.next != robot.at) {
    ASSERT_TRUE(oracle::move_cost(world.truth(), at, static_cast<int>(step.next)).has_value());
  }
  if (step.status == StepStatus::kNoPath) {
    ASSERT_EQ(best, oracle::kUnreachable);
    ASSERT_EQ(step.next, robot.at);
  }
  const bool is_unlimited = limit == kUnlimited && deadline == kNoDeadline;
  if (is_unlimited) {
    ASSERT_EQ(step.status,
              best == oracle::kUnreachable ? StepStatus::kNoPath : StepStatus::kFullyInformed);
  }
  if (step.status != StepStatus::kFullyInformed || robot.at == goal) return;
  ASSERT_NE(step.next, robot.at);
  ASSERT_GE(static_cast<std::int64_t>(step.cost), best);
  if (robot.kind.name != "rtd" || spent.local_expansions > 0) return;
  // The global search knows a path, and D* Lite the best one; so does AD* when it has all the time.
  if (robot.kind.global == GlobalSearchKind::kDStarLite || is_unlimited) {
    ASSERT_EQ(static_cast<std::int64_t>(step.cost), best);
    ASSERT_EQ(*oracle::move_cost(world.truth(), at, static_cast<int>(step.next)) + costs[step.next],
              best);
  } else {
    ASSERT_LE(static_cast<double>(step.cost),
              world.config().anytime.epsilon * static_cast<double>(best) + 1e-6);
  }
}

/// The way begins with the step, is made of moves, and of the path to the goal it tells the truth.
void check_way(const RandomWorld& world, const Robot& robot, Cell goal, const Step& step,
               std::span<const Cell> way, bool is_all) {
  ASSERT_EQ(way.empty(), step.next == robot.at);
  if (way.empty()) return;
  ASSERT_EQ(way.front(), step.next);
  std::int64_t cost = 0;
  Cell before = robot.at;
  for (const Cell cell : way) {
    const auto move =
        oracle::move_cost(world.truth(), static_cast<int>(before), static_cast<int>(cell));
    ASSERT_TRUE(move.has_value());
    cost += *move;
    before = cell;
  }
  if (step.status != StepStatus::kFullyInformed || !is_all) return;
  ASSERT_EQ(way.back(), goal);
  ASSERT_LE(cost, static_cast<std::int64_t>(step.cost));
  if (robot.kind.global == GlobalSearchKind::kDStarLite) {
    ASSERT_EQ(cost, static_cast<std::int64_t>(step.cost));
  }
}

/// Where the robot is seen then: mostly where the step leads, but it does not drive by our steps.
Cell seen_next(RandomWorld& world, Cell at, Cell next, std::span<const Cell> way) {
  switch (world.draw(8)) {
    case 0:
      return at;
    case 1:
      return way.empty() ? next : way[static_cast<std::size_t>(world.draw(8)) % way.size()];
    default:
      return next;
  }
}

void make_step(RandomWorld& world, Robot& robot, Cell goal, const std::vector<std::int64_t>& costs,
               std::uint64_t limit, Deadline deadline) {
  const std::size_t allocations = test_support::allocations();
  const Step step = robot.planner->step(robot.at, goal, limit, deadline);
  std::array<Cell, 100> cells{};
  const std::size_t size = robot.planner->way(cells);
  ASSERT_EQ(test_support::allocations(), allocations);
  ASSERT_NO_FATAL_FAILURE(
      check_way(world, robot, goal, step, {cells.data(), size}, size < cells.size()));
  ASSERT_NO_FATAL_FAILURE(check_step(world, robot, goal, costs, limit, deadline, step));
  robot.at = seen_next(world, robot.at, step.next, {cells.data(), size});
}

/// Whoever can reach the goal does so, now that nothing changes any more.
void drive_home(RandomWorld& world, Robot& robot, Cell goal,
                const std::vector<std::int64_t>& costs) {
  if (costs[robot.at] == oracle::kUnreachable) return;
  const std::uint64_t limit = draw_limit(world);
  const Deadline deadline = draw_deadline(world);
  const int patience = 60 * static_cast<int>(world.grid().size()) + 1000;
  for (int steps = 0; robot.at != goal; ++steps) {
    ASSERT_LT(steps, patience) << "never arrives, limit " << limit
                               << (deadline == kNoDeadline ? "" : ", no time");
    ASSERT_NO_FATAL_FAILURE(make_step(world, robot, goal, costs, limit, deadline));
  }
}

void live_through(std::uint64_t seed) {
  RandomWorld world(seed);
  RealTimeConfig config{.traversal = world.config().traversal,
                        .local_ratio = 0.25 * world.draw(5),
                        .anytime = world.config().anytime};
  std::vector<Robot> robots;
  for (const Kind& kind : kKinds) {
    config.global = kind.global;
    config.local = kind.local;
    robots.push_back(
        {kind, make_real_time_planner(kind.name, world.grid(), config), world.query().start});
  }
  std::vector<std::int64_t> costs;
  Cell goal = world.query().goal;
  for (int event = 0; event < kEvents; ++event) {
    const auto changes = world.next_event();
    goal = world.query().goal;
    costs = oracle::costs_to(world.truth(), static_cast<int>(goal));
    const std::uint64_t limit = draw_limit(world);
    const Deadline deadline = draw_deadline(world);
    const int steps = world.draw(12);
    const bool carried_off = world.draw(8) == 0;
    for (std::size_t i = 0; i < robots.size(); ++i) {
      SCOPED_TRACE("robot " + std::to_string(i) + ", event " + std::to_string(event) +
                   "; again with DYNAMIC_PLANNERS_SEED=" + std::to_string(seed));
      if (carried_off) robots[i].at = world.query().start;
      robots[i].planner->update(changes);
      for (int step = 0; step < steps; ++step) {
        ASSERT_NO_FATAL_FAILURE(make_step(world, robots[i], goal, costs, limit, deadline));
      }
    }
  }
  for (std::size_t i = 0; i < robots.size(); ++i) {
    SCOPED_TRACE("robot " + std::to_string(i) +
                 " on its way home; again with DYNAMIC_PLANNERS_SEED=" + std::to_string(seed));
    ASSERT_NO_FATAL_FAILURE(drive_home(world, robots[i], goal, costs));
  }
}

class RealTimeProperties : public testing::TestWithParam<int> {};

TEST_P(RealTimeProperties, EveryStepIsWithinItsLimitAndEveryGoalIsReached) {
  const int only = from_environment("DYNAMIC_PLANNERS_SEED", -1);
  if (only >= 0) {
    if (GetParam() == 0) live_through(static_cast<std::uint64_t>(only));
    return;
  }
  const int worlds = from_environment("DYNAMIC_PLANNERS_WORLDS", kDefaultWorlds);
  for (int seed = GetParam(); seed < worlds; seed += kShards) {
    ASSERT_NO_FATAL_FAILURE(live_through(static_cast<std::uint64_t>(seed)));
  }
}

INSTANTIATE_TEST_SUITE_P(Shard, RealTimeProperties, testing::Range(0, kShards));

}  // namespace
}  // namespace dynamic_planners
