#pragma once

// The cycles of a run by cause. Every issue slot of every SM has one reason (metrics slot_use and stall_...), and
// rules explain parts of these reasons. The energy of a run by structure, of all launches.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/why/places.h"
#include "testbench/why/rules.h"

namespace heddle::why {

struct Cause {
  std::string name;    ///< of the rule, or of the reason if no rule explains it
  std::string reason;  ///< "memory", "no-warp", "issued"
  std::string kernel;  ///< symbol of the kernel
  double slots = 0;    ///< share of the issue slots of the run
  std::string text;    ///< one sentence without a full stop; empty for the rest of a reason
  std::string advice;  ///< what to try; may be empty
  std::string place;   ///< Places::most
};

struct StructureEnergy {
  std::string name;
  double total_nj = 0, leakage_nj = 0;
};

struct Causes {
  double cycles = 0;                    ///< sum over the launches
  std::vector<Cause> ranked;            ///< by share, the largest first; the shares sum to 1
  std::vector<StructureEnergy> energy;  ///< by energy, the largest first
  double energy_nj = 0;
  bool estimated = false;  ///< True: some launch was estimated.
};

/// Returns the causes of a result.json. Throws Error for another file, and if no launch was timed.
Causes causes_of(const ConfigNode& result, const std::vector<Rule>& rules, const Places& places,
                 const std::string& where);

/// Reason of issue slots in which an instruction issued.
inline constexpr const char* kIssued = "issued";

}  // namespace heddle::why
