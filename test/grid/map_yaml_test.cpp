#include "dynamic_planners/grid/map_yaml.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "test/support/input.hpp"
#include "test/support/png.hpp"

namespace dynamic_planners {
namespace {

using test_support::input_error;
using test_support::png;
using test_support::png_chunk;
using test_support::png_header;
using test_support::PngColor;
using test_support::TemporaryFolder;

using Costs = std::vector<int>;

/// The bytes with these values.
std::string bytes(const std::vector<int>& values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(static_cast<unsigned char>(value));
  return text;
}

/// A binary PGM with one byte per shade.
std::string pgm(int width, int height, const std::vector<int>& shades) {
  return "P5\n" + std::to_string(width) + " " + std::to_string(height) + "\n255\n" + bytes(shades);
}

/// A grid's costs, row by row from y = 0.
Costs costs_of(const Grid& grid) {
  return {grid.costs().begin(), grid.costs().end()};
}

/// What an image of one row says.
Costs costs_of(const std::string& image, const MapDescription& description = {}) {
  const Grid grid = read_map_image(image, description, "a.png");
  EXPECT_EQ(grid.height(), 1);
  return costs_of(grid);
}

Costs costs_of_shades(const std::vector<int>& shades, const MapDescription& description = {}) {
  return costs_of(pgm(static_cast<int>(shades.size()), 1, shades), description);
}

std::string error_of(const std::string& image) {
  return input_error([&] { read_map_image(image, {}, "a.png"); });
}

MapDescription describe(const std::string& text) {
  std::istringstream input(text);
  return read_map_description(input, "a.yaml");
}

std::string error_of_description(const std::string& text) {
  return input_error([&] { describe(text); });
}

const std::string kGood =
    "image: a.pgm\n"
    "resolution: 0.05\n"
    "origin: [-1.5, 2.0, 0.25]\n"
    "negate: 0\n"
    "occupied_thresh: 0.65\n"
    "free_thresh: 0.196\n";

/// kGood with one of its lines (from 1) replaced.
std::string with_line(int number, const std::string& line) {
  std::istringstream input(kGood);
  std::string text;
  std::string old;
  for (int i = 1; std::getline(input, old); ++i) text += (i == number ? line : old) + "\n";
  return text;
}

// --- the description ---------------------------------------------------------------------------

TEST(MapDescription, ReadsEveryKey) {
  const MapDescription map = describe(kGood + "mode: scale\n");
  EXPECT_EQ(map.image, "a.pgm");
  EXPECT_DOUBLE_EQ(map.resolution, 0.05);
  EXPECT_DOUBLE_EQ(map.origin_x, -1.5);
  EXPECT_DOUBLE_EQ(map.origin_y, 2.0);
  EXPECT_DOUBLE_EQ(map.origin_yaw, 0.25);
  EXPECT_FALSE(map.negate);
  EXPECT_DOUBLE_EQ(map.occupied_thresh, 0.65);
  EXPECT_DOUBLE_EQ(map.free_thresh, 0.196);
  EXPECT_EQ(map.mode, MapMode::kScale);
}

TEST(MapDescription, ReadsWhatRealFilesDo) {
  std::string windows;
  for (const char c : kGood) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(describe(windows).image, "a.pgm");
  EXPECT_EQ(describe("# a map\n---\n" + kGood + "unheard_of: {a: [b]}\n").image, "a.pgm");
  EXPECT_EQ(describe(with_line(1, "image: \"maps/my map.pgm\"")).image, "maps/my map.pgm");
  EXPECT_DOUBLE_EQ(describe(with_line(3, "origin:\n- 1\n- 2\n- 3")).origin_yaw, 3.0);
  EXPECT_DOUBLE_EQ(describe(with_line(2, "resolution: 5e-2")).resolution, 0.05);
}

TEST(MapDescription, KnowsTheModesInAnyCase) {
  EXPECT_EQ(describe(kGood).mode, MapMode::kTrinary);
  EXPECT_EQ(describe(kGood + "mode: trinary\n").mode, MapMode::kTrinary);
  EXPECT_EQ(describe(kGood + "mode: Scale\n").mode, MapMode::kScale);
  EXPECT_EQ(describe(kGood + "mode: \"RAW\"\n").mode, MapMode::kRaw);
}

TEST(MapDescription, TakesNegateAsANumberOrAsAWord) {
  for (const std::string yes : {"1", "true", "True", "yes", "on", "2", "-1"}) {
    EXPECT_TRUE(describe(with_line(4, "negate: " + yes)).negate) << yes;
  }
  for (const std::string no : {"0", "false", "False", "no", "off"}) {
    EXPECT_FALSE(describe(with_line(4, "negate: " + no)).negate) << no;
  }
}

TEST(MapDescription, SaysWhatIsWrongAndWhere) {
  const std::string image = "expected image to be the name of a file, found ";
  const std::string resolution = "expected resolution to be a number above 0, found ";
  const std::string origin = "expected origin to be a list of three numbers: x, y, yaw, found ";
  const std::string negate = "expected negate to be a whole number, true or false, found ";
  const std::string share = " to be a number from 0 to 1, found ";
  struct Case {
    int line;
    std::string text;
    std::string message;
  };
  const std::vector<Case> cases = {
      {1, "image:", image + "nothing"},
      {1, "image: ''", image + "''"},
      {1, "image: [a.pgm]", image + "a list"},
      {1, "image: {a: b}", image + "a mapping"},
      {1, "image: \"a\\nb\"", image + "'a\\x0ab'"},
      {1, "image: \"a\\0b\"", image + "'a\\x00b'"},
      {2, "resolution:", resolution + "nothing"},
      {2, "resolution: 0", resolution + "'0'"},
      {2, "resolution: -0.05", resolution + "'-0.05'"},
      {2, "resolution: .inf", resolution + "'.inf'"},
      {2, "resolution: .nan", resolution + "'.nan'"},
      {2, "resolution: 5 cm", resolution + "'5 cm'"},
      {2, "resolution: [0.05]", resolution + "a list"},
      {3, "origin:", origin + "nothing"},
      {3, "origin: 1", origin + "'1'"},
      {3, "origin: [1, 2]", origin + "a list"},
      {3, "origin: [1, 2, 3, 4]", origin + "a list"},
      {3, "origin: [1, 2, east]", origin + "a list"},
      {3, "origin: [1, .nan, 3]", origin + "a list"},
      {4, "negate:", negate + "nothing"},
      {4, "negate: maybe", negate + "'maybe'"},
      {4, "negate: 0.5", negate + "'0.5'"},
      {4, "negate: [0]", negate + "a list"},
      {5, "occupied_thresh: 65", "expected occupied_thresh" + share + "'65'"},
      {5, "occupied_thresh: .nan", "expected occupied_thresh" + share + "'.nan'"},
      {5, "occupied_thresh: -0.1", "expected occupied_thresh" + share + "'-0.1'"},
      {6, "free_thresh: x", "expected free_thresh" + share + "'x'"},
      {6, "free_thresh: 1.5", "expected free_thresh" + share + "'1.5'"},
      {6, "free_thresh: 0.66",
       "expected free_thresh to be no more than occupied_thresh, found '0.66'"},
      {6, "free_thresh: 0.2\nmode: gray",
       "expected mode to be trinary, scale or raw, found 'gray'"},
      {6, "free_thresh: 0.2\nmode:", "expected mode to be trinary, scale or raw, found nothing"},
  };
  for (const auto& [line, text, message] : cases) {
    const std::size_t at = line + (text.find("\nmode") == text.npos ? 0 : 1);
    EXPECT_EQ(error_of_description(with_line(line, text)),
              "a.yaml:" + std::to_string(at) + ": " + message);
  }
}

TEST(MapDescription, NamesAMissingKey) {
  const std::array keys = {"image",  "resolution",      "origin",
                           "negate", "occupied_thresh", "free_thresh"};
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(error_of_description(with_line(i + 1, "")),
              std::string("a.yaml: expected the key ") + keys.at(i));
  }
}

TEST(MapDescription, RefusesWhatIsNoMapping) {
  EXPECT_EQ(error_of_description(""), "a.yaml: expected a mapping, found nothing");
  EXPECT_EQ(error_of_description("P5\n"), "a.yaml: expected a mapping, found 'P5'");
  EXPECT_EQ(error_of_description("- a\n- b\n"), "a.yaml: expected a mapping, found a list");
  // The rest of the message is the YAML library's.
  EXPECT_TRUE(error_of_description(with_line(3, "origin: [1, 2"))
                  .starts_with("a.yaml:4: expected YAML, but: "));
  EXPECT_TRUE(error_of_description("a: b: c\n").starts_with("a.yaml:1: expected YAML, but: "));
  EXPECT_EQ(error_of_description(kGood + "# " + std::string(1 << 16, 'x')),
            "a.yaml: expected at most 65536 bytes");
}

// --- from shades to costs ----------------------------------------------------------------------

TEST(MapImage, PutsTheBottomRowAtTheOrigin) {
  const Grid grid = read_map_image(pgm(3, 2,
                                       {0, 254, 254,  //
                                        254, 254, 0}),
                                   {}, "a.pgm");
  EXPECT_EQ(grid.width(), 3);
  EXPECT_EQ(grid.height(), 2);
  EXPECT_EQ(costs_of(grid), (Costs{kFree, kFree, kLethal,  //
                                   kLethal, kFree, kFree}));
}

TEST(MapImage, TrinaryHasThreeCosts) {
  MapDescription map;
  map.free_thresh = 0.196;  // what Nav2's saver writes: 205 is unknown, since 50 / 255 > 0.196
  EXPECT_EQ(costs_of_shades({255, 254, 206, 205, 128, 90, 89, 1, 0}, map),
            (Costs{0, 0, 0, 255, 255, 255, 254, 254, 254}));
  map.free_thresh = 0.25;
  EXPECT_EQ(costs_of_shades({205, 192, 191}, map), (Costs{0, 0, 255}));
}

TEST(MapImage, AThresholdBelongsToWhatItBounds) {
  MapDescription map;
  map.occupied_thresh = 0.8;  // 204 / 255
  map.free_thresh = 0.2;      // 51 / 255
  EXPECT_EQ(costs_of_shades({205, 204, 203, 52, 51, 50}, map), (Costs{0, 0, 255, 255, 254, 254}));
  map.negate = true;  // in single precision: 51.0F / 255 is above 0.2
  EXPECT_EQ(costs_of_shades({50, 51, 52, 203, 204, 205}, map), (Costs{0, 0, 255, 255, 254, 254}));
  // Where both hold, free wins.
  map.occupied_thresh = 0.2;
  EXPECT_EQ(costs_of_shades({50, 51, 52}, map), (Costs{0, 0, 254}));
}

TEST(MapImage, ScaleSpreadsWhatIsBetweenTheThresholds) {
  MapDescription map;
  map.mode = MapMode::kScale;
  map.occupied_thresh = 1.0;
  map.free_thresh = 0.0;
  // Occupancies of 0, 0.4, 0.8, 49.8, 99.2, 99.6 and 100 per cent, rounded.
  EXPECT_EQ(costs_of_shades({255, 254, 253, 128, 2, 1, 0}, map),
            (Costs{0, 0, 2, 127, 251, 254, 254}));
  map.occupied_thresh = 0.65;
  map.free_thresh = 0.25;
  // 0.247, 0.251 (0.2 %), 0.255 (1.2 %), 0.451 (50.2 %), 0.647 (99.3 %), 0.651
  EXPECT_EQ(costs_of_shades({192, 191, 190, 140, 90, 89}, map), (Costs{0, 0, 2, 127, 251, 254}));
}

TEST(MapImage, RawTakesShadesAsOccupancies) {
  MapDescription map;
  map.mode = MapMode::kRaw;
  const std::vector<int> shades = {0, 1, 50, 99, 100, 101, 128, 205, 255};
  const Costs expected = {0, 2, 127, 251, 254, 255, 255, 255, 255};
  EXPECT_EQ(costs_of_shades(shades, map), expected);
  map.negate = true;  // nothing else matters
  map.occupied_thresh = map.free_thresh = 0.5;
  EXPECT_EQ(costs_of_shades(shades, map), expected);
}

TEST(MapImage, NegateTurnsLightAndDarkRound) {
  MapDescription map;
  map.negate = true;
  EXPECT_EQ(costs_of_shades({0, 63, 64, 165, 166, 255}, map), (Costs{0, 0, 255, 255, 254, 254}));
  map.mode = MapMode::kScale;
  map.occupied_thresh = 1.0;
  map.free_thresh = 0.0;
  EXPECT_EQ(costs_of_shades({0, 1, 2, 127, 253, 254, 255}, map),
            (Costs{0, 0, 2, 127, 251, 254, 254}));
}

// --- images ------------------------------------------------------------------------------------

TEST(MapImage, ReadsEveryKindOfPgm) {
  MapDescription map;
  map.mode = MapMode::kRaw;  // shows the shade as long as it is 100 or less
  const Costs expected = {0, 127, 254};
  EXPECT_EQ(costs_of("P5 3 1 255 " + bytes({0, 50, 100}), map), expected);
  EXPECT_EQ(costs_of("P5\r\n3\t1\r\n255\n" + bytes({0, 50, 100}), map), expected);
  EXPECT_EQ(costs_of("P2\n3 1\n255\n0 50 100\n", map), expected);
  EXPECT_EQ(costs_of("P2\r\n3 1\r\n255\r\n0\r\n50\r\n100", map), expected);
  EXPECT_EQ(costs_of("P5\n3 1\n65535\n" + bytes({0, 0, 50, 50, 100, 100}), map), expected);
  EXPECT_EQ(costs_of("P2\n3 1\n51\n0 10 20\n", map), expected);
  EXPECT_EQ(costs_of("P2\n#\n# 7 7\n3 # 8\n1\n# 9 9 9\n255\n0 50 100\n", map), expected);
  // A second image in the same file is not part of the map.
  EXPECT_EQ(costs_of(pgm(3, 1, {0, 50, 100}) + pgm(1, 1, {7}), map), expected);
}

TEST(MapImage, ReadsEveryKindOfPng) {
  MapDescription map;
  map.mode = MapMode::kRaw;
  const Costs expected = {0, 127, 254};
  EXPECT_EQ(costs_of(png(3, 1, 8, PngColor::kGray, bytes({0, 50, 100})), map), expected);
  EXPECT_EQ(costs_of(png(3, 1, 16, PngColor::kGray, bytes({0, 0, 50, 50, 100, 100})), map),
            expected);
  EXPECT_EQ(
      costs_of(png(3, 1, 8, PngColor::kRgb, bytes({0, 0, 0, 50, 50, 50, 100, 100, 100})), map),
      expected);
  const std::string palette = png_chunk("PLTE", bytes({100, 100, 100, 50, 50, 50, 0, 0, 0}));
  EXPECT_EQ(costs_of(png(3, 1, 8, PngColor::kPalette, bytes({2, 1, 0}), palette), map), expected);
  // Two bits each: black, a third, two thirds, white.
  EXPECT_EQ(costs_of(png(4, 1, 2, PngColor::kGray, bytes({0b00'01'10'11}))),
            (Costs{254, 254, 255, 0}));
  const Grid grid =
      read_map_image(png(2, 2, 8, PngColor::kGray, bytes({0, 255, 255, 255})), {}, "");
  EXPECT_EQ(costs_of(grid), (Costs{0, 0, 254, 0}));
}

TEST(MapImage, AColourCountsByItsBrightness) {
  MapDescription map;
  map.mode = MapMode::kRaw;
  // Red and blue are 29.9 % and 11.4 % of white.
  const Costs costs = costs_of(png(2, 1, 8, PngColor::kRgb, bytes({255, 0, 0, 0, 0, 255})), map);
  EXPECT_NEAR(costs[0], 0.299 * 255 * 2.54, 2.6);
  EXPECT_NEAR(costs[1], 0.114 * 255 * 2.54, 2.6);
}

TEST(MapImage, WhatIsNotOpaqueIsUnknown) {
  // Black and white; opaque, almost, half and not at all.
  const std::vector<int> gray = {0,   255, 0,   254, 0,   128, 0,   0,  //
                                 255, 255, 255, 254, 255, 128, 255, 0};
  std::vector<int> rgba;
  for (std::size_t i = 0; i < gray.size(); i += 2) {
    rgba.insert(rgba.end(), {gray[i], gray[i], gray[i], gray[i + 1]});
  }
  const std::string gray_alpha = png(8, 1, 8, PngColor::kGrayAlpha, bytes(gray));
  const std::string rgb_alpha = png(8, 1, 8, PngColor::kRgba, bytes(rgba));
  const std::string palette = png(3, 1, 8, PngColor::kPalette, bytes({0, 1, 2}),
                                  png_chunk("PLTE", bytes({0, 0, 0, 0, 0, 0, 255, 255, 255})) +
                                      png_chunk("tRNS", bytes({255, 100, 255})));
  for (const MapMode mode : {MapMode::kTrinary, MapMode::kScale}) {
    MapDescription map;
    map.mode = mode;
    const Costs expected = {254, 255, 255, 255, 0, 255, 255, 255};
    EXPECT_EQ(costs_of(gray_alpha, map), expected);
    EXPECT_EQ(costs_of(rgb_alpha, map), expected);
    EXPECT_EQ(costs_of(palette, map), (Costs{254, 255, 0}));
  }
  MapDescription raw;
  raw.mode = MapMode::kRaw;  // asks for shades only
  EXPECT_EQ(costs_of(gray_alpha, raw), (Costs{0, 0, 0, 0, 255, 255, 255, 255}));
}

TEST(MapImage, RefusesEveryOtherFormat) {
  const std::string expected = "a.png: expected a PGM (P2, P5) or PNG image, found ";
  EXPECT_EQ(error_of(""), expected + "''");
  EXPECT_EQ(error_of("GIF89a\x01"), expected + "'GIF89a\\x01'");
  EXPECT_EQ(error_of("P6\n1 1\n255\nabc"), expected + "'P6\\x0a1 1\\x0a2'");
  EXPECT_EQ(error_of("P4\n1 1\na"), expected + "'P4\\x0a1 1\\x0aa'");
  EXPECT_EQ(error_of("<?xml version=\"1.0\"?><svg/>"), expected + "'<?xml ve'");
  EXPECT_EQ(error_of("push graphic-context\n"), expected + "'push gra'");
  EXPECT_EQ(error_of("\x89PNG\r\n"), expected + "'\\x89PNG\\x0d\\x0a'");
}

/// Other formats have their mark somewhere inside. Whatever else a file may be, it is read as what
/// its first bytes say.
TEST(MapImage, NoOtherDecoderCanBeReached) {
  const std::vector<std::pair<std::size_t, std::string>> marks = {
      {8, "WEBP"},      {9, "srcdocid:"}, {21, "version: MIL-STD-1840"},
      {60, "vIMGView"}, {128, "DICM"},    {522, std::string("\0\x11\2\xff\x0c\0", 6)}};
  for (const auto& [offset, mark] : marks) {
    std::string image = "P5\n#";
    image.resize(offset, '-');
    EXPECT_EQ(costs_of(image + mark + "\n3 1\n255\n" + bytes({0, 255, 128})), (Costs{254, 0, 255}))
        << mark;
  }
  const auto image_with = [](const std::string& text) {
    return png(3, 1, 8, PngColor::kGray, bytes({0, 255, 128}), png_chunk("tEXt", text));
  };
  std::string text = "Comment" + std::string(600, '\0');
  const std::size_t begin = image_with(text).find(text);
  for (const auto& [offset, mark] : marks) {
    if (offset < begin + 8) continue;
    std::string marked = text;
    marked.replace(offset - begin, mark.size(), mark);
    EXPECT_EQ(costs_of(image_with(marked)), (Costs{254, 0, 255})) << mark;
  }
}

TEST(MapImage, RefusesABrokenHeader) {
  const std::string expected =
      "a.png: expected the header of a PGM image: width, height, largest shade";
  for (const std::string image :
       {"P5", "P5\n", "P5\n3", "P5\n3 1", "P5\n3 1\n255", "P5\n3 1 x", "P5\n-3 1\n255\nabc",
        "P5\n3.0 1\n255\nabc", "P5\n# 3 1 255 abc", "P5\n99999999999999999999 1\n255\nabc"}) {
    EXPECT_EQ(error_of(image), expected) << image;
  }
  EXPECT_EQ(error_of("P5\n3 1\n0\nabc"),
            "a.png: expected a largest shade from 1 to 65535, found 0");
  EXPECT_EQ(error_of("P5\n3 1\n65536\nabcdef"),
            "a.png: expected a largest shade from 1 to 65535, found 65536");

  const std::string good = png(3, 1, 8, PngColor::kGray, "abc");
  EXPECT_EQ(error_of(good.substr(0, 23)), "a.png: expected the header of a PNG image");
  std::string other = good;
  other.replace(12, 4, "tEXt");
  EXPECT_EQ(error_of(other), "a.png: expected the header of a PNG image");
  other = good;
  other.replace(8, 4, "WEBP");  // the length of the first chunk
  EXPECT_EQ(error_of(other), "a.png: expected the header of a PNG image");
}

TEST(MapImage, RefusesAbsurdSizesBeforeItDecodes) {
  const std::string expected = "a.png: expected an image of 1 to 268435456 pixels, found ";
  EXPECT_EQ(error_of("P5\n1000000000 1000000000\n255\n"), expected + "1000000000 x 1000000000");
  EXPECT_EQ(error_of("P2\n16384 16385\n255\n0"), expected + "16384 x 16385");
  EXPECT_EQ(error_of("P5\n4294967296 4294967296\n255\n"), expected + "4294967296 x 4294967296");
  EXPECT_EQ(error_of("P5\n0 1\n255\n"), expected + "0 x 1");
  const auto png_of = [](std::uint32_t width, std::uint32_t height) {
    return png_header(width, height, 1, PngColor::kGray) +
           png_chunk("IDAT", test_support::zlib_stored("\1")) + png_chunk("IEND", "");
  };
  EXPECT_EQ(error_of(png_of(1000000000, 1000000000)), expected + "1000000000 x 1000000000");
  EXPECT_EQ(error_of(png_of(0xffffffff, 0xffffffff)), expected + "4294967295 x 4294967295");
  EXPECT_EQ(error_of(png_of(1, 0)), expected + "1 x 0");
  // A size that is fine, and next to nothing behind it.
  EXPECT_EQ(error_of("P5\n16384 16384\n255\nabc"),
            "a.png: expected at least 268435456 bytes for 16384 x 16384 pixels, found 3");
  EXPECT_EQ(error_of("P5\n16384 16384\n256\nabc"),
            "a.png: expected at least 536870912 bytes for 16384 x 16384 pixels, found 3");
  EXPECT_EQ(error_of("P2\n16384 16384\n256\n1 2"),
            "a.png: expected at least 536870911 bytes for 16384 x 16384 pixels, found 3");
  EXPECT_EQ(error_of(png_of(16384, 16384)),
            "a.png: expected at least 32513 bytes for 16384 x 16384 pixels, found " +
                std::to_string(png_of(1, 1).size()));
}

TEST(MapImage, RefusesADamagedImage) {
  const std::string good = png(3, 2, 8, PngColor::kGray, "abcdef");
  const std::size_t data = good.find("IDAT");
  std::string wrong_checksum = good;
  wrong_checksum[data + 12] ^= 1;
  const std::string no_data =
      png_header(3, 2, 8, PngColor::kGray) + png_chunk("tEXt", "a") + png_chunk("IEND", "");
  const std::string short_text = "P2\n3 1\n255\n100 2";
  const std::string bright_text = "P2\n3 1\n100\n1 2 101";
  for (const std::string& image : {wrong_checksum, no_data, short_text, bright_text}) {
    const std::string error = error_of(image);
    // The rest of the message is the decoder's.
    EXPECT_TRUE(error.starts_with("a.png: expected a whole image, but: ")) << error;
  }
  EXPECT_EQ(error_of("P5\n3 1\n255\nab"),
            "a.png: expected at least 3 bytes for 3 x 1 pixels, found 2");
}

TEST(MapImage, RefusesAPngThatEndsTooEarly) {
  const std::string good = png(3, 2, 8, PngColor::kGray, "abcdef");
  const std::size_t data = good.find("IDAT") - 4;
  EXPECT_EQ(error_of(good.substr(0, data)),
            "a.png: expected 12 bytes of a PNG chunk from byte 33 on, found 0");
  EXPECT_EQ(error_of(good.substr(0, data + 20)),
            "a.png: expected 31 bytes of a PNG chunk from byte 33 on, found 20");
  EXPECT_EQ(error_of(good.substr(0, good.size() - 1)),
            "a.png: expected 12 bytes of a PNG chunk from byte 64 on, found 11");
  std::string long_chunk = good;
  long_chunk.replace(data, 4, "\x7f\xff\xff\xff");  // what the decoder would allocate
  EXPECT_EQ(error_of(long_chunk),
            "a.png: expected 2147483659 bytes of a PNG chunk from byte 33 on, found 43");
  // What follows the end of an image does no harm.
  EXPECT_EQ(read_map_image(good + "more", {}, "a.png").size(), 6U);
}

// --- files -------------------------------------------------------------------------------------

TEST(MapYaml, ReadsAMapAndItsImage) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "images");
  folder.write("images/a.png", png(2, 2, 8, PngColor::kGray, bytes({254, 0, 205, 254})));
  const NavMap map = read_map_yaml(folder.write("a.yaml", with_line(1, "image: images/a.png")));
  EXPECT_DOUBLE_EQ(map.description.resolution, 0.05);
  EXPECT_EQ(map.description.image, "images/a.png");
  EXPECT_EQ(costs_of(map.grid), (Costs{255, 0, 0, 254}));

  const std::string absolute = (folder.path() / "images" / "a.png").string();
  EXPECT_EQ(read_map_yaml(folder.write("b.yaml", with_line(1, "image: " + absolute))).grid.width(),
            2);
}

/// As the command line gives it when the map lies where one works.
TEST(MapYaml, FindsTheImageBesideAFileWithoutAFolder) {
  const TemporaryFolder folder;
  folder.write("a.pgm", pgm(1, 1, {0}));
  folder.write("a.yaml", kGood);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const Grid grid = read_map_yaml("a.yaml").grid;
  std::filesystem::current_path(before);
  EXPECT_EQ(costs_of(grid), Costs{254});
}

TEST(MapYaml, NamesTheFileThatIsWrong) {
  const TemporaryFolder folder;
  const auto path = [&](const std::string& name) { return (folder.path() / name).string(); };
  EXPECT_EQ(input_error([&] { read_map_yaml(path("a.yaml")); }),
            path("a.yaml") + ": cannot be read: No such file or directory");
  EXPECT_EQ(input_error([&] { read_map_yaml(folder.path()); }),
            folder.path().string() + ": cannot be read: Is a directory");
  folder.write("a.yaml", kGood);
  EXPECT_EQ(input_error([&] { read_map_yaml(path("a.yaml")); }),
            path("a.pgm") + ": cannot be read: No such file or directory");
  folder.write("a.pgm", "");
  EXPECT_EQ(input_error([&] { read_map_yaml(path("a.yaml")); }),
            path("a.pgm") + ": expected a PGM (P2, P5) or PNG image, found ''");
  folder.write("a.yaml", with_line(2, "resolution: high"));
  EXPECT_EQ(input_error([&] { read_map_yaml(path("a.yaml")); }),
            path("a.yaml") + ":2: expected resolution to be a number above 0, found 'high'");
}

TEST(ReadMap, GoesByTheEndOfTheName) {
  const TemporaryFolder folder;
  folder.write("a.pgm", pgm(2, 1, {0, 255}));
  const Costs expected = {254, 0};
  EXPECT_EQ(costs_of(read_map(folder.write("a.yaml", kGood))), expected);
  EXPECT_EQ(costs_of(read_map(folder.write("a.yml", kGood))), expected);
  EXPECT_EQ(costs_of(read_map(folder.write("a.map", "type octile\nheight 1\nwidth 2\nmap\n@.\n"))),
            expected);
  for (const std::string name : {"a.pgm", "a", "a.yaml.bak"}) {
    EXPECT_EQ(input_error([&] { read_map(name); }),
              name + ": expected a name that ends in .map, .yaml or .yml");
  }
}

}  // namespace
}  // namespace dynamic_planners
