#pragma once

// Reads tables that Heddle has written as CSV.

#include <string>
#include <string_view>
#include <vector>

namespace heddle::output {

struct CsvTable {
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;

  /// Returns the position of the column with this heading; if there is none, the number of columns.
  std::size_t column(std::string_view heading) const;
  /// Returns a field as a number. Returns 0 if the field is empty or no number, or if the column does not
  /// exist.
  double number(std::size_t row, std::size_t column) const;
};

/// Reads a table. Throws Error, which names `file` and the line, if a row has not as many fields as the first
/// row, or if a quote is not closed.
CsvTable read_csv(const std::string& text, const std::string& file);

}  // namespace heddle::output
