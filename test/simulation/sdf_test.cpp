// What Gazebo's own parser makes of our worlds.
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <sdf/sdf.hh>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "dynamic_planners/simulation/world_files.hpp"
#include "test/support/rooms.hpp"

namespace dynamic_planners {
namespace {

class Sdf : public testing::Test {
 protected:
  void SetUp() override {
    std::ostringstream text;
    write_sdf(text, world_);
    const sdf::Errors errors = root_.LoadSdfString(text.str());
    for (const sdf::Error& error : errors) ADD_FAILURE() << error;
    ASSERT_EQ(root_.WorldCount(), 1U);
    sdf_ = root_.WorldByIndex(0);
    EXPECT_EQ(sdf_->Name(), world_.name);
  }

  /// Where something that belongs to a model is, in the world.
  template <typename Part>
  static auto pose_of(const sdf::Model& model, const Part& part) {
    auto pose = part.RawPose();
    for (const sdf::Error& error : part.SemanticPose().Resolve(pose, "__model__")) {
      ADD_FAILURE() << error;
    }
    return model.RawPose() * pose;
  }

  /// What its plugins listen to, in their order.
  static std::vector<std::string> topics_of(const sdf::Model& model) {
    std::vector<std::string> topics;
    for (auto plugin = model.Element()->FindElement("plugin"); plugin;
         plugin = plugin->GetNextElement("plugin")) {
      topics.push_back(plugin->Get<std::string>("topic", "").first);
    }
    return topics;
  }

