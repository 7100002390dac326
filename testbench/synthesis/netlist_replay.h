#pragma once

// Replays recorded inputs of a block on its gate-level netlist with Icarus Verilog, and compares the outputs
// with the recorded ones. Co-simulation makes the recording (cosim.record).

#include <string>
#include <vector>

#include "testbench/synthesis/synthesis_flow.h"

namespace heddle::synthesis {

struct Stimuli {
  std::string file, instance;
  std::string module;
  std::vector<std::pair<std::string, int>> parameters;
  std::vector<std::pair<std::string, long>> settings;
  /// For each column: port or "port.element", and true for an output.
  std::vector<std::pair<std::string, bool>> columns;
  bool fits(const Block& block) const;
};

/// Returns the recordings (*.stimuli) of a folder, in the order of their names. Throws Error if there is
/// none, or for a malformed file.
std::vector<Stimuli> read_stimuli(const std::string& folder);

struct ReplayResult {
  std::string instance;
  /// A block is replayed with all flip-flops at 0 and with all at 1 at the start. The replay with more
  /// differences counts.
  long cycles = 0, differences = 0;
  std::string first;
};

ReplayResult replay(const SynthesisFlow& flow, const Block& block, const Stimuli& stimuli);

}  // namespace heddle::synthesis
