#include "dynamic_planners/grid/map_yaml.hpp"

#include <Magick++.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "dynamic_planners/grid/input_text.hpp"
#include "dynamic_planners/grid/input_yaml.hpp"
#include "dynamic_planners/grid/moving_ai.hpp"

namespace dynamic_planners {
namespace {

constexpr std::size_t kMaxDescriptionBytes = std::size_t{1} << 16U;
/// Enough for the largest map as a text of 16-bit shades.
constexpr std::size_t kMaxImageBytes = 8 * kMaxCells;

// --- the description ---------------------------------------------------------------------------

std::string read_image_name(const YamlValue& file) {
  return file["image"].get<std::string>("the name of a file", [](const std::string& image) {
    return !image.empty() && std::none_of(image.begin(), image.end(),
                                          [](unsigned char c) { return std::iscntrl(c) != 0; });
  });
}

std::vector<double> read_origin(const YamlValue& file) {
  return file["origin"].get<std::vector<double>>(
      "a list of three numbers: x, y, yaw", [](const std::vector<double>& origin) {
        return origin.size() == 3 &&
               std::all_of(origin.begin(), origin.end(), [](double v) { return std::isfinite(v); });
      });
}

double read_threshold(const YamlValue& file, const char* key) {
  return file[key].get<double>("a number from 0 to 1", [](double threshold) {
    return threshold >= 0.0 && threshold <= 1.0;
  });
}

bool read_negate(const YamlValue& file) {
  const YamlValue negate = file["negate"];
  if (const auto number = negate.as<int>()) return *number != 0;
  if (const auto flag = negate.as<bool>()) return *flag;
  negate.fail("a whole number, true or false");
}

MapMode read_mode(const YamlValue& file) {
  if (!file.has("mode")) return MapMode::kTrinary;
  std::string mode = file["mode"].as<std::string>().value_or("");
  std::transform(mode.begin(), mode.end(), mode.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (mode == "trinary") return MapMode::kTrinary;
  if (mode == "scale") return MapMode::kScale;
  if (mode == "raw") return MapMode::kRaw;
  file["mode"].fail("trinary, scale or raw");
}

// --- the image ---------------------------------------------------------------------------------

struct Size {
  std::uint64_t width;
  std::uint64_t height;

  bool operator==(const Size&) const = default;
};

std::string to_string(const Size& size) {
  return std::to_string(size.width) + " x " + std::to_string(size.height);
}

void check_size(const Size& size, const std::string& name) {
  const auto [width, height] = size;
  // Each side alone is checked first, so that the product cannot overflow.
  if (width < 1 || height < 1 || width > kMaxCells || height > kMaxCells ||
      width * height > kMaxCells) {
    throw InputError(name, 0,
                     "expected an image of 1 to " + std::to_string(kMaxCells) + " pixels, found " +
                         to_string(size));
  }
}

/// A header alone must not make the decoder allocate.
void check_length(std::size_t found, std::uint64_t needed, const Size& size,
                  const std::string& name) {
  if (found < needed) {
    throw InputError(name, 0,
                     "expected at least " + std::to_string(needed) + " bytes for " +
                         to_string(size) + " pixels, found " + std::to_string(found));
  }
}

/// An image that may reach a decoder, and the only one that it may reach.
struct Encoded {
  const char* decoder;  // as GraphicsMagick names it
  Size size;
  std::string bytes;
};

constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n";

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8U | static_cast<unsigned char>(byte);
  return number;
}

/// The decoder allocates what a chunk's length says before it looks for the chunk.
void check_chunks(std::string_view image, const std::string& name) {
  constexpr std::size_t kAround = 12;  // length, kind, checksum
  std::string_view rest = image.substr(kPngSignature.size());
  for (bool ended = false; !ended;) {
    const std::uint64_t needed = kAround + big_endian(rest.substr(0, 4));
    if (rest.size() < needed) {
      throw InputError(name, 0,
                       "expected " + std::to_string(needed) + " bytes of a PNG chunk from byte " +
                           std::to_string(image.size() - rest.size()) + " on, found " +
                           std::to_string(rest.size()));
    }
    ended = rest.substr(4, 4) == "IEND";
    rest.remove_prefix(needed);
  }
}

Encoded recognize_png(std::string_view image, const std::string& name) {
  // After the signature: the length, kind and beginning of the first chunk.
  if (image.size() < 24 || image.substr(8, 8) != std::string_view("\0\0\0\x0dIHDR", 8)) {
    throw InputError(name, 0, "expected the header of a PNG image");
  }
  const Size size{big_endian(image.substr(16, 4)), big_endian(image.substr(20, 4))};
  check_size(size, name);
  // A pixel takes one bit or more, and no byte of compressed data becomes more than 1032.
  check_length(image.size(), size.width * size.height / (std::uint64_t{8} * 1032), size, name);
  check_chunks(image, name);
  return {"PNG", size, std::string(image)};
}

/// Takes the next number off the front of a PGM's header, past blanks and comments.
std::uint64_t take_pgm_number(std::string_view& rest, const std::string& name) {
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    if (!rest.starts_with('#')) break;
    rest.remove_prefix(std::min(rest.find('\n'), rest.size()));
  }
  const std::size_t length = std::min(rest.find_first_not_of("0123456789"), rest.size());
  const auto number = parse_number<std::uint64_t>(rest.substr(0, length));
  if (!number || length == rest.size() || kBlanks.find(rest[length]) == kBlanks.npos) {
    throw InputError(name, 0, "expected the header of a PGM image: width, height, largest shade");
  }
  rest.remove_prefix(length + 1);
  return *number;
}

Encoded recognize_pgm(std::string_view image, const std::string& name) {
  std::string_view rest = image.substr(2);
  const std::uint64_t width = take_pgm_number(rest, name);
  const std::uint64_t height = take_pgm_number(rest, name);
  const std::uint64_t largest = take_pgm_number(rest, name);
  const Size size{width, height};
  check_size(size, name);
  if (largest < 1 || largest > 65535) {
    throw InputError(name, 0,
                     "expected a largest shade from 1 to 65535, found " + std::to_string(largest));
  }
  const std::uint64_t pixels = width * height;
  const bool text = image.starts_with("P2");
  check_length(rest.size(), text ? 2 * pixels - 1 : (largest > 255 ? 2 : 1) * pixels, size, name);
  // The decoder's versions disagree on where a header may have comments: it gets one without any.
  std::string bytes(image.substr(0, 2));
  for (const std::uint64_t number : {width, height, largest}) {
    bytes.append("\n").append(std::to_string(number));
  }
  // A text may end with its last number; the decoder wants something behind it.
  return {"PGM", size, bytes.append("\n").append(rest).append(text ? "\n" : "")};
}

Encoded recognize(std::string_view image, const std::string& name) {
  if (image.starts_with(kPngSignature)) return recognize_png(image, name);
  if (image.starts_with("P2") || image.starts_with("P5")) return recognize_pgm(image, name);
  throw InputError(name, 0,
                   "expected a PGM (P2, P5) or PNG image, found " + in_quotes(image.substr(0, 8)));
}

/// One byte per pixel.
using Channel = std::vector<std::uint8_t>;

struct Pixels {
  Channel shade;  // 0 is black
  Channel alpha;  // 255 is opaque; empty when all is
};

/// Once per process, and without the signal handlers that a library has no business to install.
void initialize_decoder() {
  [[maybe_unused]] static const bool done = [] {
    MagickLib::ExceptionInfo exception;
    MagickLib::GetExceptionInfo(&exception);
    MagickLib::InitializeMagickEx(nullptr, MAGICK_OPT_NO_SIGNAL_HANDER, &exception);
    MagickLib::DestroyExceptionInfo(&exception);
    return true;
  }();
}

Channel channel_of(Magick::Image& image, const Size& size, const char* channel) {
  Channel bytes(size.width * size.height);
  image.write(0, 0, static_cast<unsigned>(size.width), static_cast<unsigned>(size.height), channel,
              Magick::CharPixel, bytes.data());
  return bytes;
}

Pixels decode(const Encoded& encoded, const std::string& name) {
  initialize_decoder();
  const Size& size = encoded.size;
  try {
    Magick::Image image;
    // Left to itself, GraphicsMagick looks for the marks of all formats it knows, and not only at
    // the beginning. It obeys nothing but the prefix of a file's name.
    image.fileName(std::string(encoded.decoder) + ":");
    // A PGM file may hold more images: only the first is read, and is the map.
    image.read(Magick::Blob(encoded.bytes.data(), encoded.bytes.size()));
    const Size found{image.columns(), image.rows()};
    if (found != size) {
      throw InputError(name, 0,
                       "expected " + to_string(size) + " pixels, found " + to_string(found));
    }
    Pixels pixels;
    if (image.matte()) pixels.alpha = channel_of(image, size, "A");
    image.type(Magick::GrayscaleType);
    pixels.shade = channel_of(image, size, "I");
    return pixels;
  } catch (const Magick::Exception& error) {
    throw InputError(name, 0, "expected a whole image, but: " + printable(error.what()));
  }
}

// --- from shades to costs ----------------------------------------------------------------------

constexpr int kOccupied = 100;
constexpr int kUnknownOccupancy = -1;

/// What Nav2's map server makes of a shade (nav2_map_server/src/map_io.cpp), in its own arithmetic:
/// single precision, thresholds included in what they bound.
int occupancy_of(std::uint8_t shade, const MapDescription& description) {
  if (description.mode == MapMode::kRaw) return shade <= kOccupied ? shade : kUnknownOccupancy;
  const float bright = static_cast<float>(shade) / 255.0F;
  const float occupied = description.negate ? bright : 1.0F - bright;
  const auto free_thresh = static_cast<float>(description.free_thresh);
  if (occupied <= free_thresh) return 0;
  if (occupied >= static_cast<float>(description.occupied_thresh)) return kOccupied;
  if (description.mode == MapMode::kTrinary) return kUnknownOccupancy;
  const auto range = static_cast<float>(description.occupied_thresh - description.free_thresh);
  return static_cast<int>(std::round((occupied - free_thresh) / range * 100.0F));
}

/// What Nav2's static layer makes of an occupancy when it tracks unknown space and its costmap is
/// not trinary: 1 to 99 become 2 to 251.
std::uint8_t cost_of(int occupancy) {
  if (occupancy == kUnknownOccupancy) return kUnknown;
  return static_cast<std::uint8_t>(occupancy * kLethal / kOccupied);
}

}  // namespace

