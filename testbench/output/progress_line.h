#pragma once

// One line on the terminal that shows the progress of a command. The line appears after two seconds, is
// redrawn four times a second, and is erased at the end. There is no line if standard error is no terminal.

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace heddle::output {

class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Returns false if the line will not appear. Callers then need not make texts for it.
  bool shown() const { return thread_.joinable(); }
  /// Sets the line's text; empty removes the line. The elapsed seconds are appended.
  void say(std::string text);
  void clear() { say({}); }

 private:
  void draw();

  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable ended_;
  std::string text_;
  bool drawn_ = false, ends_ = false;
  std::thread thread_;
};

}  // namespace heddle::output
