#include "models/compiler/spiller.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::Opcode;
using isa::Operand;

bool is_constant_in_a_launch(const Operand& o) {
  switch (o.kind) {
    case Operand::Kind::immediate:
    case Operand::Kind::param:
      return true;
    case Operand::Kind::special:
      return !isa::is_clock(o.special);
    default:
      return false;
  }
}

// Returns true if the instruction computes the same value at every point of the program. The compiler can
// then repeat the instruction instead of spilling its result.
bool is_repeatable(const Instruction& i) {
  if (i.guard.present || i.num_dst != 1 || i.num_src != 1 || i.src[0].negated) return false;
  if (i.op == Opcode::mov) return is_constant_in_a_launch(i.src[0]);
  return i.op == Opcode::ld && i.memory.space == isa::Space::param &&
         i.src[0].kind == Operand::Kind::immediate;
}

}  // namespace

Spiller::Spiller(isa::Program& program, const Variables& variables, const std::vector<int>& spilled,
                 Temporaries& temporaries, RegisterClass cls)
    : program_(program),
      variables_(variables),
      temporaries_(temporaries),
      cls_(cls),
      chosen_(variables.size.size(), false),
      constant_(variables.size.size()) {
  for (const int v : spilled) chosen_[static_cast<std::size_t>(v)] = true;
  find_constants();
}

void Spiller::run(const std::vector<int>& spilled) {
  std::vector<int> homeless;
  for (const int v : spilled)
    if (!constant_[static_cast<std::size_t>(v)]) homeless.push_back(v);
  make_homes(homeless);
  rewrite(program_, [this](std::size_t, const Instruction& i, Replacement& out) { replace(i, out); });
}

bool Spiller::mine(const Operand& o) const {
  return cls_ == RegisterClass::general ? o.is_reg() : o.is_pred();
}

int Spiller::variable(const Operand& o) const {
  return variables_.of[cls_ == RegisterClass::general ? o.reg.value : o.pred.value];
}

bool Spiller::spilled(const Operand& o) const {
  return mine(o) && chosen_[static_cast<std::size_t>(variable(o))];
}

void Spiller::mark_temporaries(std::uint32_t first, std::uint32_t end) {
  temporaries_.resize(end);
  for (std::uint32_t n = first; n < end; ++n) temporaries_.temporary[n] = temporaries_.fresh[n] = true;
}

void Spiller::find_constants() {
  std::vector<int> writes(variables_.size.size(), 0);
  for (const Instruction& i : program_.code)
    for (const Operand& o : i.destinations())
      if (spilled(o)) ++writes[static_cast<std::size_t>(variable(o))];
  for (const Instruction& i : program_.code) {
    if (!is_repeatable(i) || !spilled(i.dst[0])) continue;
    const int v = variable(i.dst[0]);
    const bool whole = cls_ == RegisterClass::predicate || i.dst[0].words() == size(v);
    if (writes[static_cast<std::size_t>(v)] == 1 && whole) constant_[static_cast<std::size_t>(v)] = i;
  }
}

Spiller::Use& Spiller::use_of(std::vector<Use>& uses, int v) {
  for (Use& u : uses)
    if (u.variable == v) return u;
  Use u;
  u.variable = v;
  u.temporary = make_temporary(v);
  uses.push_back(u);
  return uses.back();
}

void Spiller::rename(Operand& o, std::uint32_t temporary) const {
  if (cls_ == RegisterClass::predicate) {
    o.pred = PredId(temporary);
  } else {
    o.reg = RegId(temporary + variables_.offset[o.reg.value]);
  }
}

void Spiller::replace(const Instruction& old, Replacement& out) {
  const bool single = old.num_dst == 1 && spilled(old.dst[0]);
  if (single && constant_[static_cast<std::size_t>(variable(old.dst[0]))]) return;
  Instruction i = old;
  std::vector<Use> uses;
  for (Operand& o : i.sources()) {
    if (!spilled(o)) continue;
    Use& use = use_of(uses, variable(o));
    use.read = true;
    rename(o, use.temporary);
  }
  Operand guard = Operand::make_pred(i.guard.pred);
  if (i.guard.present && spilled(guard)) {
    Use& use = use_of(uses, variable(guard));
    use.read = true;
    i.guard.pred = PredId(use.temporary);
  }
  for (Operand& o : i.destinations()) {
    if (!spilled(o)) continue;
    const int v = variable(o);
    Use& use = use_of(uses, v);
    use.written = true;
    if (cls_ == RegisterClass::general && o.words() != size(v)) use.whole = false;
    rename(o, use.temporary);
  }
  surround(i, uses, out);
}

void Spiller::surround(const Instruction& i, std::vector<Use>& uses, Replacement& out) {
  const bool guarded = i.guard.present && may_guard_store(i);
  for (Use& use : uses) {
    if (use.written && (!use.whole || (i.guard.present && !guarded))) use.read = true;
    if (!use.read) continue;
    for (int k = 0; k < size(use.variable); ++k)
      temporaries_.fresh[use.temporary + static_cast<std::uint32_t>(k)] = false;
    if (const auto& again = constant_[static_cast<std::size_t>(use.variable)]) {
      Instruction copy = *again;
      rename(copy.dst[0], use.temporary);
      copy.location = i.location;
      copy.overhead = true;
      out.emit(copy);
    } else {
      emit_fetch(i, use, out);
    }
  }
  out.emit(i);
  for (const Use& use : uses)
    if (use.written) emit_store(i, use, guarded, out);
}

}  // namespace heddle::compiler
