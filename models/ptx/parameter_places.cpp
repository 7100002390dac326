#include "models/ptx/parameter_places.h"

#include <algorithm>

#include "models/core/error.h"
#include "models/isa/type_of_width.h"

namespace heddle::ptx {

using namespace isa;

Symbol ParameterPlaces::call_parameter(const Variable& v, const std::string& name) {
  if (v.refusal) scope_.context.module.source.fail(*v.refusal);
  Storage storage;
  storage.kind = Storage::Kind::call_parameter;
  storage.name = name;
  storage.bytes = v.is_unsized() ? 0 : v.bytes();
  storage.align = std::max<std::uint64_t>(v.alignment(), 1);
  storage.position = v.position;
  storage.address_taken = scope_.context.keeps_calls;
  Symbol symbol;
  symbol.kind = Symbol::Kind::storage;
  symbol.space = Space::local;
  symbol.bytes = storage.bytes;
  symbol.storage = scope_.context.builder.add_storage(std::move(storage));
  return symbol;
}

const Symbol* ParameterPlaces::bound_block(const OperandSyntax& actual) {
  if (actual.kind != OperandSyntax::Kind::name) return nullptr;
  const Symbol* symbol = scope_.frame.find(actual.name);
  if (symbol && symbol->kind == Symbol::Kind::frame) return symbol;
  if (!symbol || symbol->kind != Symbol::Kind::storage) return nullptr;
  if (scope_.context.builder.storage(symbol->storage).kind != Storage::Kind::call_parameter)
    scope_.fail(actual.position, "\"" + std::string(actual.name) + "\" is no call parameter",
                ".param variable, register, constant");
  return symbol;
}

void ParameterPlaces::emit_block_access(const Statement& s, Opcode op, DataType type, const Symbol& block,
                                        const Operand& value, std::uint64_t at) {
  if (block.kind == Symbol::Kind::frame) return frame_access(s, op, type, false, block.address + at, value);
  Item item;
  Instruction& i = item.instruction;
  i.op = op;
  i.type = i.source_type = type;
  i.memory.space = Space::param;
  i.memory.element_bytes = static_cast<std::uint8_t>(bits_of(type) / 8);
  i.add_src(Operand::make_immediate(at, 64));
  item.storage = block.storage;
  if (op == Opcode::st)
    i.add_src(value);
  else
    i.add_dst(value);
  scope_.emit(s, item);
}

void ParameterPlaces::frame_access(const Statement& s, Opcode op, DataType type, bool of_callee,
                                   std::uint64_t place, const Operand& value) {
  if (type == DataType::pred) {
    const Operand word = op == Opcode::st
                             ? scope_.emit_value(s, word_of(value), 32)
                             : scope_.context.builder.new_register(32, scope_.frame.prefix() + "word");
    frame_access(s, op, DataType::b32, of_callee, place, word);
    if (op == Opcode::st || !value.is_pred()) return;
    Item test = predicate_of(word);
    test.instruction.add_dst(value);
    return scope_.emit(s, test);
  }
  Item item = make_item(op, type, {scope_.context.frames.pointer});
  Instruction& i = item.instruction;
  i.memory.space = Space::local;
  i.memory.element_bytes = static_cast<std::uint8_t>(bits_of(type) / 8);
  i.memory.offset = static_cast<std::int64_t>(place);
  if (of_callee) item.frame = scope_.owner;
  if (op == Opcode::st)
    i.add_src(value);
  else
    i.add_dst(value);
  scope_.emit(s, item);
}

}  // namespace heddle::ptx
