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
  std::string hash;  ///< result of hash_of_file()
};

/// Returns the launch file of a run, with the PTX for its address size. Throws Error if the file is missing.
launch::LaunchFile launch_of(const RunParameters& parameters);

/// Hashes launch file, PTX, data files and technology files.
std::vector<InputFile> hash_inputs(const launch::LaunchFile& launch,
                                   const std::vector<power::Technology>& technologies);

/// Returns all input files of a run, including the scenario, preset and fragments of its parameters. Files of
/// the launch are missing if no launch is named yet.
std::vector<std::string> input_paths(const RunParameters& parameters);

/// Returns true if the file has changed since it was read, or no longer exists.
bool has_changed(const InputFile& input);

}  // namespace heddle::run
