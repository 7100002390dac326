#include "models/ptx/mbarrier_lowering.h"

#include "models/isa/mbarrier.h"

namespace heddle::ptx {

using namespace isa;

namespace {

Operand number(std::uint64_t value) { return Operand::make_immediate(value, 32); }

AtomicOp arrival_of(const Statement& s) {
  const bool some = has_word(s.match, "noComplete");
  if (has_word(s.match, "arrive_drop")) return some ? AtomicOp::mb_drop_some : AtomicOp::mb_drop;
  return some ? AtomicOp::mb_arrive_some : AtomicOp::mb_arrive;
}

}  // namespace

void MbarrierLowering::lower(const Statement& s, Item item) {
  Instruction& i = item.instruction;
  i.memory.element_bytes = 8;
  if (s.name == "cp") {
    scope_.require_operands(s, "cp.async.mbarrier.arrive", 1, 1);
    i.modifiers.atomic = has_word(s.match, "noinc") ? AtomicOp::mb_copies_noinc : AtomicOp::mb_copies;
    i.memory.ordering = Ordering::acq_rel;
    i.memory.scope = Scope::cta;
    return access(s, item, s.operands[0], number(1));
  }
  if (has_word(s.match, "pending_count")) return pending_count(s, item);
  if (has_word(s.match, "test_wait") || has_word(s.match, "try_wait")) return wait(s, item);
  if (!has_word(s.match, "init") && !has_word(s.match, "inval")) return arrive(s, item);
  const bool init = has_word(s.match, "init");
  scope_.require_operands(s, init ? 2 : 1);
  i.modifiers.atomic = init ? AtomicOp::mb_init : AtomicOp::mb_inval;
  access(s, item, s.operands[0],
         init ? operands_.source(s, s.operands[1], {DataType::u32, false}) : number(0));
}

void MbarrierLowering::access(const Statement& s, Item item, const OperandSyntax& address,
                              const Operand& value) {
  operands_.address_operand(s, address, item);
  item.instruction.add_src(value);
  scope_.emit(s, item);
}

void MbarrierLowering::arrive(const Statement& s, Item item) {
  Instruction& i = item.instruction;
  i.modifiers.atomic = arrival_of(s);
  const bool counts = has_word(s.match, "noComplete");
  scope_.require_operands(s, s.name, counts ? 3 : 2, 3);
  if (i.memory.ordering == Ordering::weak) i.memory.ordering = Ordering::release;
  i.memory.scope = Scope::cta;
  const Operand state = operands_.destination(s, s.operands[0], {DataType::b64, false});
  if (state.kind == Operand::Kind::none)
    i.op = Opcode::red;
  else
    i.add_dst(state);
  access(s, item, s.operands[1],
         s.operands.size() > 2 ? operands_.source(s, s.operands[2], {DataType::u32, false}) : number(1));
}

Operand MbarrierLowering::emit(const Statement& s, const Guard& guard, Item item) {
  item.instruction.guard = guard;
  return scope_.emit_value(s, item, 32);
}

Operand MbarrierLowering::upper_word(const Statement& s, const Guard& guard, const Operand& value) {
  Item item = make_item(Opcode::unpack, DataType::b64, {value});
  const Operand word = scope_.context.builder.new_register(32, scope_.frame.prefix() + "value");
  item.instruction.add_dst({});
  item.instruction.add_dst(word);
  item.instruction.guard = guard;
  scope_.emit(s, item);
  return word;
}

/// Translates test_wait and try_wait. The result of these instructions is true if the awaited phase is
/// complete. This is the case if the mbarrier's phase bit differs from the phase bit of the operand.
void MbarrierLowering::wait(const Statement& s, Item item) {
  const bool tries = has_word(s.match, "try_wait"), parity = has_word(s.match, "parity");
  scope_.require_operands(s, s.name, 3, tries ? 4 : 3);
  Instruction& i = item.instruction;
  const Guard guard = i.guard;
  i.modifiers.atomic = tries ? AtomicOp::mb_wait : AtomicOp::mb_test;
  if (i.memory.ordering == Ordering::weak) i.memory.ordering = Ordering::acquire;
  i.memory.scope = Scope::cta;
  const Operand awaited = operands_.source(s, s.operands[2], {parity ? DataType::u32 : DataType::b64, false});
  if (s.operands.size() > 3) operands_.source(s, s.operands[3], {DataType::u32, false});
  const Operand object = scope_.context.builder.new_register(64, scope_.frame.prefix() + "value");
  i.add_dst(object);
  access(s, item, s.operands[1], awaited);
  const Operand phase = parity ? emit(s, guard, make_item(Opcode::shl, DataType::b32, {awaited, number(31)}))
                               : upper_word(s, guard, awaited);
  const Operand differ =
      emit(s, guard, make_item(Opcode::xor_, DataType::b32, {upper_word(s, guard, object), phase}));
  Item last = make_item(Opcode::setp, DataType::s32, {differ, number(0)});
  last.instruction.modifiers.compare = Compare::lt;
  last.instruction.guard = guard;
  last.instruction.add_dst(operands_.destination(s, s.operands[0], {DataType::pred, false}));
  scope_.emit(s, last);
}

void MbarrierLowering::pending_count(const Statement& s, const Item& item) {
  scope_.require_operands(s, 2);
  const Guard guard = item.instruction.guard;
  const Operand state = operands_.source(s, s.operands[1], {DataType::b64, false});
  Item halves = make_item(Opcode::unpack, DataType::b64, {state});
  const Operand low = scope_.context.builder.new_register(32, scope_.frame.prefix() + "value");
  halves.instruction.add_dst(low);
  halves.instruction.add_dst({});
  halves.instruction.guard = guard;
  scope_.emit(s, halves);
  Item last = make_item(Opcode::and_, DataType::b32, {low, number(kMostArrivals)});
  last.instruction.guard = guard;
  last.instruction.add_dst(operands_.destination(s, s.operands[0], {DataType::u32, false}));
  scope_.emit(s, last);
}

}  // namespace heddle::ptx
