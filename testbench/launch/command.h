#pragma once

// Starts another program without a shell, so that its arguments are never read as commands.

#include <string>
#include <vector>

namespace heddle::launch {

struct CommandOutcome {
  /// errno of a failed start; 0 if the program ran.
  int start_error = 0;
  /// The program's own exit status; 128 + signal if it was killed.
  int status = 0;
  /// Its standard output and standard error, without trailing line breaks.
  std::string text;
  bool ok() const { return start_error == 0 && status == 0; }
};

/// Runs a program, found as execvp finds it, to its end; in `folder` unless that is empty. Throws Error if no
/// process can be created.
CommandOutcome run_command(const std::vector<std::string>& arguments, const std::string& folder = "");

/// True if a folder of PATH has a file of this name.
bool is_on_path(const std::string& program);

}  // namespace heddle::launch
