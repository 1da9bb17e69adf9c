#include "dynamic_planners/simulation/world.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/grid/input_text.hpp"
#include "dynamic_planners/grid/input_yaml.hpp"

namespace dynamic_planners {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20U;
constexpr std::size_t kMaxWalls = 1000;
constexpr std::size_t kMaxMoving = 100;  // doors, people, and the points of a walk
constexpr std::size_t kMaxName = 40;
constexpr double kMaxSide = 1000.0;
constexpr double kMaxSpeed = 10.0;
constexpr double kMaxWait = 3600.0;
constexpr double kLeastThickness = 0.01;
/// So far may a number in the file be from what it means.
constexpr double kRounding = 1e-6;

std::string to_text(const Place& place) {
  return fmt::format("[{}, {}]", place.x, place.y);
}

/// What must not happen in a world, said of one of its parts.
void require(bool fine, const YamlValue& part, const std::string& expected,
             const std::string& found) {
  if (!fine) part.refuse(fmt::format("expected {}, found {}", expected, found));
}

// --- values ------------------------------------------------------------------------------------

/// A number above `above`, and at most `max`.
double read_number(const YamlValue& value, double above, double max) {
  return value.get<double>(fmt::format("a number above {}, at most {}", above, max),
                           [&](double number) { return number > above && number <= max; });
}

std::vector<double> read_numbers(const YamlValue& value, std::size_t count,
                                 const std::string& expected) {
  return value.get<std::vector<double>>(expected, [&](const std::vector<double>& numbers) {
    return numbers.size() == count &&
           std::all_of(numbers.begin(), numbers.end(),
                       [](double number) { return std::abs(number) <= kMaxSide; });
  });
}

Place read_place(const YamlValue& value) {
  const auto numbers = read_numbers(value, 2, "two numbers [x, y]");
  return {numbers[0], numbers[1]};
}

Box read_box(const YamlValue& value) {
  const auto numbers = read_numbers(value, 4, "four numbers [left, bottom, right, top]");
  const Box box{numbers[0], numbers[1], numbers[2], numbers[3]};
  require(box.right - box.left >= kLeastThickness && box.top - box.bottom >= kLeastThickness, value,
          fmt::format("left below right and bottom below top, {} m at least", kLeastThickness),
          fmt::format("[{}, {}, {}, {}]", box.left, box.bottom, box.right, box.top));
  return box;
}

World::Pose read_pose(const YamlValue& value) {
  const auto numbers = read_numbers(value, 3, "three numbers [x, y, yaw]");
  return {{numbers[0], numbers[1]}, numbers[2]};
}

/// Names become parts of topics and of the names of Gazebo's models.
std::string read_name(const YamlValue& value) {
  return value.get<std::string>(
      fmt::format("a name of up to {} lower-case letters, digits and _, a letter first", kMaxName),
      [](const std::string& name) {
        const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
        return !name.empty() && name.size() <= kMaxName && letter(name[0]) &&
               std::all_of(name.begin(), name.end(),
                           [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; });
      });
}

// --- parts -------------------------------------------------------------------------------------

/// Reads the parts of a world in an order in which each can be checked against those before.
class WorldReader {
 public:
  explicit WorldReader(const YamlValue& file) : file_(file) {}

  World read() {
    file_.expect_mapping_of(
        {"name", "size", "resolution", "outer_wall", "robot", "walls", "doors", "people"});
    world_.name = read_name(file_["name"]);
    read_size();
    for (const YamlValue& wall : list("walls", kMaxWalls)) read_wall(wall);
    for (const YamlValue& door : list("doors", kMaxMoving)) read_door(door);
    for (const YamlValue& person : list("people", kMaxMoving)) read_person(person);
    read_robot();
    return std::move(world_);
  }

 private:
  std::vector<YamlValue> list(const char* key, std::size_t max) const {
    return file_.has(key) ? file_[key].items(0, max) : std::vector<YamlValue>{};
  }

  bool on_border(double coordinate) const {
    const double cells = coordinate / world_.resolution;
    return std::abs(cells - std::round(cells)) <= kRounding / world_.resolution;
  }

  void read_size() {
    world_.resolution = read_number(file_["resolution"], 0.0, 1.0);
    const YamlValue size = file_["size"];
    const auto sides = read_numbers(size, 2, "two numbers [width, height]");
    world_.width = sides[0];
    world_.height = sides[1];
    const double cells = (world_.width / world_.resolution) * (world_.height / world_.resolution);
    require(world_.width > 0.0 && world_.height > 0.0 && on_border(world_.width) &&
                on_border(world_.height) && cells <= static_cast<double>(kMaxCells),
            size,
            fmt::format("a width and a height of whole cells of {} m, at most {} cells",
                        world_.resolution, kMaxCells),
            to_text({world_.width, world_.height}));
    const YamlValue outer = file_["outer_wall"];
    const double least = std::min(world_.width, world_.height);
    const double t = read_number(outer, 0.0, kMaxSide);
    require(on_border(t) && 2.0 * t < least, outer,
            fmt::format("a thickness of whole cells of {} m, less than half of {} m",
                        world_.resolution, least),
            fmt::format("{}", t));
    const double w = world_.width;
    const double h = world_.height;
    world_.walls = {{0.0, 0.0, w, t}, {0.0, h - t, w, h}, {0.0, t, t, h - t}, {w - t, t, w, h - t}};
  }

