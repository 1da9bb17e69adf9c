#include "dynamic_planners/grid/moving_ai.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "dynamic_planners/grid/input_text.hpp"

namespace dynamic_planners {
namespace {

/// Hands out a text's lines and knows where it is. A line may not grow without limit: a file
/// without line ends must not fill the memory.
class LineReader {
 public:
  static constexpr std::size_t kMaxLine = 4096;

  LineReader(std::istream& input, const std::string& name) : input_(input), name_(name) {}

  /// The next line without its end, valid until the next call; nothing at the end of the text.
  std::optional<std::string_view> next(std::size_t max_length = kMaxLine) {
    ++number_;
    line_.clear();
    char c = 0;
    while (input_.get(c) && c != '\n') {
      if (line_.size() == max_length) {
        fail("expected at most " + std::to_string(max_length) + " characters in a line");
      }
      line_ += c;
    }
    if (input_.bad()) fail("cannot be read to its end");
    if (!input_ && line_.empty()) return std::nullopt;
    if (line_.ends_with('\r')) line_.pop_back();
    return line_;
  }

  [[noreturn]] void fail(const std::string& what) const { throw InputError(name_, number_, what); }

 private:
  std::istream& input_;
  const std::string& name_;
  std::string line_;
  std::size_t number_ = 0;
};

std::string describe(std::optional<std::string_view> line) {
  return line ? in_quotes(*line) : "the end of the file";
}

/// The parts between tabs or spaces.
std::vector<std::string_view> fields_of(std::string_view line) {
  constexpr std::string_view kBetween = " \t";
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t begin = line.find_first_not_of(kBetween);
    if (begin == line.npos) return fields;
    line.remove_prefix(begin);
    const std::size_t length = std::min(line.find_first_of(kBetween), line.size());
    fields.push_back(line.substr(0, length));
    line.remove_prefix(length);
  }
}

std::string size_text(std::uint64_t width, std::uint64_t height) {
  return std::to_string(width) + " x " + std::to_string(height);
}

/// Expects a line of exactly these words.
void expect_words(LineReader& lines, std::string_view words) {
  const auto line = lines.next();
  if (!line || fields_of(*line) != fields_of(words)) {
    lines.fail("expected " + in_quotes(words) + ", found " + describe(line));
  }
}

/// Reads "width 512" or "height 512". Both are at most kMaxCells, so their product cannot overflow.
std::uint64_t read_side(LineReader& lines, std::string_view key) {
  const auto line = lines.next();
  const auto fields = fields_of(line.value_or(""));
  if (fields.size() == 2 && fields[0] == key) {
    const auto side = parse_number<std::uint64_t>(fields[1]);
    if (side && *side >= 1 && *side <= kMaxCells) return *side;
  }
  lines.fail("expected '" + std::string(key) + "' and a number from 1 to " +
             std::to_string(kMaxCells) + ", found " + describe(line));
}

std::optional<std::uint8_t> cost_of(char terrain) {
  switch (terrain) {
    case '.':
    case 'G':
    case 'S':
      return kFree;
    case '@':
    case 'O':
    case 'T':
    case 'W':
      return kLethal;
    default:
      return std::nullopt;
  }
}

/// Appends the costs of one row.
void read_row(const LineReader& lines, std::string_view row, std::size_t width,
              std::vector<std::uint8_t>& costs) {
  if (row.size() != width) {
    lines.fail("expected " + std::to_string(width) + " cells, found " + std::to_string(row.size()));
  }
  for (std::size_t x = 0; x < width; ++x) {
    const char terrain = row[x];
    const auto cost = cost_of(terrain);
    if (!cost) {
      lines.fail("expected one of .GS@OTW in column " + std::to_string(x + 1) + ", found " +
                 in_quotes({&terrain, 1}));
    }
    costs.push_back(*cost);
  }
}

/// The costs grow with the rows that are really there: a header alone takes no memory.
std::vector<std::uint8_t> read_rows(LineReader& lines, std::size_t width, std::size_t height) {
  std::vector<std::uint8_t> costs;
  for (std::size_t y = 0; y < height; ++y) {
    const auto row = lines.next(width + LineReader::kMaxLine);
    if (!row) {
      lines.fail("expected " + std::to_string(height) + " rows, found " + std::to_string(y));
    }
    read_row(lines, *row, width, costs);
  }
  return costs;
}

void expect_end(LineReader& lines) {
  while (const auto line = lines.next()) {
    if (!fields_of(*line).empty()) {
      lines.fail("expected the end of the file after the last row, found " + in_quotes(*line));
    }
  }
}

/// Reads a whole number that is not negative.
int read_whole(const LineReader& lines, std::string_view field, const std::string& meaning) {
  const auto number = parse_number<std::uint32_t>(field);
  if (!number || *number > kMaxCells) {
    lines.fail("expected " + meaning + " as a whole number from 0 to " + std::to_string(kMaxCells) +
               ", found " + in_quotes(field));
  }
  return static_cast<int>(*number);
}

Grid::Position read_position(const LineReader& lines, std::string_view x, std::string_view y,
                             const std::string& meaning, const Grid& grid) {
  const Grid::Position position{read_whole(lines, x, "the " + meaning + "'s x"),
                                read_whole(lines, y, "the " + meaning + "'s y")};
  if (!grid.contains(position.x, position.y)) {
    lines.fail("expected the " + meaning + " inside the map of " +
               size_text(grid.width(), grid.height()) + " cells, found (" +
               std::to_string(position.x) + ", " + std::to_string(position.y) + ")");
  }
  return position;
}

Problem read_problem(const LineReader& lines, const std::vector<std::string_view>& fields,
                     const Grid& grid) {
  constexpr std::size_t kFields = 9;
  if (fields.size() != kFields) {
    lines.fail("expected " + std::to_string(kFields) +
               " fields (bucket, map, width, height, start x, start y, goal x, goal y, length), "
               "found " +
               std::to_string(fields.size()));
  }
  read_whole(lines, fields[0], "the bucket");
  const int width = read_whole(lines, fields[2], "the map's width");
  const int height = read_whole(lines, fields[3], "the map's height");
  if (width != grid.width() || height != grid.height()) {
    lines.fail("expected a map of " + size_text(grid.width(), grid.height()) + " cells, found " +
               size_text(width, height));
  }
  const auto start = read_position(lines, fields[4], fields[5], "start", grid);
  const auto goal = read_position(lines, fields[6], fields[7], "goal", grid);
  const auto optimal = parse_number<double>(fields[8]);
  if (!optimal || !std::isfinite(*optimal) || *optimal < 0.0) {
    lines.fail("expected the optimal length as a number from 0, found " + in_quotes(fields[8]));
  }
  return {start, goal, *optimal};
}

}  // namespace

