#pragma once

// Wraps text to the terminal's width: COLUMNS, or 80 if standard output is no terminal. Files, JSON, CSV and
// errors are not wrapped, because programs read them.

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::output {

/// Returns the number of columns of the terminal, at least 40.
std::size_t terminal_width();

/// Breaks lines longer than `width` at blanks. Continuations align with the text after the label ("energy
/// 76.7 uJ"), or are indented by four more blanks.
std::string wrapped(const std::string& text, std::size_t width);

void print_wrapped(const std::string& text);

/// Returns one line per row. The first column is left-aligned, the others right-aligned, two blanks apart. If
/// the columns do not fit, several tables follow each other, each with the first column. `joined`: number of
/// columns after the first that stay together.
std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t width,
                  std::size_t joined = 1);

}  // namespace heddle::output
