#include "models/ptx/wmma_lowering.h"

#include <algorithm>

#include "models/isa/matrix_operands.h"
#include "models/isa/type_of_width.h"

namespace heddle::ptx {

using namespace isa;

namespace {

struct Division {
  bool transposed = false;  ///< true: the mma instructions compute D^T = B^T x A^T
  int rows = 16;            ///< rows of A in each mma
  int a_tiles = 1, b_tiles = 1;
  int c_tiles() const { return a_tiles * b_tiles; }
};

Division division_of(const MatrixShape& m) {
  Division d;
  d.transposed = m.rows == 8 && m.columns == 32;
  if (m.rows == 8 && m.columns == 8) d.rows = 8;
  if (m.rows == 32 || d.transposed) d.a_tiles = 2;
  if (m.columns == 16) d.b_tiles = 2;
  return d;
}

bool is_sixteen_bits_twice(DataType type) { return type == DataType::f16; }

Operand immediate(int value) { return Operand::make_immediate(static_cast<std::uint32_t>(value), 32); }

}  // namespace

Operand WmmaLowering::emit(const Statement& s, Opcode op, DataType type, std::vector<Operand> sources,
                           int bits) {
  Item item = make_item(op, type, {});
  for (const Operand& o : sources) item.instruction.add_src(o);
  if (op == Opcode::mul || op == Opcode::mad) item.instruction.modifiers.part = Part::lo;
  return scope_.emit_value(s, item, bits);
}

/// Returns the registers of a wmma fragment that the operand lists. Throws Error unless there are `used` of
/// them, as many as the mma instructions read or write. Exception: an f16 fragment of A or B (`doubled`) must
/// have 8 registers, even if fewer are used.
std::vector<OperandSyntax> WmmaLowering::fragment(const Statement& s, std::size_t operand, int used,
                                                  DataType type, bool doubled) const {
  const OperandSyntax spelled = scope_.spell_out(s.operands[operand]);
  std::vector<OperandSyntax> list =
      spelled.kind == OperandSyntax::Kind::vector ? spelled.items : std::vector{spelled};
  const auto count = static_cast<std::size_t>(doubled && is_sixteen_bits_twice(type) ? 8 : used);
  if (list.size() != count)
    scope_.fail(s.operands[operand].position,
                "the fragment has " + std::to_string(list.size()) + " registers", std::to_string(count));
  return list;
}

WmmaLowering::Access WmmaLowering::access(const Statement& s, const Item& item, char operand,
                                          std::size_t address) {
  const Instruction& i = item.instruction;
  const MatrixShape& m = i.matrix;
  const Division division = division_of(m);
  Access a;
  a.type = i.type;
  a.tall = division.rows == 16;
  a.space = i.memory.space;
  a.guard = i.guard;
  a.role = operand == 'c' || operand == 'd' ? 'c'
           : division.transposed            ? (operand == 'a' ? 'b' : 'a')
                                            : operand;
  const int tiles = a.role == 'a' ? division.a_tiles : a.role == 'b' ? division.b_tiles : division.c_tiles();
  const int bits = bits_of(a.type);
  for (int t = 0; t < tiles; ++t) {
    const bool beside = a.role == 'b' || (a.role == 'c' && division.b_tiles == 2);
    a.lines.push_back(a.role == 'c' && beside ? 0 : t * (a.role == 'b' ? 8 : 16));
    a.columns.push_back(a.role == 'c' && beside ? 8 * t : 0);
  }
  const int lines = a.role == 'b' ? 8 : division.rows, along = a.role == 'c' ? 8 : m.depth;
  a.registers = std::max(1, lines * along * bits / (32 * 32)) / (bits == 64 ? 2 : 1);
  // A line (Access::lines) is a row of A, a column of B, or a row of C. In a transposed product, it is a
  // column of C.
  const bool lines_are_rows = operand == 'a' || ((operand == 'c' || operand == 'd') && !division.transposed);
  const bool by_rows = !m.a_by_columns;
  a.lines_stride = lines_are_rows == by_rows;

  Item first;
  first.instruction.op = Opcode::add;
  first.instruction.type = first.instruction.source_type = DataType::u64;
  first.instruction.memory.space = a.space;
  operands_.address_operand(s, s.operands[address], first);
  if (first.instruction.src[0].is_reg() && first.instruction.src[0].bits == 32) {
    Item widen = make_item(Opcode::cvt, DataType::u64, {first.instruction.src[0]});
    widen.instruction.source_type = DataType::u32;
    first.instruction.src[0] = scope_.emit_value(s, widen, 64);
  }
  first.instruction.add_src(
      Operand::make_immediate(static_cast<std::uint64_t>(first.instruction.memory.offset), 64));
  first.instruction.memory = {};
  const Operand start = scope_.emit_value(s, first, 64);

  Operand stride = immediate(by_rows ? (operand == 'b'   ? m.columns
                                        : operand == 'a' ? m.depth
                                                         : m.columns)
                                     : (operand == 'a'   ? m.rows
                                        : operand == 'b' ? m.depth
                                                         : m.rows));
  if (s.operands.size() > 2) stride = operands_.source(s, s.operands[2], {DataType::u32, false});
  a.stride_bytes = bits >= 8
                       ? emit(s, Opcode::mul, DataType::u32, {stride, immediate(bits / 8)}, 32)
                       : emit(s, Opcode::shr, DataType::u32, {stride, immediate(bits == 4 ? 1 : 3)}, 32);
  const Operand lane =
      emit(s, Opcode::mov, DataType::u32, {Operand::make_special(SpecialRegister::laneid, 32)}, 32);
  const Operand line = emit(s, Opcode::shr, DataType::u32, {lane, immediate(2)}, 32);
  const Operand part = emit(s, Opcode::and_, DataType::b32, {lane, immediate(3)}, 32);
  const int together = a.role == 'c' ? 2 : std::max(1, 32 / bits);
  Operand offset;
  if (a.lines_stride) {
    const Operand within =
        emit(s, Opcode::mul, DataType::u32, {part, immediate(std::max(1, together * bits / 8))}, 32);
    offset = emit(s, Opcode::mad, DataType::u32, {line, a.stride_bytes, within}, 32);
  } else {
    const Operand within = emit(s, Opcode::mul, DataType::u32, {line, immediate(bits / 8)}, 32);
    const Operand several = emit(s, Opcode::mul, DataType::u32, {a.stride_bytes, immediate(together)}, 32);
    offset = emit(s, Opcode::mad, DataType::u32, {part, several, within}, 32);
  }
  Item widen = make_item(Opcode::cvt, DataType::u64, {offset});
  widen.instruction.source_type = DataType::u32;
  a.base = emit(s, Opcode::add, DataType::u64, {start, scope_.emit_value(s, widen, 64)}, 64);
  a.at[0] = a.base;
  return a;
}

Operand WmmaLowering::address(const Statement& s, Access& a, int strides) {
  const auto known = a.at.find(strides);
  if (known != a.at.end()) return known->second;
  Item item = make_item(Opcode::mad, DataType::u32, {a.stride_bytes, immediate(strides), a.base});
  item.instruction.modifiers.part = Part::wide;
  return a.at[strides] = scope_.emit_value(s, item, 64);
}

WmmaLowering::Offset WmmaLowering::offset(const Access& a, std::size_t tile, int number, int e) const {
  const int bits = bits_of(a.type), each = std::max(1, 32 / bits);
  int line = a.lines[tile], along = a.columns[tile];
  if (a.role == 'c') {
    const int element = number * each + e;
    line += 8 * (element / 2);
    along += element % 2;
  } else {
    const bool two_lines = a.role == 'a' && a.tall;
    line += two_lines ? 8 * (number % 2) : 0;
    along += 4 * each * (two_lines ? number / 2 : number) + e;
  }
  return a.lines_stride ? Offset{line, along} : Offset{along, line};
}

Operand WmmaLowering::load_part(const Statement& s, Access& a, const Offset& at, int bits) {
  Item item = make_item(Opcode::ld, bits == 8 ? DataType::u8 : bit_type(bits), {address(s, a, at.strides)});
  Instruction& i = item.instruction;
  i.guard = a.guard;
  i.memory.space = a.space;
  i.memory.element_bytes = static_cast<std::uint8_t>(bits / 8);
  i.memory.offset = at.elements * bits_of(a.type) / 8;
  return scope_.emit_value(s, item, std::max(bits, 32));
}

void WmmaLowering::store_part(const Statement& s, Access& a, const Offset& at, int bits,
                              const Operand& value) {
  Item item = make_item(Opcode::st, bit_type(bits), {address(s, a, at.strides), value});
  Instruction& i = item.instruction;
  i.guard = a.guard;
  i.memory.space = a.space;
  i.memory.element_bytes = static_cast<std::uint8_t>(bits / 8);
  i.memory.offset = at.elements * bits_of(a.type) / 8;
  scope_.emit(s, item);
}

void WmmaLowering::lower(const Statement& s, const Item& item) {
  const Opcode op = item.instruction.op;
  op == Opcode::ld ? load(s, item) : op == Opcode::st ? store(s, item) : multiply(s, item);
}

void WmmaLowering::load(const Statement& s, const Item& item) {
  scope_.require_operands(s, s.name, 2, 3);
  const char operand = has_word(s.match, "a") ? 'a' : has_word(s.match, "b") ? 'b' : 'c';
  Access a = access(s, item, operand, 1);
  const int bits = bits_of(a.type), each = std::max(1, 32 / bits), width = std::max(bits, 32);
  const int used = a.registers * static_cast<int>(a.lines.size());
  const std::vector<OperandSyntax> list = fragment(s, 0, used, a.type, operand != 'c');
  std::vector<Operand> values;
  for (std::size_t tile = 0; tile < a.lines.size(); ++tile)
    for (int number = 0; number < a.registers; ++number) {
      if (a.lines_stride || each == 1) {
        values.push_back(load_part(s, a, offset(a, tile, number, 0), width));
        continue;
      }
      Operand word = load_part(s, a, offset(a, tile, number, 0), bits);
      for (int e = 1; e < each; ++e)
        word = emit(
            s, Opcode::bfi, DataType::b32,
            {load_part(s, a, offset(a, tile, number, e), bits), word, immediate(e * bits), immediate(bits)},
            32);
      values.push_back(word);
    }
  for (std::size_t n = 0; n < list.size(); ++n) {
    const Operand target =
        operands_.destination(s, list[n], {width == 64 ? DataType::f64 : DataType::b32, false});
    if (target.kind == Operand::Kind::none) continue;
    Item move = make_item(Opcode::mov, bit_type(width), {values[n % values.size()]});
    move.instruction.guard = item.instruction.guard;
    move.instruction.add_dst(target);
    scope_.emit(s, move);
  }
}

void WmmaLowering::store(const Statement& s, const Item& item) {
  scope_.require_operands(s, s.name, 2, 3);
  Access a = access(s, item, 'd', 0);
  const int bits = bits_of(a.type), each = std::max(1, 32 / bits), width = std::max(bits, 32);
  const std::vector<OperandSyntax> list =
      fragment(s, 1, a.registers * static_cast<int>(a.lines.size()), a.type, false);
  for (std::size_t n = 0; n < list.size(); ++n) {
    const std::size_t tile = n / static_cast<std::size_t>(a.registers);
    const int number = static_cast<int>(n) % a.registers;
    const Operand value = operands_.source(s, list[n], {width == 64 ? DataType::f64 : DataType::b32, false});
    if (a.lines_stride || each == 1) {
      store_part(s, a, offset(a, tile, number, 0), width, value);
      continue;
    }
    for (int e = 0; e < each; ++e)
      store_part(s, a, offset(a, tile, number, e), bits,
                 e == 0 ? value : emit(s, Opcode::shr, DataType::u32, {value, immediate(e * bits)}, 32));
  }
}

void WmmaLowering::multiply(const Statement& s, const Item& item) {
  scope_.require_operands(s, 4);
  Instruction i = item.instruction;
  // If the PTX text does not give the types of A and B, both are f16, and the second type in the text is the
  // type of C.
  if (i.matrix.b_type == DataType::none) {
    i.matrix.c_type = i.source_type;
    i.source_type = i.matrix.b_type = DataType::f16;
  }
  const Division division = division_of(i.matrix);
  i.matrix.a_by_columns = i.matrix.b_by_rows = false;
  i.matrix.rows = static_cast<std::uint8_t>(division.rows);
  i.matrix.columns = 8;
  if (division.transposed) std::swap(i.source_type, i.matrix.b_type);
  const MatrixWords words = matrix_words(i);
  const auto registers = [](int count, DataType type) { return bits_of(type) == 64 ? count / 2 : count; };
  const int each_a = registers(words.a, i.source_type), each_b = registers(words.b, i.matrix.b_type),
            each_c = registers(words.c, i.matrix.c_type), each_d = registers(words.d, i.type);
  const std::size_t a_operand = division.transposed ? 2 : 1, b_operand = division.transposed ? 1 : 2;
  const auto d = fragment(s, 0, each_d * division.c_tiles(), i.type, false),
             a = fragment(s, a_operand, each_a * division.a_tiles, i.source_type, true),
             b = fragment(s, b_operand, each_b * division.b_tiles, i.matrix.b_type, true),
             c = fragment(s, 3, each_c * division.c_tiles(), i.matrix.c_type, false);
  const auto part = [](const std::vector<OperandSyntax>& list, int tile, int each) {
    return std::vector<OperandSyntax>(list.begin() + tile * each, list.begin() + (tile + 1) * each);
  };
  for (int tile = 0; tile < division.c_tiles(); ++tile) {
    Item product = item;
    product.instruction = i;
    matrices_.multiply_parts(s, product, part(d, tile, each_d),
                             part(a, division.a_tiles == 2 ? tile : 0, each_a),
                             part(b, division.b_tiles == 2 ? tile : 0, each_b), part(c, tile, each_c));
  }
}

}  // namespace heddle::ptx
