#pragma once

#include <filesystem>
#include <istream>
#include <span>
#include <string>

#include "dynamic_planners/grid/grid.hpp"

namespace dynamic_planners {

/// How Nav2's map server turns shades into occupancy (nav2_map_server/map_mode.hpp).
enum class MapMode { kTrinary, kScale, kRaw };

/// A map.yaml without its image.
struct MapDescription {
  std::filesystem::path image;  // as written in the file
  double resolution = 0.0;      // metres per cell
  double origin_x = 0.0;
  double origin_y = 0.0;
  double origin_yaw = 0.0;
  bool negate = false;
  double occupied_thresh = 0.65;
  double free_thresh = 0.25;
  MapMode mode = MapMode::kTrinary;
};

/// A map as Nav2's costmap sees it: cell (0, 0) is at the origin, bottom left in the image.
struct NavMap {
  MapDescription description;
  Grid grid;
};

/// Reads a map.yaml as Nav2's map server does, with the thresholds in the order and range that
/// Nav2's map saver demands. Throws InputError; `name` stands for the file in it.
MapDescription read_map_description(std::istream& input, const std::string& name);

/// Turns a PGM or PNG image into costs: occupied is kLethal, free kFree, unknown kUnknown. In the
/// modes scale and raw, the occupancies 1 to 99 become the costs 2 to 251, as Nav2's static layer
/// spreads them with trinary_costmap off. Throws InputError.
Grid read_map_image(std::span<const char> image, const MapDescription& description,
                    const std::string& name);

/// Reads a map.yaml and the image it names (relative to its own folder). Throws InputError.
NavMap read_map_yaml(const std::filesystem::path& file);

/// Reads a Moving AI map or a map.yaml, by the ending of its name. Throws InputError.
Grid read_map(const std::filesystem::path& file);

}  // namespace dynamic_planners
