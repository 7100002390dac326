#pragma once

// Storage for parameters and results of calls, in a block of the caller or in a frame, and accesses to it.

#include <string>

#include "models/ptx/function_scope.h"

namespace heddle::ptx {

class ParameterPlaces {
 public:
  explicit ParameterPlaces(FunctionScope& scope) : scope_(scope) {}

  /// Creates a parameter block.
  Symbol call_parameter(const Variable& v, const std::string& name);
  /// Returns the caller's .param block that the actual parameter names, or nullptr for a register or a
  /// constant.
  const Symbol* bound_block(const OperandSyntax& actual);
  /// Emits a load or store of a scalar at offset `at` of a block.
  void emit_block_access(const Statement& s, isa::Opcode op, isa::DataType type, const Symbol& block,
                         const isa::Operand& value, std::uint64_t at = 0);
  /// Emits a load or store at offset `place` of the callee's frame (`of_callee`) or of the function's own
  /// frame. A predicate is stored as a word.
  void frame_access(const Statement& s, isa::Opcode op, isa::DataType type, bool of_callee,
                    std::uint64_t place, const isa::Operand& value);

 private:
  FunctionScope& scope_;
};

}  // namespace heddle::ptx
