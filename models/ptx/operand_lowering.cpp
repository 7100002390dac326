// Operands: registers, immediates, special registers, variables, addresses, with PTX's type checks (9.4).

#include <bit>

#include "models/core/error.h"
#include "models/isa/address_map.h"
#include "models/ptx/lowering.h"
#include "models/ptx/special_registers.h"

namespace heddle::ptx {

using namespace isa;

namespace {

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

std::string full_name(const OperandSyntax& o) {
  return std::string(o.name) + (o.component.empty() ? "" : "." + std::string(o.component));
}

int component_index(std::string_view component) {
  static constexpr std::string_view kXyzw = "xyzw", kRgba = "rgba";
  if (component.size() != 1) return -1;
  const std::size_t index = std::min(kXyzw.find(component), kRgba.find(component));
  return index == std::string_view::npos ? -1 : static_cast<int>(index);
}

std::uint64_t low_bits(std::uint64_t value, int bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

bool is_bits(DataType t) {
  return t == DataType::b8 || t == DataType::b16 || t == DataType::b32 || t == DataType::b64;
}

}  // namespace

const Operand* FunctionLowering::find_register(const OperandSyntax& o) {
  Symbol* symbol = frame_.find(o.name);
  if (!symbol) return nullptr;
  if (symbol->kind == Symbol::Kind::reg) {
    if (!o.component.empty())
      fail(o.position, "register " + quoted(o.name) + " has no component ." + std::string(o.component));
    return &symbol->reg;
  }
  if (symbol->kind != Symbol::Kind::vector_reg) return nullptr;
  if (o.component.empty())
    fail(o.position, "vector register " + quoted(o.name) + " needs a component here", ".x .y .z .w");
  const int index = component_index(o.component);
  if (index < 0 || static_cast<std::size_t>(index) >= symbol->lanes.size())
    fail(o.position, "vector register " + quoted(o.name) + " has no component ." + std::string(o.component));
  return &symbol->lanes[static_cast<std::size_t>(index)];
}

bool FunctionLowering::names_variable(const OperandSyntax& o) {
  const Symbol* symbol = frame_.find(o.name);
  if (symbol) return symbol->kind != Symbol::Kind::reg && symbol->kind != Symbol::Kind::vector_reg;
  return context_.module.symbols.count(o.name) != 0;
}

Symbol FunctionLowering::variable(const OperandSyntax& o) {
  if (const Symbol* symbol = frame_.find(o.name)) return *symbol;
  const auto it = context_.module.symbols.find(o.name);
  if (it == context_.module.symbols.end()) {
    if (context_.module.find_function(o.name))
      fail(o.position, quoted(o.name) + " is a function, a variable is needed here");
    fail(o.position, "undeclared name " + quoted(full_name(o)));
  }
  const ModuleSymbol& m = it->second;
  if (m.refusal) {
    Refusal refusal = *m.refusal;
    refusal.what += ", declared at line " + std::to_string(refusal.position.line);
    refusal.position = o.position;
    context_.module.source.fail(refusal);
  }
  Symbol symbol;
  symbol.bytes = m.bytes;
  const StateSpace space = m.variable->space;
  if (space == StateSpace::global || space == StateSpace::constant) {
    symbol.kind = Symbol::Kind::address;
    symbol.space = space == StateSpace::global ? Space::global : Space::constant;
    symbol.address = m.address;
    return symbol;
  }
  if (space != StateSpace::shared && space != StateSpace::local)
    fail(o.position, "variable " + quoted(o.name) + " of the module is in a state space that has no place");
  symbol.kind = Symbol::Kind::storage;
  symbol.space = space == StateSpace::shared ? Space::shared : Space::local;
  symbol.storage = context_.storage_of(*m.variable);
  return symbol;
}

Operand FunctionLowering::special_operand(const OperandSyntax& o, int bits) {
  const auto info = find_special_register(o.name, o.component);
  if (!info) {
    if (const char* name = refused_special_register(o.name))
      context_.module.source.refuse(o.position, name, full_name(o));
    if (o.name.starts_with("%") && !o.component.empty())
      fail(o.position, "unknown special register " + full_name(o), list_special_registers());
    fail(o.position, "undeclared register or name " + quoted(full_name(o)));
  }
  if (bits > info->bits)
    fail(o.position, full_name(o) + " has " + std::to_string(info->bits) + " bits, " + std::to_string(bits) +
                         " are needed");
  context_.program.reads_time |= info->time;
  context_.program.reads_placement |= info->placement;
  Operand special = Operand::make_special(info->id, bits);
  special.index = info->index;
  return special;
}

Operand FunctionLowering::immediate(const Statement& s, const OperandSyntax& o, DataType type) const {
  if (is_half(type))
    fail(o.position, std::string(s.name) + " of half precision needs a register here", "mov.b16, mov.b32");
  const ConstantValue& c = o.constant;
  const int bits = bits_of(type);
  if (type == DataType::pred) {
    if (c.kind != ConstantValue::Kind::integer)
      fail(o.position, "a predicate cannot be a floating-point constant");
    return Operand::make_immediate(c.bits != 0 ? 1 : 0, 1);
  }
  if (c.kind == ConstantValue::Kind::integer) {
    if (is_float(type))
      fail(o.position, std::string(s.name) + " needs a floating-point constant here",
           "0f3F800000, 0d3FF0000000000000, 1.0");
    return Operand::make_immediate(low_bits(c.bits, bits), bits);
  }
  const bool is_double = c.kind == ConstantValue::Kind::float64;
  if (!is_float(type) && !(is_bits(type) && bits >= 32))
    fail(o.position, std::string(s.name) + " needs an integer constant here");
  if (bits == 32) {
    if (!is_double) return Operand::make_immediate(c.bits, 32);
    return Operand::make_immediate(
        std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(c.bits))), 32);
  }
  if (is_double) return Operand::make_immediate(c.bits, 64);
  const double value = std::bit_cast<float>(static_cast<std::uint32_t>(c.bits));
  return Operand::make_immediate(std::bit_cast<std::uint64_t>(value), 64);
}

