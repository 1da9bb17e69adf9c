// Every planner of the registry against the oracle, over thousands of random worlds. A planner
// joins by being in the registry.
//
//   DYNAMIC_PLANNERS_WORLDS=10000  how many worlds (the default keeps the suite short)
//   DYNAMIC_PLANNERS_SEED=17       only this one, which a failure has printed

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "dynamic_planners/search/registry.hpp"
#include "test/support/any_angle.hpp"
#include "test/support/oracle.hpp"
#include "test/support/random_world.hpp"

namespace dynamic_planners {
namespace {

using test_support::RandomWorld;

constexpr int kDefaultWorlds = 1000;
constexpr int kEvents = 50;
constexpr int kShards = 4;
/// Any-angle planners find paths that cost at most this many times the best from cell to cell.
constexpr double kHair = 1.03;

int from_environment(const char* name, int otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

PlanStatus expected_status(const oracle::World& truth, const Query& query, std::int64_t best) {
  if (oracle::blocked(truth, static_cast<int>(query.start))) return PlanStatus::kStartBlocked;
  if (oracle::blocked(truth, static_cast<int>(query.goal))) return PlanStatus::kGoalBlocked;
  return best == oracle::kUnreachable ? PlanStatus::kNoPath : PlanStatus::kFound;
}

/// The path leads from start to goal by moves of the world, and costs what the plan says.
void check_path(const oracle::World& truth, const Query& query, const Plan& plan) {
  ASSERT_FALSE(plan.points.empty());
  std::vector<int> cells;
  for (const Point& point : plan.points) {
    ASSERT_EQ(point.x, std::round(point.x));
    ASSERT_EQ(point.y, std::round(point.y));
    cells.push_back(truth.index(static_cast<int>(point.x), static_cast<int>(point.y)));
  }
  ASSERT_EQ(cells.front(), static_cast<int>(query.start));
  ASSERT_EQ(cells.back(), static_cast<int>(query.goal));
  std::int64_t cost = 0;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    const auto step = oracle::move_cost(truth, cells[i - 1], cells[i]);
    ASSERT_TRUE(step.has_value()) << "the path makes a move that is none at point " << i;
    cost += *step;
  }
  ASSERT_EQ(cost, static_cast<std::int64_t>(plan.cost));
}

/// The path leads from start to goal, touches nothing that is blocked, costs what the plan says,
/// and is not dearer than the best from cell to cell by more than a hair.
void check_any_angle_path(const oracle::World& truth, const Query& query, const Plan& plan,
                          std::int64_t best) {
  ASSERT_FALSE(plan.points.empty());
  const auto centre = [&](Cell cell) {
    return Point{static_cast<double>(static_cast<int>(cell) % truth.width),
                 static_cast<double>(static_cast<int>(cell) / truth.width)};
  };
  ASSERT_EQ(plan.points.front(), centre(query.start));
  ASSERT_EQ(plan.points.back(), centre(query.goal));
  double least = 0.0;
  double most = 0.0;
  for (std::size_t i = 1; i < plan.points.size(); ++i) {
    const Point& from = plan.points[i - 1];
    const Point& to = plan.points[i];
    const auto line = oracle::line_cost(truth, from.x, from.y, to.x, to.y);
    ASSERT_TRUE(line.has_value()) << "the path touches what is blocked on its way to point " << i;
    least += line->least;
    most += line->most;
    if (i < 2) continue;
    const Point& before = plan.points[i - 2];
    const double turn =
        (from.x - before.x) * (to.y - from.y) - (from.y - before.y) * (to.x - from.x);
    ASSERT_GT(std::abs(turn), 1e-10) << "point " << i - 1 << " is in the middle of a line";
  }
  // Costs are rounded up, by less than 1 a line.
  ASSERT_GE(static_cast<double>(plan.cost), least - 0.001);
  ASSERT_LE(static_cast<double>(plan.cost), most + static_cast<double>(plan.points.size()));
  ASSERT_LE(static_cast<double>(plan.cost), kHair * static_cast<double>(best));
}

void check_plan(const PlannerInfo& info, const RandomWorld& world, const Plan& plan,
                std::int64_t best) {
  ASSERT_EQ(to_string(plan.status), to_string(expected_status(world.truth(), world.query(), best)));
  if (plan.status != PlanStatus::kFound) {
    ASSERT_TRUE(plan.points.empty());
    return;
  }
  if (info.promise == Promise::kAnyAngle) {
    check_any_angle_path(world.truth(), world.query(), plan, best);
    return;
  }
  if (info.promise == Promise::kOptimal) {
    ASSERT_EQ(plan.cost, static_cast<Cost>(best));
    ASSERT_EQ(plan.bound, 1.0);
  } else {
    ASSERT_GE(plan.cost, static_cast<Cost>(best));
    ASSERT_LE(static_cast<double>(plan.cost), plan.bound * static_cast<double>(best));
    ASSERT_LE(plan.bound, world.config().anytime.epsilon + 0.005) << "kept in hundredths";
  }
  check_path(world.truth(), world.query(), plan);
}

/// A budget that runs out soon, in one of the three ways.
Budget small_budget(RandomWorld& world) {
  Budget budget;
  budget.check_interval = 1;
  switch (world.draw(3)) {
    case 0:
      budget.max_expansions = static_cast<std::uint64_t>(world.draw(20));
      break;
    case 1:
      budget.deadline = Budget::Clock::now() - std::chrono::seconds(1);
      break;
    default:
      budget.cancelled = [looks = world.draw(20)]() mutable { return looks-- <= 0; };
      break;
  }
  return budget;
}

/// A planner with a bound lowers it whenever it is asked again, down to 1, and never gives a worse
/// path than it had; a budget that runs out takes nothing away.
void check_improvement(const PlannerInfo& info, RandomWorld& world, Planner& planner, Plan plan,
                       std::int64_t best) {
  for (int calls = 0; plan.bound > 1.0; ++calls) {
    ASSERT_LT(calls, 1000);
    const bool interrupted = calls < 10 && world.draw(3) == 0;
    const Plan better = planner.plan(world.query(), interrupted ? small_budget(world) : Budget{});
    ASSERT_NO_FATAL_FAILURE(check_plan(info, world, better, best));
    ASSERT_LE(better.cost, plan.cost);
    ASSERT_LE(better.bound, plan.bound);
    ASSERT_TRUE(interrupted || better.bound < plan.bound);
    plan = better;
  }
  ASSERT_EQ(plan.bound, 1.0);
  ASSERT_EQ(plan.cost, static_cast<Cost>(best));
}

/// The harness: one world lives through its events, all planners watch it.
void live_through(std::uint64_t seed) {
  RandomWorld world(seed);
  std::vector<std::unique_ptr<Planner>> watching;
  for (const PlannerInfo& info : planners()) {
    watching.push_back(info.make(world.grid(), world.config()));
  }
  for (int event = 0; event < kEvents; ++event) {
    if (const auto shift = world.maybe_move()) {
      for (const auto& planner : watching) planner->move(*shift);
    }
    const auto changes = world.next_event();
    const Query query = world.query();
    const std::int64_t best =
        oracle::costs_to(world.truth(), static_cast<int>(query.goal))[query.start];
    // Sometimes nobody waits for the answer: the search is left in the middle, and goes on later.
    const bool interrupted = world.draw(4) == 0;
    const bool abandoned = interrupted && world.draw(3) == 0;
    const bool asked_again = world.draw(5) == 0;
    const Budget budget = interrupted ? small_budget(world) : Budget{};
    for (std::size_t i = 0; i < watching.size(); ++i) {
      const PlannerInfo& info = planners()[i];
      SCOPED_TRACE("planner " + std::string(info.name) + ", event " + std::to_string(event) +
                   "; again with DYNAMIC_PLANNERS_SEED=" + std::to_string(seed));
      watching[i]->update(changes);
      Plan plan = watching[i]->plan(query, budget);
      ASSERT_LE(plan.counts.expansions, budget.max_expansions);
      ASSERT_LE(plan.counts.reexpansions, plan.counts.expansions);
      if (plan.status == PlanStatus::kOutOfBudget || plan.status == PlanStatus::kCancelled) {
        ASSERT_TRUE(interrupted);
        ASSERT_EQ(plan.status == PlanStatus::kCancelled, budget.cancelled != nullptr);
        ASSERT_TRUE(plan.points.empty());
        if (abandoned) continue;
        plan = watching[i]->plan(query);
      }
      ASSERT_NO_FATAL_FAILURE(check_plan(info, world, plan, best));
      if (asked_again && info.promise == Promise::kBounded && plan.status == PlanStatus::kFound) {
        ASSERT_NO_FATAL_FAILURE(check_improvement(info, world, *watching[i], plan, best));
      }
      if (i == 0) world.follow(plan.points);
    }
  }
}

class Properties : public testing::TestWithParam<int> {};

TEST_P(Properties, EveryPlannerAgreesWithTheOracle) {
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

INSTANTIATE_TEST_SUITE_P(Shard, Properties, testing::Range(0, kShards));

}  // namespace
}  // namespace dynamic_planners
