#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <string>

#include "dynamic_planners/grid/map_yaml.hpp"
#include "test/fuzz/fuzz.hpp"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  static const std::array<std::string, 2> kGood = {
      "image: a.pgm\nresolution: 0.05\norigin: [-1.5, 2.0, 0]\nnegate: 0\n"
      "occupied_thresh: 0.65\nfree_thresh: 0.196\nmode: scale\n",
      "{image: &a \"b.png\", resolution: 1, origin: [1, 2, 3], negate: no, mode: raw,\n"
      "occupied_thresh: 1, free_thresh: 0, other: *a}"};
  return dynamic_planners::mutate_from(kGood, data, size, max_size, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynamic_planners;
  std::istringstream input{std::string(as_text(data, size))};
  run_reader([&] {
    const MapDescription map = read_map_description(input, "fuzz.yaml");
    const std::string image = map.image.string();
    require(!image.empty(), "an image is named");
    require(std::none_of(image.begin(), image.end(), [](char c) { return c >= 0 && c < ' '; }),
            "the image's name fits on a line");
    require(std::isfinite(map.resolution) && map.resolution > 0.0, "the resolution is a length");
    require(
        std::isfinite(map.origin_x) && std::isfinite(map.origin_y) && std::isfinite(map.origin_yaw),
        "the origin is a place");
    require(0.0 <= map.free_thresh && map.free_thresh <= map.occupied_thresh &&
                map.occupied_thresh <= 1.0,
            "the thresholds are in order");
  });
  return 0;
}
