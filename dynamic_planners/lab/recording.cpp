#include "dynamic_planners/lab/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "dynamic_planners/grid/input_text.hpp"

namespace dynamic_planners {
namespace {

using nlohmann::json;

constexpr std::string_view kFormat = "dynamic_planners/recording/1";

/// The deepest value of the format is a number in a cell of an event: line, "set", cell, number.
constexpr int kMaxDepth = 4;

/// Enough for the rows of the largest map, however many they are. A file without line ends must not
/// fill the memory.
constexpr std::size_t kMaxLine = std::size_t{1} << 30U;

/// A value as an error message shows it.
std::string shown(const json& value) {
  if (value.is_array()) return "an array";
  if (value.is_object()) return "an object";
  return value.is_string() ? in_quotes(value.get_ref<const std::string&>()) : value.dump();
}

bool is_integer(const json& value, std::int64_t min, std::int64_t max) {
  if (!value.is_number_integer()) return false;
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
    return false;
  }
  const auto number = value.get<std::int64_t>();
  return number >= min && number <= max;
}

/// One line of the file: it knows where it is and says what was expected there.
class Line {
 public:
  Line(const std::string& file, std::size_t number, const std::string& text)
      : file_(file), number_(number), json_(parsed(text)) {
    if (!json_.is_object()) fail("expected a JSON object, found " + shown(json_));
  }

  [[noreturn]] void fail(const std::string& what) const { throw InputError(file_, number_, what); }

  const json& at(const std::string& key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) fail(fmt::format("expected the key \"{}\", which is missing", key));
    return *found;
  }

  void refuse_other_keys(std::initializer_list<std::string_view> keys) const {
    for (const auto& item : json_.items()) {
      if (std::find(keys.begin(), keys.end(), item.key()) == keys.end()) {
        fail(fmt::format("expected only the keys {}, found {}", fmt::join(keys, ", "),
                         in_quotes(item.key())));
      }
    }
  }

  std::int64_t integer(const json& value, std::string_view what, std::int64_t min, std::int64_t max,
                       std::string_view kind = "a whole number") const {
    if (is_integer(value, min, max)) return value.get<std::int64_t>();
    const std::string limits = max == std::numeric_limits<std::int64_t>::max()
                                   ? fmt::format("from {} up", min)
                                   : fmt::format("from {} to {}", min, max);
    fail(fmt::format("expected {} to be {} {}, found {}", what, kind, limits, shown(value)));
  }

  const json& array(const json& value, std::string_view what) const {
    if (!value.is_array()) fail(fmt::format("expected {}, found {}", what, shown(value)));
    return value;
  }

  const json& array(const json& value, std::string_view what, std::size_t size) const {
    if (array(value, what).size() == size) return value;
    fail(fmt::format("expected {}, found {} values", what, value.size()));
  }

 private:
  json parsed(const std::string& text) const {
    // Without a limit, a line of nothing but brackets would be taken in before it is refused.
    std::set<std::string> keys;
    const auto look = [&](int depth, json::parse_event_t event, json& value) {
      if (depth > kMaxDepth) fail("expected a line of a recording, found JSON nested too deeply");
      const bool is_own_key = event == json::parse_event_t::key && depth == 1;
      if (is_own_key && !keys.insert(value.get<std::string>()).second) {
        fail(fmt::format("expected each key once, found {} again",
                         in_quotes(value.get<std::string>())));
      }
      return true;
    };
    try {
      return json::parse(text, look);
    } catch (const json::parse_error& error) {
      fail(fmt::format("expected JSON, found an error at character {}", error.byte));
    } catch (const json::out_of_range&) {
      fail("expected JSON, found a number too large to be read");
    }
  }

  const std::string& file_;
  std::size_t number_;
  json json_;
};

