"""
A simulated world: its map, everything that moves in it, and RViz. Part of the simulations.

What others read of it is made in a folder of its own; `world_files` says which.
"""

import os
import shutil
import subprocess
import tempfile

from ament_index_python.packages import (get_package_prefix, get_package_share_directory,
                                         PackageNotFoundError)
from launch import LaunchDescription
from launch.actions import (DeclareLaunchArgument, OpaqueFunction, RegisterEventHandler,
                            SetLaunchConfiguration)
from launch.conditions import IfCondition
from launch.event_handlers import OnShutdown
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

CONFIG = os.path.join(get_package_share_directory('dynamic_planners'), 'config')
SIMULATION = os.path.join(CONFIG, 'simulation.yaml')


def make_files(context):
    program = os.path.join(get_package_prefix('dynamic_planners'), 'lib', 'dynamic_planners',
                           'dynamic_planners')
    folder = tempfile.mkdtemp(prefix='dynamic_planners_world_')
    made = subprocess.run([program, 'world', LaunchConfiguration('world').perform(context), '-o', folder],
                          capture_output=True, text=True)
    if made.returncode != 0:
        shutil.rmtree(folder)
        raise RuntimeError(made.stderr.strip())
    return [SetLaunchConfiguration('world_files', folder),
            RegisterEventHandler(OnShutdown(on_shutdown=lambda *_: shutil.rmtree(folder, True)))]


def is_installed(package):
    try:
        get_package_prefix(package)
        return True
    except PackageNotFoundError:
        return False


def generate_launch_description():
    use_sim_time = {'use_sim_time': ParameterValue(LaunchConfiguration('use_sim_time'), value_type=bool)}
    return LaunchDescription([
        DeclareLaunchArgument(
            'world', default_value=os.path.join(CONFIG, 'worlds', 'rooms.yaml'),
            description='The world, as docs/simulation.md describes it'),
        DeclareLaunchArgument(
            'seed', default_value='1', description='Where people begin, and when doors first open'),
        DeclareLaunchArgument(
            'rviz', default_value=str(is_installed('rviz2')).lower(), choices=['true', 'false'],
            description='Whether to open RViz'),
        DeclareLaunchArgument(
            'rviz_config', default_value=os.path.join(CONFIG, 'navigation.rviz'),
            description='What RViz shows'),
        # Without one, what is read first is read again.
        DeclareLaunchArgument('overlay_file', default_value=SIMULATION,
                              description='More parameters of all nodes, which take precedence'),
        DeclareLaunchArgument('gazebo', default_value='false', choices=['true', 'false'],
                              description='Whether Gazebo scans and moves, and not the node itself'),
        DeclareLaunchArgument('use_sim_time', default_value='false', choices=['true', 'false']),
        OpaqueFunction(function=make_files),
        Node(package='nav2_map_server', executable='map_server', name='map_server', output='screen',
             parameters=[use_sim_time, {
                 'yaml_filename': PathJoinSubstitution([LaunchConfiguration('world_files'), 'map.yaml'])}]),
        Node(package='nav2_lifecycle_manager', executable='lifecycle_manager', output='screen',
             name='lifecycle_manager_world',
             parameters=[use_sim_time, {'autostart': True, 'node_names': ['map_server']}]),
        Node(package='dynamic_planners', executable='moving_world', name='moving_world', output='screen',
             parameters=[SIMULATION, LaunchConfiguration('overlay_file'), use_sim_time, {
                 'world': LaunchConfiguration('world'),
                 'seed': ParameterValue(LaunchConfiguration('seed'), value_type=int),
                 'gazebo': ParameterValue(LaunchConfiguration('gazebo'), value_type=bool)}]),
        Node(package='rviz2', executable='rviz2', name='rviz', output='screen',
             condition=IfCondition(LaunchConfiguration('rviz')),
             arguments=['-d', LaunchConfiguration('rviz_config')], parameters=[use_sim_time]),
    ])
