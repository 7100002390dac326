#pragma once

// The folder of a capture before and after the program runs. A marker in it names the process that fills it.

#include <string>

#include "testbench/program/process.h"

namespace heddle::program {

class CaptureFolder {
 public:
  /// Claims the folder for this process; without a name it does nothing. Removes what a process that has ended
  /// (kill -9) has left of a capture in it. Throws Error if anything else is there.
  explicit CaptureFolder(std::string folder);
  /// Ends the claim. Removes the folder if it is empty.
  ~CaptureFolder();
  CaptureFolder(const CaptureFolder&) = delete;
  CaptureFolder& operator=(const CaptureFolder&) = delete;

  /// Writes launches.csv: each captured launch, and how many it represents if representatives were requested.
  /// Without a launch there is no table. Throws Error if it cannot be written.
  void finish(const ProgramEnd& end);

 private:
  std::string folder_;
};

}  // namespace heddle::program
