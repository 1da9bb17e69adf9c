#include "dynamic_planners/lab/replay.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "dynamic_planners/lab/worlds.hpp"
#include "test/support/oracle.hpp"

namespace dynamic_planners {
namespace {

using Rows = std::vector<std::string>;

/// A world as it is drawn: '@' is blocked, S the start, G the goal.
Recording drawn(const Rows& rows, int connectivity = 4) {
  Recording recording{
      .grid = Grid(static_cast<int>(rows.front().size()), static_cast<int>(rows.size())),
      .connectivity = connectivity};
  for (Cell cell = 0; cell < recording.grid.size(); ++cell) {
    const auto [x, y] = recording.grid.position(cell);
    const char c = rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
    if (c == '@') recording.grid.set(cell, kLethal);
    if (c == 'S') recording.start = cell;
    if (c == 'G') recording.goal = cell;
  }
  return recording;
}

struct Change {
  int x;
  int y;
  std::uint8_t cost;
};

void add_event(Recording& recording, std::int64_t step, const std::vector<Change>& set) {
  RecordedEvent event{.step = step};
  for (const Change& change : set) {
    event.set.push_back({recording.grid.cell(change.x, change.y), change.cost});
  }
  recording.events.push_back(event);
}

ReplayResult send(const Recording& recording,
                  std::optional<std::int64_t> max_steps = std::nullopt) {
  return replay(recording, find_planner("dstar_lite"), {}, max_steps);
}

std::vector<std::int64_t> steps_of(const ReplayResult& result) {
  std::vector<std::int64_t> steps;
  for (const Episode& episode : result.episodes) steps.push_back(episode.step);
  return steps;
}

std::vector<PlanStatus> statuses_of(const ReplayResult& result) {
  std::vector<PlanStatus> statuses;
  for (const Episode& episode : result.episodes) statuses.push_back(episode.status);
  return statuses;
}

std::vector<int> columns_of(const Recording& recording, const ReplayResult& result) {
  std::vector<int> columns;
  for (const Cell cell : result.route) columns.push_back(recording.grid.position(cell).x);
  return columns;
}

using Steps = std::vector<std::int64_t>;
using Statuses = std::vector<PlanStatus>;

// --- the rules, one by one ----------------------------------------------------------------------

TEST(Replay, WalksItsPlanOneCellPerTimeStep) {
  const Recording recording = drawn({"S...G"});
  const ReplayResult result = send(recording);
  EXPECT_EQ(result.planner, "dstar_lite");
  EXPECT_TRUE(result.reached);
  EXPECT_EQ(result.steps, 4);
  EXPECT_EQ(in_cells(result.travelled), 4.0);
  EXPECT_EQ(columns_of(recording, result), (std::vector<int>{0, 1, 2, 3, 4}));
  ASSERT_EQ(result.episodes.size(), 1U);
  const Episode& first = result.episodes.front();
  EXPECT_EQ(first.step, 0);
  EXPECT_EQ(first.at, recording.start);
  EXPECT_EQ(first.status, PlanStatus::kFound);
  EXPECT_EQ(in_cells(first.cost), 4.0);
  EXPECT_EQ(first.bound, 1.0);
  EXPECT_EQ(first.changed, 0U);
}

TEST(Replay, GoesDiagonallyOnlyWhereItMay) {
  const ReplayResult four = send(drawn({"S..", "...", "..G"}, 4));
  EXPECT_EQ(four.steps, 4);
  const ReplayResult eight = send(drawn({"S..", "...", "..G"}, 8));
  EXPECT_EQ(eight.steps, 2);
  EXPECT_NEAR(in_cells(eight.travelled), 2 * std::sqrt(2.0), 1e-6);
  const ReplayResult corner = send(drawn({"S@.", "...", "..G"}, 8));
  EXPECT_EQ(corner.steps, 3);
}

TEST(Replay, StartMayBeTheGoal) {
  Recording recording = drawn({"S.."});
  recording.goal = recording.start;
  const ReplayResult result = send(recording);
  EXPECT_TRUE(result.reached);
  EXPECT_EQ(result.steps, 0);
  EXPECT_EQ(statuses_of(result), (Statuses{PlanStatus::kFound}));
}

TEST(Replay, EventsOfStepZeroComeBeforeTheFirstPlan) {
  Recording recording = drawn({"S...G", "....."});
  add_event(recording, 0, {{2, 0, kLethal}, {2, 1, 252}});
  const ReplayResult result = send(recording);
  ASSERT_EQ(steps_of(result), (Steps{0}));
  EXPECT_EQ(result.episodes[0].changed, 2U);
  // Six steps, two of them half on ground that is four times as dear: 2.5 * 985, rounded.
  EXPECT_EQ(result.episodes[0].cost, 4 * kStraight + 2 * 2463);
  EXPECT_EQ(result.travelled, result.episodes[0].cost);
  EXPECT_TRUE(result.reached);
}

TEST(Replay, EventsComeWhenTheirStepsHavePassed) {
  Recording recording = drawn({"S...G", "....."});
  add_event(recording, 2, {{3, 0, kLethal}});
  const ReplayResult result = send(recording);
  ASSERT_EQ(steps_of(result), (Steps{0, 2}));
  EXPECT_EQ(result.episodes[1].at, recording.grid.cell(2, 0));
  EXPECT_EQ(in_cells(result.episodes[1].cost), 4.0);
  EXPECT_EQ(result.episodes[1].changed, 1U);
  EXPECT_EQ(result.steps, 6);
  EXPECT_EQ(in_cells(result.travelled), 6.0);
}

TEST(Replay, EventsOfTheSameStepAreTakenTogether) {
  Recording recording = drawn({"S....G", "......"});
  add_event(recording, 2, {{4, 0, kLethal}, {3, 0, kLethal}});
  add_event(recording, 2, {{3, 0, kFree}, {3, 1, 7}});  // what opens again did not change
  add_event(recording, 3, {});
  const ReplayResult result = send(recording);
  ASSERT_EQ(steps_of(result), (Steps{0, 2, 3}));
  EXPECT_EQ(result.episodes[1].changed, 2U);
  EXPECT_EQ(result.episodes[2].changed, 0U);
}

TEST(Replay, TheGoalIsCheckedBeforeTheEventsOfThatStep) {
  Recording recording = drawn({"S..G"});
  add_event(recording, 3, {{3, 0, kLethal}});
  const ReplayResult result = send(recording);
  EXPECT_TRUE(result.reached);
  EXPECT_EQ(steps_of(result), (Steps{0}));
}

TEST(Replay, ACellThatIsBlockedAtThatMomentIsNeverEntered) {
  Recording recording = drawn({"S..G"});
  add_event(recording, 1, {{2, 0, kLethal}});
  add_event(recording, 8, {{2, 0, kFree}});
  const ReplayResult result = send(recording);
  EXPECT_EQ(statuses_of(result),
            (Statuses{PlanStatus::kFound, PlanStatus::kNoPath, PlanStatus::kFound}));
  EXPECT_EQ(steps_of(result), (Steps{0, 1, 8})) << "nobody asks again while nothing changes";
  EXPECT_TRUE(result.reached);
  EXPECT_EQ(result.steps, 10) << "waiting takes time steps";
  EXPECT_EQ(in_cells(result.travelled), 3.0) << "waiting is no way";
  EXPECT_EQ(columns_of(recording, result), (std::vector<int>{0, 1, 2, 3}));
}

TEST(Replay, WaitsWhileTheCellUnderItIsBlocked) {
  Recording recording = drawn({"S..G"});
  add_event(recording, 1, {{1, 0, kInscribed}});
  add_event(recording, 5, {{1, 0, 100}});
  const ReplayResult result = send(recording);
  EXPECT_EQ(statuses_of(result),
            (Statuses{PlanStatus::kFound, PlanStatus::kStartBlocked, PlanStatus::kFound}));
  EXPECT_EQ(result.episodes[1].cost, kInfinity);
  EXPECT_EQ(result.episodes[2].at, recording.grid.cell(1, 0));
  EXPECT_EQ(result.steps, 7);
}

TEST(Replay, WaitsWhileTheGoalIsBlocked) {
  Recording recording = drawn({"S..@"});
  recording.goal = 3;
  add_event(recording, 4, {{0, 0, kFree}});  // nothing changes, but it is asked
  add_event(recording, 6, {{3, 0, kUnknown}});
  const ReplayResult result = send(recording);
  EXPECT_EQ(statuses_of(result),
            (Statuses{PlanStatus::kGoalBlocked, PlanStatus::kGoalBlocked, PlanStatus::kFound}));
  EXPECT_EQ(steps_of(result), (Steps{0, 4, 6}));
  EXPECT_EQ(result.steps, 9);
}

TEST(Replay, GivesUpAfterTheLastTimeStep) {
  Recording recording = drawn({"S...G"});
  const ReplayResult result = send(recording, 3);
  EXPECT_FALSE(result.reached);
  EXPECT_EQ(result.steps, 3);
  EXPECT_EQ(in_cells(result.travelled), 3.0);
  EXPECT_TRUE(send(recording, 4).reached);

  add_event(recording, 3, {{4, 0, kLethal}});
  EXPECT_EQ(steps_of(send(recording, 3)), (Steps{0})) << "a plan that nobody will walk";
  EXPECT_EQ(steps_of(send(recording, 4)), (Steps{0, 3}));

  const ReplayResult none = send(recording, 0);
  EXPECT_FALSE(none.reached);
  EXPECT_EQ(none.steps, 0);
  EXPECT_EQ(none.episodes.size(), 1U);
}

TEST(Replay, GivesUpByDefaultAfterTenTimesTheBorder) {
  EXPECT_EQ(default_max_steps(Grid(1, 1)), 10);
  EXPECT_EQ(default_max_steps(Grid(7, 1)), 70);
  EXPECT_EQ(default_max_steps(Grid(2, 5)), 100);
  EXPECT_EQ(default_max_steps(Grid(3, 3)), 80);
  EXPECT_EQ(default_max_steps(Grid(128, 64)), 10 * (2 * 128 + 2 * 62));
  const ReplayResult result = send(drawn({"S.@G", "..@.", "..@."}));
  EXPECT_FALSE(result.reached);
  EXPECT_EQ(result.steps, 100);
  EXPECT_EQ(statuses_of(result), (Statuses{PlanStatus::kNoPath}));
}

TEST(Replay, WaitingForeverEnds) {
  constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();
  Recording recording = drawn({"S@G"});
  EXPECT_EQ(send(recording, kForever).steps, kForever);
  add_event(recording, kForever / 2, {{1, 0, kFree}});
  const ReplayResult result = send(recording, kForever);
  EXPECT_TRUE(result.reached);
  EXPECT_EQ(result.steps, kForever / 2 + 2);
}

// --- what the robot sees ------------------------------------------------------------------------

TEST(Replay, StartsWithAFreeMapAndSeesByChebyshevDistance) {
  Recording recording = drawn({"S...@G",  //
                               ".@....",  //
                               "..@...",  //
                               "......"});
  recording.visibility = 2;
  const ReplayResult result = send(recording);
  // (1,1) and (2,2) are in sight, (4,0) is not.
  EXPECT_EQ(result.episodes[0].changed, 2U);
  EXPECT_EQ(in_cells(result.episodes[0].cost), 5.0);
  ASSERT_EQ(result.episodes.size(), 2U);
  EXPECT_EQ(result.episodes[1].step, 2);
  EXPECT_EQ(result.episodes[1].changed, 1U);
  EXPECT_EQ(in_cells(result.episodes[1].cost), 5.0);
  EXPECT_EQ(result.steps, 7);
}

TEST(Replay, PlansAgainOnlyWhenItSeesAChange) {
  Recording recording = drawn({"S.......G", "........."});
  recording.visibility = 2;
  add_event(recording, 1, {{6, 0, kLethal}});  // not in sight yet
  add_event(recording, 2, {{0, 1, kFree}});    // in sight, but no change
  const ReplayResult result = send(recording);
  EXPECT_EQ(steps_of(result), (Steps{0, 4}));
  EXPECT_EQ(result.episodes[1].changed, 1U);
  EXPECT_EQ(result.steps, 10);
}

TEST(Replay, RemembersWhatItSawUntilItLooksAgain) {
  Recording recording = drawn({"S.@.....G",  //
                               "@.@@@@@@@",  //
                               "@........"});
  recording.visibility = 1;
  add_event(recording, 2, {{2, 0, kFree}});
  add_event(recording, 2, {{8, 1, kFree}});
  // At step 1 it sees the wall, at step 2 it is one row down and sees it open again.
  const ReplayResult result = send(recording);
  EXPECT_TRUE(result.reached);
  ASSERT_GE(result.episodes.size(), 3U);
  EXPECT_EQ(result.episodes[1].step, 1);
  EXPECT_EQ(result.episodes[2].step, 2);
  EXPECT_EQ(result.episodes[2].at, recording.grid.cell(1, 1));
  EXPECT_EQ(in_cells(result.episodes[2].cost), 8.0);

  // The same one step later: it is two rows down, does not see it, and goes the long way.
  recording.events[0].step = 3;
  recording.events[1].step = 3;
  EXPECT_EQ(send(recording).steps, 1 + 2 + 7 + 2);
}

TEST(Replay, MovesAreCheckedInTheTruthAlsoWhereNothingIsSeen) {
  Recording recording = drawn({"S.@G", "...."});
  recording.visibility = 0;
  const ReplayResult stuck = send(recording, 50);
  EXPECT_FALSE(stuck.reached);
  EXPECT_EQ(stuck.steps, 50);
  EXPECT_EQ(in_cells(stuck.travelled), 1.0);
  EXPECT_EQ(stuck.episodes.size(), 1U) << "it does not see what hinders it";

  add_event(recording, 20, {{2, 0, 20}});
  const ReplayResult freed = send(recording, 50);
  EXPECT_TRUE(freed.reached);
  EXPECT_EQ(freed.steps, 22);
  EXPECT_EQ(steps_of(freed), (Steps{0, 21})) << "it sees the cost of the cell it is on";
}

TEST(Replay, DiagonalsAreCheckedInTheTruthToo) {
  Recording recording = drawn({"S@", ".G"}, 8);
  recording.visibility = 0;
  const ReplayResult result = send(recording, 50);
  EXPECT_FALSE(result.reached);
  EXPECT_EQ(result.travelled, 0U);
}

TEST(Replay, SeesTheCellUnderItself) {
  Recording recording = drawn({"S..G"});
  recording.visibility = 0;
  add_event(recording, 1, {{1, 0, kLethal}});
  add_event(recording, 4, {{1, 0, kFree}});
  const ReplayResult result = send(recording);
  EXPECT_EQ(statuses_of(result),
            (Statuses{PlanStatus::kFound, PlanStatus::kStartBlocked, PlanStatus::kFound}));
  EXPECT_EQ(result.steps, 6);
}

TEST(Replay, AnySightIsEnoughForASmallMap) {
  Recording recording = drawn({"S@.", ".@.", "..G"});
  recording.visibility = std::numeric_limits<int>::max();
  EXPECT_EQ(send(recording).episodes.size(), 1U);
}

// --- summaries ----------------------------------------------------------------------------------

TEST(Replay, SumsUpItsEpisodes) {
  Recording recording = drawn({"S.........G", "..........."});
  for (const int step : {1, 2, 3}) add_event(recording, step, {{step + 4, 0, kLethal}});
  for (const PlannerInfo& info : planners()) {
    const ReplayResult result = replay(recording, info);
    ASSERT_EQ(result.episodes.size(), 4U) << info.name;
    std::uint64_t expansions = 0;
    double time_us = 0.0;
    for (const Episode& episode : result.episodes) {
      expansions += episode.expansions;
      EXPECT_GT(episode.time_us, 0.0);
      time_us += episode.time_us;
    }
    EXPECT_EQ(result.expansions, expansions);
    EXPECT_GT(result.expansions, 0U);
    EXPECT_DOUBLE_EQ(result.time_us, time_us);
    const double later = time_us - result.episodes[0].time_us;
    EXPECT_NEAR(result.recompute_us.mean, later / 3, 1e-6) << "the first plan is no recomputing";
    EXPECT_LE(result.recompute_us.p50, result.recompute_us.p99);
  }
}

TEST(Replay, PercentilesAreByNearestRank) {
  const TimeSummary none = summarise({});
  EXPECT_EQ(none.mean, 0.0);
  EXPECT_EQ(none.p50, 0.0);
  EXPECT_EQ(none.p99, 0.0);
  const TimeSummary one = summarise({3.0});
  EXPECT_EQ(one.mean, 3.0);
  EXPECT_EQ(one.p50, 3.0);
  EXPECT_EQ(one.p99, 3.0);
  const TimeSummary four = summarise({4.0, 1.0, 3.0, 2.0});
  EXPECT_EQ(four.mean, 2.5);
  EXPECT_EQ(four.p50, 2.0);
  EXPECT_EQ(four.p99, 4.0);
  std::vector<double> hundred(100);
  for (int i = 0; i < 100; ++i) hundred[static_cast<std::size_t>(i)] = 100.0 - i;
  EXPECT_EQ(summarise(hundred).p50, 50.0);
  EXPECT_EQ(summarise(hundred).p99, 99.0);
}

// --- all rules at once, in many worlds, with the oracle's costs
// -----------------------------------

/// Goes through a run once more, by the rules as docs/recording.md has them, and compares. A robot
/// that sees its neighbours and has found a path always moves, so the route tells where it was at
/// which time.
class Referee {
 public:
  Referee(const Recording& recording, const ReplayResult& result)
      : recording_(recording), result_(result) {
    truth_ = {.width = recording.grid.width(),
              .height = recording.grid.height(),
              .costs = {recording.grid.costs().begin(), recording.grid.costs().end()},
              .connectivity = recording.connectivity};
    known_ = truth_;
    if (recording.visibility) known_.costs.assign(truth_.costs.size(), kFree);
  }

