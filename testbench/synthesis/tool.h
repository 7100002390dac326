#pragma once

// Runs external programs with their output in a log file.

#include <string>
#include <vector>

namespace heddle::synthesis {

/// Runs `program` (found on the PATH) in `folder` and returns its output, which is also in `log` in the
/// folder. Throws Error if the program is not installed or its exit status is not 0.
std::string run_tool(const std::string& folder, const std::string& log, const std::string& program,
                     const std::vector<std::string>& arguments);

std::string read_text(const std::string& file);
void write_text(const std::string& file, const std::string& text);

/// Returns the number after the last `key` in a text. Throws Error, which names `where`, if the text has no
/// such number.
double number_after(const std::string& text, const std::string& key, const std::string& where);

}  // namespace heddle::synthesis
