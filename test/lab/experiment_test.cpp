#include "dynamic_planners/lab/experiment.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "dynamic_planners/lab/suites/dynamic_grids.hpp"
#include "dynamic_planners/lab/suites/real_time.hpp"
#include "dynamic_planners/lab/suites/registry.hpp"
#include "dynamic_planners/lab/suites/unknown_terrain.hpp"
#include "dynamic_planners/lab/suites/voxels.hpp"
#include "test/support/input.hpp"

namespace dynamic_planners {
namespace {

using Json = nlohmann::ordered_json;
using test_support::input_error;
using test_support::TemporaryFolder;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream input(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(input), {}};
}

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::istringstream text(text_of(file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

struct Stopped {};

/// Is told of no more than so many jobs and stops the run then.
ProgressReport stop_after(std::size_t jobs) {
  return [jobs, seen = std::size_t{0}](std::size_t, std::size_t, const Job&) mutable {
    if (seen++ == jobs) throw Stopped();
  };
}

ProgressReport never_stop() {
  return [](std::size_t, std::size_t, const Job&) {};
}

/// Two planners and two scenarios whose values are easy to add up.
Suite small_suite() {
  Suite suite{
      .name = "small", .parameters = {{"seed", "1"}}, .quantities = {{"length"}, {"t", true}}};
  for (std::uint64_t run = 1; run <= 3; ++run) {
    for (const std::string scenario : {"near", "far"}) {
      suite.jobs.push_back({scenario, run, [=] {
                              const double k = scenario == "far" ? 10.0 : 1.0;
                              const auto r = static_cast<double>(run);
                              std::vector<Measurement> all{{"one", {k * r, 0.5}}};
                              // This one joins later, which must not tear its scenario apart.
                              if (run > 1) all.push_back({"two", {k * r * r, 0.25}});
                              return all;
                            }});
    }
  }
  return suite;
}

TEST(Summary, HasMeansAndStandardErrors) {
  const TemporaryFolder folder;
  const auto summary = run_suite(small_suite(), folder.path(), never_stop());
  ASSERT_EQ(summary.size(), 4U);
  EXPECT_EQ(summary[0].scenario, "near");
  EXPECT_EQ(summary[1].scenario, "near");
  EXPECT_EQ(summary[1].planner, "two");
  EXPECT_EQ(summary[1].runs, 2U);
  EXPECT_EQ(summary[2].scenario, "far");
  EXPECT_EQ(summary[2].runs, 3U);
  EXPECT_DOUBLE_EQ(summary[2].statistics[0].sum, 60.0);
  EXPECT_DOUBLE_EQ(summary[2].statistics[0].mean, 20.0);
  EXPECT_DOUBLE_EQ(summary[2].statistics[0].standard_error, 10.0 / std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(summary[3].statistics[0].mean, 65.0);
  EXPECT_DOUBLE_EQ(summary[3].statistics[0].standard_error, 25.0);

  const std::vector<std::string> csv = lines_of(folder.path() / "summary.csv");
  ASSERT_EQ(csv.size(), 5U);
  EXPECT_EQ(csv[0], "scenario,planner,runs,length,length_standard_error,t_us,t_us_standard_error");
  EXPECT_EQ(csv[4], "far,two,2,65,25,0.25,0");
  const Json json = Json::parse(text_of(folder.path() / "summary.json"));
  EXPECT_EQ(json.at("rows").at(3).at("mean").at("length"), 65.0);
  EXPECT_EQ(json.at("parameters").at("seed"), "1");
}

TEST(Summary, IsPrintedWithATablePerScenario) {
  const TemporaryFolder folder;
  const Suite suite = small_suite();
  std::ostringstream output;
  write_summary_tables(output, suite, run_suite(suite, folder.path(), never_stop()));
  EXPECT_EQ(output.str(),
            "near\n"
            "planner  runs  length       t\n"
            "one         3       2  0.5 us\n"
            "two         2     6.5  0.2 us\n"
            "\n"
            "far\n"
            "planner  runs  length       t\n"
            "one         3      20  0.5 us\n"
            "two         2      65  0.2 us\n");
}

TEST(Records, OnlyWhatIsMissingIsDone) {
  const TemporaryFolder folder;
  Suite suite = small_suite();
  EXPECT_THROW(run_suite(suite, folder.path(), stop_after(2)), Stopped);
  std::size_t asked = 0;
  const auto count = [&](std::size_t done, std::size_t all, const Job& next) {
    EXPECT_EQ(done, 2 + asked);
    EXPECT_EQ(all, 6U);
    EXPECT_EQ(next.scenario, suite.jobs[done].scenario);
    ++asked;
  };
  const auto summary = run_suite(suite, folder.path(), count);
  EXPECT_EQ(asked, 4U);
  // A suite with fewer jobs finds them done, and its summary has those that are there.
  suite.jobs.resize(1);
  EXPECT_EQ(run_suite(suite, folder.path(), stop_after(0)), summary);
}

TEST(Records, WhatAStoppedRunHasHalfWrittenIsCutOff) {
  const TemporaryFolder whole;
  const TemporaryFolder stopped;
  const Suite suite = small_suite();
  run_suite(suite, whole.path(), never_stop());
  const std::string text = text_of(whole.path() / "records.jsonl");
  // Wherever it was stopped, also within the header.
  for (std::size_t length = 0; length <= text.size(); length += 7) {
    stopped.write("records.jsonl", text.substr(0, length));
    run_suite(suite, stopped.path(), never_stop());
    ASSERT_EQ(text_of(stopped.path() / "records.jsonl"), text) << length;
  }
}

TEST(Records, OfAnotherExperimentAreRefused) {
  const TemporaryFolder folder;
  const Suite suite = small_suite();
  run_suite(suite, folder.path(), never_stop());
  const std::string before = text_of(folder.path() / "records.jsonl");
  const auto refused = [&](const Suite& other) {
    return input_error([&] { run_suite(other, folder.path(), never_stop()); });
  };
  Suite other = suite;
  other.parameters[0].second = "2";
  EXPECT_EQ(refused(other), (folder.path() / "records.jsonl").string() +
                                ":1: expected records whose \"seed\" is \"2\", found \"1\"; give "
                                "another folder with -o, or remove the file");
  other = suite;
  other.version = 2;
  EXPECT_NE(refused(other).find("\"version\" is 2, found 1"), std::string::npos);
  other = suite;
  other.parameters.clear();
  EXPECT_NE(refused(other), "(no InputError)");
  EXPECT_EQ(text_of(folder.path() / "records.jsonl"), before);
}

TEST(Records, OfOtherPlannersAreRefused) {
  const TemporaryFolder folder;
  Suite suite = small_suite();
  EXPECT_THROW(run_suite(suite, folder.path(), stop_after(2)), Stopped);
  const std::string before = text_of(folder.path() / "records.jsonl");
  const auto first_job_measures = [&](std::vector<Measurement> measurements) {
    suite.jobs[0].measure = [=] { return measurements; };
    return input_error([&] { run_suite(suite, folder.path(), never_stop()); });
  };
  const std::string start = (folder.path() / "records.jsonl").string() +
                            ": expected records of the same planners, but in near, run 1, ";
  const std::string end = "; give another folder with -o, or remove the file";
  EXPECT_EQ(first_job_measures({{"one", {1.5, 0.5}}}),
            start + "the length of one was 1 and is 1.5" + end);
  EXPECT_EQ(first_job_measures({{"other", {1.0, 0.5}}}), start + "other is new" + end);
  EXPECT_EQ(first_job_measures({}), start + "a planner is missing" + end);
  EXPECT_EQ(text_of(folder.path() / "records.jsonl"), before);
  // Times are never the same.
  EXPECT_EQ(first_job_measures({{"one", {1.0, 0.7}}}), "(no InputError)");
}

TEST(Records, WhatIsNoRecordIsRefusedWithItsLine) {
  const TemporaryFolder folder;
  const Suite suite = small_suite();
  run_suite(suite, folder.path(), never_stop());
  const auto lines = lines_of(folder.path() / "records.jsonl");
  for (const std::string& bad :
       {std::string("nonsense"), std::string("{}"), std::string("[]"), lines[1], lines[0],
        std::string(R"({"scenario":"near","run":9,"measurements":{"one":[1.0]}})"),
        std::string(R"({"scenario":"near","run":9,"measurements":{"one":[1.0,"x"]}})")}) {
    const std::string text = lines[0] + '\n' + lines[1] + '\n' + bad + '\n';
    const std::string error = input_error([&] {
      folder.write("records.jsonl", text);
      run_suite(suite, folder.path(), never_stop());
    });
    EXPECT_TRUE(error.starts_with((folder.path() / "records.jsonl").string() + ":3: ")) << error;
    EXPECT_EQ(text_of(folder.path() / "records.jsonl"), text);
  }
  for (const std::string notes : {"notes\n", "notes without an end"}) {
    folder.write("records.jsonl", notes);
    EXPECT_NE(input_error([&] { run_suite(suite, folder.path(), never_stop()); }),
              "(no InputError)");
    EXPECT_EQ(text_of(folder.path() / "records.jsonl"), notes);
  }
}

TEST(Records, TwoRunsAtOnceAreRefused) {
  const TemporaryFolder folder;
  const Suite suite = small_suite();
  const RecordFile first(folder.path() / "records.jsonl", suite);
  EXPECT_EQ(input_error([&] { run_suite(suite, folder.path(), never_stop()); }),
            (folder.path() / "records.jsonl").string() + ": another run is writing it");
}

TEST(Records, AMeasurementThatIsNoneEndsTheRun) {
  const TemporaryFolder folder;
  for (const std::vector<double>& values :
       {std::vector<double>{1.0}, std::vector<double>{1.0, std::nan("")}}) {
    Suite suite = small_suite();
    suite.jobs.insert(suite.jobs.begin(), Job{"bad", 1, [&] {
                                                return std::vector<Measurement>{{"one", values}};
                                              }});
    EXPECT_THROW(run_suite(suite, folder.path(), never_stop()), std::logic_error);
    EXPECT_EQ(lines_of(folder.path() / "records.jsonl").size(), 1U);
  }
}

// --- every suite, small -------------------------------------------------------------------------

std::vector<Suite> tiny_suites() {
  return {dynamic_grids_suite({.sizes = {24, 40}, .changes = {5, 20}, .runs = 2}),
          real_time_suite({.limits = {4, 64}, .runs = 2, .unknown_size = 24, .rooms_size = 40}),
          unknown_terrain_suite({.runs = 2, .size = 33, .visibilities = {2, 10}}),
          voxels_suite({.runs = 1, .still_steps = 3, .max_steps = 12})};
}

/// The records without their times, in the order of the file.
std::vector<Json> exact_records(const Suite& suite, const std::filesystem::path& folder) {
  std::vector<Json> records;
  for (const std::string& line : lines_of(folder / "records.jsonl")) {
    Json record = Json::parse(line);
    if (record.contains("measurements")) {
      for (auto& [planner, values] : record["measurements"].items()) {
        for (std::size_t i = 0; i < values.size(); ++i) {
          if (suite.quantities[i].is_time) values[i] = nullptr;
        }
      }
    }
    records.push_back(record);
  }
  return records;
}

TEST(Suites, AllAreTestedHere) {
  std::vector<std::string> tested;
  for (const Suite& suite : tiny_suites()) tested.push_back(suite.name);
  std::vector<std::string> all;
  for (const SuiteInfo& info : suites()) {
    all.emplace_back(info.name);
    EXPECT_EQ(info.make({}).name, info.name);
  }
  EXPECT_EQ(tested, all);
}

TEST(Suites, HaveAsManyRunsAsAsked) {
  for (const SuiteInfo& info : suites()) {
    for (const std::uint64_t runs : {2, 3}) {
      std::map<std::string, std::uint64_t> of_scenario;
      for (const Job& job : info.make({.quick = true, .runs = runs}).jobs) {
        ++of_scenario[job.scenario];
      }
      for (const auto& [scenario, count] : of_scenario) EXPECT_EQ(count, runs) << scenario;
    }
  }
}

TEST(Suites, AQuickRunDoesSomeJobsOfTheFullOne) {
  for (const SuiteInfo& info : suites()) {
    const Suite quick = info.make({.quick = true});
    const Suite full = info.make({});
    EXPECT_EQ(quick.parameters, full.parameters);
    std::set<std::pair<std::string, std::uint64_t>> jobs;
    for (const Job& job : full.jobs) jobs.emplace(job.scenario, job.run);
    EXPECT_EQ(jobs.size(), full.jobs.size());
    EXPECT_LT(quick.jobs.size(), full.jobs.size());
    for (const Job& job : quick.jobs) {
      EXPECT_TRUE(jobs.contains({job.scenario, job.run})) << job.scenario;
    }
  }
}

/// The summary is added up again from the file itself.
TEST(Suites, TablesAreTheSumsOfTheRecords) {
  for (const Suite& suite : tiny_suites()) {
    const TemporaryFolder folder;
    const auto summary = run_suite(suite, folder.path(), never_stop());
    std::map<std::pair<std::string, std::string>, std::vector<double>> sums;
    std::map<std::pair<std::string, std::string>, std::size_t> runs;
    const auto lines = lines_of(folder.path() / "records.jsonl");
    ASSERT_EQ(lines.size(), suite.jobs.size() + 1) << suite.name;
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const Json record = Json::parse(lines[i]);
      for (const auto& [planner, values] : record.at("measurements").items()) {
        auto& sum = sums[{record.at("scenario"), planner}];
        sum.resize(suite.quantities.size());
        for (std::size_t q = 0; q < sum.size(); ++q) sum[q] += values.at(q).get<double>();
        ++runs[{record.at("scenario"), planner}];
      }
    }
    const auto csv = lines_of(folder.path() / "summary.csv");
    ASSERT_EQ(summary.size(), sums.size());
    ASSERT_EQ(csv.size(), sums.size() + 1);
    for (std::size_t row = 0; row < summary.size(); ++row) {
      const auto& [scenario, planner, count, statistics] = summary[row];
      const auto& sum = sums.at({scenario, planner});
      ASSERT_EQ(count, runs.at({scenario, planner}));
      std::istringstream fields(csv[row + 1]);
      std::string field;
      for (const std::string& expected : {scenario, planner, std::to_string(count)}) {
        std::getline(fields, field, ',');
        EXPECT_EQ(field, expected);
      }
      for (std::size_t q = 0; q < sum.size(); ++q) {
        EXPECT_NEAR(statistics[q].sum, sum[q], 1e-9 * std::abs(sum[q])) << csv[row + 1];
        const double mean = sum[q] / static_cast<double>(count);
        EXPECT_NEAR(statistics[q].mean, mean, 1e-9 * std::abs(mean));
        std::getline(fields, field, ',');
        EXPECT_NEAR(std::stod(field), mean, 1e-5 * std::abs(mean)) << csv[row + 1];
        std::getline(fields, field, ',');
      }
    }
  }
}

TEST(Suites, StoppedAndResumedIsTheSameAsInOneGo) {
  for (const Suite& suite : tiny_suites()) {
    const TemporaryFolder whole;
    const TemporaryFolder stopped;
    run_suite(suite, whole.path(), never_stop());
    const std::size_t half = suite.jobs.size() / 2;
    EXPECT_THROW(run_suite(suite, stopped.path(), stop_after(half)), Stopped);
    const auto lines = lines_of(stopped.path() / "records.jsonl");
    ASSERT_EQ(lines.size(), half + 1);
    std::ofstream(stopped.path() / "records.jsonl", std::ios::app) << lines[1].substr(0, 40);
    run_suite(suite, stopped.path(), never_stop());
    const auto exact = exact_records(suite, whole.path());
    ASSERT_EQ(exact.size(), suite.jobs.size() + 1);
    // Doing the same twice gives the same, too: the half before the stop was done anew.
    EXPECT_EQ(exact_records(suite, stopped.path()), exact) << suite.name;
  }
}

bool has_matplotlib() {
  return std::system("/usr/bin/python3 -c 'import matplotlib' 2>/dev/null") == 0;
}

int make_page(const std::filesystem::path& folder) {
  const std::string command =
      "/usr/bin/python3 '" DYNAMIC_PLANNERS_REPORT "' '" + folder.string() + "' >/dev/null 2>&1";
  return std::system(command.c_str());
}

/// What a page shows by ![name](file).
std::set<std::string> pictures_of(const std::string& page) {
  std::set<std::string> files;
  for (auto at = page.find("!["); at != std::string::npos; at = page.find("![", at + 1)) {
    const auto begin = page.find("](", at) + 2;
    files.insert(page.substr(begin, page.find(')', begin) - begin));
  }
  return files;
}

/// What `report.py` makes of the records: every plot that the page shows is there, and the other
/// way round.
TEST(Suites, HaveAPage) {
  if (!has_matplotlib()) GTEST_SKIP() << "there is no matplotlib";
  std::vector<Suite> all = tiny_suites();
  // The pages have figures for the sizes of the sources.
  all.front() = dynamic_grids_suite({.sizes = {128}, .changes = {2, 20}, .runs = 1});
  for (const Suite& suite : all) {
    const TemporaryFolder folder;
    run_suite(suite, folder.path(), never_stop());
    ASSERT_EQ(make_page(folder.path()), 0) << suite.name;
    const std::string page = text_of(folder.path() / "README.md");
    const std::set<std::string> shown = pictures_of(page);
    std::set<std::string> plots;
    for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
      if (file.path().extension() == ".svg") plots.insert(file.path().filename());
    }
    EXPECT_EQ(shown, plots) << suite.name;
    EXPECT_FALSE(plots.empty()) << suite.name;
  }
}

/// Of the runs that are complete, without the tables that a run makes at its end.
TEST(Suites, HaveAPageWhenStopped) {
  if (!has_matplotlib()) GTEST_SKIP() << "there is no matplotlib";
  const Suite suite =
      real_time_suite({.limits = {4, 64}, .runs = 2, .unknown_size = 24, .rooms_size = 40});
  const TemporaryFolder folder;
  EXPECT_THROW(run_suite(suite, folder.path(), stop_after(7)), Stopped);
  EXPECT_NE(make_page(folder.path()), 0);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "README.md"));
  EXPECT_THROW(run_suite(suite, folder.path(), stop_after(5)), Stopped);
  EXPECT_EQ(make_page(folder.path()), 0);
  const std::string page = text_of(folder.path() / "README.md");
  EXPECT_NE(page.find("\n1 world of each kind"), std::string::npos) << page;
}

}  // namespace
}  // namespace dynamic_planners
