#include "tests/compiler/level_expansion.h"

#include <algorithm>

#include "models/compiler/predict_accesses.h"
#include "models/compiler/rewrite.h"
#include "models/isa/operand_entry.h"

namespace heddle::compiler::test {
namespace {

using isa::Instruction;
using isa::Opcode;
using isa::Operand;

class Expansion {
 public:
  explicit Expansion(const isa::Program& p)
      : entries_(static_cast<std::uint32_t>((entries_used(p) + 1) / 2 * 2)),
        base_((p.registers + 1) / 2 * 2),
        apart_(base_ + 2 * entries_ + 2 + 4),
        end_(apart_ + (has_pairs_apart(p) ? 2 * entries_ * entries_ : 0)),
        spare_predicate_(p.predicates) {}

  void grow(isa::Program& p) const {
    p.registers = end_;
    p.predicates = spare_predicate_ + 1;
  }

  void instruction(const Instruction& old, Replacement& out) const {
    Instruction i = old;
    for (Operand& o : i.sources()) {
      if (!o.is_reg()) continue;
      if (o.annotation.write_levels != 0) move(i, out, at(o, upper(o.annotation.write_levels)), o, {});
      if (o.annotation.read_level != isa::kMainLevel) o = at(o, o.annotation.read_level);
    }
    isa::Guard guard = old.guard;
    if (guard.present && multiple(old)) {
      Instruction keep = make_overhead(old, Opcode::mov, isa::DataType::pred);
      keep.add_dst(Operand::make_pred(PredId(spare_predicate_)));
      keep.add_src(Operand::make_pred(guard.pred));
      out.emit(keep);
      guard.pred = PredId(spare_predicate_);
    }
    // Insert no poison before an exit, because a branch to a block that has only `exit` reconverges elsewhere
    // than a branch to a block with more instructions.
    if (old.ends_strand && old.unit == isa::UnitClass::control && old.op != Opcode::exit)
      poison_entries(old, out);
    for (Operand& o : i.destinations())
      if (o.is_reg() && o.annotation.write_levels > 1) o = at(o, upper(o.annotation.write_levels));
    for (Operand& o : i.sources()) o.annotation = {};
    for (Operand& o : i.destinations()) o.annotation = {};
    i.ends_strand = i.begins_strand = i.strand_waits = false;
    out.emit(i);
    for (const Operand& o : old.sources())
      if (o.is_reg() && o.annotation.write_levels != 0) spoil_aliases(old, out, o, {});
    for (const Operand& o : old.destinations()) {
      if (o.is_reg() && o.annotation.write_levels > 1) spoil_aliases(old, out, o, guard);
      const int levels = o.annotation.write_levels;
      if (!o.is_reg() || levels <= 1) continue;
      if (levels & 1)
        move(old, out, o, at(o, upper(levels)), guard);
      else
        poison(old, out, o, guard);
    }
    if (old.ends_strand && old.unit != isa::UnitClass::control) poison_entries(old, out);
  }

 private:
  static int upper(int levels) {
    return levels & isa::level_bit(isa::kOperandLevel) ? isa::kOperandLevel : isa::kLastResultLevel;
  }
  static bool multiple(const Instruction& i) {
    for (const Operand& o : i.destinations())
      if (o.annotation.write_levels > 1) return true;
    return false;
  }

  static bool is_apart(const Operand& o) { return o.words() == 2 && o.annotation.slot != 0; }
  static bool has_pairs_apart(const isa::Program& p) {
    for (const Instruction& i : p.code) {
      for (const Operand& o : i.sources())
        if (o.is_reg() && is_apart(o)) return true;
      for (const Operand& o : i.destinations())
        if (o.is_reg() && is_apart(o)) return true;
    }
    return false;
  }
  std::uint32_t pair_of(std::uint32_t low, std::uint32_t high) const {
    return apart_ + 2 * (low * entries_ + high);
  }

