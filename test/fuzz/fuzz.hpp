#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <span>
#include <string>
#include <string_view>

#include "dynamic_planners/grid/input_error.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace dynamic_planners {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends the process, and so the fuzzing, when a promise is broken.
inline void require(bool promise, std::string_view what) {
  if (promise) return;
  std::cerr << "broken: " << what << '\n';
  std::abort();
}

/// Runs a reader. It may throw InputError with a message on one printable line, and nothing else.
template <typename Reader>
void run_reader(Reader&& read) {
  try {
    read();
  } catch (const InputError& error) {
    const std::string_view message = error.what();
    require(
        std::all_of(message.begin(), message.end(), [](char c) { return c >= ' ' && c <= '~'; }),
        message);
  }
}

/// What LLVMFuzzerCustomMutator returns: mostly a mutation; at the beginning and now and then again
/// one of the good files, since hardly any random text gets past the first check.
inline std::size_t mutate_from(std::span<const std::string> good_files, std::uint8_t* data,
                               std::size_t size, std::size_t max_size, unsigned seed) {
  const std::string& file = good_files[seed / 256 % good_files.size()];
  if (file.size() > max_size || (size > 1 && seed % 256 != 0)) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  std::copy(file.begin(), file.end(), data);
  return file.size();
}

}  // namespace dynamic_planners
