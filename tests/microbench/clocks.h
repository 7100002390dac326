#pragma once

// Latencies as a kernel measures them with %clock, next to the configured ones. The kernels use only what a
// program on a real GPU can use.

#include <string>
#include <vector>

namespace heddle::microbench {

struct Clocked {
  std::string what;
  double measured = 0;
  int configured = 0;
};

/// Returns the presets whose latencies a kernel can measure by its clock.
std::vector<std::string> all_presets();
/// Returns fewer rows for a preset without an L1 for these loads, or without an L2.
std::vector<Clocked> measure_by_clock(const std::string& preset);
std::string clocks();

}  // namespace heddle::microbench