  void check(std::int64_t max_steps) {
    ASSERT_EQ(result_.route.front(), recording_.start);
    apply_events();
    ASSERT_NO_FATAL_FAILURE(check_episode(look_around()));
    std::int64_t travelled = 0;
    while (at() != recording_.goal && step_ < max_steps) {
      if (found_) {
        const int from = static_cast<int>(at());
        ASSERT_LT(++moves_, result_.route.size()) << "it stood still at step " << step_;
        const auto cost = oracle::move_cost(truth_, from, static_cast<int>(at()));
        ASSERT_TRUE(cost.has_value()) << "not a move in the truth, at step " << step_;
        travelled += *cost;
      }
      ++step_;
      if (at() == recording_.goal || step_ == max_steps) break;
      const bool event = apply_events();
      const std::size_t changed = look_around();
      if (recording_.visibility ? changed > 0 : event) {
        ASSERT_NO_FATAL_FAILURE(check_episode(changed));
      }
    }
    EXPECT_EQ(result_.reached, at() == recording_.goal);
    EXPECT_EQ(result_.steps, step_);
    EXPECT_EQ(result_.travelled, static_cast<Cost>(travelled));
    EXPECT_EQ(result_.route.size(), moves_ + 1);
    EXPECT_EQ(result_.episodes.size(), episodes_);
  }

