"""A global costmap that moves with the robot: paths are right wherever it has come to."""

import os
import sys
import unittest

import launch_testing.asserts

sys.path.insert(0, os.path.dirname(__file__))
import nav2_system  # noqa: E402
from nav2_system import Map, Nav2Test, PLANNERS  # noqa: E402


def generate_test_description():
    corridor = Map(30.0, 16.0)
    for i in range(5):  # walls from below and from above in turn
        low = i % 2 == 0
        corridor.wall(5.0 * i + 5.0, 0.0 if low else 7.0, 5.0 * i + 5.1, 9.0 if low else 16.0)
    parameters = nav2_system.planner_server_parameters(
        costmap={'rolling_window': True, 'width': 16, 'height': 16})
    return nav2_system.launch_nav2(corridor.save(), nav2_system.parameter_file(parameters))


class TestRollingCostmap(Nav2Test):

    robot = (3.0, 8.0)

    def test_plans_wherever_the_robot_is(self):
        # By steps that are no multiple of a cell, forth and back, to one goal and to another.
        way = [(3.0, 8.0), (3.62, 8.0), (5.51, 10.13), (8.3, 8.27), (10.52, 5.55), (13.0, 8.0),
               (8.3, 8.27), (5.51, 10.13)]
        for step, robot in enumerate(way):
            type(self).robot = robot

            def centred():
                metadata = self.costmap().metadata
                return abs(metadata.origin.position.x + 8.0 - robot[0]) < 2 * nav2_system.RESOLUTION
            self.await_truth(centred, 'a costmap around the robot')
            self.spin(0.15)  # the window is where it should be before its layers are written anew
            for planner in PLANNERS:
                for goal in ((7.5, 8.0), (9.0 + 0.3 * step, 3.0)):
                    with self.subTest(planner=planner, robot=robot, goal=goal):
                        result = self.plan(planner, None, goal)
                        self.assertEqual(result.error_code, 0)
                        self.check(result.path, robot, goal)

    def test_what_has_left_the_window_is_outside(self):
        type(self).robot = (3.0, 8.0)
        self.await_truth(lambda: self.costmap().metadata.origin.position.x < -4.0, 'the costmap')
        for planner in PLANNERS:
            with self.subTest(planner=planner):
                self.check_error(self.plan(planner, None, (15.0, 8.0)), 'GOAL_OUTSIDE_MAP')


@launch_testing.post_shutdown_test()
class TestShutdown(unittest.TestCase):

    def test_everybody_leaves_in_peace(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)
