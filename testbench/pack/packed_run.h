#pragma once

// Reads results for commands that accept a result.json, a program.json or a pack.

#include <string>

#include "testbench/comparison/comparison.h"

namespace heddle::pack {

/// Reads the run of a result.json, a program.json or a pack. The files of a pack are unpacked. The unpacked
/// files exist as long as the returned object or a copy of this object exists. Throws Error for any other
/// file, the pack of an experiment, and an incomplete run.
comparison::ComparedRun read_run(const std::string& file);

}  // namespace heddle::pack