 private:
  Cell at() const { return result_.route[moves_]; }

  bool apply_events() {
    bool any = false;
    for (const RecordedEvent& event : recording_.events) {
      // Before the first step all that are due; later those of exactly this step.
      if (step_ == 0 ? event.step > 0 : event.step != step_) continue;
      any = true;
      for (const CellCost& entry : event.set) truth_.costs[entry.cell] = entry.cost;
    }
    return any;
  }

  /// How many cells turned out to be other than known.
  std::size_t look_around() {
    std::size_t changed = 0;
    const auto here = recording_.grid.position(at());
    for (int y = 0; y < truth_.height; ++y) {
      for (int x = 0; x < truth_.width; ++x) {
        if (recording_.visibility && (std::abs(x - here.x) > *recording_.visibility ||
                                      std::abs(y - here.y) > *recording_.visibility)) {
          continue;
        }
        const int cell = truth_.index(x, y);
        changed += known_.costs[cell] != truth_.costs[cell];
        known_.costs[cell] = truth_.costs[cell];
      }
    }
    return changed;
  }

  void check_episode(std::size_t changed) {
    ASSERT_LT(episodes_, result_.episodes.size()) << "nobody asked at step " << step_;
    const Episode& episode = result_.episodes[episodes_++];
    ASSERT_EQ(episode.step, step_);
    ASSERT_EQ(episode.at, at());
    ASSERT_EQ(episode.changed, changed);
    const int goal = static_cast<int>(recording_.goal);
    const std::int64_t best = oracle::costs_to(known_, goal)[at()];
    PlanStatus expected = PlanStatus::kFound;
    if (oracle::blocked(known_, static_cast<int>(at()))) {
      expected = PlanStatus::kStartBlocked;
    } else if (oracle::blocked(known_, goal)) {
      expected = PlanStatus::kGoalBlocked;
    } else if (best == oracle::kUnreachable) {
      expected = PlanStatus::kNoPath;
    }
    ASSERT_EQ(episode.status, expected);
    found_ = expected == PlanStatus::kFound;
    if (found_) {
      ASSERT_EQ(episode.cost, static_cast<Cost>(best));
      ASSERT_EQ(episode.bound, 1.0);
    }
  }

