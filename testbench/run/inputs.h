#pragma once

// Input files of a run, with hashes of their contents at the time of reading.

#include <string>
#include <vector>

#include "power/technology.h"
#include "testbench/launch/launch_format.h"
#include "testbench/run/run_parameters.h"

namespace heddle::run {

struct InputFile {
  std::string path;
  std::string hash;
};

/// Reads the run's launch file. With 32-bit addresses, its PTX is the 32-bit variant. Throws Error if the
/// file is missing.
launch::LaunchFile launch_of(const RunParameters& parameters);

/// Adds launch file, PTX, data files and technology files with their hashes.
std::vector<InputFile> hash_inputs(const launch::LaunchFile& launch,
                                   const std::vector<power::Technology>& technologies);

/// Returns all input files, including scenario, preset and techniques. Without a launch file, leaves out the
/// launch's files.
std::vector<std::string> input_paths(const RunParameters& parameters);

/// Returns true if the file has changed or disappeared since it was read.
bool has_changed(const InputFile& input);

}  // namespace heddle::run
