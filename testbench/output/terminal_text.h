#pragma once

// Text for people fits the terminal: 80 columns where standard output is no terminal, as many as COLUMNS says where it
// is set. Files, JSON, CSV and errors, which programs read, keep their lines.

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::output {

/// Columns of the terminal, at least 40.
std::size_t terminal_width();

/// The text with every line that is longer than `width` broken at blanks. What follows a break stands below the text
/// after the line's label ("energy     76.7 uJ"), or is indented by four more. A word longer than the width stays whole.
std::string wrapped(const std::string& text, std::size_t width);

/// wrapped() for the terminal, to standard output.
void print_wrapped(const std::string& text);

/// Cells in aligned columns, the first to the left and the others to the right, two blanks apart, a line a row. Where the
/// columns do not fit `width`, tables of fewer of them follow each other, each with the first column. `joined`: how many
/// columns after the first stay together.
std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t width,
                  std::size_t joined = 1);

}  // namespace heddle::output
