"""
A robot drives from corner to corner of a world of rooms with ten people and moving doors.

By the launch files as they are installed: the RTD* node alone, and Nav2 with two of our planners.
"""

import math
import os
import statistics
import sys
import time
import unittest

from action_msgs.msg import GoalStatus
from ament_index_python.packages import get_package_share_directory
from dynamic_planners_msgs.msg import PlanReport, StepCommand
import launch
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
import launch_testing
import launch_testing.actions
from nav2_msgs.action import NavigateToPose
from nav2_msgs.msg import Costmap, CostmapUpdate
import rclpy
from rclpy.action import ActionClient
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import Float64
from std_srvs.srv import Trigger
from tf2_ros import Buffer, TransformException, TransformListener
from visualization_msgs.msg import MarkerArray
import yaml

sys.path.insert(0, os.path.dirname(__file__))
from nav2_system import Nav2Test  # noqa: E402

SHARE = get_package_share_directory('dynamic_planners')
INSCRIBED, LETHAL, UNKNOWN = 253, 254, 255
SEED = 1
TIME_LIMIT = 200.0  # seconds; at full speed the shortest way takes 40


def planners():
    """All of them, or those of DYNAMIC_PLANNERS_DRIVE."""
    return os.environ.get('DYNAMIC_PLANNERS_DRIVE', 'RTDStar DStarLite FieldDStar').split()


@launch_testing.parametrize('planner', planners())
def generate_test_description(planner):
    file, arguments = ('rtd', {}) if planner == 'RTDStar' else ('simulation', {'planner': planner})
    arguments.update({'seed': str(SEED), 'rviz': 'false'})
    source = PythonLaunchDescriptionSource(os.path.join(SHARE, 'launch', f'{file}.launch.py'))
    return launch.LaunchDescription([
        IncludeLaunchDescription(source, launch_arguments=arguments.items()),
        launch_testing.actions.ReadyToTest()])


class Watch:
    """What the robot and its world did."""

    def __init__(self, node):
        self.node = node
        self.buffer = Buffer()
        self.listener = TransformListener(self.buffer, node)
        self.costmap = None
        self.costs = []  # under the robot, with every costmap
        self.clearances = []
        self.way = []
        self.steps = []
        self.reports = []
        self.moving = {}  # {name: [x, y, way]}
        last = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        for message_type, topic, callback, quality in (
                (Costmap, '/global_costmap/costmap_raw', self.on_costmap, last),
                (CostmapUpdate, '/global_costmap/costmap_raw_updates', self.on_update, 50),
                (Float64, '/moving_world/clearance', self.on_clearance, 50),
                (MarkerArray, '/moving_world/markers', self.on_markers, 50),
                (StepCommand, '/step', self.steps.append, 50),
                (PlanReport, '/GridBased/report', self.reports.append, 50)):
            node.create_subscription(message_type, topic, callback, quality)

    def start(self):
        for one in (self.costs, self.clearances, self.way, self.steps, self.reports):
            one.clear()
        self.moving.clear()

    def sees_all_of(self, world):
        if self.costmap is None or LETHAL not in self.costmap.data:
            return False
        metadata = self.costmap.metadata
        return metadata.size_x * metadata.resolution > world['size'][0] - metadata.resolution

    def place(self):
        try:
            transform = self.buffer.lookup_transform('map', 'base_link', rclpy.time.Time())
        except TransformException:
            return None
        return (transform.transform.translation.x, transform.transform.translation.y)

    def on_costmap(self, costmap):
        self.costmap = costmap
        self.look_down()

    def on_update(self, update):
        if self.costmap is None:
            return
        width = self.costmap.metadata.size_x
        for row in range(update.size_y):
            at = (update.y + row) * width + update.x
            self.costmap.data[at:at + update.size_x] = update.data[
                row * update.size_x:(row + 1) * update.size_x]
        self.look_down()

    def look_down(self):
        place = self.place()
        if place is not None:
            self.costs.append(Nav2Test.cost_of(self.costmap, place))

    def on_clearance(self, clearance):
        self.clearances.append(clearance.data)
        place = self.place()
        if place is not None:
            self.way.append(place)

    def on_markers(self, markers):
        for marker in markers.markers:
            here = marker.pose.position
            name = f'{marker.ns} {marker.id}'
            x, y, way = self.moving.get(name, (here.x, here.y, 0.0))
            self.moving[name] = (here.x, here.y, way + math.dist((x, y), (here.x, here.y)))


