#pragma once

// Reads tables that Heddle has written as CSV.

#include <string>
#include <string_view>
#include <vector>

namespace heddle::output {

struct CsvTable {
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;

  /// Returns the position of a column; the number of columns if there is none.
  std::size_t column(std::string_view heading) const;
  /// Returns a field as a number; 0 for an empty field, a text, and a missing column.
  double number(std::size_t row, std::size_t column) const;
};

/// Throws Error with `file` and line if a row has another length than the first one, or a quote is not
/// closed.
CsvTable read_csv(const std::string& text, const std::string& file);

}  // namespace heddle::output
