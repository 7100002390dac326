#pragma once

// Splits and quotes the words of a shell's command line.

#include <string>
#include <vector>

namespace heddle::experiment {

/// Splits a text into words as a shell does: blanks separate words, except in quotes and after a backslash.
/// Nothing is expanded, and no character begins another command. Throws Error, which names `where`, for a
/// quote without an end.
std::vector<std::string> split_words(const std::string& text, const std::string& where);

/// Joins words so that a shell reads them back one by one.
std::string shell_quoted(const std::string& word);
std::string shell_quoted(const std::vector<std::string>& words);

}  // namespace heddle::experiment
