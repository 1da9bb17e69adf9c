// Every planner of the registry on the real maps of the Moving AI collection, whose path lengths
// are known. The collection is no part of the project: where it does not lie beside it, this is
// skipped.
//
//   DYNAMIC_PLANNERS_EVERY=1  every problem (the default takes a few of each map)

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "dynamic_planners/grid/moving_ai.hpp"
#include "dynamic_planners/search/registry.hpp"

namespace dynamic_planners {
namespace {

constexpr std::size_t kDefaultEvery = 500;
constexpr int kShards = 4;
/// The stated lengths are rounded, and the fixed-point diagonal is off by less than 1e-6.
constexpr double kTolerance = 0.02;
/// Any-angle planners find paths that cost at most this many times the best from cell to cell.
constexpr double kHair = 1.03;

std::filesystem::path collection() {
  return DYNAMIC_PLANNERS_MOVING_AI;
}

/// The names of all maps whose stated lengths follow today's rule, by which no diagonal cuts a
/// corner: those of wc3maps512 are older.
std::vector<std::string> maps() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(collection() / "maps")) {
    const std::string name = entry.path().stem().string();
    if (name != "golemsinthemist" && name != "moonglade") names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::size_t every() {
  const char* const value = std::getenv("DYNAMIC_PLANNERS_EVERY");
  return value == nullptr ? kDefaultEvery : std::stoul(value);
}

void check_length(const PlannerInfo& info, const Plan& plan, double stated) {
  ASSERT_EQ(plan.status, PlanStatus::kFound);
  const double length = in_cells(plan.cost);
  switch (info.promise) {
    case Promise::kOptimal:
      ASSERT_NEAR(length, stated, kTolerance);
      break;
    case Promise::kBounded:
      ASSERT_GE(length, stated - kTolerance);
      ASSERT_LE(length, plan.bound * stated + kTolerance);
      break;
    case Promise::kAnyAngle: {
      const Point& start = plan.points.front();
      const Point& goal = plan.points.back();
      ASSERT_GE(length, std::hypot(goal.x - start.x, goal.y - start.y) - kTolerance);
      ASSERT_LE(length, kHair * stated + kTolerance);
      break;
    }
  }
}

void solve(const std::string& name) {
  const Grid grid = read_moving_ai_map(collection() / "maps" / (name + ".map"));
  const auto problems = read_scenario(collection() / "scenarios" / (name + ".map.scen"), grid);
  ASSERT_FALSE(problems.empty());
  for (const PlannerInfo& info : planners()) {
    const auto planner = info.make(grid, {});
    for (std::size_t k = 0; k < problems.size(); k += every()) {
      SCOPED_TRACE(std::string(info.name) + ", problem " + std::to_string(k) + " of " + name);
      const auto& [start, goal, stated] = problems[k];
      planner->reset();  // no problem helps the next one
      const Plan plan = planner->plan({grid.cell(start.x, start.y), grid.cell(goal.x, goal.y)});
      ASSERT_NO_FATAL_FAILURE(check_length(info, plan, stated));
    }
  }
}

class MovingAiCollection : public testing::TestWithParam<int> {};

TEST_P(MovingAiCollection, EveryLengthIsRight) {
  if (!std::filesystem::exists(collection())) {
    GTEST_SKIP() << "the collection is not at " << collection();
  }
  const std::vector<std::string> names = maps();
  ASSERT_GE(names.size(), 16U);
  for (auto i = static_cast<std::size_t>(GetParam()); i < names.size(); i += kShards) {
    ASSERT_NO_FATAL_FAILURE(solve(names[i]));
  }
}

INSTANTIATE_TEST_SUITE_P(Shard, MovingAiCollection, testing::Range(0, kShards));

}  // namespace
}  // namespace dynamic_planners
