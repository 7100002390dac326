// Translates calls. A call is inlined, unless the function is recursive (stacked_calls.cpp). Parameters of
// inlined calls are not copied, because in PTX a callee only reads its parameters and writes its results.

#include <algorithm>

#include "models/core/error.h"
#include "models/isa/address_map.h"
#include "models/isa/type_of_width.h"
#include "models/ptx/call_graph.h"
#include "models/ptx/call_lowering.h"

namespace heddle::ptx {

using namespace isa;

namespace {

constexpr std::size_t kDeepestCall = 64;
constexpr std::size_t kLongestPrefix = 120;

}  // namespace

const Function& CallLowering::callee(const Statement& s) {
  const OperandSyntax& o = s.call.callee;
  const Function* f = scope_.context.module.find_function(o.name);
  if (o.kind != OperandSyntax::Kind::name || !f) {
    scope_.fail(s.position, "call of an undeclared function \"" + std::string(o.name) + "\"");
  }
  return *f;
}

void CallLowering::refuse_external(const Statement& s, const Function& f) const {
  const Position p = s.position;
  const Source& source = scope_.context.module.source;
  if (f.is_entry) source.refuse(p, "device runtime", "call of kernel " + std::string(f.name));
  if (f.has_body || is_assertion(f.name) || is_printf(f.name)) return;
  if (f.name.starts_with("cuda")) source.refuse(p, "device runtime", "call of " + std::string(f.name));
  source.refuse(p, "functions of other files",
                "call of " + std::string(f.name) + ", whose body is in another file");
}

std::string CallLowering::prefix_of(const Function& f) const {
  std::string prefix = scope_.frame.prefix() + std::string(f.name) + ".";
  if (prefix.size() > kLongestPrefix) prefix.replace(0, prefix.size() - kLongestPrefix, "~");
  return prefix;
}

void CallLowering::call(const Statement& s) {
  ProgramBuilder& builder = scope_.context.builder;
  const LabelId behind = builder.new_label({});
  if (!s.guard.predicate.empty()) {
    Item skip;
    skip.instruction.op = Opcode::bra;
    skip.instruction.guard = operands_.guard(s.guard);
    skip.instruction.guard.negated = !skip.instruction.guard.negated;
    skip.target = behind;
    scope_.emit(s, skip);
  }
  const OperandSyntax& o = s.call.callee;
  if (!is_direct(scope_.context, s) && o.kind == OperandSyntax::Kind::name &&
      (scope_.frame.find(o.name) || !s.call.list.empty()))
    indirect_call(s);
  else
    enter(s, callee(s));
  builder.bind(behind);
}

void CallLowering::check_call(const Statement& s, const Function& f) const {
  const CallSyntax& c = s.call;
  refuse_external(s, f);
  if (scope_.context.stack.size() > kDeepestCall)
    scope_.fail(s.position, "calls nest too deeply", std::to_string(kDeepestCall));
  if (f.refusal) scope_.context.module.source.fail(*f.refusal);
  if (c.arguments.size() != f.parameters.size() || c.results.size() != f.results.size())
    scope_.fail(s.position,
                "call of " + std::string(f.name) + " with " + std::to_string(c.arguments.size()) +
                    " arguments and " + std::to_string(c.results.size()) + " results",
                std::to_string(f.parameters.size()) + " arguments and " + std::to_string(f.results.size()) +
                    " results");
}

}  // namespace heddle::ptx
