#include "dynamic_planners/lab/voxel_scene.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace dynamic_planners {
namespace {

constexpr double kRobotRadius = 0.3;
/// Moving obstacles are larger by so much on every side where planners look at them, and are there
/// already where they will be so many steps later.
constexpr double kMargin = 0.8;
constexpr int kAhead = 3;
/// Obstacles stay away from either end of the scene along x, where the start and the destination
/// are.
constexpr double kFreeEnd = 6.0;
/// Nobody appears or disappears nearer to the robot.
constexpr double kNear = 6.0;
/// Of the destination, up or down a step, from the middle of its way.
constexpr double kDestinationSpeed = 0.25;
constexpr double kDestinationReach = 20.0;

/// From -1 to 1 and back as `x` grows by 4; 0 at 0.
double to_and_fro(double x) {
  const double at = x + 1.0 - 4.0 * std::floor((x + 1.0) / 4.0);
  return at < 2.0 ? at - 1.0 : 3.0 - at;
}

}  // namespace

void VoxelBox::turn(double angle) {
  cosine = std::cos(angle);
  sine = std::sin(angle);
}

Point VoxelBox::reach() const {
  const double c = std::abs(cosine);
  const double s = std::abs(sine);
  if (axis == 0) return {half.x, half.y * c + half.z * s, half.y * s + half.z * c};
  return {half.x * c + half.y * s, half.x * s + half.y * c, half.z};
}

/// By a separating axis: one of space, or one of the box.
bool VoxelBox::overlaps(const Point& cube, double half_side) const {
  const Point to{cube.x - centre.x, cube.y - centre.y, cube.z - centre.z};
  const Point most = reach();
  if (std::abs(to.x) >= most.x + half_side || std::abs(to.y) >= most.y + half_side ||
      std::abs(to.z) >= most.z + half_side) {
    return false;
  }
  const auto [u, v, half_u, half_v] =
      axis == 0 ? std::array{to.y, to.z, half.y, half.z} : std::array{to.x, to.y, half.x, half.y};
  const double cube_reach = half_side * (std::abs(cosine) + std::abs(sine));
  return std::abs(u * cosine + v * sine) < half_u + cube_reach &&
         std::abs(v * cosine - u * sine) < half_v + cube_reach;
}

VoxelScene::VoxelScene(std::uint64_t seed) : random_(seed), graph_(kWidth, kHeight, kDepth) {
  add_obstacles(VoxelMotion::kStill, 14);
  add_obstacles(VoxelMotion::kPatrols, 10);
  add_obstacles(VoxelMotion::kTurnsAroundZ, 5);
  add_obstacles(VoxelMotion::kTurnsAroundX, 5);
  add_obstacles(VoxelMotion::kAppears, 6);
  still_.assign(graph_.size(), kFree);
  for (const VoxelObstacle& obstacle : obstacles_) {
    if (obstacle.motion == VoxelMotion::kStill) block(obstacle.box, still_);
  }
}

void VoxelScene::add_obstacles(VoxelMotion motion, int count) {
  for (int i = 0; i < count; ++i) obstacles_.push_back(draw_obstacle(motion));
}

double VoxelScene::draw(double least, double most) {
  constexpr std::uint64_t kParts = 1'000'000;
  return least + (most - least) * static_cast<double>(random_.below(kParts)) / kParts;
}

VoxelObstacle VoxelScene::draw_obstacle(VoxelMotion motion) {
  VoxelObstacle obstacle{.motion = motion};
  VoxelBox& box = obstacle.box;
  const auto draw_half = [&](double least, double most) { return draw(least / 2, most / 2); };
  switch (motion) {
    case VoxelMotion::kStill:
      box.half = {draw_half(2, 5), draw_half(10, 24), draw_half(10, 16)};
      break;
    case VoxelMotion::kPatrols:
      box.half = {draw_half(4, 7), draw_half(4, 7), draw_half(4, 7)};
      obstacle.rate = draw(0.2, 0.4);
      switch (random_.below(3)) {
        case 0:
          obstacle.way = {draw(4, 8), 0, 0};
          break;
        case 1:
          obstacle.way = {0, draw(6, 14), 0};
          break;
        default:
          obstacle.way = {0, 0, draw(3, 6)};
          break;
      }
      break;
    case VoxelMotion::kTurnsAroundZ:
      box.axis = 2;
      box.half = {draw_half(2, 3), draw_half(12, 20), draw_half(4, 8)};
      obstacle.rate = draw(0.015, 0.04);
      break;
    case VoxelMotion::kTurnsAroundX:
      box.axis = 0;
      box.half = {draw_half(4, 8), draw_half(10, 16), draw_half(2, 3)};
      obstacle.rate = draw(0.015, 0.04);
      break;
    case VoxelMotion::kAppears:
      box.half = {draw_half(4, 8), draw_half(4, 8), draw_half(4, 8)};
      obstacle.period = 15 + static_cast<int>(random_.below(20));
      obstacle.left = static_cast<int>(random_.below(20));
      obstacle.is_there = random_.below(2) == 0;
      break;
  }
  obstacle.phase = draw(0, 1000);
  // How far it ever reaches along x.
  const bool turns_in_x = motion == VoxelMotion::kTurnsAroundZ;
  const double reach = (turns_in_x ? std::hypot(box.half.x, box.half.y) : box.half.x) +
                       obstacle.way.x + kMargin + kFreeEnd;
  box.centre = {draw(reach, kWidth - reach), draw(0, kHeight), draw(0, kDepth)};
  return obstacle;
}