MapDescription read_map_description(std::istream& input, const std::string& name) {
  const YamlValue file = YamlValue::read_mapping(input, kMaxDescriptionBytes, name);
  MapDescription description;
  description.image = read_image_name(file);
  description.resolution = file["resolution"].get<double>(
      "a number above 0",
      [](double resolution) { return std::isfinite(resolution) && resolution > 0.0; });
  const std::vector<double> origin = read_origin(file);
  description.origin_x = origin[0];
  description.origin_y = origin[1];
  description.origin_yaw = origin[2];
  description.negate = read_negate(file);
  description.occupied_thresh = read_threshold(file, "occupied_thresh");
  description.free_thresh = read_threshold(file, "free_thresh");
  if (description.free_thresh > description.occupied_thresh) {
    file["free_thresh"].fail("no more than occupied_thresh");
  }
  description.mode = read_mode(file);
  return description;
}

Grid read_map_image(std::span<const char> image, const MapDescription& description,
                    const std::string& name) {
  const Encoded encoded = recognize({image.data(), image.size()}, name);
  const Pixels pixels = decode(encoded, name);

  std::array<std::uint8_t, 256> costs{};
  for (std::size_t shade = 0; shade < costs.size(); ++shade) {
    costs[shade] = cost_of(occupancy_of(static_cast<std::uint8_t>(shade), description));
  }
  const bool transparent = !pixels.alpha.empty() && description.mode != MapMode::kRaw;

  Grid grid(static_cast<int>(encoded.size.width), static_cast<int>(encoded.size.height));
  std::size_t pixel = 0;
  for (int y = grid.height() - 1; y >= 0; --y) {  // an image begins at its top
    for (int x = 0; x < grid.width(); ++x, ++pixel) {
      const bool unknown = transparent && pixels.alpha[pixel] < 255;
      grid.set(grid.cell(x, y), unknown ? kUnknown : costs[pixels.shade[pixel]]);
    }
  }
  return grid;
}

NavMap read_map_yaml(const std::filesystem::path& file) {
  std::ifstream input = open_input(file);
  MapDescription description = read_map_description(input, file.string());
  const std::filesystem::path image = file.parent_path() / description.image;
  std::ifstream image_input = open_input(image);
  const std::string bytes = read_bytes(image_input, kMaxImageBytes, image.string());
  Grid grid = read_map_image(bytes, description, image.string());
  return {std::move(description), std::move(grid)};
}

Grid read_map(const std::filesystem::path& file) {
  const std::filesystem::path ending = file.extension();
  if (ending == ".map") return read_moving_ai_map(file);
  if (ending == ".yaml" || ending == ".yml") return read_map_yaml(file).grid;
  throw InputError(file.string(), 0, "expected a name that ends in .map, .yaml or .yml");
}

}  // namespace dynamic_planners
