#pragma once

namespace dynamic_planners {

/// The `dynamic_planners` program: runs the command that the arguments name. Returns the exit code:
/// 0; 1 when `scen` found a wrong length; 2 after one line on the standard error.
int run_program(int argc, const char* const* argv);

}  // namespace dynamic_planners
