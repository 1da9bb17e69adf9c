"""A real Nav2 planner server with its map server, and a test's way to talk to it."""

import contextlib
import json
import math
import os
import tempfile
import time
import unittest
from xml.etree import ElementTree

from action_msgs.msg import GoalStatus
from ament_index_python.packages import get_package_share_directory
from geometry_msgs.msg import PoseStamped, TransformStamped
import launch
from launch_ros.actions import Node
import launch_testing.actions
from nav2_msgs.action import ComputePathThroughPoses, ComputePathToPose
from nav2_msgs.srv import GetCostmap, LoadMap
from rcl_interfaces.srv import GetParameters, SetParameters
import rclpy
from rclpy.action import ActionClient
from rclpy.parameter import Parameter, parameter_value_to_python
from sensor_msgs.msg import LaserScan
from tf2_ros import StaticTransformBroadcaster, TransformBroadcaster

RESOLUTION = 0.05


def plugins():
    """One planner for every plugin of plugins.xml: {name in the server: plugin}."""
    share = get_package_share_directory('dynamic_planners')
    classes = ElementTree.parse(os.path.join(share, 'plugins.xml')).iter('class')
    names = [one.get('name') for one in classes]
    return {name.split('::')[1]: name for name in names}


PLANNERS = plugins()


class Map:
    """A map in metres, free inside of its outer wall, as the files that Nav2's map server reads."""

    def __init__(self, width, height, resolution=RESOLUTION):
        self.resolution = resolution
        self.columns = round(width / resolution)
        self.rows = round(height / resolution)
        self.pixels = [bytearray(b'\xfe' * self.columns) for _ in range(self.rows)]
        for x0, y0, x1, y1 in ((0, 0, width, 0.1), (0, height - 0.1, width, height),
                               (0, 0, 0.1, height), (width - 0.1, 0, width, height)):
            self.wall(x0, y0, x1, y1)

    def wall(self, x0, y0, x1, y1):
        left, right = round(x0 / self.resolution), round(x1 / self.resolution)
        for row in range(round(y0 / self.resolution), round(y1 / self.resolution)):
            self.pixels[row][left:right] = b'\x00' * (right - left)
        return self

    def save(self):
        """The path of the YAML file."""
        folder = tempfile.mkdtemp(prefix='dynamic_planners_')
        with open(os.path.join(folder, 'map.pgm'), 'wb') as image:
            image.write(b'P5\n%d %d\n255\n' % (self.columns, self.rows))
            for row in reversed(self.pixels):  # the image begins at the top
                image.write(row)
        name = os.path.join(folder, 'map.yaml')
        with open(name, 'w') as yaml:
            yaml.write('image: map.pgm\nmode: trinary\n'
                       f'resolution: {self.resolution}\norigin: [0.0, 0.0, 0.0]\n'
                       'negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.25\n')
        return name


def planner_server_parameters(planners=PLANNERS, costmap=None):
    """The server with these planners, which do not look for another goal or start on their own."""
    parameters = {'expected_planner_frequency': 20.0, 'planner_plugins': list(planners)}
    for name, plugin in planners.items():
        parameters[name] = {'plugin': plugin, 'tolerance': 0.0, 'start_tolerance': 0.0,
                            'max_planning_time': 20.0}
    layers = {
        'update_frequency': 20.0,
        'publish_frequency': 20.0,
        'global_frame': 'map',
        'robot_base_frame': 'base_link',
        'robot_radius': 0.2,
        'resolution': RESOLUTION,
        'plugins': ['static_layer', 'obstacle_layer', 'inflation_layer'],
        'static_layer': {'plugin': 'nav2_costmap_2d::StaticLayer'},
        'obstacle_layer': {
            'plugin': 'nav2_costmap_2d::ObstacleLayer',
            'observation_sources': 'scan',
            'scan': {'topic': '/scan', 'data_type': 'LaserScan', 'marking': True, 'clearing': True,
                     'inf_is_valid': True, 'obstacle_max_range': 9.0, 'raytrace_max_range': 10.0},
        },
        'inflation_layer': {'plugin': 'nav2_costmap_2d::InflationLayer', 'inflation_radius': 0.5},
    }
    layers.update(costmap or {})
    return {'planner_server': {'ros__parameters': parameters},
            'global_costmap': {'global_costmap': {'ros__parameters': layers}}}


def parameter_file(parameters):
    with tempfile.NamedTemporaryFile('w', prefix='dynamic_planners_', suffix='.yaml',
                                     delete=False) as file:
        json.dump(parameters, file)  # which is YAML too
    return file.name


