#pragma once

// Transfers parameters and results between a caller and its callee, which is inlined or has a stack frame in
// local memory.

#include "models/ptx/operand_lowering.h"
#include "models/ptx/parameter_places.h"

namespace heddle::ptx {

inline bool is_scalar(const Variable& v) { return v.dimensions.empty() && v.vector == 1; }

class CallBindings {
 public:
  CallBindings(FunctionScope& scope, OperandLowering& operands, ParameterPlaces& places)
      : scope_(scope), operands_(operands), places_(places) {}

  Binding bind_argument(const Statement& s, const Variable& formal, const OperandSyntax& actual);
  Binding bind_result(const Statement& s, const Variable& formal, const OperandSyntax& actual);
  /// Copies a result of an inlined function to the caller's operand, unless the function already wrote the
  /// result there directly.
  void fetch_result(const Statement& s, const Binding& binding, const OperandSyntax& actual);
  // Transfer values to and from a function with a stack frame. pass_argument() stores an argument at byte
  // offset `place` of the callee's frame. take_result() loads a result from byte offset `place`.
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
