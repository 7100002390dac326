#pragma once

// Runs work in child processes, a few at a time. SystemC elaborates once per process, so every run needs its
// own process. A child that fails or crashes does not affect others.

#include <csignal>
#include <cstddef>
#include <functional>
#include <string>

namespace heddle::experiment {

struct ChildOutcome {
  bool ok = false;
  std::string text;
  std::string error;
};

struct ChildWork {
  std::size_t count = 0;
  int jobs = 1;
  /// Task that runs in a child process; its argument is the task's number. An exception becomes the outcome's
  /// error.
  std::function<std::string(std::size_t)> task;
  /// The parent calls this function when a child has ended, with the number of the child's task.
  std::function<void(std::size_t, const ChildOutcome&)> done;
  /// The parent calls this function a few times a second, for example to renew claims of runs (claims.h); may
  /// be empty.
  std::function<void()> beat;
  /// Address of a flag that Ctrl-C sets. If the flag becomes nonzero, run_children ends the children and
  /// returns. May be nullptr.
  const volatile std::sig_atomic_t* stop = nullptr;
};

/// Runs all tasks of `work`, each in a child process. Returns when all tasks are done or `stop` is nonzero.
/// Throws Error if no process can be started.
void run_children(const ChildWork& work);

}  // namespace heddle::experiment
