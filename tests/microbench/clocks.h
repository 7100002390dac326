#pragma once

// Runs kernels that measure latencies with %clock, and compares these latencies with the configured ones. The
// same kernels could run on a real GPU.

#include <string>
#include <vector>

namespace heddle::microbench {

struct Clocked {
  std::string what;
  double measured = 0;
  int configured = 0;
};

/// Returns the names of all GPU presets (configs/gpu) whose latencies a kernel can measure with %clock.
std::vector<std::string> all_presets();
/// Measures the latencies of a preset, one row for each. If the preset has no L1 or no L2, the row of that
/// cache is missing.
std::vector<Clocked> measure_by_clock(const std::string& preset);
std::string clocks();

}  // namespace heddle::microbench
