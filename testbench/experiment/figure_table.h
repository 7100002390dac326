#pragma once

// The table of a figure: its numbers by row and column, and the texts of cells without a number.

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace heddle::experiment {

/// Lowest and highest mean if one kernel is left out.
struct LeaveOneOut {
  double lowest = 0, highest = 0;
};

/// A table of numbers. NaN: missing or failed run, or undefined value.
struct Table {
  std::string corner;
  std::vector<std::string> rows, columns;
  std::vector<std::vector<double>> cells;
  /// Positions of cells whose techniques cannot be combined; `cells` has NaN there.
  std::set<std::pair<std::size_t, std::size_t>> refused;
  /// Names that some cells show instead of numbers; `cells` has NaN there.
  std::map<std::pair<std::size_t, std::size_t>, std::string> names;
  /// For cells that are means over few kernels (kFewKernels), by row and column: the range of the mean if one
  /// kernel is left out.
  std::map<std::pair<std::size_t, std::size_t>, LeaveOneOut> ranges;

  template <class Format>
  std::string text(std::size_t row, std::size_t column, Format format) const {
    const double value = cells[row][column];
    if (!std::isnan(value)) return format(value);
    if (const auto name = names.find({row, column}); name != names.end()) return name->second;
    return refused.count({row, column}) ? "refused" : "-";
  }
};

}  // namespace heddle::experiment
