#pragma once

// A kernel launch as an SM holds it: the program, what scoreboard and operand fetch need of every
// instruction, and the constants of its operands broadcast over the lanes.

#include <deque>
#include <map>
#include <vector>

#include "models/core/lanes.h"
#include "models/isa/instruction_footprint.h"
#include "models/isa/launch.h"
#include "models/scheduler/constraints/spill_code.h"
#include "models/sm/simt_stack.h"

namespace heddle {

class LoadedKernel {
 public:
  /// Throws Error if the program is not allocated to registers, uses too many, or the parameters do not fit.
  /// `spills`: the program is loaded with the instructions that write its registers out and read them back.
  explicit LoadedKernel(const isa::KernelLaunch& launch, bool spills = false);

  const isa::KernelLaunch& launch() const { return launch_; }
  const isa::Program& program() const { return *launch_.program; }
  /// Where those instructions stand; nullptr where the program is as it was compiled.
  const SpillCode* spill_code() const { return spills_ ? &spill_code_ : nullptr; }
  /// The instruction is one of them.
  bool stands_beside(std::uint32_t pc) const { return spills_ && pc >= spill_code_.first(); }
  std::span<const InstructionFootprint> footprints() const { return footprints_; }
  const InstructionFootprint& footprint(std::uint32_t pc) const { return footprints_[pc]; }
  /// Where a path goes on that leads to `pc`: branch targets, meeting points, what follows an instruction.
  SimtStack::Place place(std::uint32_t pc) const { return {footprints_[pc].executes, pc}; }
  /// Low and high word of an immediate or parameter operand, in every lane.
  using Constant = std::array<const LaneVec*, 2>;
  const Constant& constant(std::uint32_t pc, std::size_t slot) const { return constants_[pc][slot]; }

 private:
  using SlotConstants = std::array<Constant, isa::kMaxSources>;
  const LaneVec* broadcast(std::uint32_t word);
  std::uint64_t parameter(const isa::Operand& operand) const;

  isa::KernelLaunch launch_;
  SpillCode spill_code_;
  bool spills_;
  std::vector<InstructionFootprint> footprints_;
  std::deque<LaneVec> storage_;
  std::map<std::uint32_t, const LaneVec*> by_value_;
  std::vector<SlotConstants> constants_;
};

}  // namespace heddle