  const Recording& recording_;
  const ReplayResult& result_;
  oracle::World truth_;
  oracle::World known_;
  std::int64_t step_ = 0;
  std::size_t moves_ = 0;
  std::size_t episodes_ = 0;
  bool found_ = false;
};

void expect_by_the_rules(const Recording& recording) {
  for (const PlannerInfo& info : planners()) {
    if (info.promise != Promise::kOptimal) continue;
    SCOPED_TRACE(info.name);
    const ReplayResult result = replay(recording, info);
    Referee(recording, result).check(default_max_steps(recording.grid));
    if (::testing::Test::HasFailure()) return;
  }
}

/// A small world in which anything may happen: costs of all kinds, a start or a goal that is
/// blocked, no way at all for a while.
Recording anything(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto draw = [&](std::uint64_t n) { return static_cast<int>(random() % n); };
  const auto draw_cost = [&] {
    const int kind = draw(3);
    return static_cast<std::uint8_t>(kind == 0 ? kFree : kind == 1 ? kLethal : draw(256));
  };
  Recording recording{.grid = Grid(1 + draw(16), 1 + draw(16)),
                      .connectivity = draw(2) == 0 ? 4 : 8};
  const auto draw_cell = [&] { return static_cast<Cell>(draw(recording.grid.size())); };
  for (Cell cell = 0; cell < recording.grid.size(); ++cell) {
    if (draw(4) == 0) recording.grid.set(cell, kLethal);
  }
  recording.start = draw_cell();
  recording.goal = draw_cell();
  if (draw(2) == 0) recording.visibility = 1 + draw(4);
  std::int64_t step = 0;
  for (int events = draw(12); events > 0; --events) {
    RecordedEvent event{.step = step += draw(6)};
    for (int cells = draw(8); cells > 0; --cells) event.set.push_back({draw_cell(), draw_cost()});
    if (draw(3) == 0) event.set.push_back({recording.goal, kFree});
    recording.events.push_back(event);
  }
  return recording;
}

TEST(Replay, KeepsTheRulesWhateverHappens) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ASSERT_NO_FATAL_FAILURE(expect_by_the_rules(anything(seed)));
    ASSERT_FALSE(HasFailure());
  }
}

