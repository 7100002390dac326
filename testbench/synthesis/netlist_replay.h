#pragma once

// Replays recorded inputs of a block on its gate-level netlist with Icarus Verilog. Compares the netlist's
// outputs with the recorded outputs. Co-simulation makes the recording (option cosim.record).

#include <string>
#include <vector>

#include "testbench/synthesis/synthesis_flow.h"

namespace heddle::synthesis {

struct Stimuli {
  std::string file, instance;
  std::string module;
  std::vector<std::pair<std::string, int>> parameters;
  std::vector<std::pair<std::string, long>> settings;
  /// For each column of the recording: its name ("port" or "port.element"), and true if the port is an
  /// output.
  std::vector<std::pair<std::string, bool>> columns;
  bool fits(const Block& block) const;
};

/// Reads the recordings (*.stimuli) in a folder, in the order of their names. Throws Error if there is no
/// recording, or for a malformed file.
std::vector<Stimuli> read_stimuli(const std::string& folder);

struct ReplayResult {
  std::string instance;
  /// Results of the replay. A block is replayed twice: first with all flip-flops 0 at the start, then with
  /// all 1. The results are those of the replay with more differences.
  long cycles = 0, differences = 0;
  std::string first;
};

ReplayResult replay(const SynthesisFlow& flow, const Block& block, const Stimuli& stimuli);

}  // namespace heddle::synthesis
