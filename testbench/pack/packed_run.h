#pragma once

// Reads results for commands that accept a result.json, a program.json or a pack.

#include <string>

#include "testbench/comparison/comparison.h"

namespace heddle::pack {

/// Unpacked files exist as long as the returned object or one of its copies. Throws Error.
comparison::ComparedRun read_run(const std::string& file);

}  // namespace heddle::pack
