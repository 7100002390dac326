#pragma once

// Splits a shell's command line into words, and quotes words for a shell.

#include <string>
#include <vector>

namespace heddle::experiment {

/// Splits a text into words as a shell does: blanks separate words, except in quotes and after a backslash.
/// Variables and patterns are not expanded, and characters such as `;` and `|` do not begin another command.
/// Throws Error, which names `where`, for a quote without an end.
std::vector<std::string> split_words(const std::string& text, const std::string& where);

/// Joins words to a command line, with quotes where a shell needs them.
std::string shell_quoted(const std::string& word);
std::string shell_quoted(const std::vector<std::string>& words);

}  // namespace heddle::experiment
