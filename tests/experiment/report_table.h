#pragma once

// Reads the table of a figure from the report of an experiment.

#include <sstream>
#include <string>
#include <vector>

namespace heddle::test {

/// Returns the cells of each row below the heading "## title", including the line of dashes.
inline std::vector<std::vector<std::string>> rows_of_table(const std::string& report,
                                                           const std::string& title) {
  std::istringstream in(report);
  std::vector<std::vector<std::string>> rows;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) inside = line == "## " + title;
    if (!inside || !line.starts_with("|")) continue;
    std::istringstream cells(line.substr(1));
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, '|');) {
      const std::size_t begin = cell.find_first_not_of(' '), end = cell.find_last_not_of(' ');
      if (begin != std::string::npos) rows.back().push_back(cell.substr(begin, end - begin + 1));
    }
  }
  return rows;
}

}  // namespace heddle::test
