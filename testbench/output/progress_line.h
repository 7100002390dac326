#pragma once

// One line on the terminal that says how far a command is. It appears after two seconds, is drawn again four times a
// second, and leaves nothing behind. Without a terminal on standard error there is none.

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace heddle::output {

class ProgressLine {
 public:
  /// `wanted`: whether the command may print.
  explicit ProgressLine(bool wanted);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Whether anything will be shown; texts need not be made otherwise.
  bool shown() const { return thread_.joinable(); }
  /// What the line says from now on; empty: nothing. The seconds since the beginning are added.
  void say(std::string text);
  /// Removes the line, until something is said again.
  void clear() { say({}); }

 private:
  void draw();

  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable ended_;
  std::string text_;
  bool drawn_ = false, ends_ = false;
  std::thread thread_;  ///< draws; the command's own work may say nothing for long
};

}  // namespace heddle::output