Operand FunctionLowering::predicate(const OperandSyntax& o, bool is_destination) {
  if (o.kind == OperandSyntax::Kind::sink && is_destination) return {};
  if (o.kind == OperandSyntax::Kind::constant && !is_destination) {
    if (o.constant.kind != ConstantValue::Kind::integer)
      fail(o.position, "a predicate cannot be a floating-point constant");
    return Operand::make_immediate(o.constant.bits != 0 ? 1 : 0, 1);
  }
  if (o.kind != OperandSyntax::Kind::name) fail(o.position, "a predicate register is needed here");
  const Operand* found = find_register(o);
  if (!found) fail(o.position, "undeclared predicate " + quoted(full_name(o)));
  if (!found->is_pred()) fail(o.position, quoted(o.name) + " is no predicate register");
  if (o.negated && is_destination) fail(o.position, "a destination cannot be negated");
  Operand p = *found;
  p.negated = o.negated;
  return p;
}

Guard FunctionLowering::guard(const GuardSyntax& g) {
  Guard result;
  if (g.predicate.empty()) return result;
  OperandSyntax o;
  o.kind = OperandSyntax::Kind::name;
  o.name = g.predicate;
  o.position = g.position;
  result.present = true;
  result.negated = g.negated;
  result.pred = predicate(o, false).pred;
  return result;
}

/// A register of the right width. Where the form allows it, integers may sit in wider registers.
Operand FunctionLowering::register_operand(const Statement& s, const OperandSyntax& o, SlotType type) {
  const Operand* reg = find_register(o);
  if (!reg) fail(o.position, "undeclared register " + quoted(full_name(o)));
  const std::string where = std::string(s.name) + " needs ";
  if (reg->is_pred())
    fail(o.position,
         quoted(o.name) + " is a predicate, " + where + std::to_string(bits_of(type.type)) + " bits here");
  if (o.has_offset) fail(o.position, "an offset stands only in addresses");
  if (o.negated) fail(o.position, "only predicates can be negated by \"!\"");
  const int bits = bits_of(type.type);
  const bool may_widen = type.wider && !is_float(type.type);
  if (reg->bits != bits && !(may_widen && reg->bits > bits))
    fail(o.position, "register " + full_name(o) + " has " + std::to_string(reg->bits) + " bits, " + where +
                         std::to_string(bits) + (may_widen ? " or more" : "") + " here");
  return *reg;
}

Operand FunctionLowering::destination(const Statement& s, const OperandSyntax& o, SlotType type) {
  if (type.type == DataType::pred) return predicate(o, true);
  if (o.kind == OperandSyntax::Kind::sink) return {};
  if (o.kind != OperandSyntax::Kind::name)
    fail(o.position, "the destination of " + std::string(s.name) + " must be a register");
  if (!frame_.find(o.name) && find_special_register(o.name, o.component))
    fail(o.position, "special register " + full_name(o) + " cannot be written");
  return register_operand(s, o, type);
}

Operand FunctionLowering::source(const Statement& s, const OperandSyntax& o, SlotType type) {
  if (type.type == DataType::pred) return predicate(o, false);
  if (o.kind == OperandSyntax::Kind::constant) return immediate(s, o, type.type);
  if (o.kind != OperandSyntax::Kind::name)
    fail(o.position, "a source of " + std::string(s.name) + " must be a register or a constant");
  if (frame_.find(o.name)) {
    if (names_variable(o))
      fail(o.position, quoted(o.name) + " is a variable: " + std::string(s.name) + " cannot take its address",
           "mov, cvta, an address in brackets");
    return register_operand(s, o, type);
  }
  if (context_.module.symbols.count(o.name) != 0)
    fail(o.position, quoted(o.name) + " is a variable: " + std::string(s.name) + " cannot take its address",
         "mov, cvta, an address in brackets");
  return special_operand(o, bits_of(type.type));
}

