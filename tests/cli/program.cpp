#include "program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace heddle::test {
namespace {

constexpr int kSecondsAllowed = 100;
using Clock = std::chrono::steady_clock;

int milliseconds_since(Clock::time_point start) {
  return static_cast<int>(
      std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count());
}

[[noreturn]] void become_program(const std::string& path, const std::vector<std::string>& arguments,
                                 const std::string& folder, const int out[2], const int err[2]) {
  ::dup2(out[1], STDOUT_FILENO);
  ::dup2(err[1], STDERR_FILENO);
  for (const int end : {out[0], out[1], err[0], err[1]}) ::close(end);
  std::vector<char*> argv = {const_cast<char*>(path.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::setenv("COLUMNS", "2000", 0);  // a wide terminal, so that the program does not wrap its output
  if (::chdir(folder.c_str()) == 0) ::execv(path.c_str(), argv.data());
  std::_Exit(127);
}

void read_streams(pid_t child, int out, int err, int signal_after_ms, ProgramResult& result) {
  pollfd streams[2] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
  std::string* texts[2] = {&result.out, &result.err};
  const Clock::time_point start = Clock::now();
  int open = 2;
  bool signalled = signal_after_ms <= 0;
  while (open > 0) {
    ::poll(streams, 2, 20);
    if (!signalled && milliseconds_since(start) >= signal_after_ms) {
      ::kill(child, SIGINT);
      signalled = true;
    }
    if (milliseconds_since(start) > kSecondsAllowed * 1000) {
      ::kill(child, SIGKILL);
      result.status = 124;
      return;
    }
    for (int i = 0; i < 2; ++i) {
      if (streams[i].fd < 0 || !(streams[i].revents & (POLLIN | POLLHUP))) continue;
      char buffer[4096];
      const ssize_t n = ::read(streams[i].fd, buffer, sizeof buffer);
      if (n > 0) {
        texts[i]->append(buffer, static_cast<std::size_t>(n));
      } else {
        streams[i].fd = -1;
        --open;
      }
    }
  }
}

}  // namespace

std::string program_path() {
  const char* other = std::getenv("HEDDLE_PROGRAM");
  return other && *other ? other : HEDDLE_PROGRAM_FILE;
}

std::string sanitized_program_path() {
  const char* other = std::getenv("HEDDLE_SANITIZED_PROGRAM");
  if (other && *other) return other;
#ifdef HEDDLE_SANITIZED_PROGRAM_FILE
  return HEDDLE_SANITIZED_PROGRAM_FILE;
#else
  return program_path();
#endif
}

ProgramResult run_program(const std::vector<std::string>& arguments, const std::string& folder,
                          int signal_after_ms, const std::string& path) {
  int out[2], err[2];
  if (::pipe(out) != 0 || ::pipe(err) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child == 0) become_program(path, arguments, folder, out, err);
  ::close(out[1]);
  ::close(err[1]);
  ProgramResult result;
  read_streams(child, out[0], err[0], signal_after_ms, result);
  ::close(out[0]);
  ::close(err[0]);
  int status = 0;
  struct rusage used {};
  ::wait4(child, &status, 0, &used);
  result.peak_kb = used.ru_maxrss;
  if (result.status != 124) result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "heddle-test-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::runtime_error("no folder for the test");
  path_ = name;
}
Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}
void Folder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ + "/" + name, std::ios::binary) << text;
}
std::string Folder::read(const std::string& name) const { return read_file(path_ + "/" + name); }
bool Folder::has(const std::string& name) const { return std::filesystem::exists(path_ + "/" + name); }

std::string source(const std::string& relative) {
  return (std::filesystem::path(HEDDLE_SOURCE_FOLDER) / relative).string();
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << "cannot read " << path;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace heddle::test
