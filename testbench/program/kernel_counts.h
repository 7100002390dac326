#pragma once

// For each kernel of a program: the sums of the counters over its timed launches, and grid and block of its
// longest launch. From these, `heddle why` explains a program's cycles.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/compiler/load_waits.h"
#include "models/core/config_node.h"
#include "models/core/stats.h"
#include "models/gpu/gpu_parameters.h"

namespace heddle::program {

struct LaunchShape {
  std::uint64_t ctas = 0, ctas_per_sm = 0, registers = 0, shared_bytes = 0;
  compiler::LoadWaits load_waits;
};

class KernelCounts {
 public:
  /// Adds a timed launch of a kernel. `kernel`: plain name. `counters`: how much each counter grew during the
  /// launch, in the order of StatsRegistry::counters().
  void add(const std::string& kernel, const LaunchShape& shape, const std::vector<std::uint64_t>& counters,
           std::uint64_t cycles);
  /// Returns an object with an entry for each kernel: "cycles", "longest" (cycles of the longest launch), the
  /// shape (grid, block) of the longest launch, and "counters".
  ConfigNode tree(const StatsRegistry& stats) const;

 private:
  struct Sum {
    std::uint64_t cycles = 0, longest = 0;
    LaunchShape shape;
    std::vector<std::uint64_t> counters;
  };
  std::map<std::string, Sum> kernels_;
};

/// Adds the counters of another process to `sum`. Throws Error if the names of the counters differ.
void add_counters(ConfigNode& sum, const ConfigNode& more);

/// Adds the entries of another process's KernelCounts tree to `sum`. Throws Error if the names of the
/// counters differ.
void merge_kernel_counts(ConfigNode& sum, ConfigNode more);

/// Returns a kernel's entry in program.json: cycles, shape, metrics, and counters summed over units of the
/// same kind. `entry`: the kernel's entry in the tree of KernelCounts.
ConfigNode kernel_figures(const ConfigNode& entry, const GpuParameters& gpu);

}  // namespace heddle::program
