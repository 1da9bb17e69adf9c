#include "dynamic_planners/lab/experiment.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "dynamic_planners/grid/input_error.hpp"
#include "dynamic_planners/lab/output_file.hpp"
#include "dynamic_planners/lab/table.hpp"

namespace dynamic_planners {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "dynamic_planners/records/1";

std::string reason(int error) {
  return std::generic_category().message(error);
}

Json quantities_json(const Suite& suite) {
  Json quantities = Json::array();
  for (const Quantity& quantity : suite.quantities) {
    quantities.push_back(Json{{"name", quantity.name}, {"is_time", quantity.is_time}});
  }
  return quantities;
}

/// What records must agree in to be of the same experiment.
Json suite_json(const Suite& suite) {
  Json json;
  json["format"] = kFormat;
  json["suite"] = suite.name;
  json["version"] = suite.version;
  json["parameters"] = Json::object();
  for (const auto& [name, value] : suite.parameters) json["parameters"][name] = value;
  json["quantities"] = quantities_json(suite);
  return json;
}

/// What is not the same in both, in words.
std::string difference(const Json& expected, const Json& found) {
  for (const auto& [key, value] : expected.items()) {
    const auto there = found.is_object() ? found.find(key) : found.end();
    if (there == found.end()) return fmt::format("expected the key \"{}\", which is missing", key);
    if (*there == value) continue;
    if (value.is_object()) return difference(value, *there);
    return fmt::format("expected records whose \"{}\" is {}, found {}", key, value.dump(),
                       there->dump());
  }
  return "expected the header of other records";
}

std::string line_of(const Record& record) {
  Json json;
  json["scenario"] = record.scenario;
  json["run"] = record.run;
  json["measurements"] = Json::object();
  for (const Measurement& measurement : record.measurements) {
    json["measurements"][measurement.planner] = measurement.values;
  }
  return json.dump();
}

/// Throws Json::exception where it is not one.
Record record_of(const std::string& line) {
  const Json json = Json::parse(line);
  Record record{.scenario = json.at("scenario"), .run = json.at("run")};
  for (const auto& [planner, values] : json.at("measurements").items()) {
    record.measurements.push_back({planner, values.get<std::vector<double>>()});
  }
  return record;
}

/// Means of sums of squares would lose what they differ in: the squares are summed up after the
/// mean is known.
Statistic statistic_of(const std::vector<double>& values) {
  Statistic statistic;
  for (const double value : values) statistic.sum += value;
  const auto count = static_cast<double>(values.size());
  statistic.mean = statistic.sum / count;
  if (values.size() < 2) return statistic;
  double squares = 0.0;
  for (const double value : values) squares += std::pow(value - statistic.mean, 2.0);
  statistic.standard_error = std::sqrt(squares / (count - 1.0) / count);
  return statistic;
}

/// A quantity's name where no unit is written beside its values.
std::string column(const Quantity& quantity) {
  return quantity.is_time ? quantity.name + "_us" : quantity.name;
}

void write_csv(std::ostream& output, const Suite& suite, std::span<const SummaryRow> summary) {
  output << "scenario,planner,runs";
  for (const Quantity& quantity : suite.quantities) {
    output << fmt::format(",{0},{0}_standard_error", column(quantity));
  }
  output << '\n';
  for (const SummaryRow& row : summary) {
    output << fmt::format("{},{},{}", row.scenario, row.planner, row.runs);
    for (const Statistic& statistic : row.statistics) {
      output << fmt::format(",{:.6g},{:.3g}", statistic.mean, statistic.standard_error);
    }
    output << '\n';
  }
}

void write_json(std::ostream& output, const Suite& suite, std::span<const SummaryRow> summary) {
  Json json = suite_json(suite);
  json["format"] = "dynamic_planners/summary/1";
  json["rows"] = Json::array();
  for (const SummaryRow& row : summary) {
    Json line{{"scenario", row.scenario}, {"planner", row.planner}, {"runs", row.runs}};
    for (std::size_t i = 0; i < suite.quantities.size(); ++i) {
      const std::string name = column(suite.quantities[i]);
      line["mean"][name] = row.statistics[i].mean;
      line["standard_error"][name] = row.statistics[i].standard_error;
    }
    json["rows"].push_back(std::move(line));
  }
  output << json.dump(1) << '\n';
}

void require_sound(const Suite& suite, const Record& record) {
  std::set<std::string> planners;
  for (const Measurement& measurement : record.measurements) {
    bool sound = measurement.values.size() == suite.quantities.size() &&
                 planners.insert(measurement.planner).second;
    for (const double value : measurement.values) sound = sound && std::isfinite(value);
    if (!sound) {
      throw std::logic_error(fmt::format("{} {} run {}: not a measurement of {}", suite.name,
                                         record.scenario, record.run, measurement.planner));
    }
  }
}

/// What differs in anything but its time; empty when nothing does.
std::string change_of(const Suite& suite, const Record& before, const Record& now) {
  for (const Measurement& measurement : now.measurements) {
    const auto same_planner = [&](const Measurement& other) {
      return other.planner == measurement.planner;
    };
    const auto old =
        std::find_if(before.measurements.begin(), before.measurements.end(), same_planner);
    if (old == before.measurements.end()) return fmt::format("{} is new", measurement.planner);
    for (std::size_t i = 0; i < suite.quantities.size(); ++i) {
      const Quantity& quantity = suite.quantities[i];
      if (quantity.is_time || old->values[i] == measurement.values[i]) continue;
      return fmt::format("the {} of {} was {} and is {}", quantity.name, measurement.planner,
                         old->values[i], measurement.values[i]);
    }
  }
  return now.measurements.size() == before.measurements.size() ? "" : "a planner is missing";
}

}  // namespace

