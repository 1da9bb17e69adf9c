"""
The simulated world in Gazebo: a differential robot with a laser scanner, people and doors, driven by
Nav2 with one of our planners or by the RTD* node alone.
"""

import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import IfElseSubstitution, LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare

SHARE = get_package_share_directory('dynamic_planners')


def include(name, **arguments):
    source = PythonLaunchDescriptionSource(os.path.join(SHARE, 'launch', f'{name}.launch.py'))
    return IncludeLaunchDescription(source, launch_arguments=arguments.items())


def world_file(name):
    return PathJoinSubstitution([LaunchConfiguration('world_files'), name])


def generate_launch_description():
    gz_sim = PathJoinSubstitution([FindPackageShare('ros_gz_sim'), 'launch', 'gz_sim.launch.py'])
    return LaunchDescription([
        DeclareLaunchArgument('gui', default_value='true', choices=['true', 'false'],
                              description="Whether to open Gazebo's window"),
        include('world', gazebo='true', use_sim_time='true'),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(gz_sim),
            launch_arguments={
                'gz_args': ['-r ', IfElseSubstitution(LaunchConfiguration('gui'), '', '-s '),
                            world_file('world.sdf')],
                'on_exit_shutdown': 'true'}.items()),
        Node(package='ros_gz_bridge', executable='parameter_bridge', name='gazebo_bridge', output='screen',
             parameters=[{'config_file': world_file('bridge.yaml'), 'use_sim_time': True}]),
        # The robot's odometry is exact, and counts from the map's origin.
        Node(package='tf2_ros', executable='static_transform_publisher', name='map_to_odom',
             arguments=['--frame-id', 'map', '--child-frame-id', 'odom'],
             parameters=[{'use_sim_time': True}]),
        include('planner', navigation='true', simulated='true', use_sim_time='true'),
    ])
