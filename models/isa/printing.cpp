#include <string>

#include "models/isa/async_copy.h"
#include "models/isa/matrix_operands.h"
#include "models/isa/matrix_rows.h"
#include "models/isa/release_flags.h"

namespace heddle::isa {
namespace {

const char* suffix_of(Rounding r) {
  constexpr const char* names[] = {"", ".rn", ".rz", ".rm", ".rp", ".rni", ".rzi", ".rmi", ".rpi", ".rna"};
  return names[static_cast<int>(r)];
}
const char* suffix_of(Compare c) {
  constexpr const char* names[] = {"",     ".eq",  ".ne",  ".lt",  ".le",  ".gt",  ".ge",
                                   ".lo",  ".ls",  ".hi",  ".hs",  ".equ", ".neu", ".ltu",
                                   ".leu", ".gtu", ".geu", ".num", ".nan"};
  return names[static_cast<int>(c)];
}
const char* suffix_of(BoolOp b) {
  constexpr const char* names[] = {"", ".and", ".or", ".xor"};
  return names[static_cast<int>(b)];
}
const char* suffix_of(Part p) {
  constexpr const char* names[] = {"", ".lo", ".hi", ".wide"};
  return names[static_cast<int>(p)];
}
const char* suffix_of(ShuffleMode s) {
  constexpr const char* names[] = {"", ".up", ".down", ".bfly", ".idx"};
  return names[static_cast<int>(s)];
}
const char* suffix_of(VoteMode v) {
  constexpr const char* names[] = {"", ".all", ".any", ".uni", ".ballot"};
  return names[static_cast<int>(v)];
}
const char* suffix_of(MatchMode m) {
  constexpr const char* names[] = {"", ".any", ".all"};
  return names[static_cast<int>(m)];
}
const char* suffix_of(FunnelMode f) {
  constexpr const char* names[] = {"", ".l.clamp", ".l.wrap", ".r.clamp", ".r.wrap"};
  return names[static_cast<int>(f)];
}
const char* suffix_of(PermuteMode p) {
  constexpr const char* names[] = {"", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"};
  return names[static_cast<int>(p)];
}
const char* suffix_of(TestProperty p) {
  constexpr const char* names[] = {"",        ".finite",   ".infinite", ".number", ".notanumber",
                                   ".normal", ".subnormal"};
  return names[static_cast<int>(p)];
}
const char* suffix_of(AtomicOp a) {
  constexpr const char* names[] = {"",
                                   ".add",
                                   ".and",
                                   ".or",
                                   ".xor",
                                   ".exch",
                                   ".cas",
                                   ".inc",
                                   ".dec",
                                   ".min",
                                   ".max",
                                   ".mbarrier.init",
                                   ".mbarrier.inval",
                                   ".mbarrier.arrive",
                                   ".mbarrier.arrive.noComplete",
                                   ".mbarrier.arrive_drop",
                                   ".mbarrier.arrive_drop.noComplete",
                                   ".mbarrier.test_wait",
                                   ".mbarrier.try_wait",
                                   ".mbarrier.copies",
                                   ".mbarrier.copies.noinc"};
  return names[static_cast<int>(a)];
}
const char* suffix_of(CacheOp c) {
  constexpr const char* names[] = {"", ".ca", ".cg", ".cs", ".lu", ".cv", ".wb", ".wt"};
  return names[static_cast<int>(c)];
}
const char* suffix_of(Ordering o) {
  constexpr const char* names[] = {"", ".volatile", ".relaxed", ".acquire", ".release", ".acq_rel"};
  return names[static_cast<int>(o)];
}
const char* suffix_of(Scope s) {
  constexpr const char* names[] = {"", ".cta", ".gpu", ".sys"};
  return names[static_cast<int>(s)];
}
const char* suffix_of(BarrierKind b) {
  constexpr const char* names[] = {"", ".sync", ".arrive", ".red.popc", ".red.and", ".red.or"};
  return names[static_cast<int>(b)];
}

std::string type_suffix(DataType t) { return t == DataType::none ? "" : std::string(".") + name_of(t); }
std::string space_suffix(Space s) { return s == Space::generic ? "" : std::string(".") + name_of(s); }

std::string base_name(const Instruction& i) {
  if (i.op == Opcode::pack || i.op == Opcode::unpack) return "mov";
  if (i.op == Opcode::tex && i.texture.gather != 0)
    return std::string("tld4.") + "rgba"[i.texture.gather - 1];
  std::string name(matrix_name(i));
  return i.modifiers.carry_in ? name + "c" : name;
}

std::string texture_suffixes(const Instruction& i) {
  return std::string(".") + name_of(i.texture.shape) + ".v4" + type_suffix(i.type) +
         type_suffix(i.source_type);
}

std::string memory_suffixes(const Instruction& i) {
  const MemoryAccess& m = i.memory;
  if (moves_matrices(i))
    return ".sync.aligned.m8n8.x" + std::to_string(matrices_of(i)) + (i.matrix.a_by_columns ? ".trans" : "") +
           space_suffix(m.space);
  std::string text = suffix_of(m.ordering);
  text += suffix_of(m.scope);
  text += space_suffix(m.space);
  text += suffix_of(m.cache);
  if (m.non_coherent) text += ".nc";
  if (i.op == Opcode::atom || i.op == Opcode::red) text += suffix_of(i.modifiers.atomic);
  if (m.elements > 1) text += ".v" + std::to_string(m.elements);
  return text;
}

bool names_two_types(const Instruction& i) {
  switch (i.op) {
    case Opcode::cvt:
    case Opcode::set:
    case Opcode::slct:
    case Opcode::dp4a:
    case Opcode::dp2a:
      return true;
    default:
      return false;
  }
}

std::string matrix_suffixes(const Instruction& i) {
  const MatrixShape& m = i.matrix;
  std::string text = ".sync.aligned.m" + std::to_string(m.rows) + "n" + std::to_string(m.columns) + "k" +
                     std::to_string(m.depth);
  text += m.a_by_columns ? ".col" : ".row";
  text += m.b_by_rows ? ".row" : ".col";
  if (i.modifiers.satfinite) text += ".satfinite";
  text += type_suffix(i.type) + type_suffix(i.source_type) + type_suffix(m.b_type) + type_suffix(m.c_type);
  return text + (m.bits == BitProduct::and_ ? ".and.popc" : m.bits == BitProduct::xor_ ? ".xor.popc" : "");
}

std::string suffixes(const Instruction& i) {
  const Modifiers& m = i.modifiers;
  if (i.op == Opcode::mma) return matrix_suffixes(i);
  if (i.op == Opcode::movmatrix) return ".sync.aligned.m8n8.trans" + type_suffix(i.type);
  if (i.op == Opcode::tex) return texture_suffixes(i);
  if (i.op == Opcode::copy) return std::string(suffix_of(i.memory.cache)) + ".shared.global";
  if (i.is_memory()) return memory_suffixes(i) + type_suffix(i.type);
  if (i.op == Opcode::bar) return suffix_of(i.barrier);
  if (i.op == Opcode::membar) return suffix_of(i.memory.scope);
  std::string text;
  if (m.sync && i.op != Opcode::match) text += ".sync";
  text += suffix_of(m.compare);
  text += suffix_of(m.bool_op);
  text += suffix_of(m.part);
  if (i.op == Opcode::redux) text += suffix_of(m.atomic);
  text += suffix_of(m.shuffle);
  text += suffix_of(m.vote);
  text += suffix_of(m.match);
  if (m.sync && i.op == Opcode::match) text += ".sync";
  text += suffix_of(m.funnel);
  text += suffix_of(m.property);
  if (m.shift_amount) text += ".shiftamt";
  if (i.op == Opcode::bmsk || i.op == Opcode::szext) text += m.clamp ? ".clamp" : ".wrap";
  if (m.approx) text += ".approx";
  if (m.full) text += ".full";
  text += suffix_of(m.rounding);
  if (m.ftz) text += ".ftz";
  if (m.propagate_nan) text += ".NaN";
  if (m.carry_out) text += ".cc";
  if (m.sat && i.op != Opcode::vabsdiff4) text += ".sat";
  if (m.relu) text += ".relu";
  if (m.satfinite) text += ".satfinite";
  if (i.op == Opcode::cvta || i.op == Opcode::isspacep) text += space_suffix(i.memory.space);
  text += type_suffix(i.type);
  if (names_two_types(i)) text += type_suffix(i.source_type);
  if (i.op == Opcode::vabsdiff4) {
    text += type_suffix(i.source_type) + type_suffix(i.source_type);
    if (m.sat) text += ".sat";
    if (m.accumulate) text += ".add";
  }
  return text + suffix_of(m.permute);
}

std::string hexadecimal(std::uint64_t value, int digits) {
  std::string text(static_cast<std::size_t>(digits), '0');
  for (std::size_t k = text.size(); k-- > 0; value >>= 4) text[k] = "0123456789abcdef"[value & 15u];
  return text;
}

std::string immediate_text(const Operand& o, DataType type) {
  if (type == DataType::f32 && o.bits == 32) return "0f" + hexadecimal(o.value, 8);
  if (type == DataType::f64 && o.bits == 64) return "0d" + hexadecimal(o.value, 16);
  const int shift = 64 - o.bits;
  if (is_signed(type)) return std::to_string(static_cast<std::int64_t>(o.value << shift) >> shift);
  const std::uint64_t value = o.value << shift >> shift;
  return value < 0x10000 ? std::to_string(value)
                         : "0x" + hexadecimal(value, (64 - std::countl_zero(value) + 3) / 4);
}

std::string operand_text(const Operand& o, DataType type) {
  switch (o.kind) {
    case Operand::Kind::none:
      return "_";
    case Operand::Kind::reg:
      if (o.words() > 2)
        return "{r" + std::to_string(o.reg.value) + "..r" +
               std::to_string(o.reg.value + static_cast<std::uint32_t>(o.words()) - 1) + "}";
      return (o.bits == 64 ? "rd" : "r") + std::to_string(o.reg.value);
    case Operand::Kind::pred:
      return (o.negated ? "!p" : "p") + std::to_string(o.pred.value);
    case Operand::Kind::immediate:
      return immediate_text(o, type);
    case Operand::Kind::special:
      return name_of(o.special) +
             (o.special == SpecialRegister::envreg ? std::to_string(o.index) : std::string());
    case Operand::Kind::param:
      return "param[" + std::to_string(o.value) + "]";
  }
  return "?";
}

std::string joined(std::span<const Operand> operands, DataType type, const char* separator) {
  std::string text;
  for (const Operand& o : operands) text += (text.empty() ? "" : separator) + operand_text(o, type);
  return text;
}
std::string vector_text(std::span<const Operand> operands, DataType type) {
  return operands.size() == 1 ? operand_text(operands[0], type) : "{" + joined(operands, type, ", ") + "}";
}

std::string address_text(const Operand& address, std::int64_t offset) {
  std::string text = operand_text(address, DataType::none);
  if (offset != 0) text += (offset < 0 ? "" : "+") + std::to_string(offset);
  return "[" + text + "]";
}
std::string address_text(const Instruction& i) { return address_text(i.src[0], i.memory.offset); }

std::string copy_operands(const Instruction& i) {
  const std::string text = address_text(i.src[kCopyTarget], target_offset(i)) + ", " + address_text(i) +
                           ", " + std::to_string(i.memory.element_bytes);
  return i.num_src > kCopySize ? text + ", " + operand_text(i.src[kCopySize], DataType::u32) : text;
}

std::string texture_operands(const Instruction& i) {
  const std::size_t handles = i.texture.own_sampler ? 2 : 1;
  std::string text = vector_text(i.destinations(), i.type) + ", [";
  text += joined(i.sources().first(handles), DataType::none, ", ") + ", {";
  return text + joined(i.sources().subspan(handles), i.source_type, ", ") + "}]";
}

std::string memory_operands(const Instruction& i) {
  const auto data = i.num_src > 0 ? i.sources().subspan(1) : i.sources();
  switch (i.op) {
    case Opcode::ld:
      return vector_text(i.destinations(), i.type) + ", " + address_text(i);
    case Opcode::tex:
      return texture_operands(i);
    case Opcode::st:
      return address_text(i) + ", " + vector_text(data, i.type);
    case Opcode::atom:
      return joined(i.destinations(), i.type, "|") + ", " + address_text(i) + ", " +
             joined(data, i.type, ", ");
    case Opcode::red:
      return address_text(i) + ", " + joined(data, i.type, ", ");
    case Opcode::copy:
      return copy_operands(i);
    default:
      return address_text(i);
  }
}

DataType immediate_type(const Instruction& i) {
  switch (i.op) {
    case Opcode::cvt:
    case Opcode::set:
      return i.source_type;
    case Opcode::shfl:
    case Opcode::bar:
    case Opcode::bar_warp:
      return DataType::u32;
    default:
      return i.type;
  }
}

std::string plain_operands(const Instruction& i) {
  std::string text =
      i.op == Opcode::unpack ? vector_text(i.destinations(), i.type) : joined(i.destinations(), i.type, "|");
  const std::string sources =
      i.op == Opcode::pack ? vector_text(i.sources(), i.type) : joined(i.sources(), immediate_type(i), ", ");
  if (!text.empty() && !sources.empty()) text += ", ";
  text += sources;
  if (i.op == Opcode::lop3) text += ", 0x" + hexadecimal(i.modifiers.lut, 2);
  if (i.is_branch()) text += i.target == kNoTarget ? "?" : "#" + std::to_string(i.target);
  return text;
}

}  // namespace

std::string to_string(const Instruction& i) {
  if (i.metadata)
    if (std::string release = release_text(i); !release.empty()) return release;
  std::string text;
  if (i.guard.present)
    text = std::string(i.guard.negated ? "@!p" : "@p") + std::to_string(i.guard.pred.value) + " ";
  text += base_name(i) + suffixes(i);
  if (i.is_branch() && i.uniform) text += ".uni";
  const std::string operands = i.is_memory() ? memory_operands(i) : plain_operands(i);
  return operands.empty() ? text : text + " " + operands;
}

}  // namespace heddle::isa