std::vector<SummaryRow> summary_of(std::span<const Record> records) {
  std::vector<SummaryRow> rows;
  // Per row and quantity, the values of all runs.
  std::vector<std::vector<std::vector<double>>> values;
  std::map<std::pair<std::string, std::string>, std::size_t> row_of;
  for (const Record& record : records) {
    for (const Measurement& measurement : record.measurements) {
      const auto [found, is_new] =
          row_of.try_emplace({record.scenario, measurement.planner}, rows.size());
      if (is_new) {
        rows.push_back({.scenario = record.scenario, .planner = measurement.planner});
        values.emplace_back(measurement.values.size());
      }
      ++rows[found->second].runs;
      for (std::size_t i = 0; i < measurement.values.size(); ++i) {
        values[found->second][i].push_back(measurement.values[i]);
      }
    }
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (const auto& of_quantity : values[row]) {
      rows[row].statistics.push_back(statistic_of(of_quantity));
    }
  }
  // A planner may be missing from the first run of a scenario.
  std::map<std::string, std::size_t> first_row;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    first_row.try_emplace(rows[row].scenario, row);
  }
  std::stable_sort(rows.begin(), rows.end(), [&](const SummaryRow& a, const SummaryRow& b) {
    return first_row.at(a.scenario) < first_row.at(b.scenario);
  });
  return rows;
}

// --- the records --------------------------------------------------------------------------------

RecordFile::RecordFile(std::filesystem::path file, const Suite& suite) : file_(std::move(file)) {
  open();
  const std::string header = suite_json(suite).dump();
  read(header, suite.quantities.size());
}

RecordFile::Descriptor::~Descriptor() {
  if (number >= 0) close(number);
}

void RecordFile::fail(std::size_t line, const std::string& what) const {
  throw InputError(file_.string(), line, what);
}

/// Two runs at once would do every job twice, so a run locks the file for as long as it lives.
void RecordFile::open() {
  descriptor_.number = ::open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_.number < 0) fail(0, "cannot be written: " + reason(errno));
  if (flock(descriptor_.number, LOCK_EX | LOCK_NB) != 0) fail(0, "another run is writing it");
}

void RecordFile::read(const std::string& header, std::size_t quantities) {
  std::ifstream input(file_, std::ios::binary);
  std::uintmax_t whole = 0;  // bytes of the lines that are complete
  std::size_t number = 0;
  std::string line;
  for (; std::getline(input, line) && !input.eof(); whole += line.size() + 1) {
    ++number;
    try {
      if (number == 1) {
        if (line == header) continue;
        fail(1, difference(Json::parse(header), Json::parse(line)) +
                    "; give another folder with -o, or remove the file");
      }
      Record record = record_of(line);
      for (const Measurement& measurement : record.measurements) {
        if (measurement.values.size() != quantities) {
          fail(number, fmt::format("expected {} values of {}, found {}", quantities,
                                   measurement.planner, measurement.values.size()));
        }
      }
      if (done_.contains({record.scenario, record.run})) fail(number, "the job is there already");
      keep(std::move(record));
    } catch (const Json::exception&) {
      fail(number, number == 1 ? "expected the header of records" : "expected a record");
    }
  }
  // Half of a line is what a run has left that was stopped; anything else is somebody's.
  if (number == 0 && !header.starts_with(line)) fail(1, "expected the header of records");
  if (ftruncate(descriptor_.number, static_cast<off_t>(whole)) != 0) {
    fail(0, "cannot be written: " + reason(errno));
  }
  if (number == 0) write(header);
}