void FunctionLowering::check_memory_space(const OperandSyntax& o, const Symbol& symbol, Item& item) const {
  Instruction& i = item.instruction;
  const bool is_parameter = symbol.kind == Symbol::Kind::kernel_parameter ||
                            (symbol.kind == Symbol::Kind::storage &&
                             context_.builder.storage(symbol.storage).kind == Storage::Kind::call_parameter);
  if (i.memory.space != Space::generic) {
    const Space expected = is_parameter ? Space::param : symbol.space;
    if (i.memory.space != expected)
      fail(o.position, quoted(o.name) + " lies in ." + name_of(expected) + ", the instruction addresses ." +
                           name_of(i.memory.space));
  }
  if (!is_parameter) return;
  const std::int64_t end = o.offset + static_cast<std::int64_t>(i.memory.element_bytes) * i.memory.elements;
  const std::uint64_t block = symbol.kind == Symbol::Kind::kernel_parameter
                                  ? context_.program.parameter_bytes - (symbol.address - kParamWindow)
                                  : symbol.bytes;
  if (o.offset < 0 || end > static_cast<std::int64_t>(block))
    fail(o.position, "access past the end of parameter " + quoted(o.name));
  if (i.op == Opcode::st && symbol.kind == Symbol::Kind::kernel_parameter)
    fail(o.position, "kernel parameter " + quoted(o.name) + " cannot be written");
  if ((i.op == Opcode::atom || i.op == Opcode::red)) fail(o.position, "atomics cannot address parameters");
}

void FunctionLowering::address_operand(const Statement& s, const OperandSyntax& o, Item& item) {
  Instruction& i = item.instruction;
  if (o.kind != OperandSyntax::Kind::address)
    fail(o.position, std::string(s.name) + " needs an address in brackets here");
  if (o.name.empty()) {
    i.add_src(Operand::make_immediate(static_cast<std::uint64_t>(o.offset), 64));
    return;
  }
  if (const Operand* reg = names_variable(o) ? nullptr : find_register(o)) {
    if (reg->bits != 64 && reg->bits != 32)
      fail(o.position, "register " + full_name(o) + " has " + std::to_string(reg->bits) +
                           " bits, an address needs 64 or 32");
    i.add_src(*reg);
    i.memory.offset = o.offset;
    if (i.memory.space == Space::param && !is_kernel()) i.memory.space = Space::local;
    return;
  }
  const Symbol symbol = variable(o);
  if (symbol.kind == Symbol::Kind::frame) {
    const bool fits =
        i.memory.space == Space::generic || i.memory.space == Space::local || i.memory.space == Space::param;
    if (!fits)
      fail(o.position,
           quoted(o.name) + " lies in .local, the instruction addresses ." + name_of(i.memory.space));
    const std::int64_t end = o.offset + static_cast<std::int64_t>(i.memory.element_bytes) * i.memory.elements;
    if (i.memory.space == Space::param && (o.offset < 0 || end > static_cast<std::int64_t>(symbol.bytes)))
      fail(o.position, "access past the end of parameter " + quoted(o.name));
    i.memory.space = Space::local;
    i.memory.offset = static_cast<std::int64_t>(symbol.address) + o.offset;
    i.add_src(context_.frames.pointer);
    return;
  }
  check_memory_space(o, symbol, item);
  if (symbol.kind == Symbol::Kind::storage) {
    item.storage = symbol.storage;
    item.storage_source = i.num_src;
  }
  i.add_src(Operand::make_immediate(symbol.address + static_cast<std::uint64_t>(o.offset), 64));
}

void FunctionLowering::vector_operands(const Statement& s, const OperandSyntax& o, bool is_destination,
                                       Item& item) {
  Instruction& i = item.instruction;
  const SlotType type{i.type, true};
  const auto add = [&](const OperandSyntax& element) {
    if (is_destination)
      i.add_dst(destination(s, element, type));
    else
      i.add_src(source(s, element, type));
  };
  if (i.memory.elements == 1) return add(o);
  const std::size_t count = i.memory.elements;
  if (o.kind == OperandSyntax::Kind::vector) {
    if (o.items.size() != count)
      fail(o.position, "the vector has " + std::to_string(o.items.size()) + " elements, ." + "v" +
                           std::to_string(count) + " needs " + std::to_string(count));
    for (const OperandSyntax& element : o.items) add(element);
    return;
  }
  const Symbol* symbol = o.kind == OperandSyntax::Kind::name ? frame_.find(o.name) : nullptr;
  if (!symbol || symbol->kind != Symbol::Kind::vector_reg || symbol->lanes.size() != count)
    fail(o.position, "a vector of " + std::to_string(count) + " registers is needed here",
         "{a, b, ...} or a vector register");
  for (std::size_t e = 0; e < count; ++e) {
    OperandSyntax element = o;
    element.component = std::string_view("xyzw").substr(e, 1);
    add(element);
  }
}

}  // namespace heddle::ptx
