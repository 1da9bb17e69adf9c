#include "dynamic_planners/lab/recording.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>
#include <string>

#include "dynamic_planners/grid/input_error.hpp"

namespace dynamic_planners {
namespace {

const std::string kHeader =
    R"({"format":"dynamic_planners/recording/1","width":4,"height":2,"connectivity":8,)"
    R"("start":[0,1],"goal":[3,0],"visibility":null,"rows":["..@.","GSTW"]})";

Recording read(const std::string& text) {
  std::istringstream input(text);
  return read_recording(input, "world.jsonl");
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// The header with one part of it replaced.
std::string header_with(const std::string& part, const std::string& other) {
  std::string text = kHeader;
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

/// The text is refused, at this line, with a message that has all these parts.
void expect_refused(const std::string& text, int line, std::initializer_list<std::string> parts) {
  const std::string error = error_of(text);
  EXPECT_TRUE(error.starts_with("world.jsonl:" + std::to_string(line) + ": expected ")) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  for (const std::string& part : parts) EXPECT_NE(error.find(part), std::string::npos) << error;
}

TEST(Recording, ReadsTheHeader) {
  const Recording recording = read(kHeader);
  ASSERT_EQ(recording.grid.width(), 4);
  ASSERT_EQ(recording.grid.height(), 2);
  const std::vector<std::uint8_t> costs(recording.grid.costs().begin(),
                                        recording.grid.costs().end());
  EXPECT_EQ(costs, (std::vector<std::uint8_t>{0, 0, 254, 0, 0, 0, 254, 254}));
  EXPECT_EQ(recording.connectivity, 8);
  EXPECT_EQ(recording.start, recording.grid.cell(0, 1));
  EXPECT_EQ(recording.goal, recording.grid.cell(3, 0));
  EXPECT_EQ(recording.visibility, std::nullopt);
  EXPECT_TRUE(recording.events.empty());
}

TEST(Recording, ReadsEvents) {
  const Recording recording = read(kHeader + "\n" + R"({"step":0,"set":[]})" + "\n" +
                                   R"({"step":10,"set":[[3,1,0],[0,0,255]]})" + "\r\n" +
                                   R"({"set":[[1,1,253]],"step":10})");
  ASSERT_EQ(recording.events.size(), 3U);
  EXPECT_EQ(recording.events[0], (RecordedEvent{0, {}}));
  EXPECT_EQ(recording.events[1], (RecordedEvent{10, {{7, 0}, {0, 255}}}));
  EXPECT_EQ(recording.events[2], (RecordedEvent{10, {{5, 253}}}));
}

TEST(Recording, ReadsVisibilityAndConnectivity) {
  EXPECT_EQ(read(header_with("null", "0")).visibility, 0);
  EXPECT_EQ(read(header_with("null", "2147483647")).visibility, 2147483647);
  EXPECT_EQ(read(header_with(":8,", ":4,")).connectivity, 4);
}

TEST(Recording, StartAndGoalMayBeBlocked) {
  EXPECT_EQ(read(header_with("[0,1]", "[2,0]")).start, 2U);
  EXPECT_EQ(read(header_with("[3,0]", "[3,1]")).goal, 7U);
}

TEST(Recording, RefusesWhatIsNotARecording) {
  expect_refused("", 1, {"first line of a recording", "empty file"});
  expect_refused("\n", 1, {"JSON"});
  expect_refused("type octile\n", 1, {"JSON", "character"});
  expect_refused("[]", 1, {"object", "an array"});
  expect_refused("7", 1, {"object", "7"});
  expect_refused("{}", 1, {"\"format\""});
  expect_refused(header_with("recording/1", "recording/2"), 1,
                 {"dynamic_planners/recording/1", "dynamic_planners/recording/2"});
  expect_refused(R"({"format":1})", 1, {"format"});
}

TEST(Recording, RefusesMissingAndUnknownKeys) {
  for (const std::string key :
       {"width", "height", "connectivity", "start", "goal", "visibility", "rows"}) {
    expect_refused(header_with("\"" + key + "\"", "\"x" + key + "\""), 1, {"'x" + key + "'"});
  }
  expect_refused(R"({"format":"dynamic_planners/recording/1"})", 1, {"\"width\"", "missing"});
  expect_refused(header_with("{", R"({"a\nb":1,)"), 1, {"a\\x0ab"});
  expect_refused(kHeader + "\n" + R"({"step":1})", 2, {"\"set\"", "missing"});
  expect_refused(kHeader + "\n" + R"({"set":[]})", 2, {"\"step\"", "missing"});
  expect_refused(kHeader + "\n" + R"({"step":1,"set":[],"wait":1})", 2, {"step, set", "'wait'"});
  expect_refused(kHeader + "\n" + R"({"step":1,"step":2,"set":[]})", 2, {"once", "'step'"});
}

TEST(Recording, RefusesBadSizes) {
  for (const std::string bad : {"0", "-4", "4.0", "\"4\"", "null", "99999999999999999999", "[4]"}) {
    expect_refused(header_with("\"width\":4", "\"width\":" + bad), 1, {"width", "whole number"});
    expect_refused(header_with("\"height\":2", "\"height\":" + bad), 1, {"height", "whole number"});
  }
  const std::string huge =
      R"({"format":"dynamic_planners/recording/1","width":1000000000,"height":1000000000,)"
      R"("connectivity":8,"start":[0,1],"goal":[3,0],"visibility":null,"rows":[]})";
  expect_refused(huge, 1, {"width", "1000000000"});
  expect_refused(header_with(R"("width":4,"height":2)", R"("width":20000,"height":20000)"), 1,
                 {"20000 x 20000", "268435456"});
  expect_refused(header_with(R"("width":4,"height":2)", R"("width":16384,"height":16384)"), 1,
                 {"16384 rows", "2 values"});
}

TEST(Recording, RefusesBadRows) {
  expect_refused(header_with(R"(["..@.","GSTW"])", R"(["..@."])"), 1, {"2 rows", "found 1"});
  expect_refused(header_with("GSTW", "GST"), 1, {"4 characters", "row 1", "found 3"});
  expect_refused(header_with("GSTW", "GSTWW"), 1, {"4 characters", "row 1", "found 5"});
  expect_refused(header_with("GSTW", "GSxW"), 1, {".GS@OTW", "2,1", "'x'"});
  expect_refused(header_with("GSTW", "GS\u00e9"), 1, {"2,1", "\\xc3"});
  expect_refused(header_with(R"("GSTW")", "7"), 1, {"row 1", "string", "7"});
  expect_refused(header_with(R"(["..@.","GSTW"])", "\"..@.GSTW\""), 1, {"rows"});
}

TEST(Recording, RefusesBadPlaces) {
  for (const std::string bad : {"[4,0]", "[0,2]", "[-1,0]", "[0.5,0]", "[\"0\",0]"}) {
    expect_refused(header_with("[0,1]", bad), 1, {"\"start\"", "4 x 2 cells", bad});
    expect_refused(header_with("[3,0]", bad), 1, {"\"goal\"", "4 x 2 cells", bad});
  }
  expect_refused(header_with("[0,1]", "[0]"), 1, {"\"start\"", "[x, y]"});
  expect_refused(header_with("[3,0]", "[0,0,0]"), 1, {"\"goal\"", "[x, y]"});
  expect_refused(header_with("[3,0]", "null"), 1, {"\"goal\"", "null"});
}

TEST(Recording, RefusesOtherConnectivitiesAndVisibilities) {
  for (const std::string bad : {"5", "8.0", "\"8\"", "null"}) {
    expect_refused(header_with(":8,", ":" + bad + ","), 1, {"connectivity", "4 or 8"});
  }
  for (const std::string bad : {"-1", "1.5", "\"1\"", "2147483648", "true"}) {
    expect_refused(header_with("null", bad), 1, {"visibility", "null or a whole number"});
  }
}

TEST(Recording, RefusesBadEvents) {
  const auto expect_event_refused = [](const std::string& event,
                                       std::initializer_list<std::string> parts) {
    expect_refused(kHeader + "\n" + R"({"step":5,"set":[]})" + "\n" + event + "\n", 3, parts);
  };
  expect_event_refused(R"({"step":4,"set":[]})", {"step", "from 5", "4"});
  expect_event_refused(R"({"step":-1,"set":[]})", {"step"});
  expect_event_refused(R"({"step":6.5,"set":[]})", {"step", "6.5"});
  expect_event_refused(R"({"step":18446744073709551615,"set":[]})", {"step"});
  expect_event_refused(R"({"step":1e999,"set":[]})", {"number too large"});
  expect_event_refused(R"({"step":6,"set":{}})", {"set", "an object"});
  expect_event_refused(R"({"step":6,"set":[[4,0,0]]})", {"\"set\"", "4 x 2 cells", "[4,0,0]"});
  expect_event_refused(R"({"step":6,"set":[[0,2,0]]})", {"\"set\"", "4 x 2 cells", "[0,2,0]"});
  expect_event_refused(R"({"step":6,"set":[[0,0,256]]})", {"cost", "from 0 to 255", "256"});
  expect_event_refused(R"({"step":6,"set":[[0,0,-1]]})", {"cost", "-1"});
  expect_event_refused(R"({"step":6,"set":[[0,0]]})", {"[x, y, cost]", "2 values"});
  expect_event_refused(R"({"step":6,"set":[0,0,0]})", {"[x, y, cost]"});
  expect_event_refused("", {"JSON"});
}

TEST(Recording, SaysWhereTheJsonIsBroken) {
  std::string text = kHeader + "\n";
  for (int line = 2; line < 7; ++line)
    text += R"({"step":1,"set":[]})"
            "\n";
  expect_refused(text + R"({"step":2,"set":[)" + "\n", 7, {"JSON", "character 1"});
}

TEST(Recording, RefusesDeepNestingWithoutTakingItIn) {
  const std::string deep(10'000'000, '[');
  expect_refused(deep, 1, {"nested too deeply"});
  expect_refused(kHeader + "\n" + R"({"step":1,"set":)" + deep, 2, {"nested too deeply"});
  std::string objects;
  for (int i = 0; i < 1000; ++i) objects += R"({"a":)";
  expect_refused(objects, 1, {"nested too deeply"});
}

TEST(Recording, RefusesAFileThatCannotBeRead) {
  EXPECT_THROW(read_recording(std::filesystem::path("no/such/recording.jsonl")), InputError);
  EXPECT_THROW(read_recording(std::filesystem::temp_directory_path()), InputError);
}

TEST(Recording, IsWrittenAsTheFormatSays) {
  Recording recording = read(kHeader);
  recording.visibility = 3;
  recording.events = {{0, {}}, {10, {{7, 0}, {0, 255}}}};
  std::ostringstream text;
  write_recording(text, recording);
  EXPECT_EQ(text.str(),
            R"({"format":"dynamic_planners/recording/1","width":4,"height":2,"connectivity":8,)"
            R"("start":[0,1],"goal":[3,0],"visibility":3,"rows":["..@.","..@@"]})"
            "\n"
            R"({"step":0,"set":[]})"
            "\n"
            R"({"step":10,"set":[[3,1,0],[0,0,255]]})"
            "\n");
  const Recording again = read(text.str());
  EXPECT_EQ(again.events, recording.events);
  EXPECT_EQ(again.visibility, recording.visibility);
}

TEST(Recording, CannotWriteCostsThatRowsHaveNoCharacterFor) {
  Recording recording = read(kHeader);
  recording.grid.set(0, 100);
  std::ostringstream text;
  EXPECT_THROW(write_recording(text, recording), std::invalid_argument);
}

}  // namespace
}  // namespace dynamic_planners
