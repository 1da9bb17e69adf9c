"""The launch files and what they start, resolved by the real launch system but not run."""

import glob
import os
import shutil
import tempfile
import unittest
import unittest.mock
from xml.etree import ElementTree

from ament_index_python.packages import (get_package_prefix, get_package_share_directory,
                                         PackageNotFoundError)
from launch import LaunchContext
from launch.actions import ExecuteLocal, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions.substitution_failure import SubstitutionFailure
import launch_ros.actions
import yaml

SHARE = get_package_share_directory('dynamic_planners')
LAUNCH = os.path.join(SHARE, 'launch')
CONFIG = os.path.join(SHARE, 'config')
NAVIGATION = {'planner_server', 'controller_server', 'smoother_server', 'behavior_server',
              'velocity_smoother', 'collision_monitor', 'bt_navigator', 'waypoint_follower'}
# Of these, those that command velocities.
STAMPED = ('controller_server', 'velocity_smoother', 'collision_monitor', 'behavior_server')
RTD = {'global_costmap', 'lifecycle_manager_costmap', 'rtd_star', 'lifecycle_manager_planner'}
WORLD = {'map_server', 'lifecycle_manager_world', 'moving_world'}
# What a machine without a screen need not have.
OPTIONAL = {'rviz2', 'ros_gz_sim', 'ros_gz_bridge'}


def is_installed(package):
    try:
        get_package_prefix(package)
        return True
    except PackageNotFoundError:
        return False


class Resolved:
    """The command lines of all nodes that a launch file would start, by the nodes' names."""

    def __init__(self, launch_file, **arguments):
        self.nodes = {}
        self.missing = set()
        self.includes = []
        self.context = LaunchContext()
        source = PythonLaunchDescriptionSource(os.path.join(LAUNCH, launch_file))
        try:
            with unittest.mock.patch.object(
                    ExecuteLocal, 'execute', lambda process, context: self.note(process, context)):
                self.walk(IncludeLaunchDescription(source, launch_arguments=arguments.items()))
            # Folders are made when a launch file is read, and go when the launch ends.
            self.parameters = {name: self.parameters_of(name) for name in self.nodes}
            self.files = self.contents(self.context.launch_configurations.get('world_files'))
        finally:
            shutil.rmtree(self.context.launch_configurations.get('world_files', ''), ignore_errors=True)

    def walk(self, entity):
        try:
            children = entity.visit(self.context)
        except (PackageNotFoundError, SubstitutionFailure) as error:
            missing = {package for package in OPTIONAL
                       if f"'{package}'" in str(error) and not is_installed(package)}
            if not missing:
                raise
            self.missing |= missing
            return
        for child in children or []:
            self.walk(child)

    def note(self, process, context):
        """Instead of starting a process."""
        process.prepare(context)
        command = process.process_description.final_cmd
        node = isinstance(process, launch_ros.actions.Node)
        name = process.node_name.split('/')[-1] if node else command[0]
        assert name not in self.nodes, name
        assert shutil.which(command[0]), command
        self.nodes[name] = command

    def parameters_of(self, name):
        """What the files say to a node, the later ones over the earlier ones."""
        parameters = {}
        command = self.nodes[name]
        for file in (after for word, after in zip(command, command[1:]) if word == '--params-file'):
            with open(file) as text:
                said = yaml.unsafe_load(text)  # launch writes tuples
            for key in ('/**', name, '/' + name, f'/{name}/{name}'):
                parameters.update(said.get(key, {}).get('ros__parameters', {}))
            nested = said.get(name, {}).get(name, {})
            parameters.update(nested.get('ros__parameters', {}))
        return parameters

    @staticmethod
    def contents(folder):
        files = {}
        for name in glob.glob(os.path.join(folder or '/none', '*')):
            with open(name, 'rb') as file:
                files[os.path.basename(name)] = file.read()
        return files


def plugins():
    classes = ElementTree.parse(os.path.join(SHARE, 'plugins.xml')).iter('class')
    return [one.get('name').split('::')[1] for one in classes]