  // Each entry has several copies (registers of the translated program), because a register pair must begin
  // at an even register. One copy serves single registers, and pairs that begin at an even entry. A second
  // copy, at a register number shifted by one, serves pairs that begin at an odd entry. Each pair of entries
  // that are not neighbours has a further copy. A pair always uses the same copy.
  Operand at(const Operand& o, int level) const {
    Operand r = o;
    r.annotation = {};
    if (level == isa::kLastResultLevel) {
      r.reg = RegId(base_ + 2 * entries_ + 2 + o.annotation.slot);
    } else if (is_apart(o)) {
      r.reg = RegId(pair_of(o.annotation.entry, isa::operand_entry(o.annotation, 1)));
    } else if (o.words() == 2 && o.annotation.entry % 2 != 0) {
      r.reg = RegId(base_ + entries_ + 1u + o.annotation.entry);
    } else {
      r.reg = RegId(base_ + o.annotation.entry);
    }
    return r;
  }

  // The operand writes its value to one copy of each of its entries (see at()). Writes poison to the other
  // copies, because their values are outdated.
  void spoil_aliases(const Instruction& served, Replacement& out, const Operand& o,
                     const isa::Guard& guard) const {
    if ((o.annotation.write_levels & isa::level_bit(isa::kOperandLevel)) == 0) return;
    const auto spoil = [&](std::uint32_t reg) {
      poison(served, out, Operand::make_reg(RegId(reg), 32), guard);
    };
    const std::uint32_t first = o.annotation.entry, last = isa::operand_entry(o.annotation, o.words() - 1);
    const bool apart = is_apart(o), odd_pair = !apart && o.words() == 2 && first % 2 != 0;
    for (int word = 0; word < o.words(); ++word) {
      const std::uint32_t e = isa::operand_entry(o.annotation, word);
      if (apart || odd_pair) spoil(base_ + e);
      if (apart || !odd_pair) spoil(base_ + entries_ + 1 + e);
      for (std::uint32_t other = 0; other < entries_ && end_ > apart_; ++other) {
        const std::uint32_t low = std::min(e, other), high = std::max(e, other);
        if (low != high && !(apart && low == first && high == last)) spoil(pair_of(low, high) + (e == high));
      }
    }
  }

  static Instruction mov(const Instruction& served, const Operand& to, const isa::Guard& guard) {
    const auto type = to.words() == 2 ? isa::DataType::b64 : isa::DataType::b32;
    Instruction m = make_overhead(served, Opcode::mov, type);
    m.guard = guard;
    Operand d = to;
    d.bits = to.words() == 2 ? 64 : 32;
    d.annotation = {};
    m.add_dst(d);
    return m;
  }
  static void move(const Instruction& served, Replacement& out, const Operand& to, const Operand& from,
                   const isa::Guard& guard) {
    Instruction m = mov(served, to, guard);
    Operand s = from;
    s.bits = m.dst[0].bits;
    s.annotation = {};
    m.add_src(s);
    out.emit(m);
  }
  static void poison(const Instruction& served, Replacement& out, const Operand& to,
                     const isa::Guard& guard) {
    Instruction m = mov(served, to, guard);
    m.add_src(Operand::make_immediate(0xdeadbeefdeadbeefull >> (to.words() == 2 ? 0 : 32), m.dst[0].bits));
    out.emit(m);
  }
  void poison_entries(const Instruction& served, Replacement& out) const {
    for (std::uint32_t r = base_; r < end_; ++r) poison(served, out, Operand::make_reg(RegId(r), 32), {});
  }

  std::uint32_t entries_, base_;
  std::uint32_t apart_, end_;
  std::uint32_t spare_predicate_;
};

}  // namespace

isa::Program expand_levels(const isa::Program& annotated) {
  isa::Program program = annotated;
  const Expansion expansion(annotated);
  expansion.grow(program);
  rewrite(program,
          [&](std::size_t, const Instruction& i, Replacement& out) { expansion.instruction(i, out); });
  isa::bind_lane_functions(program);
  return program;
}

}  // namespace heddle::compiler::test
