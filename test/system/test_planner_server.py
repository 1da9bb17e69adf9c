"""All plugins in one planner server: what a user of Nav2's actions, topics and parameters gets."""

import math
import os
import sys
import unittest

from action_msgs.msg import GoalStatus
import launch_testing.asserts
from nav2_msgs.msg import CostmapUpdate
from nav_msgs.msg import Path

sys.path.insert(0, os.path.dirname(__file__))
import nav2_system  # noqa: E402
from nav2_system import Map, Nav2Test, PLANNERS, seconds  # noqa: E402

ROBOT = (4.0, 15.0)
# To get from one to the other, around a wall of 24 m, a search has to look at much of the map.
BEFORE_THE_WALL = (19.3, 15.0)
BEHIND_THE_WALL = (20.8, 15.0)


def site():
    """30 m x 30 m with a long wall, a pillar and a room without a door."""
    plan = Map(30.0, 30.0)
    plan.wall(20.0, 3.0, 20.1, 27.0)
    plan.wall(10.0, 22.0, 11.0, 23.0)
    for x0, y0, x1, y1 in ((25, 25, 28, 25.1), (25, 28, 28.1, 28.1),
                           (25, 25, 25.1, 28), (28, 25, 28.1, 28)):
        plan.wall(x0, y0, x1, y1)
    return plan


PILLAR = (10.5, 22.5)
CLOSED_ROOM = (26.5, 26.5)


def generate_test_description():
    parameters = nav2_system.planner_server_parameters()
    for planner in PLANNERS:
        parameters['planner_server']['ros__parameters'][planner]['background_timeout'] = 0.0
    return nav2_system.launch_nav2(site().save(), nav2_system.parameter_file(parameters))


def for_every_planner(test):
    def run(self):
        for planner in PLANNERS:
            with self.subTest(planner=planner):
                test(self, planner)
    return run


