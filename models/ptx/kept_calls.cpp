// Translates calls that the untimed reference executes as calls (encoding: models/isa/kept_calls.h).

#include "models/isa/kept_calls.h"

#include "models/ptx/lowering.h"

namespace heddle::ptx {

using namespace isa;

namespace {

Item metadata(std::initializer_list<Operand> sources) {
  Item item = make_item(Opcode::nop, DataType::none, sources);
  item.instruction.metadata = true;
  return item;
}

}  // namespace

void CallLowering::kept_call(const Statement& s, const std::vector<const Function*>& candidates,
                             const Operand& address) {
  const CallSyntax& c = s.call;
  std::vector<int> callees;
  for (const Function* f : candidates) {
    check_call(s, *f);
    callees.push_back(scope_.context.frame_of(*f, 0));
  }
  const auto failure = [&](const std::string& text) {
    scope_.context.program.runtime_calls.push_back(scope_.failure_at(s, text));
    return scope_.context.program.runtime_calls.size();
  };
  if (callees.empty()) return scope_.fail_at_run_time(s, wrong_pointer_text(0), nullptr);
  const Function& f = *candidates.front();
  for (std::size_t a = 0; a < c.arguments.size(); ++a)
    bindings_.pass_argument(s, f.parameters[a], scope_.context.frames.at(callees.front()).parameters[a],
                            c.arguments[a]);
  Item call = make_item(Opcode::bra, DataType::none,
                        {address, scope_.context.frames.pointer, Operand::make_immediate(0, 32)});
  call.frame = scope_.owner;
  call.instruction.payload = failure(wrong_pointer_text(candidates.size()));
  scope_.emit(s, call);
  const int bits = scope_.context.module.syntax.address_bits;
  for (const Function* candidate : candidates) {
    Item item = metadata({Operand::make_immediate(scope_.context.module.address_of(*candidate), bits),
                          Operand::make_immediate(0, 32)});
    item.stack = Item::Stack::end;
    item.instruction.payload = failure(full_stack_text(scope_.context.frames.bytes(), *candidate));
    scope_.emit(s, item);
  }
  for (std::size_t r = 0; r < c.results.size(); ++r)
    bindings_.take_result(s, f.results[r], scope_.context.frames.at(callees.front()).results[r],
                          c.results[r]);
}

std::size_t begin_kept_function(KernelContext& context, const Function& f, int number) {
  const ProgramBuilder& builder = context.builder;
  const auto word = [](std::uint64_t value) { return Operand::make_immediate(value, 32); };
  Item item = metadata({Operand::make_immediate(context.module.address_of(f), 64), word(builder.registers()),
                        word(0), word(builder.predicates()), word(0), word(0)});
  item.frame = number;
  item.instruction.location.ptx_line = f.position.line;
  context.builder.emit(item);
  return builder.size() - 1;
}

void end_kept_function(KernelContext& context, std::size_t begin) {
  ProgramBuilder& builder = context.builder;
  Instruction& function = builder.instruction(begin);
  function.src[kEndRegister].value = builder.registers();
  function.src[kEndPredicate].value = builder.predicates();
  Item end = make_item(Opcode::bra, DataType::none, {});
  end.instruction.payload = kReturnPayload;
  builder.emit(end);
}

}  // namespace heddle::ptx
