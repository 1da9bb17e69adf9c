#include <array>
#include <cmath>
#include <sstream>
#include <string>

#include "dynamic_planners/simulation/moving_world.hpp"
#include "test/fuzz/fuzz.hpp"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  static const std::array<std::string, 2> kGood = {
      "name: small\nsize: [4.0, 3.0]\nresolution: 0.1\nouter_wall: 0.1\n"
      "robot: {radius: 0.2, start: [0.5, 0.5, 0.0], goal: [3, 2, 1.5]}\n"
      "walls:\n- [2.0, 1.0, 2.1, 2.9]\n"
      "doors:\n- name: gate\n  panel: [2.02, 0.2, 2.08, 0.6]\n  slide: [0, 0.3]\n"
      "  speed: 0.5\n  open_for: 3\n  closed_for: 2\n"
      "people:\n- name: ann\n  radius: 0.25\n  speed: 1\n  walk: [[0.5, 1.5], [1.5, 1.5]]\n",
      "{name: a, size: [2, 2], resolution: 0.5, outer_wall: 0.5, people: [],\n"
      "robot: {radius: 0.1, start: &p [1, 1, 0], goal: *p}}"};
  return dynamic_planners::mutate_from(kGood, data, size, max_size, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynamic_planners;
  std::istringstream input{std::string(as_text(data, size))};
  run_reader([&] {
    MovingWorld world(read_world(input, "fuzz.yaml"), size);
    const Place robot = world.world().start.place;
    require(world.clearance(robot) > -10.0, "the robot has a place");
    for (int k = 0; k < 3; ++k) {
      world.advance(0.1, robot);
      for (std::size_t i = 0; i < world.people(); ++i) {
        const Place here = world.person(i);
        require(here.x >= 0.0 && here.x <= world.world().width && here.y >= 0.0 &&
                    here.y <= world.world().height,
                "people stay inside");
      }
      for (std::size_t i = 0; i < world.doors(); ++i) {
        const Place moved = world.panel_moved(i);
        require(length(moved) <= length(world.world().doors[i].slide) * (1 + 1e-9),
                "doors slide as far as they may");
      }
      require(std::isfinite(world.look(robot, 0.3, 1e6)), "the world is closed");
    }
  });
  return 0;
}
