// Translates surface accesses to arithmetic on the values of the surface's header, and a load, store or
// reduction in global memory. The first coordinate is in bytes (PTX ISA 9.0, 9.7.11).

#include <algorithm>
#include <cstddef>

#include "models/isa/texture.h"
#include "models/isa/type_of_width.h"
#include "models/ptx/texture_lowering.h"
#include "models/ptx/texture_words.h"

namespace heddle::ptx {

using namespace isa;

namespace {

Item arithmetic(Opcode op, DataType type, const Operand& a, const Operand& b) {
  return make_item(op, type, {a, b});
}

}  // namespace

Operand TextureLowering::emit_compare(const Statement& s, Compare compare, DataType type, const Operand& a,
                                      const Operand& b, const Operand* also) {
  Item item = make_item(Opcode::setp, type, {a, b});
  Instruction& i = item.instruction;
  i.modifiers.compare = compare;
  if (also) {
    i.modifiers.bool_op = BoolOp::and_;
    i.add_src(*also);
  }
  const Operand result = scope_.context.builder.new_predicate(scope_.frame.prefix() + "inside");
  i.add_dst(result);
  scope_.emit(s, item);
  return result;
}

Operand TextureLowering::surface_address(const Statement& s, const Instruction& i, Operand& inside) {
  const TextureShape shape = texture_shape_of(s.match);
  const bool clamp = has_word(s.match, "clamp"), layer = has_layers(shape);
  const std::size_t own = static_cast<std::size_t>(coordinates_of(shape));
  const OperandSyntax& o = opaque_operand(s, i.op == Opcode::ld ? 1 : 0, 1);
  const Operand surface = handle(s, o);
  std::vector<Operand> at = coordinates(s, o.items[0], layer, own, DataType::s32);
  if (layer) std::rotate(at.begin(), at.begin() + 1, at.end());
  const bool planes = layer || shape == TextureShape::d3;

  const int bits = scope_.context.module.syntax.address_bits;
  const auto header = [&](DataType type, std::size_t where, std::size_t count) {
    return load_header(s, surface, i.guard, type, where, count);
  };
  const Operand base =
      header(bits == 64 ? DataType::u64 : DataType::u32, offsetof(TextureHeader, base), 1)[0];
  const auto row = header(DataType::u32, offsetof(TextureHeader, row_bytes), 2);
  const auto bytes = std::uint64_t{i.memory.element_bytes} * i.memory.elements;
  // Limits of the coordinates of a surface access: last byte of a row at which the access may begin, number
  // of rows, and number of slices.
  std::vector<Operand> limits = {scope_.emit_value(
      s, arithmetic(Opcode::sub, DataType::u32, row[1], Operand::make_immediate(bytes, 32)), 32)};
  std::vector<Operand> plane;
  if (own > 1 || layer) plane = header(DataType::u32, offsetof(TextureHeader, height), 2);
  if (own > 1) limits.push_back(plane[0]);
  if (planes) limits.push_back(header(DataType::u32, offsetof(TextureHeader, slices), 1)[0]);

  const Operand zero = Operand::make_immediate(0, 32);
  for (std::size_t c = 0; c < at.size(); ++c) {
    if (clamp) {
      const Operand last =
          c == 0
              ? limits[0]
              : scope_.emit_value(
                    s, arithmetic(Opcode::sub, DataType::u32, limits[c], Operand::make_immediate(1, 32)), 32);
      const Operand low = scope_.emit_value(s, arithmetic(Opcode::min, DataType::s32, at[c], last), 32);
      at[c] = scope_.emit_value(s, arithmetic(Opcode::max, DataType::s32, low, zero), 32);
    } else if (c == 0) {
      const Operand positive = emit_compare(s, Compare::ge, DataType::s32, at[0], zero, nullptr);
      inside = emit_compare(s, Compare::le, DataType::s32, at[0], limits[0], &positive);
    } else {
      inside = emit_compare(s, Compare::lt, DataType::u32, at[c], limits[c], &inside);
    }
  }
  if (inside.is_pred() && i.guard.present) {
    Item both =
        make_item(Opcode::and_, DataType::pred, {inside, Operand::make_pred(i.guard.pred, i.guard.negated)});
    inside = scope_.context.builder.new_predicate(scope_.frame.prefix() + "inside");
    both.instruction.add_dst(inside);
    scope_.emit(s, both);
  }
  // Address of the access: base + x + (z * slice_rows + y) * row_bytes
  const auto multiply_add = [&](const Operand& a, const Operand& b, const Operand& c, bool wide) {
    Item mad = make_item(Opcode::mad, DataType::u32, {a, b, c});
    mad.instruction.modifiers.part = wide && bits == 64 ? Part::wide : Part::lo;
    return scope_.emit_value(s, mad, wide ? bits : 32);
  };
  Operand address = multiply_add(at[0], Operand::make_immediate(1, 32), base, true);
  Operand rows = own > 1 ? at[1] : zero;
  if (planes) rows = multiply_add(at.back(), plane[1], rows, false);
  if (own > 1 || planes) address = multiply_add(rows, row[0], address, true);
  return address;
}

void TextureLowering::access_surface(const Statement& s, Item item) {
  Instruction& i = item.instruction;
  scope_.require_operands(s, 2);
  const bool load = i.op == Opcode::ld;
  i.memory.space = Space::global;
  i.memory.element_bytes = static_cast<std::uint8_t>(bits_of(i.type) / 8);
  if (i.op == Opcode::red) i.memory.ordering = Ordering::relaxed;
  const Guard guard = i.guard;
  Operand inside;
  const Operand address = surface_address(s, i, inside);
  if (!load) i.add_src(address);
  const OperandSyntax& data = s.operands[load ? 0 : 1];
  const bool single =
      data.kind == OperandSyntax::Kind::vector && data.items.size() == 1 && i.memory.elements == 1;
  operands_.vector_operands(s, single ? data.items[0] : data, load, item);
  if (load) i.add_src(address);
  if (inside.is_pred() && has_word(s.match, "zero") && load) {
    for (const Operand& to : i.destinations()) {
      if (to.kind == Operand::Kind::none) continue;
      Item clear = make_item(Opcode::mov, bit_type(to.bits), {Operand::make_immediate(0, to.bits)});
      clear.instruction.guard = guard;
      clear.instruction.add_dst(to);
      scope_.emit(s, clear);
    }
  }
  if (inside.is_pred()) {
    if (!has_word(s.match, "zero")) trap_outside(s, guard, inside);
    i.guard.present = true;
    i.guard.negated = false;
    i.guard.pred = inside.pred;
  }
  scope_.emit(s, item);
}

void TextureLowering::trap_outside(const Statement& s, const Guard& guard, const Operand& inside) {
  Operand outside = inside;
  outside.negated = true;
  if (guard.present) {
    Item both =
        make_item(Opcode::and_, DataType::pred, {outside, Operand::make_pred(guard.pred, guard.negated)});
    outside = scope_.context.builder.new_predicate(scope_.frame.prefix() + "outside");
    both.instruction.add_dst(outside);
    scope_.emit(s, both);
  }
  scope_.fail_at_run_time(s, "an access outside of the surface", &outside);
}

}  // namespace heddle::ptx