class TestPlannerServer(Nav2Test):

    robot = ROBOT

    @for_every_planner
    def test_1_to_pose(self, planner):
        result = self.plan(planner, BEFORE_THE_WALL, BEHIND_THE_WALL)
        self.check(result.path, BEFORE_THE_WALL, BEHIND_THE_WALL)

    @for_every_planner
    def test_1_through_poses(self, planner):
        between = (9.0, 25.0)
        result = self.plan(planner, None, between, BEHIND_THE_WALL)
        self.check(result.path, ROBOT, BEHIND_THE_WALL)
        self.assertTrue(any(math.dist((pose.pose.position.x, pose.pose.position.y), between) < 1e-6
                            for pose in result.path.poses))

    @for_every_planner
    def test_2_errors(self, planner):
        free = (5.0, 5.0)
        self.check_error(self.plan(planner, (-3.0, 5.0), free), 'START_OUTSIDE_MAP')
        self.check_error(self.plan(planner, free, (31.0, 5.0)), 'GOAL_OUTSIDE_MAP')
        self.check_error(self.plan(planner, PILLAR, free), 'START_OCCUPIED')
        self.check_error(self.plan(planner, free, PILLAR), 'GOAL_OCCUPIED')
        self.check_error(self.plan(planner, free, CLOSED_ROOM), 'NO_VALID_PATH')
        self.check_error(self.plan(planner, free, (6.0, 5.0), PILLAR), 'GOAL_OCCUPIED')

    @for_every_planner
    def test_2_runs_out_of_time_and_goes_on(self, planner):
        goal = (20.8, 15.5)
        self.assertEqual(self.set_parameter(planner, 'max_planning_time', 0.001), (True, ''))
        self.check_error(self.plan(planner, BEFORE_THE_WALL, goal), 'TIMEOUT')
        self.assertEqual(self.set_parameter(planner, 'max_planning_time', 20.0), (True, ''))
        result = self.plan(planner, BEFORE_THE_WALL, goal)
        self.check(result.path, BEFORE_THE_WALL, goal)

    @for_every_planner
    def test_2_cancel(self, planner):
        # Back and forth around the wall, always to another goal: seconds of work.
        goals = []
        for i in range(150):
            goals += [(20.8 + 0.05 * (i % 20), 15.0), (19.3 - 0.05 * (i % 20), 15.0)]
        handle = self.send(self.through_poses, self.goal_through(planner, goals), BEFORE_THE_WALL)
        self.assertIsNotNone(handle)
        self.spin(0.2)
        self.await_result(handle.cancel_goal_async(), 'an answer to a cancel')
        response = self.await_result(handle.get_result_async(), 'the end of a cancelled plan')
        self.assertEqual(response.status, GoalStatus.STATUS_CANCELED)
        # It has not spoilt what is asked next.
        result = self.plan(planner, BEFORE_THE_WALL, BEHIND_THE_WALL)
        self.check(result.path, BEFORE_THE_WALL, BEHIND_THE_WALL)

    @for_every_planner
    def test_3_parameters(self, planner):
        successful, reason = self.set_parameter(planner, 'tolerance', -1.0)
        self.assertFalse(successful)
        self.assertIn('tolerance must be from 0 to 1000, not -1', reason)
        self.assertEqual(self.get_parameter(planner, 'tolerance'), 0.0)
        successful, reason = self.set_parameter(planner, 'connectivity', 6)
        self.assertFalse(successful)
        self.assertIn('connectivity must be 4 or 8, not 6', reason)
        successful, reason = self.set_parameter(planner, 'heuristic', 'a guess')
        self.assertFalse(successful)
        self.assertIn('must be one of natural euclidean', reason)
        self.assertFalse(self.set_parameter(planner, 'allow_unknown', 'maybe')[0])
        self.assertTrue(self.get_parameter(planner, 'allow_unknown'))

        # A good one takes effect.
        goal = (6.0, 18.0)
        last = self.plan(planner, ROBOT, goal).path.poses[-1].pose.orientation
        self.assertEqual(last.w, 1.0)
        name = 'use_final_approach_orientation'
        self.assertEqual(self.set_parameter(planner, name, True), (True, ''))
        self.assertTrue(self.get_parameter(planner, name))
        last = self.plan(planner, ROBOT, goal).path.poses[-1].pose.orientation
        self.assertGreater(last.z, 0.1)

    @for_every_planner
    def test_4_repairs_its_path_when_an_obstacle_appears(self, planner):
        goal = (11.0, 15.0)
        wall = (7.025, 15.025)  # the middle of a cell

        def detours(path):
            # The path of a request before may be repaired once more.
            end = path.poses[-1].pose.position
            return math.dist((end.x, end.y), goal) < 0.1 and any(
                abs(pose.pose.position.y - 15.0) > 2.0 for pose in path.poses)

        def ask_until_straight():
            # Those with a bound on their cost may need several requests to get there.
            self.await_truth(lambda: not detours(self.plan(planner, None, goal).path),
                             'a straight path')

        def of_wall(updates):
            return (update for _, update in updates if self.cost_in(update, wall) == 254)

        # One planner is at work, as on a robot.
        self.assertEqual(self.set_parameter(planner, 'background_timeout', 60.0), (True, ''))
        times = []
        with self.listening(CostmapUpdate, '/global_costmap/costmap_raw_updates') as updates, \
                self.listening(Path, f'/{planner}/plan') as published:
            ask_until_straight()
            for _ in range(8):
                updates.clear()
                published.clear()
                type(self).wall_ahead = wall[0] - ROBOT[0]
                self.await_truth(lambda: any(detours(path) for _, path in published),
                                 'a path around the obstacle')
                self.await_truth(lambda: any(of_wall(updates)), 'the delta')
                delta = next(of_wall(updates))
                when, repaired = next(one for one in published if detours(one[1]))
                self.check_shape(repaired, ROBOT, goal)
                for pose in repaired.poses:
                    place = (pose.pose.position.x, pose.pose.position.y)
                    self.assertNotIn(self.cost_in(delta, place), (253, 254))
                # A path may be there before its delta: the costmap itself is looked at too.
                times.append(when - seconds(delta.header.stamp))
                type(self).wall_ahead = None
                ask_until_straight()
        self.assertEqual(self.set_parameter(planner, 'background_timeout', 0.0), (True, ''))
        print(f'{planner}: from delta to path [ms]:', [round(1e3 * time) for time in times])
        self.assertLess(max(times), 0.1, planner)

    def flips(self, planners, rounds=8):
        """How often the planners pass a wall on the other side than before.

        Its end on the side that the planner passes grows a little each time."""
        goal = (11.0, 15.0)

        def passes_on_the_left(planner):
            path = self.plan(planner, None, goal).path
            return max(path.poses, key=lambda pose: abs(pose.pose.position.y - 15.0)) \
                .pose.position.y > 15.0

        type(self).wall_ahead = 3.025
        self.spin(0.5)
        for _ in range(6):  # until those with a bound have come to their best
            sides = {planner: passes_on_the_left(planner) for planner in planners}
        flips = dict.fromkeys(planners, 0)
        for planner in planners:
            for _ in range(rounds):
                type(self).wall_turned = 0.012 if sides[planner] else -0.012
                self.spin(0.3)
                side = passes_on_the_left(planner)
                flips[planner] += side != sides[planner]
                sides[planner] = side
        type(self).wall_ahead = None
        type(self).wall_turned = 0.0
        return flips

    def test_4_keeps_to_its_way_beside_a_flickering_obstacle(self):
        planners = ('DStarLite', 'ADStar', 'ARAStar', 'FieldDStar')
        self.assertEqual(self.flips(planners, rounds=3), dict.fromkeys(planners, 0))
        # That it is the commitment which keeps them there.
        self.assertEqual(self.set_parameter('DStarLite', 'path_commitment', 0.0), (True, ''))
        self.assertGreaterEqual(self.flips(['DStarLite'])['DStarLite'], 6)
        self.assertEqual(self.set_parameter('DStarLite', 'path_commitment', 0.05), (True, ''))

    def test_5_map_change(self):
        self.load_map(Map(30.0, 30.0))
        self.await_truth(lambda: self.cost_of(self.costmap(), (20.05, 15.0)) == 0,
                         'a costmap without the wall')
        for planner in PLANNERS:
            with self.subTest(planner=planner):
                result = self.plan(planner, BEFORE_THE_WALL, BEHIND_THE_WALL)
                self.check(result.path, BEFORE_THE_WALL, BEHIND_THE_WALL)
                self.assertLess(len(result.path.poses), 40)
        # Smaller, and of larger cells.
        small = Map(24.0, 20.0, resolution=0.1).wall(12.0, 0.0, 12.1, 18.0)
        self.load_map(small)
        self.await_truth(lambda: self.costmap().metadata.size_x == small.columns, 'a small costmap')
        for planner in PLANNERS:
            with self.subTest(planner=planner):
                self.check_error(self.plan(planner, ROBOT, (25.0, 5.0)), 'GOAL_OUTSIDE_MAP')
                result = self.plan(planner, ROBOT, (22.0, 5.0))
                self.check(result.path, ROBOT, (22.0, 5.0))


@launch_testing.post_shutdown_test()
class TestShutdown(unittest.TestCase):

    def test_everybody_leaves_in_peace(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)
