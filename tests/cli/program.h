#pragma once

// Runs the built program `heddle` as a user does, and keeps the program's output. The environment variable
// HEDDLE_PROGRAM can name the program of another build.

#include <map>
#include <string>
#include <vector>

namespace heddle::test {

struct ProgramResult {
  int status = -1;
  std::string out, err;
  long peak_kb = 0;
};

std::string program_path();
/// Returns the path of a build of `heddle` whose file readers are built with sanitizers (tests/sanitized). If
/// the environment variable HEDDLE_SANITIZED_PROGRAM is set, returns the variable's value.
std::string sanitized_program_path();

/// Runs the program and returns the program's output and status. `signal_after_ms`: if above 0, the function
/// sends SIGINT to the program after this time.
ProgramResult run_program(const std::vector<std::string>& arguments, const std::string& folder,
                          int signal_after_ms = 0, const std::string& path = program_path());

class Folder {
 public:
  Folder();
  ~Folder();
  const std::string& path() const { return path_; }
  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  bool has(const std::string& name) const;

 private:
  std::string path_;
};

std::string source(const std::string& relative);
std::string read_file(const std::string& path);

}  // namespace heddle::test
