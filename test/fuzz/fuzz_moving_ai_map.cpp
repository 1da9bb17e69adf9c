#include <array>
#include <sstream>
#include <string>

#include "dynamic_planners/grid/moving_ai.hpp"
#include "test/fuzz/fuzz.hpp"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  static const std::array<std::string, 2> kGood = {
      "type octile\nheight 2\nwidth 7\nmap\n.GS.GS.\n@OTW@.@\n",
      "type octile\r\nheight\t1\r\nwidth 1\r\nmap\r\n.\r\n\r\n"};
  return dynamic_planners::mutate_from(kGood, data, size, max_size, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynamic_planners;
  std::istringstream input{std::string(as_text(data, size))};
  run_reader([&] {
    const Grid grid = read_moving_ai_map(input, "fuzz.map");
    require(grid.size() < size, "a map has no more cells than its file has bytes");
  });
  return 0;
}
