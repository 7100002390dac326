// Translates calls of assert and printf (CUDA C++ Programming Guide, "Assertion" and "Formatted Output").
// assert becomes a trap with a text. printf becomes code that stores a record in a buffer
// (models/isa/runtime_call.h).

#include "models/ptx/runtime_calls.h"
#include "models/core/error.h"
#include "models/isa/runtime_call.h"

namespace heddle::ptx {

using namespace isa;

namespace {

Item make(Opcode op, DataType type) {
  Item item;
  item.instruction.op = op;
  item.instruction.type = item.instruction.source_type = type;
  return item;
}

}  // namespace

bool is_assertion(std::string_view name) { return name == "__assertfail" || name == "__assert_fail"; }
bool is_printf(std::string_view name) { return name == "vprintf"; }

std::optional<std::uint64_t> RuntimeCalls::constant_argument(const Statement& s, const OperandSyntax& actual,
                                                             DataType type) {
  if (const Symbol* block = places_.bound_block(actual))
    return block->kind == Symbol::Kind::frame ? std::nullopt
                                              : scope_.context.builder.stored_constant(block->storage);
  return scope_.context.builder.constant(operands_.source(s, actual, {type, true}));
}

std::optional<std::string> RuntimeCalls::string_argument(const Statement& s, const OperandSyntax& actual) {
  const DataType pointer = scope_.context.module.syntax.address_bits == 32 ? DataType::u32 : DataType::u64;
  const std::optional<std::uint64_t> address = constant_argument(s, actual, pointer);
  if (!address) return std::nullopt;
  for (const ModuleVariable& v : scope_.context.module.variables) {
    if (*address < v.address || *address >= v.address + v.bytes || v.initial.empty()) continue;
    std::string text;
    for (std::uint64_t at = *address - v.address; at < v.initial.size() && v.initial[at]; ++at)
      text += static_cast<char>(v.initial[at]);
    return text;
  }
  return std::nullopt;
}

void RuntimeCalls::runtime_call(const Statement& s, const Function& f) {
  if (is_printf(f.name)) return print(s, f);
  const auto& arguments = s.call.arguments;
  if (arguments.size() < 4) scope_.fail(s.position, std::string(f.name) + " has 4 or 5 arguments");
  RuntimeCall call;
  call.text = string_argument(s, arguments[0]).value_or("(not a constant)");
  call.file = string_argument(s, arguments[1]).value_or("(unknown file)");
  call.line = static_cast<std::uint32_t>(constant_argument(s, arguments[2], DataType::u32).value_or(0));
  call.function = string_argument(s, arguments[3]).value_or("");
  scope_.context.program.runtime_calls.push_back(std::move(call));
  Item trap = make(Opcode::trap, DataType::none);
  trap.instruction.payload = scope_.context.program.runtime_calls.size();
  scope_.emit(s, trap);
}

Operand RuntimeCalls::emit_mad(const Statement& s, const Operand& a, std::uint64_t b, const Operand& c) {
  Item mad = make(Opcode::mad, DataType::u32);
  mad.instruction.modifiers.part = Part::lo;
  for (const Operand& o : {a, Operand::make_immediate(b, 32), c}) mad.instruction.add_src(o);
  return scope_.emit_value(s, mad, 32);
}

Operand RuntimeCalls::emit_address(const Statement& s, std::uint64_t base, const Operand& offset) {
  const int bits = scope_.context.module.syntax.address_bits;
  Item address = make(bits == 32 ? Opcode::add : Opcode::mad, DataType::u32);
  address.instruction.add_src(offset);
  if (bits != 32) {
    address.instruction.modifiers.part = Part::wide;
    address.instruction.add_src(Operand::make_immediate(1, 32));
  }
  address.instruction.add_src(Operand::make_immediate(base, bits));
  return scope_.emit_value(s, address, bits);
}

void RuntimeCalls::print(const Statement& s, const Function& f) {
  if (s.call.arguments.size() != 2) scope_.fail(s.position, "vprintf has 2 arguments");
  const std::optional<std::string> format = string_argument(s, s.call.arguments[0]);
  if (!format) scope_.fail(s.position, "not supported: printf whose format is no constant string");
  const int bits = scope_.context.module.syntax.address_bits;
  std::vector<std::uint8_t> bytes;
  try {
    bytes = value_bytes(parse_printf(*format, bits, {}));
  } catch (const Error& error) {
    scope_.fail(s.position, error.what());
  }
  scope_.context.program.runtime_calls.push_back({RuntimeCall::Kind::print, *format, {}, {}, 0});
  std::uint64_t buffer = 0;
  for (const ModuleVariable& v : scope_.context.module.variables)
    if (v.name == kPrintfBuffer) buffer = v.address;

  Item take = make(Opcode::atom, DataType::u32);
  take.instruction.memory.space = Space::global;
  take.instruction.memory.ordering = Ordering::relaxed;
  take.instruction.modifiers.atomic = AtomicOp::add;
  take.instruction.add_src(Operand::make_immediate(buffer, bits));
  take.instruction.add_src(Operand::make_immediate(kPrintfHead + 8 * bytes.size(), 32));
  const Operand offset = scope_.emit_value(s, take, 32);
  Item fits = make(Opcode::setp, DataType::u32);
  fits.instruction.modifiers.compare = Compare::le;
  const Operand room = scope_.context.builder.new_predicate(scope_.frame.prefix() + "value");
  fits.instruction.add_dst(room);
  fits.instruction.add_src(offset);
  fits.instruction.add_src(Operand::make_immediate(kPrintfBytes - kPrintfHead - 8 * bytes.size(), 32));
  scope_.emit(s, fits);
  const Operand record = emit_address(s, buffer + kPrintfFirst, offset);
  const auto store = [&](std::int64_t at, DataType type, std::initializer_list<Operand> values) {
    Item st = make(Opcode::st, type);
    st.instruction.guard.present = true;
    st.instruction.guard.pred = room.pred;
    st.instruction.memory.space = Space::global;
    st.instruction.memory.element_bytes = static_cast<std::uint8_t>(bits_of(type) / 8);
    st.instruction.memory.elements = static_cast<std::uint8_t>(values.size());
    st.instruction.memory.offset = at;
    st.instruction.add_src(record);
    for (const Operand& value : values) st.instruction.add_src(value);
    scope_.emit(s, st);
  };
  const auto special = [&](SpecialRegister which) {
    Item mov = make(Opcode::mov, DataType::u32);
    mov.instruction.add_src(Operand::make_special(which, 32));
    return scope_.emit_value(s, mov, 32);
  };
  Item site = make(Opcode::mov, DataType::u32);
  site.instruction.add_src(Operand::make_immediate(scope_.context.program.runtime_calls.size(), 32));
  const Operand call = scope_.emit_value(s, site, 32);
  const Operand row = emit_mad(s, special(SpecialRegister::tid_y), 1u << 10, special(SpecialRegister::tid_x));
  const Operand thread = emit_mad(s, special(SpecialRegister::tid_z), 1u << 20, row);
  const Operand plane =
      emit_mad(s, special(SpecialRegister::ctaid_z), 1u << 16, special(SpecialRegister::ctaid_y));
  store(0, DataType::u32, {call, thread});
  store(8, DataType::u32, {special(SpecialRegister::ctaid_x), plane});
  const OperandSyntax& actual = s.call.arguments[1];
  const DataType pointer = bits == 32 ? DataType::u32 : DataType::u64;
  Operand values;
  if (const Symbol* block = places_.bound_block(actual)) {
    values = scope_.context.builder.new_register(bits, scope_.frame.prefix() + "value");
    if (!bytes.empty())
      places_.emit_block_access(s, Opcode::ld, bits == 32 ? DataType::b32 : DataType::b64, *block, values);
  } else {
    values = operands_.source(s, actual, {pointer, true});
  }
  std::int64_t from = 0, to = kPrintfHead;
  for (const std::uint8_t size : bytes) {
    from = (from + size - 1) / size * size;
    const DataType type = size == 4 ? DataType::b32 : DataType::b64;
    Item ld = make(Opcode::ld, type);
    ld.instruction.memory.space = Space::generic;
    ld.instruction.memory.element_bytes = size;
    ld.instruction.memory.offset = from;
    ld.instruction.add_src(values);
    store(to, type, {scope_.emit_value(s, ld, 8 * size)});
    from += size;
    to += 8;
  }
  if (f.results.empty() || s.call.results.empty()) return;
  const Binding result = bindings_.bind_result(s, f.results[0], s.call.results[0]);
  const Operand count = Operand::make_immediate(bytes.size(), 32);
  if (f.results[0].space == StateSpace::param)
    places_.emit_block_access(s, Opcode::st, DataType::b32, result.symbol, count);
  else
    scope_.emit_copy(s, f.results[0], result.symbol.reg, count);
  bindings_.fetch_result(s, result, s.call.results[0]);
}

}  // namespace heddle::ptx
