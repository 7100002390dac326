#pragma once

// Finds the causes of the cycles of a run. Every issue slot of every SM has one reason for its use (metrics
// slot_use and stall_...). Rules explain parts of these reasons in words. The struct Causes also contains the
// energy of each structure, summed over all launches of the run.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/why/places.h"
#include "testbench/why/rules.h"

namespace heddle::why {

struct Cause {
  std::string name;    ///< name of the rule, or name of the reason if no rule explains the slots
  std::string reason;  ///< reason of the issue slots: "memory", "no-warp", "issued"
  std::string kernel;  ///< symbol of the kernel; in a program.json its plain name
  /// `launches`: number of the kernel's launches. `launch`: the launch with the largest share of the cause.
  /// `launches` is 0 for a kernel of a program.json, because such a file has only sums over launches.
  std::size_t launches = 0, launch = 0;
  double slots = 0;
  bool useful = false;   ///< True: the slots are no loss, so the cause comes last unless it has 60 % of all.
  bool decides = false;  ///< True: the cause limits the kernel's time, so useful causes come last.
  std::string text;    ///< explanation, one sentence without a full stop; empty if no rule explains the slots
  std::string advice;  ///< what the user can change to save cycles; may be empty
  std::string place;
};

struct StructureEnergy {
  std::string name;
  double total_nj = 0, leakage_nj = 0;
};

struct Causes {
  double cycles = 0;            ///< cycles, summed over the launches
  double uncounted_cycles = 0;  ///< cycles of launches whose counters are not in the file; not in `cycles`
  std::vector<Cause> ranked;    ///< causes, the most important first; their shares sum to 1
  std::vector<StructureEnergy> energy;
  double energy_nj = 0;
  std::string failures;      ///< failed launches of a program, one sentence without a full stop; may be empty
  bool lacks_lines = false;  ///< True: there is a profile, and its program has no line information.
  bool estimated = false;    ///< True: the values of some launch were estimated.
};

/// Returns the causes of a result.json or program.json. Throws Error for any other file, and if no launch was
/// timed.
Causes causes_of(const ConfigNode& result, const RuleSet& rules, const Places& places,
                 const std::string& where);

inline constexpr const char* kIssued = "issued";

}  // namespace heddle::why
