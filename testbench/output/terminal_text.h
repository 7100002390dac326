#pragma once

// Wraps text of the terminal to the terminal's width: the value of COLUMNS if it is set, or 80 columns if
// standard output is no terminal. Files, JSON, CSV and errors are not wrapped, because programs read them.

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::output {

/// Returns the number of columns of the terminal, at least 40.
std::size_t terminal_width();

/// Breaks lines longer than `width` at blanks. The continuation is aligned with the text after the line's
/// label ("energy 76.7 uJ"), or is indented by four more blanks. A word longer than the width stays whole.
std::string wrapped(const std::string& text, std::size_t width);

/// Prints a text to standard output, wrapped to the terminal's width.
void print_wrapped(const std::string& text);

/// Returns cells in aligned columns, one line per row. The first column is left-aligned and the others are
/// right-aligned, two blanks apart. If the columns do not fit `width`, several tables follow each other, each
/// with the first column. `joined`: number of columns after the first that stay together.
std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t width,
                  std::size_t joined = 1);

}  // namespace heddle::output