def launch_nav2(map_file, planner_server_file):
    """The servers, brought up by the lifecycle manager. The test provides the transforms."""
    servers = [
        Node(package='nav2_map_server', executable='map_server',
             parameters=[{'yaml_filename': map_file}]),
        Node(package='nav2_planner', executable='planner_server',
             parameters=[planner_server_file]),
        Node(package='nav2_lifecycle_manager', executable='lifecycle_manager',
             parameters=[{'autostart': True, 'node_names': ['map_server', 'planner_server'],
                          'bond_timeout': 0.0}]),
    ]
    return launch.LaunchDescription(servers + [launch_testing.actions.ReadyToTest()])


def seconds(stamp):
    return stamp.sec + 1e-9 * stamp.nanosec


class Nav2Test(unittest.TestCase):
    """A test with a node that is the rest of the robot: where it is, what it sees, what it wants."""

    robot = (2.0, 5.0)

    @classmethod
    def setUpClass(cls):
        rclpy.init()
        cls.node = rclpy.create_node('robot')
        cls.transforms = TransformBroadcaster(cls.node)
        static = StaticTransformBroadcaster(cls.node)
        static.sendTransform([cls.transform('map', 'odom', 0.0, 0.0),
                              cls.transform('base_link', 'laser', 0.0, 0.0)])
        cls.scans = cls.node.create_publisher(LaserScan, '/scan', 5)
        cls.wall_ahead = None  # [m]
        cls.wall_turned = 0.0  # [rad]
        cls.timer = cls.node.create_timer(0.05, cls.be_somewhere_and_look)
        cls.to_pose = ActionClient(cls.node, ComputePathToPose, 'compute_path_to_pose')
        cls.through_poses = ActionClient(cls.node, ComputePathThroughPoses,
                                         'compute_path_through_poses')
        assert cls.to_pose.wait_for_server(30.0), 'no planner server'
        # The action is there before the server is active, and the costmap before its map.
        cls.await_truth(lambda: cls.plan(list(PLANNERS)[0], cls.robot, cls.robot) is not None,
                        'an active planner server', 30.0)
        cls.await_truth(lambda: 254 in cls.costmap().data, 'the map in the costmap')

    @classmethod
    def tearDownClass(cls):
        cls.node.destroy_node()
        rclpy.shutdown()

    # --- the robot ---

    @classmethod
    def transform(cls, parent, child, x, y):
        transform = TransformStamped()
        transform.header.frame_id = parent
        transform.header.stamp = cls.node.get_clock().now().to_msg()
        transform.child_frame_id = child
        transform.transform.translation.x = x
        transform.transform.translation.y = y
        transform.transform.rotation.w = 1.0
        return transform

    @classmethod
    def be_somewhere_and_look(cls):
        """Where the robot is, and what its laser sees: nothing, or a wall across, so far ahead.

        The wall may reach a little farther to the left than to the right."""
        cls.transforms.sendTransform(cls.transform('odom', 'base_link', *cls.robot))
        scan = LaserScan()
        scan.header.frame_id = 'laser'
        scan.header.stamp = cls.node.get_clock().now().to_msg()
        scan.angle_min = -math.pi
        scan.angle_max = math.pi
        scan.angle_increment = math.pi / 500
        scan.range_min = 0.05
        scan.range_max = 9.5
        angles = [scan.angle_min + i * scan.angle_increment for i in range(1000)]
        seen = [cls.wall_ahead is not None and abs(angle - cls.wall_turned) < 0.7
                for angle in angles]
        scan.ranges = [cls.wall_ahead / math.cos(angle) if hit else math.inf
                       for angle, hit in zip(angles, seen)]
        cls.scans.publish(scan)

    # --- time passes ---

    @classmethod
    def await_truth(cls, condition, what, limit=10.0):
        end = time.monotonic() + limit
        while not condition():
            assert time.monotonic() < end, f'waited in vain for {what}'
            rclpy.spin_once(cls.node, timeout_sec=0.02)

    @classmethod
    def await_result(cls, future, what, limit=30.0):
        cls.await_truth(future.done, what, limit)
        return future.result()

    @classmethod
    @contextlib.contextmanager
    def listening(cls, message_type, topic):
        """The list of what is published meanwhile: (when it was [s], message).

        Not when it came: that would be the test's own share of a machine that others use too."""
        messages = []

        def note(message, info):
            messages.append((1e-9 * info['source_timestamp'], message))
        subscription = cls.node.create_subscription(message_type, topic, note, 50)
        cls.await_truth(lambda: cls.node.count_publishers(topic) > 0, topic)
        yield messages
        cls.node.destroy_subscription(subscription)

    @classmethod
    def spin(cls, duration):
        end = time.monotonic() + duration
        while time.monotonic() < end:
            rclpy.spin_once(cls.node, timeout_sec=0.02)

    @classmethod
    def call(cls, service_type, name, request):
        client = cls.node.create_client(service_type, name)
        assert client.wait_for_service(10.0), name
        response = cls.await_result(client.call_async(request), name)
        cls.node.destroy_client(client)
        return response

    # --- plans ---

    @classmethod
    def pose(cls, place):
        pose = PoseStamped()
        pose.header.frame_id = 'map'
        pose.pose.position.x, pose.pose.position.y = place
        pose.pose.orientation.w = 1.0
        return pose

    @classmethod
    def goal_through(cls, planner, places):
        goal = ComputePathThroughPoses.Goal(planner_id=planner)
        poses = [cls.pose(place) for place in places]
        if hasattr(goal.goals, 'goals'):  # after Jazzy, a message of its own
            goal.goals.goals = poses
        else:
            goal.goals = poses
        return goal

    @classmethod
    def send(cls, client, goal, start):
        if start is not None:
            goal.start = cls.pose(start)
            goal.use_start = True
        handle = cls.await_result(client.send_goal_async(goal), 'an answer to a goal')
        return handle if handle.accepted else None

    @classmethod
    def plan(cls, planner, start, *goals):
        """The result, or None where the server took no goal. Through several goals, or to one."""
        if len(goals) == 1:
            goal = ComputePathToPose.Goal(goal=cls.pose(goals[0]), planner_id=planner)
            handle = cls.send(cls.to_pose, goal, start)
        else:
            handle = cls.send(cls.through_poses, cls.goal_through(planner, goals), start)
        if handle is None:
            return None
        response = cls.await_result(handle.get_result_async(), 'a result')
        failed = response.result.error_code != 0
        assert response.status == (GoalStatus.STATUS_ABORTED if failed
                                   else GoalStatus.STATUS_SUCCEEDED), response
        return response.result

    @classmethod
    def costmap(cls):
        return cls.call(GetCostmap, '/global_costmap/get_costmap', GetCostmap.Request()).map

    @staticmethod
    def cost_of(costmap, place):
        metadata = costmap.metadata
        column = int((place[0] - metadata.origin.position.x) / metadata.resolution)
        row = int((place[1] - metadata.origin.position.y) / metadata.resolution)
        return costmap.data[row * metadata.size_x + column]

    @staticmethod
    def cost_in(update, place):
        """What a window of the costmap says of a place, if it contains it; the origin is 0, 0."""
        column = int(place[0] / RESOLUTION) - update.x
        row = int(place[1] / RESOLUTION) - update.y
        if 0 <= column < update.size_x and 0 <= row < update.size_y:
            return update.data[row * update.size_x + column]
        return None

    def check_shape(self, path, start, goal, resolution=RESOLUTION):
        """From start to goal without gaps."""
        places = [(pose.pose.position.x, pose.pose.position.y) for pose in path.poses]
        self.assertGreater(len(places), 1)
        self.assertEqual(path.header.frame_id, 'map')
        self.assertLess(math.dist(places[0], start), 1e-6)
        self.assertLess(math.dist(places[-1], goal), 1e-6)
        for here, there in zip(places, places[1:]):
            self.assertLessEqual(math.dist(here, there), 1.5 * resolution + 1e-6)

    def check(self, path, start, goal, costmap=None):
        """From start to goal without gaps, never in a cell of 253 or 254."""
        costmap = costmap or self.costmap()
        self.check_shape(path, start, goal, costmap.metadata.resolution)
        for pose in path.poses:
            place = (pose.pose.position.x, pose.pose.position.y)
            self.assertNotIn(self.cost_of(costmap, place), (253, 254), place)

    def check_error(self, result, error):
        """An error by the name that both actions have for it."""
        self.assertIsNotNone(result)
        self.assertEqual(result.error_code, getattr(type(result), error))
        self.assertEqual(len(result.path.poses), 0)

    # --- other services ---

    @classmethod
    def set_parameter(cls, planner, name, value):
        """(successful, reason)"""
        parameter = Parameter(f'{planner}.{name}', value=value).to_parameter_msg()
        response = cls.call(SetParameters, '/planner_server/set_parameters',
                            SetParameters.Request(parameters=[parameter]))
        return response.results[0].successful, response.results[0].reason

    @classmethod
    def get_parameter(cls, planner, name):
        response = cls.call(
            GetParameters, '/planner_server/get_parameters',
            GetParameters.Request(names=[f'{planner}.{name}']))
        return parameter_value_to_python(response.values[0])

    def load_map(self, new_map):
        response = self.call(LoadMap, '/map_server/load_map',
                             LoadMap.Request(map_url=new_map.save()))
        self.assertEqual(response.result, LoadMap.Response.RESULT_SUCCESS)
