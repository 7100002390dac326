#pragma once

// What `heddle exec` writes and prints of a program: a row for every launch, sums by kernel, the sum of all.

#include <memory>
#include <string>
#include <vector>

#include "power/technology.h"
#include "testbench/output/run_outputs.h"
#include "testbench/program/process.h"
#include "testbench/run/inputs.h"
#include "testbench/run/out_folder.h"

namespace heddle::program {

/// launches.csv in the folder of the captures: each captured launch, and how many it stands for where that was asked. Throws
/// Error if it cannot be written; a folder that was not made has none.
void write_capture_table(const std::string& folder, const ProgramEnd& end);

class ProgramResults {
 public:
  /// Claims the output folder, where one is asked for. Throws Error. `parameters` outlive the results.
  ProgramResults(const ExecParameters& parameters, std::vector<std::string> command);

  /// A file beside them, and sections of the report; both made from the contents of program.json. A program that was ended early
  /// has neither, nor one of which nothing was timed.
  void add(RunOutputs::Addition addition);
  /// program.json, launches.csv, report.html.
  void write(const ProgramEnd& end);
  /// The contents of program.json (docs/formats/program.schema.json).
  ConfigNode tree(const ProgramEnd& end) const;
  /// For the terminal.
  std::string summary(const ProgramEnd& end) const;

 private:
  void add_machine(ConfigNode& node) const;
  std::string csv(const ProgramEnd& end) const;

  const ExecParameters& parameters_;
  std::vector<std::string> command_;
  run::InputFile program_;
  std::vector<power::Technology> technologies_;
  std::vector<run::InputFile> tables_;  ///< their files
  std::unique_ptr<run::OutFolder> folder_;
  RunOutputs::Addition addition_;
};

}  // namespace heddle::program
