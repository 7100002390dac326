#pragma once

// The estimate of all launches of a program (heddle exec --estimate), as it passes from the runtime of each of its processes to
// `heddle exec`.

#include <optional>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/estimate/launch_estimate.h"

namespace heddle::program {

std::string estimate_file(const std::string& work, unsigned process);
/// Throws Error if the file cannot be written.
void write_estimate(const estimate::LaunchEstimate& estimate, const std::string& file);
/// Nothing where there is no such file: the program did not reach its end.
std::optional<estimate::LaunchEstimate> read_estimate(const std::string& file);
/// Of all processes, by how many launches of each were estimated, together; nothing where one has not reached its end.
std::optional<estimate::LaunchEstimate> read_estimates(const std::string& work,
                                                       const std::vector<std::uint64_t>& launches,
                                                       double unsampled_percent);
/// Value, low and high of cycles, energies and instructions. Energies are in pJ.
ConfigNode to_node(const estimate::LaunchEstimate& estimate);
estimate::LaunchEstimate estimate_of(const ConfigNode& node);

}  // namespace heddle::program
