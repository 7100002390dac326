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

/// Reads the launch file that the run's parameters name. With 32-bit addresses, uses the 32-bit variant of
/// its PTX. Throws Error if the file is missing.
launch::LaunchFile launch_of(const RunParameters& parameters);

/// Returns launch file, PTX, data files and technology files, each with the hash of its contents.
std::vector<InputFile> hash_inputs(const launch::LaunchFile& launch,
                                   const std::vector<power::Technology>& technologies);

/// Returns the paths of all input files, including scenario, preset and techniques. If `parameters` name no
/// launch file, leaves out the files of the launch.
std::vector<std::string> input_paths(const RunParameters& parameters);

/// Returns true if the file has changed or disappeared since it was read.
bool has_changed(const InputFile& input);

}  // namespace heddle::run
