#pragma once

// Insertion and removal of instructions. Branch targets, reconvergence points and labels, which refer to
// instructions by index, are updated.

#include <functional>
#include <vector>

#include "models/isa/program.h"

namespace heddle::compiler {

/// Collects the instructions that replace one old instruction.
class Replacement {
 public:
  void emit(const isa::Instruction& instruction) { code_->push_back(instruction); }

 private:
  friend void rewrite(isa::Program&,
                      const std::function<void(std::size_t, const isa::Instruction&, Replacement&)>&);
  std::vector<isa::Instruction>* code_ = nullptr;
};

/// Calls f(index, instruction, out) for each instruction in order; the instructions emitted to `out` replace
/// it. A branch to the old instruction leads to the first emitted one, or to the next instruction if none was
/// emitted.
void rewrite(isa::Program& program,
             const std::function<void(std::size_t, const isa::Instruction&, Replacement&)>& f);

/// Removes the instructions marked true.
void remove_instructions(isa::Program& program, const std::vector<bool>& removed);

/// Returns an instruction that a pass adds for `served`: with the same location, marked as overhead,
/// classified.
isa::Instruction make_overhead(const isa::Instruction& served, isa::Opcode op, isa::DataType type);

}  // namespace heddle::compiler
