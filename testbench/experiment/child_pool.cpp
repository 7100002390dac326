#include "testbench/experiment/child_pool.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <exception>
#include <vector>

#include "models/core/error.h"
#include "models/core/exception_text.h"
#include "models/core/read_file.h"
#include "testbench/launch/stop_signals.h"

namespace heddle::experiment {
namespace {

constexpr int kBeatMilliseconds = 200;
constexpr int kTaskFailed = 1;

struct Child {
  std::size_t index = 0;
  pid_t id = 0;
  std::array<int, 2> pipes = {-1, -1};
  std::array<std::string, 2> texts;
};

void write_all(int file, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = ::write(file, text.data() + at, text.size() - at);
    if (n <= 0) std::_Exit(kTaskFailed);
    at += static_cast<std::size_t>(n);
  }
}

[[noreturn]] void work_in_child(const ChildWork& work, std::size_t index, int text, int error) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  launch::let_stop_signals_end();
  int status = 0;
  try {
    write_all(text, work.task(index));
  } catch (const std::exception& e) {
    write_all(error, exception_text(e));
    status = kTaskFailed;
  }
  std::fflush(nullptr);
  std::_Exit(status);
}

Child start(const ChildWork& work, std::size_t index) {
  int text[2], error[2];
  if (::pipe(text) != 0) throw Error("child process", "cannot make a pipe");
  if (::pipe(error) != 0) throw Error("child process", "cannot make a pipe");
  std::fflush(nullptr);
  const pid_t id = ::fork();
  if (id < 0) throw Error("child process", "cannot start a process");
  if (id == 0) {
    ::close(text[0]);
    ::close(error[0]);
    work_in_child(work, index, text[1], error[1]);
  }
  ::close(text[1]);
  ::close(error[1]);
  Child child;
  child.index = index;
  child.id = id;
  child.pipes = {text[0], error[0]};
  return child;
}

ChildOutcome outcome_of(Child& child) {
  int status = 0;
  ::waitpid(child.id, &status, 0);
  ChildOutcome outcome;
  outcome.ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  outcome.text = std::move(child.texts[0]);
  outcome.error = on_one_line(std::move(child.texts[1]));
  if (!outcome.ok && outcome.error.empty())
    outcome.error = WIFSIGNALED(status) ? fmt::format("ended by signal {}", WTERMSIG(status))
                                        : fmt::format("ended with status {}", WEXITSTATUS(status));
  return outcome;
}

bool read_pipes(Child& child) {
  for (std::size_t i = 0; i < 2; ++i) {
    if (child.pipes[i] < 0) continue;
    pollfd ready = {child.pipes[i], POLLIN, 0};
    while (::poll(&ready, 1, 0) > 0) {
      char buffer[65536];
      const ssize_t n = ::read(child.pipes[i], buffer, sizeof buffer);
      if (n > 0) {
        child.texts[i].append(buffer, static_cast<std::size_t>(n));
        continue;
      }
      ::close(child.pipes[i]);
      child.pipes[i] = -1;
      break;
    }
  }
  return child.pipes[0] < 0 && child.pipes[1] < 0;
}

void wait_for_any(const std::vector<Child>& children) {
  std::vector<pollfd> waiting;
  for (const Child& child : children)
    for (const int pipe : child.pipes)
      if (pipe >= 0) waiting.push_back({pipe, POLLIN, 0});
  ::poll(waiting.data(), waiting.size(), kBeatMilliseconds);
}

void end_all(std::vector<Child>& children) {
  for (const Child& child : children) ::kill(child.id, SIGTERM);
  for (const Child& child : children) {
    for (const int pipe : child.pipes)
      if (pipe >= 0) ::close(pipe);
    ::waitpid(child.id, nullptr, 0);
  }
  children.clear();
}

void run_all(const ChildWork& work, std::vector<Child>& children) {
  std::size_t next = 0;
  while (next < work.count || !children.empty()) {
    if (work.stop && *work.stop) return;
    while (next < work.count && children.size() < static_cast<std::size_t>(work.jobs))
      children.push_back(start(work, next++));
    wait_for_any(children);
    for (std::size_t i = 0; i < children.size();) {
      if (!read_pipes(children[i])) {
        ++i;
        continue;
      }
      Child ended = std::move(children[i]);
      children.erase(children.begin() + static_cast<std::ptrdiff_t>(i));
      const ChildOutcome outcome = outcome_of(ended);
      // A child that ended because of Ctrl-C counts as stopped, not as failed, so `done` is not called.
      if (outcome.ok || !work.stop || !*work.stop) work.done(ended.index, outcome);
    }
    if (work.beat) work.beat();
  }
}

}  // namespace

void run_children(const ChildWork& work) {
  std::vector<Child> children;
  try {
    run_all(work, children);
  } catch (...) {
    end_all(children);
    throw;
  }
  end_all(children);
}

}  // namespace heddle::experiment
