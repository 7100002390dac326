#include "models/compiler/analyses/order_dependences.h"

#include <algorithm>

#include "models/compiler/analyses/use_def.h"

namespace heddle::compiler {

using isa::Instruction;
using isa::Opcode;
using isa::Operand;

namespace {

bool reads_a_clock(const Instruction& i) {
  return std::any_of(i.sources().begin(), i.sources().end(), [](const Operand& o) {
    return o.kind == Operand::Kind::special && o.special >= isa::SpecialRegister::clock &&
           o.special <= isa::SpecialRegister::globaltimer_hi;
  });
}

bool may_meet(const Instruction& a, const Instruction& b) {
  if (a.op != Opcode::st && b.op != Opcode::st) return false;
  const isa::Space generic = isa::Space::generic;
  return a.memory.space == b.memory.space || a.memory.space == generic || b.memory.space == generic;
}

}  // namespace

bool ends_stretch(const Instruction& i) {
  switch (i.op) {
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::activemask:
    case Opcode::redux:
    case Opcode::movmatrix:
    case Opcode::atom:
    case Opcode::red:
    case Opcode::membar:
    case Opcode::copy:
      return true;
    default:
      return i.unit == isa::UnitClass::control || i.metadata || i.memory.ordering != isa::Ordering::weak ||
             reads_a_clock(i);
  }
}

OrderDependences::OrderDependences(std::span<const Instruction> code) : code_(code), before_(code.size()) {
  for (std::size_t n = 0; n < code_.size(); ++n) add(n);
}

void OrderDependences::read(std::size_t n, Name name, bool by_guard) {
  if (const auto w = writer_.find(name); w != writer_.end())
    before_[n].push_back({w->second, true, by_guard, true});
  readers_[name].push_back(n);
}

void OrderDependences::write(std::size_t n, Name name) {
  // Two writes of one instruction need no order: a vector load may name one register as two of its
  // destinations.
  if (const auto w = writer_.find(name); w != writer_.end() && w->second != n)
    before_[n].push_back({w->second, true, false, false});
  for (const std::size_t reader : readers_[name])
    if (reader != n) before_[n].push_back({reader, false, false, false});
  readers_[name].clear();
  writer_[name] = n;
}

void OrderDependences::add(std::size_t n) {
  const Instruction& i = code_[n];
  for_each_read_word(i, [&](std::uint32_t word) { read(n, {0, word}, false); });
  for (const Operand& o : i.sources())
    if (o.is_pred()) read(n, {1, o.pred.value}, false);
  if (i.guard.present) read(n, {1, i.guard.pred.value}, true);
  if (!writes_all_active_lanes(i)) {
    for_each_written_word(i, [&](std::uint32_t word) { read(n, {0, word}, false); });
    for_each_written_predicate(i, [&](std::uint32_t predicate) { read(n, {1, predicate}, false); });
  }
  for_each_written_word(i, [&](std::uint32_t word) { write(n, {0, word}); });
  for_each_written_predicate(i, [&](std::uint32_t predicate) { write(n, {1, predicate}); });
  if (i.unit != isa::UnitClass::ldst) return;
  for (const std::size_t other : memory_)
    if (may_meet(i, code_[other])) before_[n].push_back({other, false, false, false});
  memory_.push_back(n);
}

void reorder_stretches(
    std::vector<Instruction>& code, const std::vector<std::pair<std::size_t, std::size_t>>& blocks,
    const std::function<std::vector<std::size_t>(std::span<const Instruction>, std::size_t)>& order) {
  for (const auto& [first, end] : blocks)
    for (std::size_t from = first; from < end; ++from) {
      std::size_t to = from;
      while (to < end && !ends_stretch(code[to])) ++to;
      if (to > from + 1) {
        const std::vector<Instruction> stretch(code.begin() + static_cast<std::ptrdiff_t>(from),
                                               code.begin() + static_cast<std::ptrdiff_t>(to));
        std::size_t at = from;
        for (const std::size_t n : order(stretch, from)) code[at++] = stretch[n];
      }
      from = to;
    }
}

}  // namespace heddle::compiler