class TestLaunchFiles(unittest.TestCase):

    def test_every_file_is_here(self):
        files = {os.path.basename(file) for file in glob.glob(os.path.join(LAUNCH, '*'))}
        self.assertEqual(files, {'gazebo.launch.py', 'planner.launch.py', 'rtd.launch.py',
                                 'simulation.launch.py', 'world.launch.py'})

    def test_a_robot_gets_only_a_planner(self):
        for planner in plugins():
            with self.subTest(planner=planner):
                resolved = Resolved('planner.launch.py', planner=planner)
                self.assertEqual(set(resolved.nodes), {'planner_server', 'lifecycle_manager_planner'})
                server = resolved.parameters['planner_server']
                self.assertEqual(server['GridBased.plugin'], f'dynamic_planners::{planner}')
                self.assertFalse(server['use_sim_time'])
                self.assertEqual(resolved.parameters['lifecycle_manager_planner']['node_names'],
                                 ('planner_server',))

    def test_a_robot_gets_only_the_node(self):
        resolved = Resolved('planner.launch.py', planner='RTDStar', use_sim_time='true')
        self.assertEqual(set(resolved.nodes), RTD)
        costmap = resolved.parameters['global_costmap']
        self.assertEqual(costmap['robot_radius'], 0.22)
        self.assertEqual(costmap['map_topic'], '/map')
        self.assertTrue(costmap['use_sim_time'])
        self.assertEqual(resolved.parameters['rtd_star']['expansion_limit'], 10000)
        self.assertTrue(resolved.parameters['rtd_star']['use_sim_time'])
        # The node keeps a bond with its manager; the costmap has none to keep.
        manager = resolved.parameters['lifecycle_manager_planner']
        self.assertEqual(manager['node_names'], ('rtd_star',))
        self.assertGreater(manager.get('bond_timeout', 4.0), 0.0)
        manager = resolved.parameters['lifecycle_manager_costmap']
        self.assertEqual(manager['node_names'], ('global_costmap/global_costmap',))
        self.assertEqual(manager['bond_timeout'], 0.0)

    def test_simulation(self):
        resolved = Resolved('simulation.launch.py', planner='FieldDStar', rviz='false')
        self.assertEqual(set(resolved.nodes),
                         NAVIGATION | WORLD | {'lifecycle_manager_planner', 'loopback_simulator'})
        self.assertEqual(resolved.parameters['planner_server']['GridBased.plugin'],
                         'dynamic_planners::FieldDStar')
        self.assertEqual(set(resolved.parameters['lifecycle_manager_planner']['node_names']), NAVIGATION)
        self.assertTrue(resolved.parameters['loopback_simulator']['autostart_node'])
        for name in ('loopback_simulator', *STAMPED):
            self.assertTrue(resolved.parameters[name]['enable_stamped_cmd_vel'], name)
        self.check_world(resolved, gazebo=False)

    def test_rtd(self):
        resolved = Resolved('rtd.launch.py', seed='7', rviz='false')
        self.assertEqual(set(resolved.nodes), WORLD | RTD | {'loopback_simulator'})
        self.check_world(resolved, gazebo=False)
        self.assertEqual(resolved.parameters['moving_world']['seed'], 7)

    def test_gazebo(self):
        for planner in ('DStarLite', 'RTDStar'):
            with self.subTest(planner=planner):
                resolved = Resolved('gazebo.launch.py', planner=planner, gui='false', rviz='false')
                drivers = (RTD if planner == 'RTDStar' else NAVIGATION | {'lifecycle_manager_planner'})
                nodes = WORLD | drivers | {'map_to_odom'}
                self.assertLessEqual(nodes, set(resolved.nodes))
                self.check_world(resolved, gazebo=True)
                for name in nodes:
                    self.assertTrue(resolved.parameters[name]['use_sim_time'], name)
                for package in ('ros_gz_sim', 'ros_gz_bridge'):
                    self.assertEqual(package in resolved.missing, not is_installed(package))
                if 'ros_gz_bridge' not in resolved.missing:
                    self.assertIn('bridge.yaml', resolved.parameters['gazebo_bridge']['config_file'])

    def test_parameters_of_ones_own(self):
        """They take precedence everywhere, and only over what they name."""
        with tempfile.NamedTemporaryFile('w', suffix='.yaml') as mine:
            yaml.safe_dump({'moving_world': {'ros__parameters': {'beams': 77}},
                            'loopback_simulator': {'ros__parameters': {'update_duration': 0.07}},
                            'rtd_star': {'ros__parameters': {'expansion_limit': 77}},
                            'bt_navigator': {'ros__parameters': {'default_server_timeout': 77}}}, mine)
            mine.flush()
            for launch_file, planner in (('simulation.launch.py', 'DStarLite'), ('rtd.launch.py', 'RTDStar'),
                                         ('gazebo.launch.py', 'DStarLite'), ('gazebo.launch.py', 'RTDStar')):
                with self.subTest(launch_file=launch_file, planner=planner):
                    resolved = Resolved(launch_file, planner=planner, overlay_file=mine.name, rviz='false')
                    for name, parameter, value in (('moving_world', 'beams', 77),
                                                   ('moving_world', 'range', 30.0),
                                                   ('loopback_simulator', 'update_duration', 0.07),
                                                   ('loopback_simulator', 'publish_clock', False),
                                                   ('rtd_star', 'expansion_limit', 77),
                                                   ('bt_navigator', 'default_server_timeout', 77)):
                        if name in resolved.nodes:
                            self.assertEqual(resolved.parameters[name][parameter], value, (name, parameter))
                    for name in {'loopback_simulator', 'rtd_star', *STAMPED} & set(resolved.nodes):
                        self.assertTrue(resolved.parameters[name]['enable_stamped_cmd_vel'], name)
        resolved = Resolved('planner.launch.py')
        self.assertNotIn('enable_stamped_cmd_vel', resolved.parameters['planner_server'])

    def test_rviz(self):
        resolved = Resolved('simulation.launch.py', rviz='true')
        self.assertEqual('rviz2' in resolved.missing, not is_installed('rviz2'))
        with open(os.path.join(CONFIG, 'navigation.rviz')) as file:
            rviz = yaml.safe_load(file)['Visualization Manager']
        topics = {display['Topic']['Value'] for display in rviz['Displays'] if 'Topic' in display}
        self.assertLessEqual({'/map', '/global_costmap/costmap', '/plan', '/GridBased/plan',
                              '/GridBased/search', '/step_pose', '/moving_world/markers'}, topics)
        self.assertEqual(rviz['Global Options']['Fixed Frame'], 'map')

    def test_bad_arguments(self):
        with self.assertRaisesRegex(Exception, 'Nobody'):
            Resolved('planner.launch.py', planner='Nobody')
        with self.assertRaisesRegex(Exception, 'none.yaml: cannot be read'):
            Resolved('rtd.launch.py', world='none.yaml')

    def check_world(self, resolved, gazebo):
        self.assertEqual(set(resolved.files), {'map.yaml', 'map.pgm', 'world.sdf', 'bridge.yaml'})
        world = resolved.parameters['moving_world']
        self.assertEqual(world['gazebo'], gazebo)
        self.assertEqual(world['world'], os.path.join(CONFIG, 'worlds', 'rooms.yaml'))
        self.assertEqual(world['beams'], 1000)
        self.assertTrue(resolved.parameters['map_server']['yaml_filename'].endswith('/map.yaml'))


if __name__ == '__main__':
    unittest.main()
