#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/search/meter.hpp"
#include "dynamic_planners/search/planner.hpp"

namespace dynamic_planners {

/// The path of Field D*: walks down the interpolated costs from one cell to another, with one step
/// of lookahead: a point between two vertices is worth what can be reached from it, not only what
/// interpolation says. What trembles is drawn straight. All of it takes about a microsecond for
/// each cell, so it can be stopped and gone on with.
///
/// `cost(cell)` is the cost from a vertex to the end, kInfinity where it is not known for certain.
/// It must be known where the path begins, and where the costs come from that it was made of.
class FieldPath {
 public:
  FieldPath(const GridSpace<8>& space, Cell from, Cell to, std::function<Cost(Cell)> cost);
  FieldPath(const FieldPath&) = delete;
  FieldPath& operator=(const FieldPath&) = delete;
  ~FieldPath();

  Progress draw(Meter& meter);

  /// What was drawn, and what it costs.
  const std::vector<Point>& points() const;
  Cost cost() const;

 private:
  class Drawing;
  std::unique_ptr<Drawing> drawing_;
};

}  // namespace dynamic_planners
