#pragma once

// Words of a shell's command line.

#include <string>
#include <vector>

namespace heddle::experiment {

/// The words of a text as a shell splits it: blanks end a word but for those in quotes or after a backslash.
/// Nothing is expanded, and no character begins another command. Throws Error, at `where`, for a quote without
/// an end.
std::vector<std::string> split_words(const std::string& text, const std::string& where);

/// Words as a shell reads them back one by one.
std::string shell_quoted(const std::string& word);
std::string shell_quoted(const std::vector<std::string>& words);

}  // namespace heddle::experiment
