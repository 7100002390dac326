#pragma once

// Results for commands that take a result.json, a program.json or a pack.

#include <string>

#include "testbench/comparison/comparison.h"

namespace heddle::pack {

/// Reads a stored run for a comparison, from a result.json, a program.json, or a pack of one. Files of a pack
/// stay in place as long as the returned object or a copy of it. Throws Error.
comparison::ComparedRun read_run(const std::string& file);

}  // namespace heddle::pack
