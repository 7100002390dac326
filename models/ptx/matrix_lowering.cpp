#include "models/ptx/matrix_lowering.h"
#include "models/isa/matrix_operands.h"
#include "models/isa/matrix_rows.h"

#include <vector>

namespace heddle::ptx {

using namespace isa;

namespace {

Operand part_of(const Operand& group, std::size_t element, int bits) {
  const auto first =
      group.reg.value + static_cast<std::uint32_t>(element) * static_cast<std::uint32_t>(bits / 32);
  return Operand::make_reg(RegId(first), bits);
}

int register_bits(DataType type) { return bits_of(type) == 64 ? 64 : 32; }

}  // namespace

std::vector<OperandSyntax> MatrixLowering::elements(const Statement& s, std::size_t operand, int words,
                                                    DataType type) const {
  const OperandSyntax spelled = scope_.spell_out(s.operands[operand]);
  std::vector<OperandSyntax> list =
      spelled.kind == OperandSyntax::Kind::vector ? spelled.items : std::vector{spelled};
  const int bits = register_bits(type);
  const auto count = static_cast<std::size_t>(words * 32 / bits);
  if (list.size() != count)
    scope_.fail(s.operands[operand].position,
                "the matrix operand has " + std::to_string(list.size()) + " registers",
                std::to_string(count) + " registers of " + std::to_string(bits) + " bits");
  return list;
}

Item MatrixLowering::move(int bits, const Operand& to, const Operand& from) {
  Item item = make_item(Opcode::mov, bits == 64 ? DataType::b64 : DataType::b32, {from});
  item.instruction.add_dst(to);
  item.instruction.overhead = true;
  return item;
}

Operand MatrixLowering::source(const Statement& s, const std::vector<OperandSyntax>& list, DataType type) {
  const int bits = register_bits(type), words = static_cast<int>(list.size()) * bits / 32;
  const Operand group = scope_.context.builder.new_register(32 * words, scope_.frame.prefix() + "group");
  const DataType of_register = bits == 64 ? DataType::f64 : DataType::b32;
  for (std::size_t e = 0; e < list.size(); ++e)
    scope_.emit(s, move(bits, part_of(group, e, bits), operands_.source(s, list[e], {of_register, false})));
  return group;
}

void MatrixLowering::multiply(const Statement& s, const Item& item) {
  scope_.require_operands(s, 4);
  const Instruction& i = item.instruction;
  const MatrixWords words = matrix_words(i);
  multiply_parts(s, item, elements(s, 0, words.d, i.type), elements(s, 1, words.a, i.source_type),
                 elements(s, 2, words.b, i.matrix.b_type), elements(s, 3, words.c, i.matrix.c_type));
}

void MatrixLowering::access(const Statement& s, Item item) {
  scope_.require_operands(s, 2);
  Instruction& i = item.instruction;
  i.memory.element_bytes = kMatrixRowBytes;
  const bool load = i.op == Opcode::ld;
  const int matrices = has_word(s.match, "x4") ? 4 : has_word(s.match, "x2") ? 2 : 1;
  const std::vector<OperandSyntax> list = elements(s, load ? 0 : 1, matrices, DataType::b32);
  operands_.address_operand(s, s.operands[load ? 1 : 0], item);
  for (const OperandSyntax& o : list) {
    if (load)
      i.add_dst(operands_.destination(s, o, {DataType::b32, false}));
    else
      i.add_src(operands_.source(s, o, {DataType::b32, false}));
  }
  scope_.emit(s, item);
}

void MatrixLowering::multiply_parts(const Statement& s, Item item, const std::vector<OperandSyntax>& d,
                                    const std::vector<OperandSyntax>& a, const std::vector<OperandSyntax>& b,
                                    const std::vector<OperandSyntax>& c) {
  Instruction& i = item.instruction;
  i.op = Opcode::mma;
  i.modifiers.sync = true;
  i.add_src(source(s, a, i.source_type));
  i.add_src(source(s, b, i.matrix.b_type));
  i.add_src(source(s, c, i.matrix.c_type));
  const int bits = register_bits(i.type);
  const Operand group =
      scope_.context.builder.new_register(32 * matrix_words(i).d, scope_.frame.prefix() + "group");
  i.add_dst(group);
  const Guard guard = i.guard;
  scope_.emit(s, item);
  for (std::size_t e = 0; e < d.size(); ++e) {
    const Operand target =
        operands_.destination(s, d[e], {bits == 64 ? DataType::f64 : DataType::b32, false});
    if (target.kind == Operand::Kind::none) continue;
    Item result = move(bits, target, part_of(group, e, bits));
    result.instruction.guard = guard;
    scope_.emit(s, result);
  }
}

}  // namespace heddle::ptx
