#pragma once

// The files that a run reads, and what they held when it read them.

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

/// The launch file of a run, with the PTX that its address size asks for. Throws Error if there is no such file.
launch::LaunchFile launch_of(const RunParameters& parameters);

/// The launch file, its PTX, the data that it names, and the files of the technologies, hashed as they are.
std::vector<InputFile> hash_inputs(const launch::LaunchFile& launch,
                                   const std::vector<power::Technology>& technologies);

/// All files that stand behind a run: also the scenario, preset and fragments of its parameters. Without the
/// launch's where none is named yet.
std::vector<std::string> input_paths(const RunParameters& parameters);

/// Whether the file holds something else than when it was read, or is gone.
bool has_changed(const InputFile& input);

}  // namespace heddle::run
