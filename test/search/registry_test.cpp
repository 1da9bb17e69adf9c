#include "dynamic_planners/search/registry.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>

namespace dynamic_planners {
namespace {

TEST(Registry, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  for (const PlannerInfo& info : planners()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(find_planner(info.name).name, info.name);
    EXPECT_FALSE(info.title.empty());
  }
  EXPECT_TRUE(names.contains("astar"));
  EXPECT_TRUE(names.contains("dstar_lite"));
}

TEST(Registry, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  try {
    find_planner("dijkstra");
    FAIL() << "nothing was thrown";
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("'dijkstra'"), std::string::npos) << message;
    for (const PlannerInfo& info : planners()) {
      EXPECT_NE(message.find(info.name), std::string::npos) << message;
    }
  }
}

TEST(Registry, RefusesAConfigurationThatDoesNotFit) {
  const Grid grid(10, 10);
  for (const PlannerInfo& info : planners()) {
    PlannerConfig config;
    config.traversal.connectivity = 6;
    EXPECT_THROW(info.make(grid, config), std::invalid_argument);
    config.traversal = {};
    config.traversal.cost_weight = -1.0;
    EXPECT_THROW(info.make(grid, config), std::invalid_argument);
  }
}

}  // namespace
}  // namespace dynamic_planners
