#pragma once

// Translates PTX branches and labels to machine instructions.

#include "models/ptx/operand_lowering.h"

namespace heddle::ptx {

class BranchLowering {
 public:
  BranchLowering(FunctionScope& scope, OperandLowering& operands) : scope_(scope), operands_(operands) {}

  void branch(const Statement& s, const isa::Instruction& i);
  void indexed_branch(const Statement& s, const isa::Instruction& i);

 private:
  LabelId label(const OperandSyntax& o, int block) const;

  FunctionScope& scope_;
  OperandLowering& operands_;
};

}  // namespace heddle::ptx
