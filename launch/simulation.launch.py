"""
Nav2 with one of our planners in a simulated world, or the RTD* node alone. Needs no Gazebo.

Nav2's loopback simulator is the robot; it obeys every velocity exactly. The world around it, with its
people and doors and the robot's laser scanner, is ours.
"""

import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

SHARE = get_package_share_directory('dynamic_planners')
SIMULATION = os.path.join(SHARE, 'config', 'simulation.yaml')


def include(name, **arguments):
    source = PythonLaunchDescriptionSource(os.path.join(SHARE, 'launch', f'{name}.launch.py'))
    return IncludeLaunchDescription(source, launch_arguments=arguments.items())


def generate_launch_description():
    return LaunchDescription([
        include('world'),
        # The map is the world's, and so is the scan: what the simulator makes of the map is nobody's.
        Node(package='nav2_loopback_sim', executable='loopback_simulator', name='loopback_simulator',
             output='screen', parameters=[SIMULATION, LaunchConfiguration('overlay_file')],
             remappings=[('scan', 'loopback_scan')]),
        include('planner', navigation='true', simulated='true'),
    ])
