#pragma once

// Profile by instruction: records in every cycle why each warp waits, from the SMs' life-cycle events. Costs
// simulation time and changes no result.

#include <vector>

#include "models/gpu/gpu.h"
#include "testbench/output/profile_counts.h"

namespace heddle::output {

class Profiler {
 public:
  explicit Profiler(Gpu& gpu);
  ~Profiler();

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
