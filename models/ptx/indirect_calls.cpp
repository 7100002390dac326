// Calls through registers, and what ends a kernel with an error of its own.

#include "models/core/error.h"
#include "models/ptx/call_graph.h"
#include "models/ptx/lowering.h"

namespace heddle::ptx {

using namespace isa;

/// "name (file.cu:12)" of the function that a statement stands in.
RuntimeCall FunctionLowering::failure_at(const Statement& s, std::string text) const {
  RuntimeCall call;
  call.kind = RuntimeCall::Kind::failure;
  call.text = std::move(text);
  call.function = function_.name;
  const SourceLocation& place = context_.builder.location();
  const bool mapped = place.line != 0 && place.file < context_.program.files.size() && place.file != 0;
  call.file = mapped ? context_.program.files[place.file] : context_.module.source.file;
  call.line = mapped ? place.line : s.position.line;
  return call;
}

void FunctionLowering::fail_at_run_time(const Statement& s, std::string text, const Operand* when) {
  context_.program.runtime_calls.push_back(failure_at(s, std::move(text)));
  Item trap = make_item(Opcode::trap, DataType::none, {});
  trap.instruction.payload = context_.program.runtime_calls.size();
  if (when) trap.instruction.guard = {true, when->negated, when->pred};
  emit(s, trap);
}

std::string wrong_pointer_text(std::size_t candidates) {
  return "a call through a pointer that is of none of " + std::to_string(candidates) +
         " functions with these parameters";
}

/// Compares the register with the number of each function that it may mean; lanes that mean different ones take their
/// turns.
void FunctionLowering::indirect_call(const Statement& s) {
  const DataType type = context_.module.syntax.address_bits == 32 ? DataType::u32 : DataType::u64;
  if (s.call.list.empty() || !find_call_list(body_, s.call.list, s.block))
    fail(s.position,
         "the call through " + std::string(s.call.callee.name) +
             " names no list of functions and no prototype",
         ".calltargets, .callprototype");
  const std::vector<const Function*> candidates = call_candidates(context_, body_, s);
  const Operand pointer = source(s, s.call.callee, {type, false});
  if (context_.keeps_calls) return kept_call(s, candidates, pointer);
  ProgramBuilder& builder = context_.builder;
  const LabelId behind = builder.new_label({});
  for (const Function* f : candidates) {
    const LabelId next = builder.new_label({});
    const Operand other = builder.new_predicate(frame_.prefix() + "call");
    Item compare =
        make_item(Opcode::setp, type,
                  {pointer, Operand::make_immediate(context_.module.address_of(*f), bits_of(type))});
    compare.instruction.modifiers.compare = Compare::ne;
    compare.instruction.add_dst(other);
    emit(s, compare);
    builder.branch(next, {true, false, other.pred}, false);
    enter(s, *f);
    builder.branch(behind, {}, false);
    builder.bind(next);
  }
  fail_at_run_time(s, wrong_pointer_text(candidates.size()), nullptr);
  builder.bind(behind);
}

}  // namespace heddle::ptx
