#pragma once

// Where parameters and results of calls lie: in a block of the caller, or in a frame; and accesses to them.

#include <string>

#include "models/ptx/function_scope.h"

namespace heddle::ptx {

class ParameterPlaces {
 public:
  explicit ParameterPlaces(FunctionScope& scope) : scope_(scope) {}

  /// A new block.
  Symbol call_parameter(const Variable& v, const std::string& name);
  /// The caller's .param block that an actual names, or nullptr if it is a register or a constant.
  const Symbol* bound_block(const OperandSyntax& actual);
  /// Load or store of a scalar in a block.
  void emit_block_access(const Statement& s, isa::Opcode op, isa::DataType type, const Symbol& block,
                         const isa::Operand& value, std::uint64_t at = 0);
  /// A load or store of a frame: of this function's callee, or of its own. A predicate lies there as a word.
  void frame_access(const Statement& s, isa::Opcode op, isa::DataType type, bool of_callee,
                    std::uint64_t place, const isa::Operand& value);

 private:
  FunctionScope& scope_;
};

}  // namespace heddle::ptx
