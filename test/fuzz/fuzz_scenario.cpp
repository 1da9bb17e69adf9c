#include <array>
#include <cmath>
#include <sstream>
#include <string>

#include "dynamic_planners/grid/moving_ai.hpp"
#include "test/fuzz/fuzz.hpp"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  static const std::array<std::string, 1> kGood = {
      "version 1\n0\ta.map\t32\t16\t1\t2\t31\t15\t35.38477631\n12 a.map 32 16 0 0 0 0 0\r\n"};
  return dynamic_planners::mutate_from(kGood, data, size, max_size, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynamic_planners;
  static const Grid grid(32, 16);
  std::istringstream input{std::string(as_text(data, size))};
  run_reader([&] {
    for (const Problem& problem : read_scenario(input, "fuzz.scen", grid)) {
      require(grid.contains(problem.start.x, problem.start.y), "the start is in the map");
      require(grid.contains(problem.goal.x, problem.goal.y), "the goal is in the map");
      require(std::isfinite(problem.optimal) && problem.optimal >= 0.0, "the length is a length");
    }
  });
  return 0;
}
