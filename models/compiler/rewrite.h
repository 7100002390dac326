#pragma once

// Inserts and removes instructions of a program. Branch targets, reconvergence points and labels refer to
// instructions by index, so these functions update them.

#include <functional>
#include <vector>

#include "models/isa/program.h"

namespace heddle::compiler {

/// Collects the instructions that replace one instruction of the old program.
class Replacement {
 public:
  void emit(const isa::Instruction& instruction) { code_->push_back(instruction); }

 private:
  friend void rewrite(isa::Program&,
                      const std::function<void(std::size_t, const isa::Instruction&, Replacement&)>&);
  std::vector<isa::Instruction>* code_ = nullptr;
};

/// Rebuilds the program: calls f(index, instruction, out) for each instruction in order. The instructions
/// that f emits to `out` replace the instruction. A branch to the old instruction leads to the first
/// instruction emitted for it, or to the next instruction if none was emitted.
void rewrite(isa::Program& program,
             const std::function<void(std::size_t, const isa::Instruction&, Replacement&)>& f);

/// Removes the instructions n with removed[n] true.
void remove_instructions(isa::Program& program, const std::vector<bool>& removed);

/// Returns a new instruction that a pass adds for the instruction `served`. The new instruction has the
/// source location of `served` and is marked as overhead. Its execution unit is already set.
isa::Instruction make_overhead(const isa::Instruction& served, isa::Opcode op, isa::DataType type);

}  // namespace heddle::compiler
