#pragma once

// Counters of a program's timed launches by kernel, and the shape of each kernel's longest launch. `heddle
// why` explains a program with them.

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
  /// Adds a timed launch of the kernel with this plain name. `counters`: increments during the launch, in the
  /// order of StatsRegistry::counters().
  void add(const std::string& kernel, const LaunchShape& shape, const std::vector<std::uint64_t>& counters,
           std::uint64_t cycles);
  /// Returns an object with an entry for each kernel: "cycles", "longest" (cycles of the longest launch), the
  /// shape of this launch, and "counters".
  ConfigNode tree(const StatsRegistry& stats) const;

 private:
  struct Sum {
    std::uint64_t cycles = 0, longest = 0;
    LaunchShape shape;
    std::vector<std::uint64_t> counters;
  };
  std::map<std::string, Sum> kernels_;
};

/// Adds the counters of another process to those of a sum. Throws Error if their names differ.
void add_counters(ConfigNode& sum, const ConfigNode& more);

/// Adds the entries of another process's tree to a tree. Throws Error if the names of the counters differ.
void merge_kernel_counts(ConfigNode& sum, ConfigNode more);

/// Returns the entry of a kernel for program.json: cycles, shape, metrics, and counters summed over units of
/// the same kind. `entry`: entry of a kernel in a tree of KernelCounts.
ConfigNode kernel_figures(const ConfigNode& entry, const GpuParameters& gpu);

}  // namespace heddle::program
