#pragma once

// Inserts and removes instructions of a program, and updates branch targets, reconvergence points and labels.

#include <functional>
#include <vector>

#include "models/isa/program.h"

namespace heddle::compiler {

class Replacement {
 public:
  void emit(const isa::Instruction& instruction) { code_->push_back(instruction); }

 private:
  friend void rewrite(isa::Program&,
                      const std::function<void(std::size_t, const isa::Instruction&, Replacement&)>&);
  std::vector<isa::Instruction>* code_ = nullptr;
};

/// Replaces instructions: calls f(index, instruction, out) for each instruction in order, and the
/// instructions that f adds to `out` take the place of the instruction. A branch to a replaced instruction
/// leads to its first replacement, or to the next instruction if there is no replacement. If a replacement
/// has no notes, it gets the interval notes of the old instruction (notes that hold for an interval of
/// instructions).
void rewrite(isa::Program& program,
             const std::function<void(std::size_t, const isa::Instruction&, Replacement&)>& f);

void remove_instructions(isa::Program& program, const std::vector<bool>& removed);

/// Returns a new instruction that a pass adds for the instruction `served`. The new instruction has the
/// source location of `served`, is marked as overhead, and has its execution unit set.
isa::Instruction make_overhead(const isa::Instruction& served, isa::Opcode op, isa::DataType type);

}  // namespace heddle::compiler
