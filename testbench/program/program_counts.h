#pragma once

// Counters of a program's timed launches. Each process of the program writes them to a file, from which
// `heddle exec` computes energies.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::program {

std::string counts_file(const std::string& work, unsigned process);

/// Writes the counters of a process to a file. `counts`: an object with "cycles", "counters" and "kernels"
/// (TimedGpu::counted). Throws Error if the file cannot be written.
void write_counts(const ConfigNode& counts, const std::string& file);

/// Returns the counters, summed over all processes. `timed`: number of timed launches of each process. Null
/// if no launch was timed, or if a process wrote no file, for example after a crash. Throws Error if
/// processes used different GPUs.
ConfigNode read_counts(const std::string& work, const std::vector<std::uint64_t>& timed);

}  // namespace heddle::program
