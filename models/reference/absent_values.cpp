#include "models/reference/absent_values.h"

#include <algorithm>

namespace heddle::reference {
namespace {

using isa::Opcode;

LaneMask held(const ExecutedInstruction& e, const isa::Operand& o) {
  return e.predicates[o.pred.value] ^ (o.negated ? kAllLanes : 0);
}

bool decides(Opcode op) {
  switch (op) {
    case Opcode::ld:
    case Opcode::st:
    case Opcode::atom:
    case Opcode::red:
    case Opcode::copy:
    case Opcode::tex:
    case Opcode::bra:
    case Opcode::bar:
    case Opcode::bar_warp:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux:
      return true;
    default:
      return false;
  }
}

}  // namespace

AbsentValues::Value& AbsentValues::at(const ExecutedInstruction& e, const isa::Operand& o, int word) {
  if (values_.empty()) values_.resize(e.registers.size() + e.predicates.size());
  return values_[o.is_pred() ? e.registers.size() + o.pred.value
                             : o.reg.value + static_cast<std::size_t>(word)];
}

void AbsentValues::join(const ExecutedInstruction& e, const isa::Operand& o, LaneMask lanes, Use& into) {
  for (int w = 0; w < (o.is_pred() ? 1 : o.words()); ++w) {
    const Value& value = at(e, o, w);
    if ((value.lanes & lanes) == 0) continue;
    into.lanes |= value.lanes & lanes;
    into.shuffle = value.shuffle;
  }
}

AbsentValues::Use AbsentValues::sources(const ExecutedInstruction& e) {
  const isa::Instruction& i = e.instruction;
  Use use;
  if (i.op == Opcode::selp && i.src[2].is_pred()) {
    const LaneMask selected = held(e, i.src[2]);
    join(e, i.src[0], e.executing & selected, use);
    join(e, i.src[1], e.executing & ~selected, use);
    join(e, i.src[2], e.executing, use);
    return use;
  }
  const bool is_and = i.op == Opcode::and_;
  if ((is_and || i.op == Opcode::or_) && i.src[0].is_pred() && i.src[1].is_pred()) {
    // A false operand of `and`, or a true operand of `or`, determines the result, so the undefined value of
    // the other operand does not matter.
    Use a, b;
    join(e, i.src[0], e.executing, a);
    join(e, i.src[1], e.executing, b);
    const LaneMask a_decides = (is_and ? ~held(e, i.src[0]) : held(e, i.src[0])) & ~a.lanes,
                   b_decides = (is_and ? ~held(e, i.src[1]) : held(e, i.src[1])) & ~b.lanes;
    return {(a.lanes & ~b_decides) | (b.lanes & ~a_decides), a.lanes ? a.shuffle : b.shuffle};
  }
  const std::size_t first = i.op == Opcode::shfl ? 1 : 0;
  for (const isa::Operand& o : i.sources().subspan(first)) join(e, o, e.executing, use);
  return use;
}

AbsentValues::Use AbsentValues::before(const ExecutedInstruction& e) {
  const isa::Instruction& i = e.instruction;
  next_ = sources(e);
  Use use;
  if (i.guard.present) {
    isa::Operand guard;
    guard.kind = isa::Operand::Kind::pred;
    guard.pred = i.guard.pred;
    join(e, guard, e.active, use);
  }
  if (use.lanes == 0 && decides(i.op)) use = next_;
  return use;
}

void AbsentValues::after(const ExecutedInstruction& e, LaneMask taken, LaneMask moved) {
  const isa::Instruction& i = e.instruction;
  if (moved != 0) next_ = {next_.lanes | moved, at(e, i.src[0], 0).shuffle};
  if (taken != 0) next_ = {next_.lanes | taken, e.index};
  const LaneMask lanes = decides(i.op) ? 0 : next_.lanes;
  for (const isa::Operand& o : i.destinations()) {
    const bool defined = i.op == Opcode::shfl && o.is_pred();
    for (int w = 0; w < (o.is_pred() ? 1 : o.words()); ++w) {
      Value& value = at(e, o, w);
      value.lanes &= ~e.executing;
      if (lanes == 0 || defined) continue;
      value.lanes |= lanes;
      value.shuffle = next_.shuffle;
    }
  }
  any_ = std::any_of(values_.begin(), values_.end(), [](const Value& value) { return value.lanes != 0; });
}

}  // namespace heddle::reference
