#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace dynamic_planners {

/// Rows in aligned columns, for people: the first column to the left, the numbers to the right.
class Table {
 public:
  using Row = std::vector<std::string>;

  explicit Table(Row header) : rows_{std::move(header)} {}

  /// As many fields as the header has.
  void add(Row row) { rows_.push_back(std::move(row)); }

  friend std::ostream& operator<<(std::ostream& output, const Table& table);

 private:
  std::vector<Row> rows_;
};

/// A time as people read it: "12.3 us", "4.56 ms", "7.89 s".
std::string time_text(double microseconds);

}  // namespace dynamic_planners
