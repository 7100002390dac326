#pragma once

// Declares two small RTL blocks for tests: byte_swap at a register stage, and lane_add at the INT units. The
// blocks run only in tests that set toys_wanted().

#include "models/core/lanes.h"
#include "models/core/probe.h"
#include "models/core/registry.h"
#include "tests/cosim/cosim_run.h"

namespace heddle::cosim {

inline bool& toys_wanted() {
  static bool wanted = false;
  return wanted;
}

/// View of the probe point of the stage "toy-byte-swap": the values of every write, before their bytes are
/// reversed.
struct SwapView {
  Cycle now = 0;
  const LaneVec& values;
};
struct SwapPoint {
  using Owner = NoParameters;
  using View = SwapView;
  using Answer = LaneVec;  ///< values with the bytes of each lane reversed
};

inline RunOutcome run_with_toys(const std::string& mode, const std::vector<std::string>& sets = {}) {
  toys_wanted() = true;
  std::vector<std::string> all = {R"(gpu.sm.register_file.stages=["toy-byte-swap","banks"])",
                                  "watch.check=on"};
  all.insert(all.end(), sets.begin(), sets.end());
  RunOutcome outcome = run_beside("reduction", "fermi-gtx480", R"("none")", mode, all);
  toys_wanted() = false;
  return outcome;
}

}  // namespace heddle::cosim
