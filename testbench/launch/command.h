#pragma once

// Starts another program. No shell is used, because a shell could interpret an argument as a command.

#include <string>
#include <vector>

namespace heddle::launch {

struct CommandOutcome {
  /// errno if the program could not be started; 0 if the program ran.
  int start_error = 0;
  /// Exit status; 128 + signal if a signal ended the program.
  int status = 0;
  std::string text;
  bool ok() const { return start_error == 0 && status == 0; }
};

/// Finds a program as execvp does, and runs it until it ends. `folder`: the program's working folder; empty:
/// the current folder. Throws Error if no process can be created.
CommandOutcome run_command(const std::vector<std::string>& arguments, const std::string& folder = "");

bool is_on_path(const std::string& program);

}  // namespace heddle::launch