TEST(Replay, KeepsTheRulesInRecordedWorlds) {
  for (const WorldKind kind : {WorldKind::kRooms, WorldKind::kRandom}) {
    for (const int connectivity : {4, 8}) {
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Recording recording = record_world({.kind = kind,
                                            .size = 48,
                                            .change_percent = 20.0,
                                            .seed = seed,
                                            .connectivity = connectivity});
        expect_by_the_rules(recording);
        recording.visibility = 5;
        expect_by_the_rules(recording);
        ASSERT_FALSE(HasFailure());
      }
    }
  }
}

// --- anytime planners ---------------------------------------------------------------------------

/// Asked once, AD* keeps the path it found first; asked before every step, it improves it until it
/// is proven to be the best, and is left alone then until something changes.
TEST(AnytimeReplay, ImprovesOnTheWayUntilThePathIsTheBest) {
  bool has_improved = false;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Recording recording =
        record_world({.kind = WorldKind::kRooms, .size = 64, .seed = seed, .steps = 0});
    const PlannerConfig planner{.anytime = {.epsilon = 3.0, .epsilon_decrease = 0.25}};
    const auto send_with = [&](bool improves_on_the_way) {
      return replay(recording, find_planner("ad"),
                    {.planner = planner, .improves_on_the_way = improves_on_the_way});
    };
    EXPECT_EQ(steps_of(send_with(false)), Steps{0});

    const ReplayResult result = send_with(true);
    EXPECT_TRUE(result.reached);
    for (std::size_t i = 0; i < result.episodes.size(); ++i) {
      const Episode& episode = result.episodes[i];
      EXPECT_EQ(episode.step, static_cast<std::int64_t>(i));
      EXPECT_EQ(episode.bound > 1.0, i + 1 < result.episodes.size()) << "seed " << seed;
    }
    has_improved = has_improved || result.episodes.size() > 2;

    const std::int64_t late = result.episodes.back().step + 3;
    if (late >= result.steps) continue;
    add_event(recording, late, {{0, 63, 1}});
    const ReplayResult changed = send_with(true);
    ASSERT_GT(changed.episodes.size(), result.episodes.size());
    EXPECT_EQ(changed.episodes[result.episodes.size()].step, late);
  }
  EXPECT_TRUE(has_improved);
}

