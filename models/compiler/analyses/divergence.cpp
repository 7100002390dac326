#include "models/compiler/analyses/divergence.h"

#include "models/compiler/analyses/use_def.h"
#include "models/isa/matrix_rows.h"

namespace heddle::compiler {
namespace {

using isa::Instruction;
using isa::Opcode;
using isa::Operand;
using isa::SpecialRegister;

bool is_divergent(SpecialRegister s) {
  switch (s) {
    case SpecialRegister::tid_x:
    case SpecialRegister::tid_y:
    case SpecialRegister::tid_z:
    case SpecialRegister::laneid:
    case SpecialRegister::lanemask_eq:
    case SpecialRegister::lanemask_le:
    case SpecialRegister::lanemask_lt:
    case SpecialRegister::lanemask_ge:
    case SpecialRegister::lanemask_gt:
      return true;
    default:
      return false;
  }
}

// Returns true for operations whose result may differ between lanes although all sources are equal in all
// lanes.
bool makes_divergence(const Instruction& i) {
  switch (i.op) {
    case Opcode::atom:
    case Opcode::shfl:
    case Opcode::match:
    case Opcode::movmatrix:
      return true;
    case Opcode::ld:
      return isa::moves_matrices(i) || i.memory.space == isa::Space::local ||
             i.memory.space == isa::Space::generic;
    default:
      return false;
  }
}

// Returns the sources that can make the result divergent: one divergent source suffices. For vote and redux,
// this is only the member mask.
std::span<const Operand> shaping_sources(const Instruction& i) {
  const auto all = i.sources();
  if (i.op != Opcode::vote && i.op != Opcode::redux) return all;
  return i.modifiers.sync ? all.last(1) : all.last(0);
}

}  // namespace

bool Divergence::reads_divergence(const Operand& o) const {
  if (o.is_pred()) return divergent_.test(words_ + o.pred.value);
  bool divergent = o.kind == Operand::Kind::special && is_divergent(o.special);
  for_each_word(o, [&](std::uint32_t w) { divergent = divergent || divergent_.test(w); });
  return divergent;
}

Divergence::Divergence(const isa::Program& program, const ControlFlow& flow)
    : words_(program.registers),
      divergent_(std::size_t{program.registers} + program.predicates),
      splits_(static_cast<std::size_t>(flow.size()), false),
      partial_(static_cast<std::size_t>(flow.size()), false) {
  SplitRegions regions(program, flow);
  for (bool changed = true; changed;) {
    changed = mark_values(program, flow);
    changed = mark_branches(program, flow, regions) || changed;
  }
}

// Marks divergent results. A result is uniform only if three conditions hold: the operation is uniform, its
// sources are uniform, and all lanes that have not exited execute the instruction.
bool Divergence::mark_values(const isa::Program& program, const ControlFlow& flow) {
  bool changed = false;
  for (const int b : flow.order()) {
    for (std::uint32_t n = flow.block(b).first; n < flow.block(b).end; ++n) {
      const Instruction& i = program.code[n];
      if (i.num_dst == 0) continue;
      bool divergent = partial(b) || makes_divergence(i);
      divergent = divergent || (i.guard.present && divergent_.test(words_ + i.guard.pred.value));
      for (const Operand& o : shaping_sources(i)) divergent = divergent || reads_divergence(o);
      if (!divergent) continue;
      const auto mark = [&](std::size_t member) {
        changed = changed || !divergent_.test(member);
        divergent_.set(member);
      };
      for_each_written_word(i, [&](std::uint32_t w) { mark(w); });
      for_each_written_predicate(i, [&](std::uint32_t p) { mark(words_ + p); });
    }
  }
  return changed;
}

bool Divergence::mark_branches(const isa::Program& program, const ControlFlow& flow, SplitRegions& regions) {
  bool changed = false;
  for (const int b : regions.outer_first()) {
    const Instruction& last = program.code[flow.block(b).end - 1];
    if (splits(b) || !last.is_branch() || !last.guard.present) continue;
    if (!divergent_.test(words_ + last.guard.pred.value) || flow.block(b).successors.size() < 2) continue;
    splits_[static_cast<std::size_t>(b)] = true;
    changed = true;
    for (const int side : flow.block(b).successors)
      regions.visit(
          b, side, flow.meeting_of(last),
          [&](int inside, std::size_t, bool) { partial_[static_cast<std::size_t>(inside)] = true; },
          [](int, std::size_t) { return true; });
  }
  return changed;
}

}  // namespace heddle::compiler
