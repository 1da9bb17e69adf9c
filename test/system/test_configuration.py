"""config/nav2_params.yaml as it is installed: the planner server takes it, and every planner plans."""

import os
import sys
import unittest

from ament_index_python.packages import get_package_share_directory
import launch_testing.asserts
import yaml

sys.path.insert(0, os.path.dirname(__file__))
import nav2_system  # noqa: E402
from nav2_system import Map, Nav2Test, PLANNERS  # noqa: E402

CONFIGURATION = os.path.join(get_package_share_directory('dynamic_planners'), 'config',
                             'nav2_params.yaml')


def generate_test_description():
    return nav2_system.launch_nav2(Map(12.0, 10.0).wall(6.0, 0.0, 6.1, 7.0).save(), CONFIGURATION)


class TestConfiguration(Nav2Test):

    def test_every_planner_is_ready_to_choose(self):
        with open(CONFIGURATION) as file:
            configuration = yaml.safe_load(file)
        # Kilted and later refuse to start where it is set.
        self.assertNotIn('error_code_names', configuration['bt_navigator']['ros__parameters'])
        server = configuration['planner_server']['ros__parameters']
        names = server['planner_plugins']
        self.assertEqual(set(PLANNERS.values()), {server[name]['plugin'] for name in names})
        for name in names:
            with self.subTest(planner=name):
                self.assertEqual(self.get_parameter(name, 'plugin'), server[name]['plugin'])
                result = self.plan(name, None, (10.0, 5.0))
                self.check(result.path, self.robot, (10.0, 5.0))


@launch_testing.post_shutdown_test()
class TestShutdown(unittest.TestCase):

    def test_everybody_leaves_in_peace(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)
