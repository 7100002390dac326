// Translates address operands: addresses of memory accesses, and addresses as values in registers.

#include "models/core/error.h"
#include "models/isa/address_map.h"
#include "models/ptx/operand_lowering.h"

namespace heddle::ptx {

using namespace isa;

void OperandLowering::check_memory_space(const OperandSyntax& o, const Symbol& symbol, Item& item) const {
  Instruction& i = item.instruction;
  const bool is_parameter =
      symbol.kind == Symbol::Kind::kernel_parameter ||
      (symbol.kind == Symbol::Kind::storage &&
       scope_.context.builder.storage(symbol.storage).kind == Storage::Kind::call_parameter);
  if (i.memory.space != Space::generic) {
    const Space expected = is_parameter ? Space::param : symbol.space;
    if (i.memory.space != expected)
      scope_.fail(o.position, quoted(o.name) + " lies in ." + name_of(expected) +
                                  ", the instruction addresses ." + name_of(i.memory.space));
  }
  if (!is_parameter) return;
  const std::int64_t end = o.offset + static_cast<std::int64_t>(i.memory.element_bytes) * i.memory.elements;
  const std::uint64_t block = symbol.kind == Symbol::Kind::kernel_parameter
                                  ? scope_.context.program.parameter_bytes - (symbol.address - kParamWindow)
                                  : symbol.bytes;
  if (o.offset < 0 || end > static_cast<std::int64_t>(block))
    scope_.fail(o.position, "access past the end of parameter " + quoted(o.name));
  if (i.op == Opcode::st && symbol.kind == Symbol::Kind::kernel_parameter)
    scope_.fail(o.position, "kernel parameter " + quoted(o.name) + " cannot be written");
  if ((i.op == Opcode::atom || i.op == Opcode::red))
    scope_.fail(o.position, "atomics cannot address parameters");
}

void OperandLowering::address_operand(const Statement& s, const OperandSyntax& o, Item& item) {
  Instruction& i = item.instruction;
  if (o.kind != OperandSyntax::Kind::address)
    scope_.fail(o.position, std::string(s.name) + " needs an address in brackets here");
  if (o.name.empty()) {
    i.add_src(Operand::make_immediate(static_cast<std::uint64_t>(o.offset), 64));
    return;
  }
  if (const Operand* reg = scope_.names_variable(o) ? nullptr : scope_.find_register(o)) {
    if (reg->bits != 64 && reg->bits != 32)
      scope_.fail(o.position, "register " + full_name(o) + " has " + std::to_string(reg->bits) +
                                  " bits, an address needs 64 or 32");
    i.add_src(*reg);
    i.memory.offset = o.offset;
    if (i.memory.space == Space::param && !scope_.is_kernel()) i.memory.space = Space::local;
    return;
  }
  const Symbol symbol = scope_.variable(o);
  if (symbol.kind == Symbol::Kind::frame) {
    const bool fits =
        i.memory.space == Space::generic || i.memory.space == Space::local || i.memory.space == Space::param;
    if (!fits)
      scope_.fail(o.position,
                  quoted(o.name) + " lies in .local, the instruction addresses ." + name_of(i.memory.space));
    const std::int64_t end = o.offset + static_cast<std::int64_t>(i.memory.element_bytes) * i.memory.elements;
    if (i.memory.space == Space::param && (o.offset < 0 || end > static_cast<std::int64_t>(symbol.bytes)))
      scope_.fail(o.position, "access past the end of parameter " + quoted(o.name));
    i.memory.space = Space::local;
    i.memory.offset = static_cast<std::int64_t>(symbol.address) + o.offset;
    i.add_src(scope_.context.frames.pointer);
    return;
  }
  check_memory_space(o, symbol, item);
  if (symbol.kind == Symbol::Kind::storage) {
    item.storage = symbol.storage;
    item.storage_source = i.num_src;
  }
  i.add_src(Operand::make_immediate(symbol.address + static_cast<std::uint64_t>(o.offset), 64));
}

void OperandLowering::move_address(const OperandSyntax& o, Item& item) {
  Instruction& i = item.instruction;
  const int bits = bits_of(i.type);
  const Function* function =
      scope_.frame.find(o.name) ? nullptr : scope_.context.module.find_function(o.name);
  const int address_bits = scope_.context.module.syntax.address_bits;
  if (function && bits == address_bits)
    return i.add_src(Operand::make_immediate(scope_.context.module.address_of(*function), bits));
  const Symbol symbol = scope_.variable(o);
  if (!o.component.empty()) scope_.fail(o.position, "a variable has no components");
  if (is_float(i.type) || bits < 32) scope_.fail(o.position, "an address needs 64 or 32 bits", "mov.u64");
  if (symbol.kind == Symbol::Kind::frame) return i.add_src(frame_address(o, symbol, bits));
  if (bits < address_bits && symbol.space == Space::global)
    scope_.fail(o.position, "the address of a global variable does not fit 32 bits", "mov.u64");
  if (symbol.kind == Symbol::Kind::storage) {
    Storage& storage = scope_.context.builder.storage(symbol.storage);
    if (storage.kind == Storage::Kind::call_parameter) storage.address_taken = true;
    item.storage = symbol.storage;
    item.storage_source = i.num_src;
  }
  const std::uint64_t value = symbol.address + static_cast<std::uint64_t>(o.offset);
  i.add_src(Operand::make_immediate(bits == 32 ? value & 0xffff'ffffu : value, bits));
}

Operand OperandLowering::frame_address(const OperandSyntax& o, const Symbol& symbol, int bits) {
  Statement s;
  s.position = o.position;
  Item add;
  add.instruction.op = Opcode::add;
  add.instruction.type = add.instruction.source_type = DataType::u32;
  add.instruction.add_src(scope_.context.frames.pointer);
  add.instruction.add_src(
      Operand::make_immediate((symbol.address + static_cast<std::uint64_t>(o.offset)) & 0xffff'ffffu, 32));
  const Operand address = scope_.emit_value(s, add, 32);
  if (bits == 32) return address;
  Item widen;
  widen.instruction.op = Opcode::cvt;
  widen.instruction.type = DataType::u64;
  widen.instruction.source_type = DataType::u32;
  widen.instruction.add_src(address);
  return scope_.emit_value(s, widen, 64);
}

}  // namespace heddle::ptx
