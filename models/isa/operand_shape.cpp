#include "models/isa/operand_shape.h"

#include "models/core/error.h"
#include "models/isa/matrix_operands.h"
#include "models/isa/opcode_table.h"

namespace heddle::isa {
namespace {

char letter_of(int bits) { return bits == 1 ? 'p' : bits == 64 ? 'd' : 'w'; }

char letter_of_words(int words) { return words == 1 ? 'w' : words == 2 ? 'd' : words == 4 ? 'q' : 'o'; }

std::string repeat(char c, int n) { return std::string(static_cast<std::size_t>(n), c); }

OperandShape uniform(const Instruction& i, int n) {
  const char t = letter_of(bits_of(i.type));
  OperandShape shape{{t}, repeat(t, n)};
  if (i.modifiers.part == Part::wide) {
    shape.destinations = letter_of(2 * bits_of(i.type));
    if (n == 3) shape.sources[2] = shape.destinations[0];
  }
  if (i.modifiers.carry_in) shape.sources += 'p';
  if (i.modifiers.carry_out) shape.destinations += 'p';
  return shape;
}

OperandShape across_lanes(const Instruction& i) {
  const std::string member = i.modifiers.sync ? "w" : "";
  switch (i.op) {
    case Opcode::shfl:
      return {"wp", "www" + member, 1};
    case Opcode::vote:
      return {i.modifiers.vote == VoteMode::ballot ? "w" : "p", "p" + member};
    case Opcode::match:
      return {"wp", letter_of(bits_of(i.type)) + member, 1};
    case Opcode::redux:
      return {"w", "w" + member};
    default:
      return {"w", ""};
  }
}

OperandShape parts(const Instruction& i) {
  const bool packs = i.op == Opcode::pack;
  const std::string whole(1, letter_of(bits_of(i.type)));
  const std::string pieces = repeat('w', packs ? i.num_src : i.num_dst);
  return packs ? OperandShape{whole, pieces} : OperandShape{pieces, whole};
}

}  // namespace

OperandShape operand_shape(const Instruction& i) {
  const std::string t(1, letter_of(bits_of(i.type)));
  const std::string s(1, letter_of(bits_of(i.source_type)));
  const std::string operands = row_of(i.op).operands;
  if (operands.starts_with('=')) return uniform(i, operands[1] - '0');
  if (!operands.empty()) {
    std::string letters;
    for (const char c : operands) letters += c == 't' ? t[0] : c == 's' ? s[0] : c;
    const std::size_t blank = letters.find(' ');
    return {letters.substr(0, blank), letters.substr(blank + 1)};
  }
  switch (i.op) {
    case Opcode::lop3:
      return i.modifiers.bool_op == BoolOp::none ? OperandShape{"w", "www"} : OperandShape{"wp", "wwwp"};
    case Opcode::set:
      return {t, s + s + (i.modifiers.bool_op == BoolOp::none ? "" : "p")};
    case Opcode::setp:
      return {"pp", t + t + (i.modifiers.bool_op == BoolOp::none ? "" : "p"), 1};
    case Opcode::cvt:
      if (is_narrow_float(i.type) || is_narrow_float(i.source_type))
        return {"w", i.source_type == DataType::f32 && i.type != DataType::tf32 ? "ww" : "w"};
      if (is_pair(i.type)) return {"w", "ww"};
      return {t == "w" ? "e" : t, s == "w" ? "e" : s};
    case Opcode::pack:
    case Opcode::unpack:
      return parts(i);
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::activemask:
    case Opcode::redux:
      return across_lanes(i);
    case Opcode::mma: {
      const MatrixWords words = matrix_words(i);
      return {{letter_of_words(words.d)},
              {letter_of_words(words.a), letter_of_words(words.b), letter_of_words(words.c)}};
    }
    default:
      throw InternalError(std::string("no operand shape for ") + name_of(i.op));
  }
}

namespace {

bool fits(const Operand& o, char letter) {
  if (letter == 'p') return o.bits == 1 && (o.is_pred() || o.kind == Operand::Kind::immediate);
  if (o.is_pred()) return false;
  if (o.bits > 64 || letter == 'q' || letter == 'o')
    return o.bits == (letter == 'q' ? 128 : letter == 'o' ? 256 : 0);
  return letter == 'e' || (o.bits == 64) == (letter == 'd');
}

const char* describe(char letter) {
  return letter == 'p'   ? "a predicate"
         : letter == 'd' ? "a 64-bit operand"
         : letter == 'q' ? "a group of 4 registers"
         : letter == 'o' ? "a group of 8 registers"
                         : "an operand of up to 32 bits";
}

std::string fault_in(std::span<const Operand> operands, const std::string& shape, int optional,
                     const char* what) {
  const std::size_t least = shape.size() - static_cast<std::size_t>(optional);
  if (operands.size() < least || operands.size() > shape.size())
    return std::to_string(operands.size()) + " " + what + "s instead of " + std::to_string(shape.size());
  for (std::size_t k = 0; k < operands.size(); ++k)
    if (operands[k].kind != Operand::Kind::none && !fits(operands[k], shape[k]))
      return std::string(what) + " " + std::to_string(k + 1) + " is not " + describe(shape[k]);
  return {};
}

}  // namespace

std::string find_operand_fault(const Instruction& i) {
  const OperandShape shape = operand_shape(i);
  for (const Operand& o : i.sources())
    if (o.kind == Operand::Kind::none) return "a source is missing";
  const std::string fault =
      fault_in(i.destinations(), shape.destinations, shape.optional_destinations, "destination");
  return fault.empty() ? fault_in(i.sources(), shape.sources, shape.optional_sources, "source") : fault;
}

}  // namespace heddle::isa
