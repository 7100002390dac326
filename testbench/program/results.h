#pragma once

// Writes and prints the results of `heddle exec`: a row for every launch, sums by kernel, and the total.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "power/technology.h"
#include "testbench/output/run_outputs.h"
#include "testbench/program/process.h"
#include "testbench/run/inputs.h"
#include "testbench/run/out_folder.h"

namespace heddle::program {

class ProgramResults {
 public:
  /// Creates and locks the output folder, if the parameters name one. Throws Error if the folder holds other
  /// files than Heddle's, or if the program or a technology cannot be read. `parameters` must outlive this
  /// object.
  ProgramResults(const ExecParameters& parameters, std::vector<std::string> command);

  /// Adds a file to the output folder, and sections to report.html. The file and the sections are made from
  /// program.json. They are left out if the program was ended early or no launch was timed.
  void add(RunOutputs::Addition addition);
  /// Sets a function that makes the text at the beginning of report.html from program.json.
  void explain_by(std::function<std::string(const ConfigNode& result)> explain) {
    explain_ = std::move(explain);
  }
  void write(const ProgramEnd& end);
  ConfigNode tree(const ProgramEnd& end) const;
  std::string summary(const ProgramEnd& end) const;

 private:
  void add_machine(ConfigNode& node) const;
  std::string csv(const ProgramEnd& end) const;

  const ExecParameters& parameters_;
  std::vector<std::string> command_;
  run::InputFile program_;
  std::vector<power::Technology> technologies_;
  std::vector<run::InputFile> tables_;
  std::unique_ptr<run::OutFolder> folder_;
  RunOutputs::Addition addition_;
  std::function<std::string(const ConfigNode& result)> explain_;
};

}  // namespace heddle::program
