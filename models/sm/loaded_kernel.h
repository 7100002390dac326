#pragma once

// A kernel launch in the form that the SM uses. The object holds the program, and the footprint of each
// instruction (registers and units that the instruction uses). The object also holds the constant operands,
// copied to all lanes.

#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "models/core/lanes.h"
#include "models/isa/instruction_footprint.h"
#include "models/isa/launch.h"
#include "models/isa/thread_progress.h"
#include "models/sm/simt_stack.h"

namespace heddle {

class LoadedKernel {
 public:
  /// `loaded`: the launch's program, possibly followed by additional instructions. Throws Error for a program
  /// without allocated registers or with too many registers, and for a launch that has fewer bytes of
  /// parameters than the program reads.
  LoadedKernel(const isa::KernelLaunch& launch, std::shared_ptr<const isa::Program> loaded,
               isa::ThreadProgress progress);
  /// Returns `like`, another SM's kernel for the same launch, if it has the program `loaded`; otherwise a new
  /// object. `like` may be nullptr. Throws the errors of the constructor.
  static std::shared_ptr<const LoadedKernel> load(const std::shared_ptr<const LoadedKernel>& like,
                                                  const isa::KernelLaunch& launch,
                                                  std::shared_ptr<const isa::Program> loaded,
                                                  isa::ThreadProgress progress);

  const isa::KernelLaunch& launch() const { return launch_; }
  const isa::Program& program() const { return *launch_.program; }
  /// True if the instruction at `pc` is not part of the kernel's own program, but one of the additional
  /// instructions that follow it.
  bool is_outside(std::uint32_t pc) const { return pc >= own_; }
  std::span<const InstructionFootprint> footprints() const { return footprints_; }
  const InstructionFootprint& footprint(std::uint32_t pc) const { return footprints_[pc]; }
  /// Returns the SIMT stack position of a warp that continues at `pc`: a branch target, a reconvergence
  /// point, or the next instruction.
  SimtStack::Place place(std::uint32_t pc) const { return {footprints_[pc].executes, pc}; }
  /// Both vectors are indexed by pc. waits(): branches of loops that wait for other threads. meets():
  /// instructions at which divergent paths of a warp wait for each other. Both vectors are empty if the GPU
  /// does not guarantee progress of divergent threads.
  const std::vector<bool>& waits() const { return waits_; }
  const std::vector<bool>& meets() const { return meets_; }
  using Constant = std::array<const LaneVec*, 2>;
  const Constant& constant(std::uint32_t pc, std::size_t slot) const { return constants_[pc][slot]; }

 private:
  using SlotConstants = std::array<Constant, isa::kMaxSources>;
  const LaneVec* broadcast(std::uint32_t word);
  std::uint64_t parameter(const isa::Operand& operand) const;

  isa::KernelLaunch launch_;
  std::size_t own_;
  std::vector<InstructionFootprint> footprints_;
  std::vector<bool> waits_, meets_;
  std::deque<LaneVec> storage_;
  std::map<std::uint32_t, const LaneVec*> by_value_;
  std::vector<SlotConstants> constants_;
};

}  // namespace heddle
