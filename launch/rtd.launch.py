"""The world of simulation.launch.py, driven by the RTD* node alone."""

import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource


def generate_launch_description():
    simulation = os.path.join(get_package_share_directory('dynamic_planners'), 'launch',
                              'simulation.launch.py')
    return LaunchDescription([
        IncludeLaunchDescription(PythonLaunchDescriptionSource(simulation),
                                 launch_arguments={'planner': 'RTDStar'}.items()),
    ])
