#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dynamic_planners/grid/voxels.hpp"
#include "dynamic_planners/lab/worlds.hpp"
#include "dynamic_planners/search/planner.hpp"

namespace dynamic_planners {

/// A box, in cells, turned by an angle around one of its axes.
struct VoxelBox {
  Point centre;
  Point half;  // of its sides
  int axis = 2;
  double cosine = 1.0;  // of the angle
  double sine = 0.0;

  void turn(double angle);
  /// How far it reaches from its centre along each axis.
  Point reach() const;
  /// Whether it has a place in common with a cube.
  bool overlaps(const Point& cube, double half_side) const;
};

/// How an obstacle moves: to and fro between two places, around its z-axis, around its x-axis, or
/// there and gone.
enum class VoxelMotion { kStill, kPatrols, kTurnsAroundZ, kTurnsAroundX, kAppears };

struct VoxelObstacle {
  VoxelMotion motion = VoxelMotion::kStill;
  VoxelBox box = {};   // in the middle of its way, or not turned
  Point way = {};      // a patrol goes from the centre so far to either side
  double rate = 0.0;   // cells or radians a step
  double phase = 0.0;  // steps it is ahead
  int period = 0;      // steps it is there, and gone
  int left = 0;        // of these
  bool is_there = true;
};

/// The test environment of the 2019 thesis, section 4.1.2: obstacles that stand still, patrol, turn
/// and appear in 64 x 56 x 16 cells. Where the thesis has one arrangement, built by hand and shown
/// in a picture, here every seed has its own.
class VoxelScene {
 public:
  static constexpr int kWidth = 64;
  static constexpr int kHeight = 56;
  static constexpr int kDepth = 16;

  explicit VoxelScene(std::uint64_t seed);

  /// Both where nothing else ever is: the start on one side of the scene, the destination on the
  /// other, which goes up and down when it moves.
  static Point start() { return {2, 3, 8}; }
  Point destination(bool moves) const;

  /// A step passes. An obstacle does not appear or disappear while somebody is near it.
  void step(const Point& somebody);

  /// Whether a ball in the robot's place touches an obstacle.
  bool touches(const Point& robot) const;

  /// What a planner is told, cell by cell: a cell is blocked where an obstacle overlaps it, be it
  /// only in part; obstacles that move are a little larger there, and reach to where they will soon
  /// be.
  const Voxels& graph();

  const std::vector<VoxelObstacle>& obstacles() const { return obstacles_; }

 private:
  void add_obstacles(VoxelMotion motion, int count);
  VoxelObstacle draw_obstacle(VoxelMotion motion);
  double draw(double least, double most);
  static VoxelBox pose(const VoxelObstacle& obstacle, double time);
  void block(const VoxelBox& box, std::vector<std::uint8_t>& costs) const;

  Random random_;
  std::vector<VoxelObstacle> obstacles_;
  std::int64_t time_ = 0;
  std::vector<std::uint8_t> still_;  // the costs that never change
  Voxels graph_;
};

}  // namespace dynamic_planners
