#pragma once

// Applies recorded inputs of a block to its gate-level netlist, with Icarus Verilog, and compares the outputs
// with the recorded ones. Co-simulation has made the recording (cosim.record).

#include <string>
#include <vector>

#include "testbench/synthesis/synthesis_flow.h"

namespace heddle::synthesis {

/// The recording of one instance of a block.
struct Stimuli {
  std::string file, instance;
  std::string module;
  std::vector<std::pair<std::string, int>> parameters;  ///< values of the module's Verilog parameters
  std::vector<std::pair<std::string, long>> settings;   ///< inputs of the block that have constant values
  /// For each column: port or "port.element", and true for an output.
  std::vector<std::pair<std::string, bool>> columns;
  /// Returns true if the recording belongs to this block: same module, and equal values of the parameters
  /// that both have.
  bool fits(const Block& block) const;
};

/// Returns the recordings (*.stimuli) of a folder, in the order of their names. Throws Error if there is
/// none, or for a malformed file.
std::vector<Stimuli> read_stimuli(const std::string& folder);

struct ReplayResult {
  std::string instance;
  /// Number of cycles, and number of differences. A block is replayed twice: with all flip-flops at 0 at the
  /// start, and with all at 1. The replay with more differences counts.
  long cycles = 0, differences = 0;
  std::string first;  ///< description of the first difference found
};

ReplayResult replay(const SynthesisFlow& flow, const Block& block, const Stimuli& stimuli);

}  // namespace heddle::synthesis
