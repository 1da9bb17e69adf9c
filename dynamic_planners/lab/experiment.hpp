#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <ostream>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Experiments: suites of jobs whose records are kept job by job, so that a run that was stopped
/// goes on where it was, and the tables that are made of the records.
namespace dynamic_planners {

/// What a suite measures of each planner. A time is in microseconds and differs from run to run;
/// everything else must be the same whenever the job is done.
struct Quantity {
  std::string name;
  bool is_time = false;

  bool operator==(const Quantity&) const = default;
};

/// What was measured of one planner in one job: as many values as the suite has quantities. All of
/// them must be finite; a value that has no meaning for a job is left out by leaving out the
/// measurement.
struct Measurement {
  std::string planner;
  std::vector<double> values;

  bool operator==(const Measurement&) const = default;
};

/// One run of one scenario by all its planners, one right after the other in one thread, so that
/// their times can be compared. It depends on nothing but the suite's parameters, the scenario and
/// the run: `measure` must begin with seeds made of these.
struct Job {
  std::string scenario;
  std::uint64_t run = 0;
  std::function<std::vector<Measurement>()> measure;
};

struct Suite {
  std::string name;
  /// A new one when the same parameters mean something else than before: another world, another
  /// contender, or a planner that expands other cells. run_suite() finds out when it is forgotten,
  /// as far as one job shows it.
  int version = 1;
  /// All that the records depend on, but not how many jobs there are: a quick run does some of the
  /// jobs of the full one, which then goes on from there.
  std::vector<std::pair<std::string, std::string>> parameters;
  std::vector<Quantity> quantities;
  /// In the order in which they are done: one that lets a run that is stopped have some of each
  /// scenario.
  std::vector<Job> jobs = {};
};

/// A job that has been done.
struct Record {
  std::string scenario;
  std::uint64_t run = 0;
  std::vector<Measurement> measurements = {};

  bool operator==(const Record&) const = default;
};

/// One quantity of one planner over the runs of one scenario.
struct Statistic {
  double sum = 0.0;
  double mean = 0.0;
  /// Of the mean; zero where there is only one run.
  double standard_error = 0.0;

  bool operator==(const Statistic&) const = default;
};

/// One planner in one scenario: a statistic for each of the suite's quantities.
struct SummaryRow {
  std::string scenario;
  std::string planner;
  std::size_t runs = 0;
  std::vector<Statistic> statistics = {};

  bool operator==(const SummaryRow&) const = default;
};

/// The table of a suite, in the order in which the records have scenarios and planners first.
std::vector<SummaryRow> summary_of(std::span<const Record> records);

/// The file of a suite's records (JSON Lines): a header that says what they depend on, then one
/// line per job. All members throw InputError.
class RecordFile {
 public:
  /// Begins a new file, or takes up the one that is there. A last line without an end was being
  /// written when the run was stopped: it is cut off.
  RecordFile(std::filesystem::path file, const Suite& suite);
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  const std::vector<Record>& records() const { return records_; }

  /// That of a job that has been done; else nothing.
  const Record* find(const Job& job) const;

  /// Whether this job has been done.
  bool has(const Job& job) const { return done_.contains({job.scenario, job.run}); }

  void append(Record record);

 private:
  struct Descriptor {
    int number = -1;
    ~Descriptor();
  };

  void open();
  void read(const std::string& header, std::size_t quantities);
  void write(const std::string& line);
  void keep(Record record);
  [[noreturn]] void fail(std::size_t line, const std::string& what) const;

  std::filesystem::path file_;
  Descriptor descriptor_;
  std::vector<Record> records_;
  std::set<std::pair<std::string, std::uint64_t>> done_;
};

/// Is told how many jobs of how many are done, and which one is next.
using ProgressReport = std::function<void(std::size_t done, std::size_t all, const Job& next)>;

/// Does the jobs that have not been done, one after the other, and leaves `records.jsonl`,
/// `summary.csv` and `summary.json` in the folder, which is made if it is missing. Returns the
/// summary of all records that are there. Where there are some already and some are missing, the
/// first one is done once more: if anything but a time is different now, the others are no longer
/// what the suite would measure, and nothing is added to them. Throws InputError.
std::vector<SummaryRow> run_suite(const Suite& suite, const std::filesystem::path& directory,
                                  const ProgressReport& progress);

/// The means, one table per scenario.
void write_summary_tables(std::ostream& output, const Suite& suite,
                          std::span<const SummaryRow> summary);

}  // namespace dynamic_planners
