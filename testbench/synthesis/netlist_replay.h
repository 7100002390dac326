#pragma once

// The gate-level netlist against what the model did in a run: a co-simulation recorded the inputs and outputs
// of a block (cosim.record), Icarus Verilog plays them to the netlist.

#include <string>
#include <vector>

#include "testbench/synthesis/synthesis_flow.h"

namespace heddle::synthesis {

/// One recorded instance.
struct Stimuli {
  std::string file, instance;
  std::string module;                                   ///< Verilog module
  std::vector<std::pair<std::string, int>> parameters;  ///< in capitals: of the module
  std::vector<std::pair<std::string, long>> settings;   ///< inputs that never change
  std::vector<std::pair<std::string, bool>> columns;    ///< port, or "port.element"; output?
  /// Whether they belong to a block: same module, and parameters that both state are the same.
  bool fits(const Block& block) const;
};

/// The recordings (*.stimuli) of a folder, in order of their names. Throws Error if there is none, or for a
/// file that is none.
std::vector<Stimuli> read_stimuli(const std::string& folder);

struct ReplayResult {
  std::string instance;
  long cycles = 0, differences = 0;  ///< with all flip-flops beginning at 0 or at 1, whichever differs more
  std::string first;                 ///< difference
};

ReplayResult replay(const SynthesisFlow& flow, const Block& block, const Stimuli& stimuli);

}  // namespace heddle::synthesis
