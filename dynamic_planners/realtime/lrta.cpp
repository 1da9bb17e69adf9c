#include "dynamic_planners/realtime/lrta.hpp"

namespace dynamic_planners {

template class LRTAStar<GridSpace<4>>;
template class LRTAStar<GridSpace<8>>;

}  // namespace dynamic_planners