const Record* RecordFile::find(const Job& job) const {
  const auto found = std::find_if(records_.begin(), records_.end(), [&](const Record& record) {
    return record.scenario == job.scenario && record.run == job.run;
  });
  return found == records_.end() ? nullptr : &*found;
}

void RecordFile::append(Record record) {
  write(line_of(record));
  keep(std::move(record));
}

/// In one piece, and to the end: who stops the program may leave half of the last line and no more.
void RecordFile::write(const std::string& line) {
  const std::string text = line + '\n';
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(descriptor_.number, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR) fail(0, "cannot be written: " + reason(errno));
    if (written > 0) done += static_cast<std::size_t>(written);
  }
}

void RecordFile::keep(Record record) {
  done_.emplace(record.scenario, record.run);
  records_.push_back(std::move(record));
}

// --- a run --------------------------------------------------------------------------------------

namespace {

/// Records must not be of different planners under the same names.
void require_same_planners(const Suite& suite, const RecordFile& records,
                           const std::filesystem::path& file) {
  const auto done = std::find_if(suite.jobs.begin(), suite.jobs.end(),
                                 [&](const Job& job) { return records.has(job); });
  if (done == suite.jobs.end()) return;
  const std::string change =
      change_of(suite, *records.find(*done), {done->scenario, done->run, done->measure()});
  if (change.empty()) return;
  throw InputError(file.string(), 0,
                   fmt::format("expected records of the same planners, but in {}, run {}, {}; "
                               "give another folder with -o, or remove the file",
                               done->scenario, done->run, change));
}

}  // namespace

std::vector<SummaryRow> run_suite(const Suite& suite, const std::filesystem::path& directory,
                                  const ProgressReport& progress) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw InputError(directory.string(), 0, "cannot be made: " + error.message());
  RecordFile file(directory / "records.jsonl", suite);
  auto done = static_cast<std::size_t>(std::count_if(
      suite.jobs.begin(), suite.jobs.end(), [&](const Job& job) { return file.has(job); }));
  if (done < suite.jobs.size()) require_same_planners(suite, file, directory / "records.jsonl");
  for (const Job& job : suite.jobs) {
    if (file.has(job)) continue;
    progress(done++, suite.jobs.size(), job);
    Record record{job.scenario, job.run, job.measure()};
    require_sound(suite, record);
    file.append(std::move(record));
  }
  std::vector<SummaryRow> summary = summary_of(file.records());
  OutputFile csv(directory / "summary.csv");
  OutputFile json(directory / "summary.json");
  write_csv(csv.stream(), suite, summary);
  write_json(json.stream(), suite, summary);
  csv.commit();
  json.commit();
  return summary;
}

void write_summary_tables(std::ostream& output, const Suite& suite,
                          std::span<const SummaryRow> summary) {
  Table::Row header = {"planner", "runs"};
  for (const Quantity& quantity : suite.quantities) header.push_back(quantity.name);
  for (auto row = summary.begin(); row != summary.end();) {
    const std::string& scenario = row->scenario;
    output << (row == summary.begin() ? "" : "\n") << scenario << '\n';
    Table table(header);
    for (; row != summary.end() && row->scenario == scenario; ++row) {
      Table::Row fields = {row->planner, std::to_string(row->runs)};
      for (std::size_t i = 0; i < suite.quantities.size(); ++i) {
        const double mean = row->statistics[i].mean;
        fields.push_back(suite.quantities[i].is_time ? time_text(mean)
                                                     : fmt::format("{:.6g}", mean));
      }
      table.add(std::move(fields));
    }
    output << table;
  }
}

}  // namespace dynamic_planners
