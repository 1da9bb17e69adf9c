#include <Magick++.h>

#include <array>
#include <string>

#include "dynamic_planners/grid/map_yaml.hpp"
#include "test/fuzz/fuzz.hpp"
#include "test/support/png.hpp"

namespace {

/// Gives a PNG's chunks the checksums they should have; without them no mutation gets far.
void repair_checksums(std::uint8_t* data, std::size_t size) {
  using dynamic_planners::as_text;
  std::size_t at = test_support::kPngSignature.size();
  if (as_text(data, size).substr(0, at) != test_support::kPngSignature) return;
  constexpr std::size_t kAround = 12;  // length, name, checksum
  while (size - at >= kAround) {
    std::size_t length = 0;
    for (std::size_t i = at; i < at + 4; ++i) length = length << 8U | data[i];
    if (length > size - at - kAround) return;
    const std::string sum = test_support::png_checksum(as_text(data + at + 4, length + 4));
    std::copy(sum.begin(), sum.end(), data + at + length + 8);
    at += length + kAround;
  }
}

}  // namespace

/// Small images are as good as large ones, and cheaper: the decoder refuses large ones.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  MagickLib::ExceptionInfo exception;
  MagickLib::GetExceptionInfo(&exception);
  MagickLib::InitializeMagickEx(nullptr, MAGICK_OPT_NO_SIGNAL_HANDER, &exception);
  MagickLib::DestroyExceptionInfo(&exception);
  MagickLib::SetMagickResourceLimit(MagickLib::PixelsResource, 1 << 16);
  return 0;
}

/// The first byte chooses how the map is read; the rest is the image.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  using namespace dynamic_planners;
  using test_support::png;
  using test_support::png_chunk;
  using test_support::PngColor;
  static const std::array<std::string, 8> kGood = {
      "0P5\n# a map\n3 2\n255\nabcdef",
      "1P5\n2 1\n65535\nabcd",
      "2P2\n3 2\n100\n0 1 50\n99 100 7\n",
      "0" + png(3, 2, 8, PngColor::kGray, "abcdef"),
      "1" + png(4, 1, 2, PngColor::kGray, "a", png_chunk("tEXt", std::string("a\0b", 3))),
      "2" + png(2, 1, 8, PngColor::kRgba, "abcdefgh"),
      "3" + png(1, 1, 16, PngColor::kGrayAlpha, "abcd",
                png_chunk("gAMA", std::string("\0\0\xb1\x8f", 4))),
      "4" + png(3, 1, 8, PngColor::kPalette, std::string("\0\1\2", 3),
                png_chunk("PLTE", "abcdefghi") + png_chunk("tRNS", "ab\xff"))};
  const std::size_t mutated = mutate_from(kGood, data, size, max_size, seed);
  if (mutated > 1) repair_checksums(data + 1, mutated - 1);
  return mutated;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynamic_planners;
  if (size == 0) return 0;
  MapDescription description;
  description.mode = static_cast<MapMode>(data[0] % 3);
  description.negate = data[0] >= 128;
  run_reader([&] { read_map_image(as_text(data + 1, size - 1), description, "fuzz.png"); });
  return 0;
}
