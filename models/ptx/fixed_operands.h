#pragma once

// Creates source operands that are not registers of the program: immediates and special registers.

#include "models/ptx/function_scope.h"

namespace heddle::ptx {

class FixedOperands {
 public:
  explicit FixedOperands(FunctionScope& scope) : scope_(scope) {}

  isa::Operand special(const OperandSyntax& o, int bits) const;
  isa::Operand immediate(const Statement& s, const OperandSyntax& o, isa::DataType type) const;

 private:
  FunctionScope& scope_;
};

}  // namespace heddle::ptx
