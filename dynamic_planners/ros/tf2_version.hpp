#pragma once

// Jazzy has these headers under one name, later distributions under another and warn of the first.
#if __has_include("tf2_ros/buffer.hpp")
#include "tf2_ros/buffer.hpp"
#include "tf2_ros/transform_listener.hpp"
#else
#include "tf2_ros/buffer.h"
#include "tf2_ros/transform_listener.h"
#endif
