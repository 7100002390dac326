#include "testbench/launch/command.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "models/core/error.h"

namespace heddle::launch {
namespace {

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw Error("child process", "cannot make a pipe");
    read = ends[0];
    write = ends[1];
  }
  ~Pipe() {
    ::close(read);
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_write() {
    if (write >= 0) ::close(write);
    write = -1;
  }
  std::string text() const {
    std::string all;
    char part[4096];
    for (ssize_t n = 0; (n = ::read(read, part, sizeof part)) != 0;) {
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) break;
      all.append(part, static_cast<std::size_t>(n));
    }
    return all;
  }
};

// Replaces the child process by the program. If this fails, writes errno to the pipe `failed`. If the program
// starts, the system closes this pipe. From the closed pipe, the parent detects success.
[[noreturn]] void become(const std::vector<char*>& arguments, const std::string& folder, const Pipe& said,
                         const Pipe& failed) {
  ::dup2(said.write, STDOUT_FILENO);
  ::dup2(said.write, STDERR_FILENO);
  if (folder.empty() || ::chdir(folder.c_str()) == 0) ::execvp(arguments[0], arguments.data());
  const int reason = errno;
  if (::write(failed.write, &reason, sizeof reason) < 0) std::_Exit(126);
  std::_Exit(127);
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

CommandOutcome run_command(const std::vector<std::string>& arguments, const std::string& folder) {
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  Pipe said, failed;
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw Error("child process", "cannot start a process");
  if (child == 0) become(pointers, folder, said, failed);
  said.close_write();
  failed.close_write();
  CommandOutcome outcome;
  const std::string reason = failed.text();
  outcome.text = said.text();
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (reason.size() == sizeof(int))
    std::copy(reason.begin(), reason.end(), reinterpret_cast<char*>(&outcome.start_error));
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  while (!outcome.text.empty() && is_blank(outcome.text.back())) outcome.text.pop_back();
  return outcome;
}

bool is_on_path(const std::string& program) {
  const char* const path = std::getenv("PATH");
  const std::string folders = path ? path : "";
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    std::error_code ec;
    if (std::filesystem::exists(std::filesystem::path(folders.substr(begin, end - begin)) / program, ec))
      return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace heddle::launch
