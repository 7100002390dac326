#pragma once

// Latencies as a kernel measures them with %clock, next to the configured ones. These programs see of the machine only
// what a program on a real GPU sees.

#include <string>
#include <vector>

namespace heddle::microbench {

struct Clocked {
  std::string what;     ///< "integer add"
  double measured = 0;  ///< cycles, by the program
  int configured = 0;   ///< cycles, of the preset's parameter
};

/// Presets of configs/gpu, in the order of their names.
std::vector<std::string> all_presets();
/// Latencies of a preset. Presets without an L1 for these loads, or without an L2, have fewer rows.
std::vector<Clocked> measure_by_clock(const std::string& preset);
/// The page's part about them.
std::string clocks();

}  // namespace heddle::microbench
