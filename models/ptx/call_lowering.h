#pragma once

// Translates calls. There are four ways:
// - Most calls are inlined (call_lowering.cpp).
// - A recursive function gets stack frames in local memory (stacked_calls.cpp).
// - In programs for the untimed reference, some calls are kept: the reference executes them as calls
//   (kept_calls.cpp).
// - For an indirect call, the address is compared with the addresses of all possible callees
//   (indirect_calls.cpp).

#include <string>
#include <vector>

#include "models/ptx/call_bindings.h"
#include "models/ptx/runtime_calls.h"

namespace heddle::ptx {

std::string wrong_pointer_text(std::size_t candidates);
std::string full_stack_text(std::uint32_t stack_bytes, const Function& callee);

class CallLowering {
 public:
  CallLowering(FunctionScope& scope, OperandLowering& operands, ParameterPlaces& places)
      : scope_(scope),
        operands_(operands),
        places_(places),
        bindings_(scope, operands, places),
        runtime_(scope, operands, places, bindings_) {}

  void call(const Statement& s);

 private:
  const Function& callee(const Statement& s);
  void refuse_external(const Statement& s, const Function& f) const;
  void check_call(const Statement& s, const Function& f) const;
  void enter(const Statement& s, const Function& f);
  std::string prefix_of(const Function& f) const;
  void indirect_call(const Statement& s);
  void stacked_call(const Statement& s, const Function& f);
  void kept_call(const Statement& s, const std::vector<const Function*>& candidates,
                 const isa::Operand& address);
  void check_depth(const Statement& s, int callee);
  void move_frame(const Statement& s, isa::Opcode op, LabelId returns);

  FunctionScope& scope_;
  OperandLowering& operands_;
  ParameterPlaces& places_;
  CallBindings bindings_;
  RuntimeCalls runtime_;
};

}  // namespace heddle::ptx
