#pragma once

// Makes a profile by instruction: records in every cycle why each warp waits. For this, the profiler observes
// the SMs' life events. The profiler slows the simulation down, but changes no result.

#include <memory>
#include <vector>

#include "models/core/stats.h"
#include "models/gpu/gpu.h"
#include "power/energy_account.h"
#include "testbench/output/energy_by_line.h"
#include "testbench/output/profile_counts.h"

namespace heddle::output {

class Profiler {
 public:
  /// Observes the SMs from construction on. The profiler must outlive the simulation. `account`: computes the
  /// energies of the run; nullptr: the profile has no energies. `stats` must contain all counters.
  Profiler(Gpu& gpu, const power::EnergyAccount* account, const StatsRegistry& stats);
  ~Profiler();

  void launch_begins(const isa::KernelLaunch& launch);
  void launch_ended(const run::LaunchRecord& record);

  void finish();
  const std::vector<ProgramProfile>& profiles() const { return profiles_; }

 private:
  class SmObserver;
  bool has(std::size_t pc) const { return pc < profiles_[current_].instructions.size(); }
  InstructionCounts& counts(std::uint32_t pc) { return profiles_[current_].instructions[pc]; }

  std::vector<std::unique_ptr<SmObserver>> observers_;
  std::unique_ptr<EnergyByLine> energy_;  ///< nullptr without an energy account
  std::vector<ProgramProfile> profiles_;
  std::size_t current_ = 0;
};

}  // namespace heddle::output
