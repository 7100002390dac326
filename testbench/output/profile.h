#pragma once

// Profile by instruction. Subscribes to the SMs' life-cycle events and records in every cycle why each warp
// waits. The profile costs simulation time and changes no result.

#include <vector>

#include "models/gpu/gpu.h"
#include "testbench/output/profile_counts.h"

namespace heddle::output {

class Profiler {
 public:
  /// Observes the SMs from construction on. The profiler must outlive the simulation.
  explicit Profiler(Gpu& gpu);
  ~Profiler();

  /// Announces a timed launch. Events from now on belong to its program.
  void launch_begins(const isa::KernelLaunch& launch);

  const std::vector<ProgramProfile>& profiles() const;

 private:
  class SmObserver;
  InstructionCounts& counts(std::uint32_t pc) { return profiles_[current_].instructions[pc]; }

  std::vector<std::unique_ptr<SmObserver>> observers_;
  std::vector<ProgramProfile> profiles_;
  std::size_t current_ = 0;
};

}  // namespace heddle::output
