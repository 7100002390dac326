#pragma once

// Wraps text to the terminal's width. The width is the value of COLUMNS if it is set, otherwise the width of
// the terminal, or 80 without a terminal. Files, JSON, CSV and errors are not wrapped, because programs read
// them.

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::output {

/// Returns the number of columns of the terminal, at least 40.
std::size_t terminal_width();

/// Breaks lines longer than `width` at blanks. The second and later lines align with the text after the label
/// (76.7 in "energy   76.7 uJ"). In a line without a label, they are indented by four more blanks.
std::string wrapped(const std::string& text, std::size_t width);

void print_wrapped(const std::string& text);

/// Returns one line per row. The first column is left-aligned, the others right-aligned, with two blanks
/// between columns. If not all columns fit into `width`, several tables follow each other, and each repeats
/// the first column. `joined`: number of columns after the first that stay in one table.
std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t width,
                  std::size_t joined = 1);

}  // namespace heddle::output