Grid read_moving_ai_map(std::istream& input, const std::string& name) {
  LineReader lines(input, name);
  expect_words(lines, "type octile");
  const std::uint64_t height = read_side(lines, "height");
  const std::uint64_t width = read_side(lines, "width");
  if (width * height > kMaxCells) {
    lines.fail("expected at most " + std::to_string(kMaxCells) + " cells, found " +
               size_text(width, height));
  }
  expect_words(lines, "map");

  const std::vector<std::uint8_t> costs = read_rows(lines, width, height);
  expect_end(lines);

  Grid grid(static_cast<int>(width), static_cast<int>(height));
  for (Cell cell = 0; cell < grid.size(); ++cell) grid.set(cell, costs[cell]);
  return grid;
}

Grid read_moving_ai_map(const std::filesystem::path& file) {
  std::ifstream input = open_input(file);
  return read_moving_ai_map(input, file.string());
}

std::vector<Problem> read_scenario(std::istream& input, const std::string& name, const Grid& grid) {
  LineReader lines(input, name);
  const auto version = lines.next();
  const auto words = fields_of(version.value_or(""));
  if (words.size() != 2 || words[0] != "version" || (words[1] != "1" && words[1] != "1.0")) {
    lines.fail("expected 'version 1', found " + describe(version));
  }
  std::vector<Problem> problems;
  while (const auto line = lines.next()) {
    const auto fields = fields_of(*line);
    if (!fields.empty()) problems.push_back(read_problem(lines, fields, grid));
  }
  return problems;
}

std::vector<Problem> read_scenario(const std::filesystem::path& file, const Grid& grid) {
  std::ifstream input = open_input(file);
  return read_scenario(input, file.string(), grid);
}

}  // namespace dynamic_planners
