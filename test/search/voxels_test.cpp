// Every planner that can search among voxels against the oracle, over random worlds that change.
//
//   DYNAMIC_PLANNERS_WORLDS=10000  how many worlds (the default keeps the suite short)
//   DYNAMIC_PLANNERS_SEED=17       only this one, which a failure has printed

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "dynamic_planners/grid/voxels.hpp"
#include "dynamic_planners/search/registry.hpp"
#include "test/support/voxel_oracle.hpp"

namespace dynamic_planners {
namespace {

constexpr int kDefaultWorlds = 400;
constexpr int kEvents = 30;
constexpr int kShards = 4;
/// Lines are rounded to whole units, so Theta* may be dearer than the best from cell to cell by a
/// unit for each.
constexpr double kHair = 1.001;

int from_environment(const char* name, int otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

/// A small block of voxels that changes in every way: single cells, boxes, walls with a hole and
/// everything at once; the start wanders or jumps, the goal is one of a few or a new one.
class RandomVoxels {
 public:
  explicit RandomVoxels(std::uint64_t seed)
      : random_(seed), voxels_(draw_side(), draw_side(), draw_side()) {
    TraversalConfig& traversal = config_.traversal;
    traversal.connectivity = 6;
    traversal.heuristic = draw(2) == 0 ? Heuristic::kEuclidean : Heuristic::kNatural;
    traversal.cost_weight = std::array{0.0, 0.7, 3.0, 25.0}[draw(4)];
    traversal.allow_unknown = draw(2) == 0;
    traversal.unknown_cost = static_cast<std::uint8_t>(draw(253));
    config_.kept_searches = 1 + draw(3);
    config_.anytime.epsilon = std::array{1.0, 1.3, 3.0, 20.0}[draw(4)];
    config_.anytime.epsilon_decrease = std::array{0.07, 0.5, 3.0}[draw(3)];
    config_.anytime.significant_change = std::array{0.0, 0.1, 1.0}[draw(3)];
    config_.ties = std::array{Ties::kLargerG, Ties::kFifo, Ties::kSmallerG}[draw(3)];
    truth_ = {.sides = {voxels_.width(), voxels_.height(), voxels_.depth()},
              .costs = std::vector<std::uint8_t>(voxels_.size(), 0),
              .cost_weight = traversal.cost_weight,
              .allow_unknown = traversal.allow_unknown,
              .unknown_cost = traversal.unknown_cost};
    for (Cell& goal : goals_) goal = draw_cell();
    query = {draw_cell(), goals_.front()};
    scatter();
  }

  const Voxels& voxels() const { return voxels_; }
  const oracle::VoxelWorld& truth() const { return truth_; }
  const PlannerConfig& config() const { return config_; }
  int draw(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }

  std::vector<CellChange> next_event(const std::vector<Point>& path) {
    changes_.clear();
    switch (draw(8)) {
      case 0:
      case 1:
      case 2:
        for (int i = 1 + draw(4); i > 0; --i) set(draw_cell(), draw_cost());
        break;
      case 3:
      case 4:
        set_box(draw(4), draw_cost());
        break;
      case 5:
        put_wall();
        break;
      case 6:
        if (draw(4) == 0) scatter();
        break;
      default:
        break;  // nothing changes
    }
    if (draw(4) == 0 || path.size() < 3) {
      query.start = draw_cell();
    } else {
      const Point& point = path[static_cast<std::size_t>(draw(static_cast<int>(path.size()) / 2))];
      query.start = voxels_.cell(static_cast<int>(point.x), static_cast<int>(point.y),
                                 static_cast<int>(point.z));
    }
    if (draw(6) == 0) query.goal = goals_[draw(3)];
    if (draw(20) == 0) query.goal = goals_[draw(3)] = draw_cell();
    return changes_;
  }

  Query query{0, 0};

 private:
  int draw_side() { return draw(6) == 0 ? 1 + draw(3) : 4 + draw(9); }
  Cell draw_cell() { return static_cast<Cell>(draw(static_cast<int>(voxels_.size()))); }
  std::uint8_t draw_cost() {
    constexpr std::array<std::uint8_t, 4> kKinds{0, 254, 254, 255};
    return draw(4) == 0 ? static_cast<std::uint8_t>(draw(256)) : kKinds[draw(4)];
  }

  void set(Cell cell, std::uint8_t cost) {
    truth_.costs[cell] = cost;
    if (const auto change = voxels_.set(cell, cost)) changes_.push_back(*change);
  }
  void scatter() {
    const int blocked_percent = draw(45);
    const bool weighted = draw(2) == 0;
    for (Cell cell = 0; cell < voxels_.size(); ++cell) {
      set(cell, draw(100) < blocked_percent ? 254 : weighted ? draw(253) : 0);
    }
  }
  void set_box(int reach, std::uint8_t cost) {
    const auto [x0, y0, z0] = voxels_.position(draw_cell());
    for (int z = z0; z <= z0 + reach; ++z) {
      for (int y = y0; y <= y0 + reach; ++y) {
        for (int x = x0; x <= x0 + reach; ++x) {
          if (voxels_.contains(x, y, z)) set(voxels_.cell(x, y, z), cost);
        }
      }
    }
  }
  void put_wall() {
    const int wall = draw(voxels_.width());
    for (int z = 0; z < voxels_.depth(); ++z) {
      for (int y = 0; y < voxels_.height(); ++y) set(voxels_.cell(wall, y, z), 254);
    }
    set(voxels_.cell(wall, draw(voxels_.height()), draw(voxels_.depth())), 0);
  }

  std::mt19937_64 random_;
  Voxels voxels_;
  PlannerConfig config_;
  oracle::VoxelWorld truth_;
  std::array<Cell, 3> goals_{};
  std::vector<CellChange> changes_;
};

std::vector<int> cells_of(const oracle::VoxelWorld& truth, const Plan& plan) {
  std::vector<int> cells;
  for (const Point& point : plan.points) {
    EXPECT_EQ(point, (Point{std::round(point.x), std::round(point.y), std::round(point.z)}));
    cells.push_back(truth.index(static_cast<int>(point.x), static_cast<int>(point.y),
                                static_cast<int>(point.z)));
  }
  return cells;
}

/// The path leads from start to goal, touches nothing that is blocked, costs what the plan says,
/// and keeps its promise.
void check_found(const PlannerInfo& info, const oracle::VoxelWorld& truth, const Query& query,
                 const Plan& plan, std::int64_t best) {
  const std::vector<int> cells = cells_of(truth, plan);
  ASSERT_FALSE(cells.empty());
  ASSERT_EQ(cells.front(), static_cast<int>(query.start));
  ASSERT_EQ(cells.back(), static_cast<int>(query.goal));
  const auto found = static_cast<double>(plan.cost);
  if (info.promise == Promise::kAnyAngle) {
    double cost = 0.0;
    for (std::size_t i = 1; i < cells.size(); ++i) {
      const auto line = oracle::line_cost(truth, cells[i - 1], cells[i]);
      ASSERT_TRUE(line) << "the path touches what is blocked on its way to point " << i;
      cost += *line;
    }
    ASSERT_NEAR(found, cost, 1.001);
    ASSERT_LE(found, kHair * static_cast<double>(best) + 1.0);
    return;
  }
  std::int64_t cost = 0;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    const auto step = oracle::move_cost(truth, cells[i - 1], cells[i]);
    ASSERT_TRUE(step) << "the path makes a move that is none at point " << i;
    cost += *step;
  }
  ASSERT_EQ(cost, static_cast<std::int64_t>(plan.cost));
  if (info.promise == Promise::kOptimal) {
    ASSERT_EQ(cost, best);
    ASSERT_EQ(plan.bound, 1.0);
  } else {
    ASSERT_GE(cost, best);
    ASSERT_LE(found, plan.bound * static_cast<double>(best));
  }
}

void check_plan(const PlannerInfo& info, const oracle::VoxelWorld& truth, const Query& query,
                const Plan& plan, std::int64_t best) {
  const PlanStatus expected =
      truth.blocked(static_cast<int>(query.start))  ? PlanStatus::kStartBlocked
      : truth.blocked(static_cast<int>(query.goal)) ? PlanStatus::kGoalBlocked
      : best == -1                                  ? PlanStatus::kNoPath
                                                    : PlanStatus::kFound;
  ASSERT_EQ(to_string(plan.status), to_string(expected));
  if (plan.status == PlanStatus::kFound) check_found(info, truth, query, plan, best);
}

std::vector<const PlannerInfo*> voxel_planners() {
  std::vector<const PlannerInfo*> infos;
  for (const PlannerInfo& info : planners()) {
    if (info.make_in_voxels != nullptr) infos.push_back(&info);
  }
  return infos;
}

void live_through(std::uint64_t seed) {
  RandomVoxels world(seed);
  const std::vector<const PlannerInfo*> infos = voxel_planners();
  std::vector<std::unique_ptr<Planner>> watching;
  for (const PlannerInfo* info : infos) {
    watching.push_back(info->make_in_voxels(world.voxels(), world.config()));
  }
  std::vector<Point> path;
  for (int event = 0; event < kEvents; ++event) {
    const auto changes = world.next_event(path);
    const Query query = world.query;
    const std::int64_t best =
        oracle::costs_to(world.truth(), static_cast<int>(query.goal))[query.start];
    const bool interrupted = world.draw(4) == 0;
    const Budget budget{.max_expansions = interrupted ? static_cast<std::uint64_t>(world.draw(20))
                                                      : Budget{}.max_expansions,
                        .check_interval = 1};
    for (std::size_t i = 0; i < watching.size(); ++i) {
      SCOPED_TRACE("planner " + std::string(infos[i]->name) + ", event " + std::to_string(event) +
                   "; again with DYNAMIC_PLANNERS_SEED=" + std::to_string(seed));
      watching[i]->update(changes);
      Plan plan = watching[i]->plan(query, budget);
      ASSERT_LE(plan.counts.expansions, budget.max_expansions);
      if (plan.status == PlanStatus::kOutOfBudget) plan = watching[i]->plan(query);
      ASSERT_NO_FATAL_FAILURE(check_plan(*infos[i], world.truth(), query, plan, best));
      // Who has a bound lowers it whenever it is asked again, down to 1.
      while (infos[i]->promise == Promise::kBounded && event % 5 == 0 && plan.bound > 1.0 &&
             plan.status == PlanStatus::kFound) {
        const Plan better = watching[i]->plan(query);
        ASSERT_NO_FATAL_FAILURE(check_plan(*infos[i], world.truth(), query, better, best));
        ASSERT_LT(better.bound, plan.bound);
        plan = better;
      }
      if (i == 0) path = plan.points;
    }
  }
}

class VoxelProperties : public testing::TestWithParam<int> {};

TEST_P(VoxelProperties, EveryPlannerAgreesWithTheOracle) {
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

INSTANTIATE_TEST_SUITE_P(Shard, VoxelProperties, testing::Range(0, kShards));

constexpr PlannerConfig kAmongVoxels{.traversal = {.connectivity = 6}};

TEST(VoxelPlanners, AreAllThatAreNotMadeForThePlane) {
  std::vector<std::string_view> without;
  for (const PlannerInfo& info : planners()) {
    if (info.make_in_voxels == nullptr) without.push_back(info.name);
  }
  EXPECT_EQ(without, std::vector<std::string_view>{"field_dstar"});
}

TEST(VoxelPlanners, FlyOverAWall) {
  Voxels voxels(7, 3, 4);
  for (int z = 0; z < 3; ++z) {
    for (int y = 0; y < 3; ++y) voxels.set(voxels.cell(3, y, z), kLethal);
  }
  const Query query{voxels.cell(0, 1, 0), voxels.cell(6, 1, 0)};
  for (const PlannerInfo* info : voxel_planners()) {
    const Plan plan = info->make_in_voxels(voxels, kAmongVoxels)->plan(query);
    ASSERT_EQ(plan.status, PlanStatus::kFound) << info->name;
    EXPECT_EQ(plan.points.front(), (Point{0, 1, 0})) << info->name;
    EXPECT_EQ(plan.points.back(), (Point{6, 1, 0})) << info->name;
    if (info->promise == Promise::kOptimal) {
      EXPECT_EQ(plan.cost, 12 * kStraight) << info->name;
    }
  }
}

TEST(VoxelPlanners, ThetaStarFliesStraight) {
  const Voxels voxels(30, 20, 10);
  const Query query{voxels.cell(1, 2, 3), voxels.cell(27, 15, 8)};
  const Plan plan = find_planner("theta").make_in_voxels(voxels, kAmongVoxels)->plan(query);
  EXPECT_EQ(plan.points, (std::vector<Point>{{1, 2, 3}, {27, 15, 8}}));
  EXPECT_NEAR(in_cells(plan.cost), std::sqrt(26.0 * 26.0 + 13.0 * 13.0 + 5.0 * 5.0), 0.002);
}

TEST(VoxelPlanners, RefuseWhatIsNoSixConnectedSpace) {
  const Voxels voxels(3, 3, 3);
  for (const PlannerInfo* info : voxel_planners()) {
    for (const int connectivity : {4, 8, 26}) {
      const PlannerConfig config{.traversal = {.connectivity = connectivity}};
      EXPECT_THROW(info->make_in_voxels(voxels, config), std::invalid_argument) << info->name;
    }
  }
}

}  // namespace
}  // namespace dynamic_planners
