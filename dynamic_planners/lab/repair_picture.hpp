#pragma once

#include <ostream>

#include "dynamic_planners/lab/recording.hpp"
#include "dynamic_planners/lab/replay.hpp"

namespace dynamic_planners {

/// Draws (SVG) what a change costs: the cells that A* expands for the new path, and beside them
/// those that D* Lite does. `route` is a run of D* Lite through the recording; of the moments at
/// which it had to repair something, the one at which that saved the most is drawn.
void draw_repair(std::ostream& output, const Recording& recording, const ReplayResult& route);

}  // namespace dynamic_planners
