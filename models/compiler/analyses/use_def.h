#pragma once

// Lists the register words and predicates that an instruction reads and writes.

#include <cstdint>

#include "models/isa/instruction.h"

namespace heddle::compiler {

template <class F>
void for_each_word(const isa::Operand& operand, F&& f) {
  for (int w = 0; w < operand.words(); ++w) f(operand.reg.value + static_cast<std::uint32_t>(w));
}

inline bool shares_a_word(const isa::Operand& a, const isa::Operand& b) {
  return a.is_reg() && b.is_reg() && a.reg.value < b.reg.value + static_cast<std::uint32_t>(b.words()) &&
         b.reg.value < a.reg.value + static_cast<std::uint32_t>(a.words());
}

template <class F>
void for_each_read_word(const isa::Instruction& i, F&& f) {
  for (const auto& o : i.sources()) for_each_word(o, f);
}

template <class F>
void for_each_written_word(const isa::Instruction& i, F&& f) {
  for (const auto& o : i.destinations()) for_each_word(o, f);
}

template <class F>
void for_each_read_predicate(const isa::Instruction& i, F&& f) {
  if (i.guard.present) f(i.guard.pred.value);
  for (const auto& o : i.sources())
    if (o.is_pred()) f(o.pred.value);
}

template <class F>
void for_each_written_predicate(const isa::Instruction& i, F&& f) {
  for (const auto& o : i.destinations())
    if (o.is_pred()) f(o.pred.value);
}

/// Returns true for an instruction without a guard. Lanes whose guard fails keep the old value of the written
/// register.
inline bool writes_all_active_lanes(const isa::Instruction& i) { return !i.guard.present; }

inline bool writes_predicates(const isa::Instruction& i) {
  for (const auto& o : i.destinations())
    if (o.is_pred()) return true;
  return false;
}

}  // namespace heddle::compiler
