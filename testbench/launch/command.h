#pragma once

// Starts another program without a shell, so that no argument is interpreted as a command.

#include <string>
#include <vector>

namespace heddle::launch {

struct CommandOutcome {
  /// errno if the program could not be started; 0 if the program ran.
  int start_error = 0;
  /// The program's own exit status; 128 + signal if a signal ended it.
  int status = 0;
  /// Standard output and standard error of the program, without trailing line breaks.
  std::string text;
  bool ok() const { return start_error == 0 && status == 0; }
};

/// Runs a program, found as by execvp, to its end. The program runs in `folder`, or in the working folder if
/// `folder` is empty. Throws Error if no process can be created.
CommandOutcome run_command(const std::vector<std::string>& arguments, const std::string& folder = "");

/// Returns true if a folder of PATH contains a program with this name.
bool is_on_path(const std::string& program);

}  // namespace heddle::launch
