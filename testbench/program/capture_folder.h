#pragma once

// The folder of a capture. A marker file in the folder names the process that is writing the capture.

#include <string>

#include "testbench/program/process.h"

namespace heddle::program {

class CaptureFolder {
 public:
  /// Reserves the folder for this process; an empty name does nothing. Removes a killed process's incomplete
  /// capture. Throws Error if the folder contains anything else.
  explicit CaptureFolder(std::string folder);
  ~CaptureFolder();
  CaptureFolder(const CaptureFolder&) = delete;
  CaptureFolder& operator=(const CaptureFolder&) = delete;

  /// Writes launches.csv with one row for each captured launch. With representatives, a row also has the
  /// number of launches that its launch represents. Writes no table if there are no launches. Throws Error on
  /// failure.
  void finish(const ProgramEnd& end);

 private:
  std::string folder_;
};

}  // namespace heddle::program