// --- real-time planners -------------------------------------------------------------------------

ReplayResult send_in_real_time(const Recording& recording, const RealTimeReplayConfig& config) {
  return replay(recording, *find_real_time_planner("rtd"), config);
}

TEST(RealTimeReplay, ThinksBeforeEveryStepAndWaitsOneStepAtATime) {
  Recording recording = drawn({"S.@.G"});
  add_event(recording, 5, {{2, 0, kFree}});
  const ReplayResult result = send_in_real_time(recording, {.expansion_limit = 100});
  EXPECT_TRUE(result.reached);
  EXPECT_EQ(result.steps, 9);
  EXPECT_EQ(steps_of(result), (Steps{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(columns_of(recording, result), (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(result.episodes.front().status, PlanStatus::kNoPath);
  EXPECT_EQ(result.episodes.back().status, PlanStatus::kFound);
}

TEST(RealTimeReplay, SeesOnlyWhatIsNear) {
  Recording recording = drawn({".....", "S.@.G", "....."}, 8);
  recording.visibility = 1;
  const ReplayResult result = send_in_real_time(recording, {.expansion_limit = 100});
  EXPECT_TRUE(result.reached);
  EXPECT_EQ(result.episodes[0].cost, 4 * kStraight) << "as if all were free";
  EXPECT_EQ(result.episodes[1].changed, 1U);
}

TEST(RealTimeReplay, WithoutALimitGoesAsFarAsDStarLite) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Recording recording = record_world({.kind = WorldKind::kRooms,
                                        .size = 50,
                                        .change_percent = 10.0,
                                        .seed = seed,
                                        .connectivity = 8});
    // Where doors move, two robots on equally good ways may meet different ones.
    recording.events.clear();
    EXPECT_EQ(send_in_real_time(recording, {.expansion_limit = kUnlimited}).travelled,
              send(recording).travelled)
        << seed;
  }
}

}  // namespace
}  // namespace dynamic_planners
