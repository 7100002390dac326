#pragma once

// Profile by instruction: listens to the life-cycle events of the SMs, and looks after every cycle at what
// each warp waits for. Costs time while it runs; changes nothing.

#include <vector>

#include "models/gpu/gpu.h"
#include "testbench/output/profile_counts.h"

namespace heddle::output {

class Profiler {
 public:
  /// Observes the SMs from now on. Must outlive the simulation.
  explicit Profiler(Gpu& gpu);
  ~Profiler();

  /// A timed launch begins; what follows belongs to its program.
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
