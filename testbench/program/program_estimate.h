#pragma once

// The estimate of all launches of a program (heddle exec --estimate). The runtime in each process writes an
// estimate to a file, and `heddle exec` reads these files.

#include <optional>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/estimate/launch_estimate.h"

namespace heddle::program {

std::string estimate_file(const std::string& work, unsigned process);
/// Writes the estimate of the launches of one process of the program. Throws Error if the file cannot be
/// written.
void write_estimate(const estimate::LaunchEstimate& estimate, const std::string& file);
/// Reads the estimate of a process. Returns nothing if the file is missing, because the process did not reach
/// its end.
std::optional<estimate::LaunchEstimate> read_estimate(const std::string& file);
/// Returns the estimate over all processes; nothing if a process did not reach its end. `launches`: number of
/// estimated launches of each process.
std::optional<estimate::LaunchEstimate> read_estimates(const std::string& work,
                                                       const std::vector<std::uint64_t>& launches,
                                                       double unsampled_percent);
ConfigNode to_node(const estimate::LaunchEstimate& estimate);
estimate::LaunchEstimate estimate_of(const ConfigNode& node);

}  // namespace heddle::program
