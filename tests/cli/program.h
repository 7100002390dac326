#pragma once

// Runs the built program as a user does, and keeps its output. The environment variable HEDDLE_PROGRAM can
// name another build of the program.

#include <map>
#include <string>
#include <vector>

namespace heddle::test {

struct ProgramResult {
  int status = -1;  ///< exit status; 128 + signal number if the program was killed, 124 if it took too long
  std::string out, err;
  long peak_kb = 0;  ///< peak memory in KB
};

std::string program_path();
/// Returns the path of the program whose file readers are built with sanitizers (tests/sanitized), or the
/// path in the environment variable HEDDLE_SANITIZED_PROGRAM.
std::string sanitized_program_path();

/// Runs the program in `folder`. If `signal_after_ms` is greater than 0, sends SIGINT after this time.
ProgramResult run_program(const std::vector<std::string>& arguments, const std::string& folder,
                          int signal_after_ms = 0, const std::string& path = program_path());

/// A temporary folder, which is removed at the end of the test.
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

/// Returns the full path of a file in the source tree.
std::string source(const std::string& relative);
std::string read_file(const std::string& path);

}  // namespace heddle::test
