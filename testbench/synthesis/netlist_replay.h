#pragma once

// Compares a gate-level netlist with the model's behaviour in a run. Co-simulation recorded the inputs and
// outputs of a block (cosim.record), and Icarus Verilog applies them to the netlist.

#include <string>
#include <vector>

#include "testbench/synthesis/synthesis_flow.h"

namespace heddle::synthesis {

/// A recording of one instance of a block.
struct Stimuli {
  std::string file, instance;
  std::string module;                                   ///< Verilog module
  std::vector<std::pair<std::string, int>> parameters;  ///< parameters of the module, in capitals
  std::vector<std::pair<std::string, long>> settings;   ///< constant values of inputs
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
  /// Cycles, and differences of the worse of two replays: in one replay all flip-flops start at 0, in the
  /// other at 1.
  long cycles = 0, differences = 0;
  std::string first;  ///< description of the first difference
};

ReplayResult replay(const SynthesisFlow& flow, const Block& block, const Stimuli& stimuli);

}  // namespace heddle::synthesis
