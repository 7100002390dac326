#pragma once

// Transfer of parameters and results between the caller and the callee.

#include "models/ptx/operand_lowering.h"
#include "models/ptx/parameter_places.h"

namespace heddle::ptx {

inline bool is_scalar(const Variable& v) { return v.dimensions.empty() && v.vector == 1; }

class CallBindings {
 public:
  CallBindings(FunctionScope& scope, OperandLowering& operands, ParameterPlaces& places)
      : scope_(scope), operands_(operands), places_(places) {}

  // For an inlined function: the symbol that the formal parameter or result stands for.
  Binding bind_argument(const Statement& s, const Variable& formal, const OperandSyntax& actual);
  Binding bind_result(const Statement& s, const Variable& formal, const OperandSyntax& actual);
  /// Moves a result to the operand of the caller, unless it is already there.
  void fetch_result(const Statement& s, const Binding& binding, const OperandSyntax& actual);
  // For a function with a frame: stores an argument, or loads a result, at offset `place` of the callee's
  // frame.
  void pass_argument(const Statement& s, const Variable& formal, std::uint64_t place,
                     const OperandSyntax& actual);
  void take_result(const Statement& s, const Variable& formal, std::uint64_t place,
                   const OperandSyntax& actual);

 private:
  Symbol vector_register(const Variable& formal, const std::string& name);
  std::vector<OperandSyntax> components(const Variable& formal, const OperandSyntax& actual);

  FunctionScope& scope_;
  OperandLowering& operands_;
  ParameterPlaces& places_;
};

}  // namespace heddle::ptx
