#pragma once

// Runs external programs, and writes their output to a log file.

#include <string>
#include <vector>

namespace heddle::synthesis {

/// Finds `program` on the PATH, and runs it in `folder`. Returns the program's output, and also writes it to
/// `log`. Throws Error if the program is missing or fails.
std::string run_tool(const std::string& folder, const std::string& log, const std::string& program,
                     const std::vector<std::string>& arguments);

std::string read_text(const std::string& file);
void write_text(const std::string& file, const std::string& text);

/// Returns the number that follows the last `key` in a text. Throws Error, which names `where`, if there is
/// none.
double number_after(const std::string& text, const std::string& key, const std::string& where);

}  // namespace heddle::synthesis
