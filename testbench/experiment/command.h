#pragma once

// Splits a shell's command line into words, and quotes words for a shell.

#include <string>
#include <vector>

namespace heddle::experiment {

/// Splits a text at blanks as a shell does: quotes and backslashes protect blanks. Variables and patterns are
/// not expanded; `;` and `|` are ordinary characters. Throws Error, which names `where`, for an open quote.
std::vector<std::string> split_words(const std::string& text, const std::string& where);

std::string shell_quoted(const std::string& word);
std::string shell_quoted(const std::vector<std::string>& words);

}  // namespace heddle::experiment
