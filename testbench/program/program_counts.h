#pragma once

// Counters of a program's timed launches. Each process of the program writes them to a file, from which
// `heddle exec` computes energies.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::program {

/// Returns the path of the file of a process. Processes are counted from 0.
std::string counts_file(const std::string& work, unsigned process);

/// Writes the counters of a process: an object with "cycles" and "counters" (TimedGpu::counted). Throws Error
/// if the file cannot be written.
void write_counts(const ConfigNode& counts, const std::string& file);

/// Reads the counters of all processes and returns their sum. `timed`: number of timed launches of each
/// process. Returns null if no launch was timed, or if a process with timed launches left no file, for
/// example because it crashed. Throws Error if processes used different GPUs.
ConfigNode read_counts(const std::string& work, const std::vector<std::uint64_t>& timed);

}  // namespace heddle::program
