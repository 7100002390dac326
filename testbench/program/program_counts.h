#pragma once

// Counts of a program's timed launches, passed from its processes to `heddle exec`, which prices them.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::program {

/// Returns the file of a process, counted from 0.
std::string counts_file(const std::string& work, unsigned process);

/// `counts`: an object with "cycles" and "counters" (TimedGpu::counted). Throws Error if the file cannot be
/// written.
void write_counts(const ConfigNode& counts, const std::string& file);

/// Returns the sum over processes. `timed`: number of timed launches of each process. Returns null if no
/// launch was timed, or if a process with timed launches left no counts, for example because it crashed.
/// Throws Error for counters of different GPUs.
ConfigNode read_counts(const std::string& work, const std::vector<std::uint64_t>& timed);

}  // namespace heddle::program
