// Translates calls through registers (function pointers). If the register holds the address of no possible
// callee, the emitted code ends the kernel with an error.

#include "models/core/error.h"
#include "models/ptx/call_graph.h"
#include "models/ptx/call_lowering.h"

namespace heddle::ptx {

using namespace isa;

std::string wrong_pointer_text(std::size_t candidates) {
  return "a call through a pointer that is of none of " + std::to_string(candidates) +
         " functions with these parameters";
}

/// For each possible callee, emits a compare of the register with the number that stands for the callee's
/// address. After each compare follows the inlined callee.
void CallLowering::indirect_call(const Statement& s) {
  const DataType type = scope_.context.module.syntax.address_bits == 32 ? DataType::u32 : DataType::u64;
  if (s.call.list.empty() || !find_call_list(scope_.body, s.call.list, s.block))
    scope_.fail(s.position,
                "the call through " + std::string(s.call.callee.name) +
                    " names no list of functions and no prototype",
                ".calltargets, .callprototype");
  const std::vector<const Function*> candidates = call_candidates(scope_.context, scope_.body, s);
  const Operand pointer = operands_.source(s, s.call.callee, {type, false});
  if (scope_.context.keeps_calls) return kept_call(s, candidates, pointer);
  ProgramBuilder& builder = scope_.context.builder;
  const LabelId behind = builder.new_label({});
  for (const Function* f : candidates) {
    const LabelId next = builder.new_label({});
    const Operand other = builder.new_predicate(scope_.frame.prefix() + "call");
    Item compare =
        make_item(Opcode::setp, type,
                  {pointer, Operand::make_immediate(scope_.context.module.address_of(*f), bits_of(type))});
    compare.instruction.modifiers.compare = Compare::ne;
    compare.instruction.add_dst(other);
    scope_.emit(s, compare);
    builder.branch(next, {true, false, other.pred}, false);
    enter(s, *f);
    builder.branch(behind, {}, false);
    builder.bind(next);
  }
  scope_.fail_at_run_time(s, wrong_pointer_text(candidates.size()), nullptr);
  builder.bind(behind);
}

}  // namespace heddle::ptx
