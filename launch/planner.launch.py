"""
What a robot needs beside its own bring-up, which has its sensors, its map and its localisation.

A planner server with one of our planners, or the RTD* node with its costmap; with `navigation`, also
the rest of Nav2.
"""

import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

CONFIG = os.path.join(get_package_share_directory('dynamic_planners'), 'config')
RTD = 'RTDStar'
PLANNERS = ['AStar', 'AdaptiveAStar', 'MPAAStar', 'ARAStar', 'ThetaStar', 'LPAStar', 'DStar', 'DStarLite',
            'DStarExtraLite', 'ADStar', 'FieldDStar', RTD]


def start(context):
    def argument(name):
        return LaunchConfiguration(name).perform(context)

    planner = argument('planner')
    use_sim_time = {'use_sim_time': ParameterValue(LaunchConfiguration('use_sim_time'), value_type=bool)}
    files = [argument('params_file')]
    if planner == RTD:
        files.append(argument('rtd_params_file'))
    if argument('simulated') == 'true':
        files.append(os.path.join(CONFIG, 'simulation.yaml'))
    if argument('overlay_file'):
        files.append(argument('overlay_file'))

    def server(package, executable, name, remappings=(), more=(), **options):
        return Node(package=package, executable=executable, name=name, output='screen',
                    parameters=[*files, use_sim_time, *more], remappings=remappings, **options)

    def manager(of, names, **parameters):
        return Node(package='nav2_lifecycle_manager', executable='lifecycle_manager',
                    name=f'lifecycle_manager_{of}', output='screen',
                    parameters=[use_sim_time, {'autostart': True, 'node_names': names, **parameters}])

    beside = []
    if planner == RTD:
        nodes = {'rtd_star': server('dynamic_planners', 'rtd_star_node', 'rtd_star')}
        # The costmap by itself keeps no bond with its manager.
        beside = [
            server('nav2_costmap_2d', 'nav2_costmap_2d', 'global_costmap', namespace='global_costmap',
                   more=[{'map_topic': '/map'}]),  # by itself it would look for one in its namespace
            manager('costmap', ['global_costmap/global_costmap'], bond_timeout=0.0),
        ]
    else:
        nodes = {'planner_server': server('nav2_planner', 'planner_server', 'planner_server',
                                          more=[{'GridBased.plugin': f'dynamic_planners::{planner}'}])}
        if argument('navigation') == 'true':
            # Velocities go from the controller and the behaviors by the smoother and the collision
            # monitor to the robot.
            wanted = [('cmd_vel', 'cmd_vel_nav')]
            nodes.update({
                'controller_server': server('nav2_controller', 'controller_server', 'controller_server',
                                            wanted),
                'smoother_server': server('nav2_smoother', 'smoother_server', 'smoother_server'),
                'behavior_server': server('nav2_behaviors', 'behavior_server', 'behavior_server', wanted),
                'velocity_smoother': server('nav2_velocity_smoother', 'velocity_smoother',
                                            'velocity_smoother', wanted),
                'collision_monitor': server('nav2_collision_monitor', 'collision_monitor',
                                            'collision_monitor'),
                'bt_navigator': server('nav2_bt_navigator', 'bt_navigator', 'bt_navigator'),
                'waypoint_follower': server('nav2_waypoint_follower', 'waypoint_follower',
                                            'waypoint_follower'),
            })
    return [*nodes.values(), *beside, manager('planner', list(nodes))]


def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument(
            'planner', default_value='DStarLite', choices=PLANNERS,
            description=f"The planner that behavior trees ask for as GridBased. {RTD}: the node that drives "
                        'by itself, without Nav2'),
        DeclareLaunchArgument(
            'params_file', default_value=os.path.join(CONFIG, 'nav2_params.yaml'),
            description='The parameters of all nodes'),
        DeclareLaunchArgument(
            'rtd_params_file', default_value=os.path.join(CONFIG, 'rtd_params.yaml'),
            description='The parameters of the RTD* node, beside those of its costmap'),
        DeclareLaunchArgument(
            'overlay_file', default_value='',
            description='More parameters, which take precedence'),
        DeclareLaunchArgument(
            'simulated', default_value='false', choices=['true', 'false'],
            description='Whether config/simulation.yaml takes precedence over what is for robots'),
        DeclareLaunchArgument(
            'navigation', default_value='false', choices=['true', 'false'],
            description='Whether to start the rest of Nav2 too: controller, behaviors, navigator'),
        DeclareLaunchArgument(
            'use_sim_time', default_value='false', choices=['true', 'false'],
            description='Whether time comes from /clock'),
        OpaqueFunction(function=start),
    ])
