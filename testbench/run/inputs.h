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
  std::string hash;  ///< hash_of_file()
};

/// Launch file of a run, with the PTX for its address size. Throws Error if the file is missing.
launch::LaunchFile launch_of(const RunParameters& parameters);

/// Launch file, PTX, data files and technology files, hashed now.
std::vector<InputFile> hash_inputs(const launch::LaunchFile& launch,
                                   const std::vector<power::Technology>& technologies);

/// All input files of a run, including the scenario, preset and fragments of its parameters; without a
/// launch's files if no launch is named yet.
std::vector<std::string> input_paths(const RunParameters& parameters);

/// True if the file has changed since it was read, or is gone.
bool has_changed(const InputFile& input);

}  // namespace heddle::run
