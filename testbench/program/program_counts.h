#pragma once

// What the timed launches of a program counted, from its processes to `heddle exec`, which prices it.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::program {

/// The file of a process, counted from 0.
std::string counts_file(const std::string& work, unsigned process);

/// `counts`: an object of "cycles" and "counters" (TimedGpu::counted). Throws Error if the file cannot be written.
void write_counts(const ConfigNode& counts, const std::string& file);

/// The sum over processes, each of which timed so many launches. Null if one of these left no counts, as a program that
/// crashes does, or none timed a launch. Throws Error for counters of different GPUs.
ConfigNode read_counts(const std::string& work, const std::vector<std::uint64_t>& timed);

}  // namespace heddle::program