  void expect_inside(const YamlValue& part, const Box& box) const {
    require(box.left >= -kRounding && box.bottom >= -kRounding &&
                box.right <= world_.width + kRounding && box.top <= world_.height + kRounding,
            part, fmt::format("a place inside of {} m x {} m", world_.width, world_.height),
            fmt::format("[{}, {}, {}, {}]", box.left, box.bottom, box.right, box.top));
  }

  void read_wall(const YamlValue& part) {
    const Box wall = read_box(part);
    for (const double border : {wall.left, wall.bottom, wall.right, wall.top}) {
      require(on_border(border), part,
              fmt::format("walls on the borders of cells of {} m", world_.resolution),
              fmt::format("{}", border));
    }
    expect_inside(part, wall);
    world_.walls.push_back(wall);
  }

  void read_new_name(const YamlValue& part, std::string& name) {
    name = read_name(part["name"]);
    require(names_.insert(name).second, part["name"], "a name of its own", in_quotes(name));
  }

  void read_door(const YamlValue& part) {
    part.expect_mapping_of({"name", "panel", "slide", "speed", "open_for", "closed_for"});
    Door door;
    read_new_name(part, door.name);
    door.panel = read_box(part["panel"]);
    door.slide = read_place(part["slide"]);
    require((door.slide.x == 0.0) != (door.slide.y == 0.0), part["slide"],
            "a way along one of the axes", to_text(door.slide));
    door.speed = read_number(part["speed"], 0.0, kMaxSpeed);
    door.open_for = read_number(part["open_for"], 0.0, kMaxWait);
    door.closed_for = read_number(part["closed_for"], 0.0, kMaxWait);
    const Box swept = swept_by(door);
    expect_inside(part["slide"], swept);
    for (const Box& wall : world_.walls) {
      require(!swept.overlaps(wall), part["panel"], "a panel that slides clear of all walls",
              fmt::format("the wall [{}, {}, {}, {}] in its way", wall.left, wall.bottom,
                          wall.right, wall.top));
    }
    world_.doors.push_back(std::move(door));
  }

  void read_person(const YamlValue& part) {
    part.expect_mapping_of({"name", "radius", "speed", "walk"});
    Person person;
    read_new_name(part, person.name);
    person.radius = read_number(part["radius"], 0.0, 10.0);
    person.speed = read_number(part["speed"], 0.0, kMaxSpeed);
    const auto points = part["walk"].items(2, kMaxMoving);
    for (const YamlValue& point : points) person.walk.push_back(read_place(point));
    double whole = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Place& from = person.walk[i];
      const Place& to = person.walk[(i + 1) % points.size()];
      expect_clear(points[i], from, to, person.radius);
      whole += length(to - from);
    }
    require(whole > 0.0, part["walk"], "a walk from one place to another", "only one place");
    world_.people.push_back(std::move(person));
  }

  void read_robot() {
    const YamlValue part = file_["robot"];
    part.expect_mapping_of({"radius", "start", "goal"});
    world_.robot_radius = read_number(part["radius"], 0.0, 10.0);
    world_.start = read_pose(part["start"]);
    world_.goal = read_pose(part["goal"]);
    expect_clear(part["start"], world_.start.place, world_.start.place, world_.robot_radius);
    expect_clear(part["goal"], world_.goal.place, world_.goal.place, world_.robot_radius);
  }

  static Box swept_by(const Door& door) { return hull(door.panel, door.panel + door.slide); }

  /// Something round gets from one place to the other past all walls and doors, wherever they are.
  void expect_clear(const YamlValue& part, const Place& from, const Place& to,
                    double radius) const {
    expect_inside(part, {from.x, from.y, from.x, from.y});
    const auto expect_past = [&](const Box& box, const std::string& what) {
      const double gap = distance(box, from, to);
      require(
          gap >= radius, part,
          fmt::format("{} m of room on the way from {} to {}", radius, to_text(from), to_text(to)),
          fmt::format("{} {:.3f} m away", what, gap));
    };
    for (const Box& wall : world_.walls) {
      expect_past(wall, fmt::format("the wall [{}, {}, {}, {}]", wall.left, wall.bottom, wall.right,
                                    wall.top));
    }
    for (const Door& door : world_.doors) expect_past(swept_by(door), "the door " + door.name);
  }

  const YamlValue& file_;
  World world_;
  std::set<std::string> names_;
};

}  // namespace

World read_world(std::istream& input, const std::string& name) {
  const YamlValue file = YamlValue::read_mapping(input, kMaxBytes, name);
  return WorldReader(file).read();
}

World read_world(const std::filesystem::path& file) {
  std::ifstream input = open_input(file);
  return read_world(input, file.string());
}

}  // namespace dynamic_planners