  World world_ = test_support::rooms();
  sdf::Root root_;
  const sdf::World* sdf_ = nullptr;
};

/// Whatever stands in Gazebo where the robot drives, and nothing else, is in the map.
TEST_F(Sdf, TheWallsAreThoseOfTheMap) {
  Grid drawn(world_.columns(), world_.rows());
  const sdf::Model* walls = sdf_->ModelByName("walls");
  ASSERT_NE(walls, nullptr);
  EXPECT_TRUE(walls->Static());
  const sdf::Link* link = walls->LinkByIndex(0);
  ASSERT_EQ(link->CollisionCount(), world_.walls.size());
  ASSERT_EQ(link->VisualCount(), world_.walls.size());
  for (std::uint64_t i = 0; i < link->CollisionCount(); ++i) {
    const sdf::Collision* wall = link->CollisionByIndex(i);
    const sdf::Visual* seen = link->VisualByIndex(i);
    ASSERT_NE(wall->Geom()->BoxShape(), nullptr);
    const auto pose = pose_of(*walls, *wall);
    EXPECT_EQ(pose, pose_of(*walls, *seen));
    EXPECT_EQ(pose.Rot().Yaw(), 0.0);
    const auto size = wall->Geom()->BoxShape()->Size();
    EXPECT_EQ(size, seen->Geom()->BoxShape()->Size());
    // From the ground to above the scanner.
    EXPECT_NEAR(pose.Pos().Z() - size.Z() / 2, 0.0, 1e-9);
    EXPECT_GT(size.Z(), 0.5);
    for (Cell cell = 0; cell < drawn.size(); ++cell) {
      const auto [x, y] = drawn.position(cell);
      const double dx = (x + 0.5) * world_.resolution - pose.Pos().X();
      const double dy = (y + 0.5) * world_.resolution - pose.Pos().Y();
      if (std::abs(dx) < size.X() / 2 && std::abs(dy) < size.Y() / 2) drawn.set(cell, kLethal);
    }
  }
  const Grid map = map_of(world_);
  EXPECT_TRUE(std::equal(map.costs().begin(), map.costs().end(), drawn.costs().begin(),
                         drawn.costs().end()));
  EXPECT_EQ(sdf_->ModelCount(), 3 + world_.doors.size() + world_.people.size());
}

TEST_F(Sdf, DoorsAndPeopleAreWhereTheirJointsCount) {
  std::ostringstream text;
  write_bridge(text, world_);
  std::set<std::string> bridged;
  for (const YAML::Node& entry : YAML::Load(text.str())) {
    bridged.insert(entry["topic_name"].as<std::string>());
  }
  const auto check_joints = [&](const sdf::Model& model, const std::vector<std::string>& joints) {
    ASSERT_EQ(model.JointCount(), joints.size());
    const std::vector<std::string> topics = topics_of(model);
    ASSERT_EQ(topics.size(), joints.size());
    for (std::uint64_t i = 0; i < joints.size(); ++i) {
      const sdf::Joint* joint = model.JointByIndex(i);
      EXPECT_EQ(joint->Name(), joints[i]);
      EXPECT_EQ(joint->Type(), sdf::JointType::PRISMATIC);
      EXPECT_EQ(topics[i], joint_topic(model.Name(), joints[i]));
      EXPECT_EQ(bridged.count(topics[i]), 1U);
    }
  };
  for (const Door& door : world_.doors) {
    const sdf::Model* model = sdf_->ModelByName(door.name);
    ASSERT_NE(model, nullptr) << door.name;
    check_joints(*model, {"slide"});
    const sdf::Visual* panel = model->LinkByName("panel")->VisualByIndex(0);
    const auto size = panel->Geom()->BoxShape()->Size();
    const auto pose = pose_of(*model, *model->LinkByName("panel"));
    EXPECT_NEAR(pose.Pos().X() - size.X() / 2, door.panel.left, 1e-9);
    EXPECT_NEAR(pose.Pos().X() + size.X() / 2, door.panel.right, 1e-9);
    EXPECT_NEAR(pose.Pos().Y() - size.Y() / 2, door.panel.bottom, 1e-9);
    EXPECT_NEAR(pose.Pos().Y() + size.Y() / 2, door.panel.top, 1e-9);
    const auto axis = model->JointByIndex(0)->Axis(0)->Xyz();
    EXPECT_NEAR(axis.X() * length(door.slide), door.slide.x, 1e-9);
    EXPECT_NEAR(axis.Y() * length(door.slide), door.slide.y, 1e-9);
  }
  for (const Person& person : world_.people) {
    const sdf::Model* model = sdf_->ModelByName(person.name);
    ASSERT_NE(model, nullptr) << person.name;
    check_joints(*model, {"x", "y"});
    const auto pose = pose_of(*model, *model->LinkByName("body"));
    EXPECT_NEAR(pose.Pos().X(), person.walk[0].x, 1e-9);
    EXPECT_NEAR(pose.Pos().Y(), person.walk[0].y, 1e-9);
    const auto* body = model->LinkByName("body")->VisualByIndex(0)->Geom()->CylinderShape();
    ASSERT_NE(body, nullptr);
    EXPECT_NEAR(body->Radius(), person.radius, 1e-9);
    EXPECT_EQ(model->JointByIndex(0)->Axis(0)->Xyz().X(), 1.0);
    EXPECT_EQ(model->JointByIndex(1)->Axis(0)->Xyz().Y(), 1.0);
  }
}

TEST_F(Sdf, TheRobotIsWhereItStartsAndAsLargeAsItSays) {
  const sdf::Model* robot = sdf_->ModelByName("robot");
  ASSERT_NE(robot, nullptr);
  EXPECT_NEAR(robot->RawPose().Pos().X(), world_.start.place.x, 1e-9);
  EXPECT_NEAR(robot->RawPose().Pos().Y(), world_.start.place.y, 1e-9);
  EXPECT_NEAR(robot->RawPose().Rot().Yaw(), world_.start.yaw, 1e-9);
  const sdf::Link* base = robot->LinkByName("base_link");
  ASSERT_NE(base, nullptr);
  const auto* hull = base->CollisionByName("hull")->Geom()->CylinderShape();
  ASSERT_NE(hull, nullptr);
  EXPECT_NEAR(hull->Radius(), world_.robot_radius, 1e-9);
  // The wheels stand on the ground, within the hull.
  for (const char* name : {"left_wheel", "right_wheel"}) {
    const sdf::Link* wheel = robot->LinkByName(name);
    ASSERT_NE(wheel, nullptr);
    const auto* shape = wheel->CollisionByIndex(0)->Geom()->CylinderShape();
    const auto at = pose_of(*robot, *wheel).Pos() - robot->RawPose().Pos();
    EXPECT_NEAR(at.Z(), shape->Radius(), 1e-9);
    EXPECT_LT(std::hypot(shape->Radius(), std::abs(at.Y()) + shape->Length() / 2), hull->Radius());
  }
  ASSERT_EQ(base->SensorCount(), 1U);
  const sdf::Sensor* scanner = base->SensorByIndex(0);
  EXPECT_EQ(scanner->Type(), sdf::SensorType::GPU_LIDAR);
  EXPECT_EQ(scanner->Topic(), "scan");
  // It looks over its own hull, and at everything else.
  const double eye = scanner->RawPose().Pos().Z();
  const auto top = base->CollisionByName("hull")->RawPose().Pos().Z() + hull->Length() / 2;
  EXPECT_GT(eye, top);
  EXPECT_LT(eye, 0.9);
}

}  // namespace
}  // namespace dynamic_planners