Point VoxelScene::destination(bool moves) const {
  const double middle = kHeight / 2;
  const double part = kDestinationSpeed / kDestinationReach;
  // It begins, and stays if it does not move, at the far end of its way.
  const double at = moves ? to_and_fro(1.0 + part * static_cast<double>(time_)) : 1.0;
  return {kWidth - 3, std::round(middle + kDestinationReach * at), 8};
}

void VoxelScene::step(const Point& somebody) {
  ++time_;
  for (VoxelObstacle& obstacle : obstacles_) {
    if (obstacle.motion != VoxelMotion::kAppears || --obstacle.left > 0) continue;
    if (obstacle.box.overlaps(somebody, kNear)) continue;
    obstacle.is_there = !obstacle.is_there;
    obstacle.left = obstacle.period;
  }
}

VoxelBox VoxelScene::pose(const VoxelObstacle& obstacle, double time) {
  VoxelBox box = obstacle.box;
  const double length = std::hypot(obstacle.way.x, obstacle.way.y, obstacle.way.z);
  switch (obstacle.motion) {
    case VoxelMotion::kPatrols: {
      const double at = to_and_fro((time + obstacle.phase) * obstacle.rate / length);
      box.centre.x += obstacle.way.x * at;
      box.centre.y += obstacle.way.y * at;
      box.centre.z += obstacle.way.z * at;
      break;
    }
    case VoxelMotion::kTurnsAroundZ:
    case VoxelMotion::kTurnsAroundX:
      box.turn((time + obstacle.phase) * obstacle.rate);
      break;
    default:
      break;
  }
  return box;
}

bool VoxelScene::touches(const Point& robot) const {
  return std::any_of(obstacles_.begin(), obstacles_.end(), [&](const VoxelObstacle& obstacle) {
    return obstacle.is_there &&
           pose(obstacle, static_cast<double>(time_)).overlaps(robot, kRobotRadius);
  });
}

const Voxels& VoxelScene::graph() {
  std::vector<std::uint8_t> costs = still_;
  for (const VoxelObstacle& obstacle : obstacles_) {
    if (obstacle.motion == VoxelMotion::kStill || !obstacle.is_there) continue;
    const bool moves = obstacle.motion != VoxelMotion::kAppears;
    // It is large enough to cover its way between the two.
    for (const int ahead : {0, kAhead}) {
      VoxelBox box = pose(obstacle, static_cast<double>(time_ + ahead));
      const double margin = moves ? kMargin : 0.0;
      box.half = {box.half.x + margin, box.half.y + margin, box.half.z + margin};
      block(box, costs);
    }
  }
  for (Cell cell = 0; cell < graph_.size(); ++cell) graph_.set(cell, costs[cell]);
  return graph_;
}

void VoxelScene::block(const VoxelBox& box, std::vector<std::uint8_t>& costs) const {
  const Point reach = box.reach();
  const auto first = [](double at, double by) {
    return std::max(0, static_cast<int>(std::floor(at - by)));
  };
  const auto last = [](double at, double by, int cells) {
    return std::min(cells - 1, static_cast<int>(std::ceil(at + by)));
  };
  const Point& at = box.centre;
  for (int z = first(at.z, reach.z); z <= last(at.z, reach.z, kDepth); ++z) {
    for (int y = first(at.y, reach.y); y <= last(at.y, reach.y, kHeight); ++y) {
      for (int x = first(at.x, reach.x); x <= last(at.x, reach.x, kWidth); ++x) {
        const Point cube{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
        if (box.overlaps(cube, 0.5)) costs[graph_.cell(x, y, z)] = kLethal;
      }
    }
  }
}

}  // namespace dynamic_planners
