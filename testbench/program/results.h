#pragma once

// What `heddle exec` writes and prints of a program: a row for every launch, sums by kernel, the sum of all.

#include <memory>
#include <string>
#include <vector>

#include "testbench/program/process.h"
#include "testbench/run/out_folder.h"

namespace heddle::program {

/// launches.csv in the folder of the captures: each captured launch, and how many it stands for where that was asked. Throws
/// Error if it cannot be written; a folder that was not made has none.
void write_capture_table(const std::string& folder, const ProgramEnd& end);

class ProgramResults {
 public:
  /// Claims the output folder, where one is asked for. Throws Error. `parameters` outlive the results.
  ProgramResults(const ExecParameters& parameters, std::vector<std::string> command);

  /// program.json, launches.csv, report.html.
  void write(const ProgramEnd& end);
  /// The contents of program.json (docs/formats/program.schema.json).
  std::string json(const ProgramEnd& end) const;
  /// For the terminal.
  std::string summary(const ProgramEnd& end) const;

 private:
  ConfigNode tree(const ProgramEnd& end) const;
  std::string csv(const ProgramEnd& end) const;

  const ExecParameters& parameters_;
  std::vector<std::string> command_;
  std::unique_ptr<run::OutFolder> folder_;
};

}  // namespace heddle::program
