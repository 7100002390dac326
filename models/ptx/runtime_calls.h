#pragma once

// Translates calls of the CUDA run-time functions assert and printf.

#include <optional>
#include <string>
#include <string_view>

#include "models/ptx/call_bindings.h"

namespace heddle::ptx {

bool is_assertion(std::string_view name);
bool is_printf(std::string_view name);

class RuntimeCalls {
 public:
  RuntimeCalls(FunctionScope& scope, OperandLowering& operands, ParameterPlaces& places,
               CallBindings& bindings)
      : scope_(scope), operands_(operands), places_(places), bindings_(bindings) {}

  void runtime_call(const Statement& s, const Function& f);

 private:
  void print(const Statement& s, const Function& f);
  std::optional<std::uint64_t> constant_argument(const Statement& s, const OperandSyntax& actual,
                                                 isa::DataType type);
  std::optional<std::string> string_argument(const Statement& s, const OperandSyntax& actual);
  isa::Operand emit_mad(const Statement& s, const isa::Operand& a, std::uint64_t b, const isa::Operand& c);
  isa::Operand emit_address(const Statement& s, std::uint64_t base, const isa::Operand& offset);

  FunctionScope& scope_;
  OperandLowering& operands_;
  ParameterPlaces& places_;
  CallBindings& bindings_;
};

}  // namespace heddle::ptx
