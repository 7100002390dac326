#pragma once

// Another program, started without a shell: what its arguments hold is never read as a command.

#include <string>
#include <vector>

namespace heddle::launch {

struct CommandOutcome {
  /// Why the program was not started (errno); 0 if it was.
  int start_error = 0;
  /// The program's own exit status; 128 + signal if it was killed.
  int status = 0;
  /// What it wrote to its standard output and its standard error, without line breaks at the end.
  std::string text;
  bool ok() const { return start_error == 0 && status == 0; }
};

/// Runs a program, found as execvp finds it, to its end; in `folder` unless that is empty. Throws Error if no process
/// can be made.
CommandOutcome run_command(const std::vector<std::string>& arguments, const std::string& folder = "");

/// Is there a file of this name in one of the folders of PATH?
bool is_on_path(const std::string& program);

}  // namespace heddle::launch
