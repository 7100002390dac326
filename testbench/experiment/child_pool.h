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
  /// Task that runs in a child process. An exception becomes the outcome's error.
  std::function<std::string(std::size_t)> task;
  /// Called in the parent, in the order in which children end.
  std::function<void(std::size_t, const ChildOutcome&)> done;
  /// Called in the parent a few times a second; may be empty.
  std::function<void()> beat;
  /// If this value becomes nonzero (after Ctrl-C), run_children ends the children and returns. May be
  /// nullptr.
  const volatile std::sig_atomic_t* stop = nullptr;
};

/// Returns when all tasks are done or `stop` is nonzero. Throws Error if no process can be started.
void run_children(const ChildWork& work);

}  // namespace heddle::experiment
