#pragma once

// Inserting and removing instructions: everything that names an instruction by its index (branch targets,
// reconvergence points, labels) moves along.

#include <functional>
#include <vector>

#include "models/isa/program.h"

namespace heddle::compiler {

/// Collects what stands in the place of one old instruction.
class Replacement {
 public:
  void emit(const isa::Instruction& instruction) { code_->push_back(instruction); }

 private:
  friend void rewrite(isa::Program&,
                      const std::function<void(std::size_t, const isa::Instruction&, Replacement&)>&);
  std::vector<isa::Instruction>* code_ = nullptr;
};

/// Calls f(index, instruction, out) for each instruction in order; what it emits replaces the instruction. A
/// branch to the old instruction leads to the first one emitted for it, or, if there is none, to what
/// follows.
void rewrite(isa::Program& program,
             const std::function<void(std::size_t, const isa::Instruction&, Replacement&)>& f);

/// Removes the instructions marked true.
void remove_instructions(isa::Program& program, const std::vector<bool>& removed);

/// An instruction that a pass adds on behalf of `served`: same location, marked overhead, classified.
isa::Instruction make_overhead(const isa::Instruction& served, isa::Opcode op, isa::DataType type);

}  // namespace heddle::compiler
