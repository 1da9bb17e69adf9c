#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

/// PNG images made by hand, so that what is read was not written by the same library.
namespace test_support {

inline std::string png_number(std::uint32_t number) {
  std::string bytes;
  for (const unsigned shift : {24U, 16U, 8U, 0U}) {
    bytes += static_cast<char>(static_cast<unsigned char>(number >> shift));
  }
  return bytes;
}

/// The checksum that ends a chunk, over its name and data.
inline std::string png_checksum(std::string_view bytes) {
  std::uint32_t crc = ~std::uint32_t{0};
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? crc >> 1U ^ 0xedb88320U : crc >> 1U;
  }
  return png_number(~crc);
}

inline std::string png_chunk(const std::string& name, const std::string& data) {
  return png_number(static_cast<std::uint32_t>(data.size())) + name + data +
         png_checksum(name + data);
}

/// A zlib stream of stored blocks: nothing is compressed.
inline std::string zlib_stored(std::string_view data) {
  std::string bytes = "\x78\x01";
  for (std::size_t begin = 0; begin < data.size();) {
    const std::size_t length = std::min<std::size_t>(data.size() - begin, 0xffff);
    bytes += begin + length == data.size() ? '\1' : '\0';
    for (const std::size_t half : {length, ~length}) {
      bytes += static_cast<char>(static_cast<unsigned char>(half));
      bytes += static_cast<char>(static_cast<unsigned char>(half >> 8U));
    }
    bytes += data.substr(begin, length);
    begin += length;
  }
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (const char byte : data) {
    a = (a + static_cast<unsigned char>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  return bytes + png_number(b << 16U | a);
}

enum class PngColor : char { kGray = 0, kRgb = 2, kPalette = 3, kGrayAlpha = 4, kRgba = 6 };

inline constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n";

inline std::string png_header(std::uint32_t width, std::uint32_t height, int depth,
                              PngColor color) {
  const std::string ways{static_cast<char>(depth), static_cast<char>(color), 0, 0, 0};
  return std::string(kPngSignature) +
         png_chunk("IHDR", png_number(width) + png_number(height) + ways);
}

/// An image whose rows have the bytes one after the other; `before` are chunks such as a palette.
inline std::string png(std::uint32_t width, std::uint32_t height, int depth, PngColor color,
                       std::string_view pixels, const std::string& before = "") {
  const std::size_t row = pixels.size() / height;
  std::string rows;
  for (std::size_t y = 0; y < height; ++y) {
    rows += '\0';  // no filter
    rows += pixels.substr(y * row, row);
  }
  return png_header(width, height, depth, color) + before + png_chunk("IDAT", zlib_stored(rows)) +
         png_chunk("IEND", "");
}

}  // namespace test_support