/// The alphabet is the one of Moving AI's maps.
std::uint8_t read_cost(const Line& line, char terrain, std::size_t x, std::size_t y) {
  constexpr std::string_view kFreeTerrain = ".GS";
  constexpr std::string_view kBlockedTerrain = "@OTW";
  if (kFreeTerrain.find(terrain) != kFreeTerrain.npos) return kFree;
  if (kBlockedTerrain.find(terrain) != kBlockedTerrain.npos) return kLethal;
  line.fail(fmt::format("expected one of {}{} at cell {},{}, found {}", kFreeTerrain,
                        kBlockedTerrain, x, y, in_quotes({&terrain, 1})));
}

Grid read_rows(const Line& line) {
  constexpr auto kMost = static_cast<std::int64_t>(kMaxCells);
  const std::int64_t width = line.integer(line.at("width"), "the width", 1, kMost);
  const std::int64_t height = line.integer(line.at("height"), "the height", 1, kMost);
  if (width * height > kMost) {
    line.fail(fmt::format("expected at most {} cells, found {} x {}", kMost, width, height));
  }
  const json& rows = line.array(line.at("rows"), fmt::format("{} rows as the height says", height),
                                static_cast<std::size_t>(height));
  // The rows are checked before the grid is made: a short file never costs much memory.
  for (std::size_t y = 0; y < rows.size(); ++y) {
    if (!rows[y].is_string()) {
      line.fail(fmt::format("expected row {} to be a string, found {}", y, shown(rows[y])));
    }
    const auto length = rows[y].get_ref<const std::string&>().size();
    if (length != static_cast<std::size_t>(width)) {
      line.fail(fmt::format("expected {} characters as the width says in row {}, found {}", width,
                            y, length));
    }
  }
  Grid grid(static_cast<int>(width), static_cast<int>(height));
  for (std::size_t y = 0; y < rows.size(); ++y) {
    const auto& row = rows[y].get_ref<const std::string&>();
    for (std::size_t x = 0; x < row.size(); ++x) {
      grid.set(grid.cell(static_cast<int>(x), static_cast<int>(y)), read_cost(line, row[x], x, y));
    }
  }
  return grid;
}

/// The cell of [x, y, …].
Cell read_cell(const Line& line, const json& place, std::string_view what, const Grid& grid) {
  if (!is_integer(place[0], 0, grid.width() - 1) || !is_integer(place[1], 0, grid.height() - 1)) {
    line.fail(fmt::format("expected {} to be a cell of the map of {} x {} cells, found {}", what,
                          grid.width(), grid.height(), printable(place.dump())));
  }
  return grid.cell(place[0].get<int>(), place[1].get<int>());
}

Cell read_place(const Line& line, const std::string& key, const Grid& grid) {
  const json& place = line.array(line.at(key), fmt::format("\"{}\" to be [x, y]", key), 2);
  return read_cell(line, place, fmt::format("\"{}\"", key), grid);
}

int read_connectivity(const Line& line) {
  const json& value = line.at("connectivity");
  if (!value.is_number_integer() || (value != 4 && value != 8)) {
    line.fail("expected the connectivity to be 4 or 8, found " + shown(value));
  }
  return value.get<int>();
}

std::optional<int> read_visibility(const Line& line) {
  const json& value = line.at("visibility");
  if (value.is_null()) return std::nullopt;
  return static_cast<int>(line.integer(value, "the visibility", 0, std::numeric_limits<int>::max(),
                                       "null or a whole number"));
}

Recording read_header(const Line& line) {
  if (line.at("format") != kFormat) {
    line.fail(
        fmt::format("expected the format \"{}\", found {}", kFormat, shown(line.at("format"))));
  }
  line.refuse_other_keys(
      {"format", "width", "height", "connectivity", "start", "goal", "visibility", "rows"});
  Recording recording{.grid = read_rows(line)};
  recording.connectivity = read_connectivity(line);
  recording.start = read_place(line, "start", recording.grid);
  recording.goal = read_place(line, "goal", recording.grid);
  recording.visibility = read_visibility(line);
  return recording;
}

