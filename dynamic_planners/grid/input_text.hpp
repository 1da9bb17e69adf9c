#pragma once

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "dynamic_planners/grid/input_error.hpp"

/// What the readers of outside files have in common.
namespace dynamic_planners {

/// Text from outside as a message may show it: on one line, printable, and not too long.
inline std::string printable(std::string_view text) {
  constexpr std::size_t kLongest = 120;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result;
  for (const char c : text.substr(0, kLongest)) {
    if (c >= ' ' && c <= '~') {
      result += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      result += {'\\', 'x', kDigits[byte / 16], kDigits[byte % 16]};
    }
  }
  return text.size() > kLongest ? result + "..." : result;
}

inline std::string in_quotes(std::string_view text) {
  return std::string("'").append(printable(text)).append("'");
}

/// The number that the whole of `text` is, if it is one.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || rest != end) return std::nullopt;
  return number;
}

/// Opens a file so that at least its first byte can be read. Throws InputError.
inline std::ifstream open_input(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream input(file, std::ios::binary);
  if (input.is_open()) input.peek();  // a directory can be opened, but not read
  if (!input.is_open() || input.bad()) {
    throw InputError(file.string(), 0, "cannot be read: " + std::generic_category().message(errno));
  }
  input.clear();  // an empty file is for its reader to judge
  return input;
}

/// All of a file that may have so many bytes. Throws InputError.
inline std::string read_bytes(std::istream& input, std::size_t limit, const std::string& name) {
  constexpr std::size_t kChunk = std::size_t{1} << 16U;
  std::string bytes;
  while (input && bytes.size() <= limit) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kChunk);
    input.read(bytes.data() + before, kChunk);
    bytes.resize(before + static_cast<std::size_t>(input.gcount()));
  }
  if (input.bad()) throw InputError(name, 0, "cannot be read to its end");
  if (bytes.size() > limit) {
    throw InputError(name, 0, "expected at most " + std::to_string(limit) + " bytes");
  }
  return bytes;
}

}  // namespace dynamic_planners
