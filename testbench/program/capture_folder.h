#pragma once

// The folder of a capture. A marker file in the folder names the process that is writing the capture.

#include <string>

#include "testbench/program/process.h"

namespace heddle::program {

class CaptureFolder {
 public:
  /// Reserves the folder for this process; does nothing for an empty name. Removes an incomplete capture that
  /// a killed process has left. Throws Error if the folder contains anything else.
  explicit CaptureFolder(std::string folder);
  ~CaptureFolder();
  CaptureFolder(const CaptureFolder&) = delete;
  CaptureFolder& operator=(const CaptureFolder&) = delete;

  /// Writes launches.csv, which has one row for each captured launch. If only representatives are captured,
  /// the row also has the number of launches that the captured launch represents. Writes no table if there
  /// are no launches. Throws Error on failure.
  void finish(const ProgramEnd& end);

 private:
  std::string folder_;
};

}  // namespace heddle::program