class TestDrive(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        rclpy.init()
        cls.node = rclpy.create_node('onlooker')
        cls.watch = Watch(cls.node)
        cls.navigate = ActionClient(cls.node, NavigateToPose, 'navigate_to_pose')
        with open(os.path.join(SHARE, 'config', 'worlds', 'rooms.yaml')) as file:
            cls.world = yaml.safe_load(file)

    @classmethod
    def tearDownClass(cls):
        cls.node.destroy_node()
        rclpy.shutdown()

    def spin_until(self, condition, what, limit):
        end = time.monotonic() + limit
        while not condition():
            self.assertLess(time.monotonic(), end, f'waited in vain for {what}')
            rclpy.spin_once(self.node, timeout_sec=0.05)

    def await_active(self):
        """All servers are up, and the robot is where it starts."""
        client = self.node.create_client(Trigger, '/lifecycle_manager_planner/is_active')

        def is_active():
            if not client.service_is_ready():
                return False
            future = client.call_async(Trigger.Request())
            rclpy.spin_until_future_complete(self.node, future, timeout_sec=1.0)
            return future.done() and future.result().success
        self.spin_until(is_active, 'active servers', 60.0)
        self.spin_until(lambda: self.navigate.server_is_ready(), 'navigate_to_pose', 10.0)
        self.spin_until(lambda: self.watch.clearances and self.watch.sees_all_of(self.world),
                        'the world in the costmap', 30.0)
        # Until the map has come, Nav2 publishes a small costmap, and others may have that one still.
        seen = len(self.watch.costs)
        self.spin_until(lambda: len(self.watch.costs) > seen + 2, 'more of the costmap', 10.0)

    def test_corner_to_corner(self, planner):
        start, goal, radius = (self.world['robot'][key] for key in ('start', 'goal', 'radius'))
        self.await_active()
        self.assertLess(math.dist(self.watch.place(), start[:2]), 0.1)
        self.watch.start()
        began = time.monotonic()
        handle, status = self.drive_to(goal)
        seconds = time.monotonic() - began
        watch = self.watch
        self.print_numbers(planner, seconds)

        self.assertEqual(status, GoalStatus.STATUS_SUCCEEDED)
        # A path may end within the planner's tolerance of a goal that is blocked just then, the drive within
        # the goal checker's of that.
        tolerance = 0.2 if planner == 'RTDStar' else 0.5 + 0.25 + 0.1
        self.assertLess(math.dist(watch.place(), goal[:2]), tolerance)
        # It saw its world all along, which moved.
        self.assertGreater(len(watch.costs), seconds)
        people = {name: way for name, (_, _, way) in watch.moving.items() if name.startswith('people')}
        doors = {name: way for name, (_, _, way) in watch.moving.items() if name.startswith('doors')}
        self.assertEqual(len(people), 10)
        self.assertGreater(min(people.values()), 2.0)
        self.assertGreater(min(doors.values()), 0.5)
        # It never stood in a lethal cell, and really ran into nothing.
        self.assertEqual([cost for cost in watch.costs if cost == LETHAL], [])
        self.assertGreater(min(watch.clearances), 0.0)
        if planner == 'RTDStar':
            self.assertGreater(len(watch.steps), 10 * seconds)
            for step in watch.steps:
                self.assertLessEqual(step.spent, step.expansion_limit)

    def drive_to(self, goal):
        request = NavigateToPose.Goal()
        request.pose.header.frame_id = 'map'
        request.pose.pose.position.x, request.pose.pose.position.y = goal[:2]
        request.pose.pose.orientation.z = math.sin(goal[2] / 2)
        request.pose.pose.orientation.w = math.cos(goal[2] / 2)
        answer = self.navigate.send_goal_async(request)
        self.spin_until(answer.done, 'an answer to the goal', 10.0)
        handle = answer.result()
        self.assertTrue(handle.accepted)
        end = handle.get_result_async()
        try:
            self.spin_until(end.done, 'the end of the drive', TIME_LIMIT)
        except AssertionError:
            self.print_numbers('not there', TIME_LIMIT)
            raise
        return handle, end.result().status

    def print_numbers(self, planner, seconds):
        watch = self.watch
        way = sum(math.dist(a, b) for a, b in zip(watch.way, watch.way[1:]))
        stood = sum(math.dist(a, b) < 0.005 for a, b in zip(watch.way, watch.way[1:]))
        numbers = {
            'seconds': round(seconds, 1),
            'metres': round(way, 1),
            'share of the time it stood': round(stood / max(1, len(watch.way)), 2),
            'costmaps': len(watch.costs),
            'in a lethal cell': sum(cost == LETHAL for cost in watch.costs),
            'in an inscribed one': sum(cost == INSCRIBED for cost in watch.costs),
            'least clearance [m]': round(min(watch.clearances, default=math.nan), 3),
        }
        if watch.steps:
            times = [step.step_time.sec * 1e3 + step.step_time.nanosec * 1e-6 for step in watch.steps]
            numbers.update({
                'steps': len(watch.steps),
                'most expansions in a step': max(step.spent for step in watch.steps),
                'limit': watch.steps[-1].expansion_limit,
                'step time median, worst [ms]': (round(statistics.median(times), 2), round(max(times), 2)),
                'deadline misses': sum(step.deadline_missed for step in watch.steps),
                'fully informed': sum(step.status == StepCommand.FULLY_INFORMED for step in watch.steps),
                'partially': sum(step.status == StepCommand.PARTIALLY_INFORMED for step in watch.steps),
            })
        if watch.reports:
            numbers.update({
                'plans': len(watch.reports),
                'changed cells': sum(report.changed_cells for report in watch.reports),
                'median expansions': statistics.median(report.expansions for report in watch.reports),
            })
        print(planner, numbers, flush=True)


@launch_testing.post_shutdown_test()
class TestShutdown(unittest.TestCase):

    def test_our_nodes_leave_in_peace(self, proc_info):
        ours = [info for info in proc_info
                if info.process_name.split('-')[0] in ('moving_world', 'rtd_star_node')]
        self.assertGreaterEqual(len(ours), 1)
        for info in ours:
            self.assertEqual(info.returncode, 0, info.process_name)
