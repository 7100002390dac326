#include "models/ptx/expansion_lowering.h"

namespace heddle::ptx {

using namespace isa;

bool ExpansionLowering::expands(const Statement& s) {
  return s.name == "vabsdiff2" || s.name == "vadd" || s.name == "vsub" || s.name == "cvt";
}

void ExpansionLowering::lower(const Statement& s, const Item& item) {
  if (s.name == "vabsdiff2") return add_half_distances(s, item);
  if (s.name == "cvt") return pack_clamped(s, item);
  add_words(s, item);
}

void ExpansionLowering::finish(const Statement& s, const Item& whole, Item last, DataType type) {
  last.instruction.guard = whole.instruction.guard;
  last.instruction.add_dst(operands_.destination(s, s.operands[0], {type, false}));
  scope_.emit(s, last);
}

/// Expands vadd and vsub of whole words, with an optional .add of a third word. The result is a sum modulo
/// 2^32, which is the same for signed and unsigned operands.
void ExpansionLowering::add_words(const Statement& s, Item item) {
  const bool adds = s.suffixes.back().text == "add";
  const std::size_t count = adds ? 4 : 3;
  scope_.require_operands(s, count);
  const auto source = [&](std::size_t k) {
    if (!s.operands[k].component.empty())
      scope_.context.module.source.refuse(s.position, "video instructions", "parts of a register");
    return operands_.source(s, s.operands[k], {DataType::u32, false});
  };
  Item last = make_item(item.instruction.op, DataType::u32, {source(1), source(2)});
  if (adds) last = make_item(Opcode::add, DataType::u32, {scope_.emit_value(s, last, 32), source(3)});
  finish(s, item, last, DataType::u32);
}

/// Expands vabsdiff2: adds the absolute differences of both 16-bit halves of a and b to c. Only Fermi and
/// Kepler have a machine instruction for this operation.
void ExpansionLowering::add_half_distances(const Statement& s, Item item) {
  scope_.require_operands(s, 4);
  const bool is_signed = s.suffixes[1].text == "s32";
  const DataType type = is_signed ? DataType::s32 : DataType::u32;
  const auto source = [&](std::size_t k) {
    return operands_.source(s, s.operands[k], {DataType::u32, false});
  };
  const Operand words[2] = {source(1), source(2)}, start = source(3);
  const auto emit = [&](Opcode op, DataType of, const Operand& from, std::uint64_t by) {
    return scope_.emit_value(s, make_item(op, of, {from, Operand::make_immediate(by, 32)}), 32);
  };
  Operand low[2], high[2];
  for (std::size_t k = 0; k < 2; ++k) {
    low[k] = emit(Opcode::shr, type, emit(Opcode::shl, DataType::b32, words[k], 16), 16);
    high[k] = emit(Opcode::shr, type, words[k], 16);
  }
  const Operand sum = scope_.emit_value(s, make_item(Opcode::sad, type, {low[0], low[1], start}), 32);
  Item last = make_item(Opcode::sad, type, {high[0], high[1], sum});
  finish(s, item, last, DataType::u32);
}

/// Expands cvt.pack (PTX ISA 9.7.9.22): clamps both sources to the destination's narrow integer type and
/// packs them. From the lowest bit up, the result contains the second source, the first source, and bits of
/// c.
void ExpansionLowering::pack_clamped(const Statement& s, Item item) {
  const std::string_view part = s.suffixes[2].text;
  const int bits = part.substr(1) == "16" ? 16 : part.back() - '0';
  const std::size_t count = bits == 16 ? 3 : 4;
  scope_.require_operands(s, "cvt.pack of " + std::string(part), count, count);
  const bool is_signed = part.front() == 's';
  const std::int64_t most = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1,
                     least = is_signed ? -most - 1 : 0;
  const auto number = [](std::int64_t value) {
    return Operand::make_immediate(static_cast<std::uint32_t>(value), 32);
  };
  const auto clamp = [&](std::size_t k) {
    const Operand from = operands_.source(s, s.operands[k], {DataType::s32, false});
    const Operand low =
        scope_.emit_value(s, make_item(Opcode::max, DataType::s32, {from, number(least)}), 32);
    return scope_.emit_value(s, make_item(Opcode::min, DataType::s32, {low, number(most)}), 32);
  };
  const Operand high = clamp(1), low = clamp(2);
  Operand rest = number(0);
  if (count == 4)
    rest = scope_.emit_value(
        s,
        make_item(Opcode::shl, DataType::b32,
                  {operands_.source(s, s.operands[3], {DataType::b32, false}), number(2 * bits)}),
        32);
  const Operand first =
      scope_.emit_value(s, make_item(Opcode::bfi, DataType::b32, {low, rest, number(0), number(bits)}), 32);
  Item last = make_item(Opcode::bfi, DataType::b32, {high, first, number(bits), number(bits)});
  finish(s, item, last, DataType::b32);
}

}  // namespace heddle::ptx
