#pragma once

// Latencies as a kernel measures them with %clock, next to the configured ones. The kernels use only what a
// program on a real GPU can use.

#include <string>
#include <vector>

namespace heddle::microbench {

struct Clocked {
  std::string what;     ///< name of the measured operation, for example "integer add"
  double measured = 0;  ///< latency in cycles that the kernel measures
  int configured = 0;   ///< latency in cycles in the preset's parameter
};

/// Returns the presets in configs/gpu, sorted by name.
std::vector<std::string> all_presets();
/// Returns the measured latencies of a preset. A preset without an L1 for these loads, or without an L2, has
/// fewer rows.
std::vector<Clocked> measure_by_clock(const std::string& preset);
/// Returns the section of the microbenchmark page with latencies measured by %clock.
std::string clocks();

}  // namespace heddle::microbench
