#pragma once

// Storage for the parameters and results of calls: a parameter block of the caller or a stack frame.

#include <string>

#include "models/ptx/function_scope.h"

namespace heddle::ptx {

class ParameterPlaces {
 public:
  explicit ParameterPlaces(FunctionScope& scope) : scope_(scope) {}

  Symbol call_parameter(const Variable& v, const std::string& name);
  const Symbol* bound_block(const OperandSyntax& actual);
  void emit_block_access(const Statement& s, isa::Opcode op, isa::DataType type, const Symbol& block,
                         const isa::Operand& value, std::uint64_t at = 0);
  void frame_access(const Statement& s, isa::Opcode op, isa::DataType type, bool of_callee,
                    std::uint64_t place, const isa::Operand& value);

 private:
  FunctionScope& scope_;
};

}  // namespace heddle::ptx
