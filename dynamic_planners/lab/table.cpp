#include "dynamic_planners/lab/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dynamic_planners {

std::ostream& operator<<(std::ostream& output, const Table& table) {
  std::vector<std::size_t> widths(table.rows_.front().size(), 0);
  for (const Table::Row& row : table.rows_) {
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Table::Row& row : table.rows_) {
    output << fmt::format("{:<{}}", row[0], widths[0]);
    for (std::size_t i = 1; i < widths.size(); ++i) {
      output << fmt::format("  {:>{}}", row[i], widths[i]);
    }
    output << '\n';
  }
  return output;
}

std::string time_text(double microseconds) {
  if (microseconds < 1e3) return fmt::format("{:.1f} us", microseconds);
  if (microseconds < 1e6) return fmt::format("{:.2f} ms", microseconds / 1e3);
  return fmt::format("{:.2f} s", microseconds / 1e6);
}

}  // namespace dynamic_planners
