#pragma once

// Storage for the parameters and results of calls, in a parameter block of the caller or in a stack frame,
// and accesses to this storage.

#include <string>

#include "models/ptx/function_scope.h"

namespace heddle::ptx {

class ParameterPlaces {
 public:
  explicit ParameterPlaces(FunctionScope& scope) : scope_(scope) {}

  /// Creates the storage of a .param variable that a call uses (a parameter block).
  Symbol call_parameter(const Variable& v, const std::string& name);
  /// Returns the caller's .param variable that is passed as an argument, or nullptr if a register or a
  /// constant is passed.
  const Symbol* bound_block(const OperandSyntax& actual);
  /// Emits a load or store of a scalar at byte offset `at` of a parameter block.
  void emit_block_access(const Statement& s, isa::Opcode op, isa::DataType type, const Symbol& block,
                         const isa::Operand& value, std::uint64_t at = 0);
  /// Emits a load or store at byte offset `place` of a stack frame: of the callee's frame if `of_callee` is
  /// set, otherwise of the function's own frame. A predicate is stored as a word.
  void frame_access(const Statement& s, isa::Opcode op, isa::DataType type, bool of_callee,
                    std::uint64_t place, const isa::Operand& value);

 private:
  FunctionScope& scope_;
};

}  // namespace heddle::ptx
