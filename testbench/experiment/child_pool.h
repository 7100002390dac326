#pragma once

// Work in child processes, some at a time. SystemC elaborates once a process, so every run of a comparison or
// an experiment has one of its own; a child that fails or crashes takes nobody along.

#include <csignal>
#include <cstddef>
#include <functional>
#include <string>

namespace heddle::experiment {

struct ChildOutcome {
  bool ok = false;
  std::string text;   ///< what the task returned
  std::string error;  ///< one line: why it failed
};

struct ChildWork {
  std::size_t count = 0;
  int jobs = 1;  ///< children at a time
  /// Runs in a child. What it throws becomes the outcome's error.
  std::function<std::string(std::size_t)> task;
  /// Called here, in the order in which children end.
  std::function<void(std::size_t, const ChildOutcome&)> done;
  /// Called here a few times a second; may be empty.
  std::function<void()> beat;
  /// Not 0: children are ended, and run_children returns; may be nullptr.
  const volatile std::sig_atomic_t* stop = nullptr;
};

/// Returns when all tasks are done, or after a stop. Throws Error if no process can be started.
void run_children(const ChildWork& work);

}  // namespace heddle::experiment