RecordedEvent read_event(const Line& line, const Grid& grid, std::int64_t earliest) {
  line.refuse_other_keys({"step", "set"});
  RecordedEvent event;
  event.step = line.integer(line.at("step"), "the step (never before the event above)", earliest,
                            std::numeric_limits<std::int64_t>::max());
  const json& set = line.array(line.at("set"), "\"set\" to be an array of [x, y, cost]");
  event.set.reserve(set.size());
  for (const json& entry : set) {
    line.array(entry, "each entry of \"set\" to be [x, y, cost]", 3);
    const Cell cell = read_cell(line, entry, "each entry of \"set\"", grid);
    const auto cost = line.integer(entry[2], "each cost of \"set\"", 0, 255);
    event.set.push_back({cell, static_cast<std::uint8_t>(cost)});
  }
  return event;
}

/// Reads line `number` into `text`, its end not included; whether there was one.
bool read_line(std::istream& input, const std::string& name, std::size_t number,
               std::string& text) {
  text.clear();
  char c = 0;
  while (input.get(c) && c != '\n') {
    if (text.size() == kMaxLine) {
      throw InputError(name, number, fmt::format("expected at most {} bytes in a line", kMaxLine));
    }
    text += c;
  }
  if (input.bad()) throw InputError(name, number, "cannot be read to its end");
  return input || !text.empty();
}

}  // namespace

Recording read_recording(std::istream& input, const std::string& name) {
  std::string text;
  if (!read_line(input, name, 1, text)) {
    throw InputError(name, 1, "expected the first line of a recording, found an empty file");
  }
  Recording recording = read_header(Line(name, 1, text));
  std::int64_t earliest = 0;
  for (std::size_t number = 2; read_line(input, name, number, text); ++number) {
    recording.events.push_back(read_event(Line(name, number, text), recording.grid, earliest));
    earliest = recording.events.back().step;
  }
  return recording;
}

Recording read_recording(const std::filesystem::path& file) {
  std::ifstream input = open_input(file);
  return read_recording(input, file.string());
}

void write_recording_header(std::ostream& output, const Recording& recording) {
  const Grid& grid = recording.grid;
  const auto place = [&](Cell cell) {
    const auto [x, y] = grid.position(cell);
    return fmt::format("[{},{}]", x, y);
  };
  output << fmt::format(
      R"({{"format":"{}","width":{},"height":{},"connectivity":{},"start":{},"goal":{},)", kFormat,
      grid.width(), grid.height(), recording.connectivity, place(recording.start),
      place(recording.goal));
  output << fmt::format(R"("visibility":{},"rows":[)",
                        recording.visibility ? std::to_string(*recording.visibility) : "null");
  std::string row(static_cast<std::size_t>(grid.width()), '.');
  for (int y = 0; y < grid.height(); ++y) {
    for (int x = 0; x < grid.width(); ++x) {
      const std::uint8_t cost = grid[grid.cell(x, y)];
      if (cost != kFree && cost != kLethal) {
        throw std::invalid_argument(
            fmt::format("the cost {} at {},{} cannot be written as a character", cost, x, y));
      }
      row[static_cast<std::size_t>(x)] = cost == kFree ? '.' : '@';
    }
    output << (y == 0 ? "\"" : ",\"") << row << '"';
  }
  output << "]}\n";
}

void write_recording_event(std::ostream& output, const Grid& grid, const RecordedEvent& event) {
  fmt::memory_buffer line;
  fmt::format_to(std::back_inserter(line), R"({{"step":{},"set":[)", event.step);
  for (const CellCost& entry : event.set) {
    const auto [x, y] = grid.position(entry.cell);
    if (&entry != event.set.data()) line.push_back(',');
    fmt::format_to(std::back_inserter(line), "[{},{},{}]", x, y, entry.cost);
  }
  fmt::format_to(std::back_inserter(line), "]}}\n");
  output.write(line.data(), static_cast<std::streamsize>(line.size()));
}

void write_recording(std::ostream& output, const Recording& recording) {
  write_recording_header(output, recording);
  for (const RecordedEvent& event : recording.events) {
    write_recording_event(output, recording.grid, event);
  }
}

}  // namespace dynamic_planners
