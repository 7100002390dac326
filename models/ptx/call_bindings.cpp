// Binds the parameters of calls. An inlined function uses the caller's parameter blocks without copies,
// because in PTX a callee only reads its parameters and writes its results. A function with a stack frame in
// local memory gets copies.

#include <algorithm>

#include "models/core/error.h"
#include "models/isa/type_of_width.h"
#include "models/ptx/call_bindings.h"

namespace heddle::ptx {

using namespace isa;

namespace {

constexpr std::uint64_t kWidestCopy = 8;

void require_scalar_block(const Source& source, const OperandSyntax& actual, const Symbol& block, int bits) {
  if (bits == 1 || block.bytes * 8 < static_cast<std::uint64_t>(bits))
    source.fail(actual.position, "\"" + std::string(actual.name) + "\" cannot hold a register of " +
                                     std::to_string(bits) + (bits == 1 ? " bit" : " bits"));
}

/// Divides a parameter block into the pieces in which it is copied, and returns the offset and size in bytes
/// of each piece. Each store of the caller to the block defines a piece. Without stores, all pieces are as
/// large as the block's alignment, at most kWidestCopy.
std::vector<std::pair<std::uint64_t, std::uint64_t>> pieces_of(const ProgramBuilder& builder,
                                                               const Variable& formal, const Symbol* block) {
  if (is_scalar(formal)) return {{0, formal.bytes()}};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pieces;
  if (block && block->kind == Symbol::Kind::storage) pieces = builder.stored_pieces(block->storage);
  if (!pieces.empty()) return pieces;
  const std::uint64_t unit = std::min(kWidestCopy, std::max<std::uint64_t>(formal.alignment(), 1));
  for (std::uint64_t at = 0; at < formal.bytes(); at += unit) pieces.emplace_back(at, unit);
  return pieces;
}

}  // namespace

Symbol CallBindings::vector_register(const Variable& formal, const std::string& name) {
  Symbol symbol;
  symbol.kind = Symbol::Kind::vector_reg;
  symbol.bits = bits_of(formal.type);
  for (int lane = 0; lane < formal.vector; ++lane)
    symbol.lanes.push_back(scope_.context.builder.new_register(
        symbol.bits, name + "." + "xyzw"[static_cast<std::size_t>(lane)]));
  return symbol;
}

std::vector<OperandSyntax> CallBindings::components(const Variable& formal, const OperandSyntax& actual) {
  const OperandSyntax vector = scope_.spell_out(actual);
  if (vector.kind != OperandSyntax::Kind::vector ||
      vector.items.size() != static_cast<std::size_t>(formal.vector))
    scope_.fail(actual.position,
                "a vector of " + std::to_string(formal.vector) + " registers is needed for " +
                    std::string(formal.name),
                "{a, b, ...} or a vector register");
  return vector.items;
}

Binding CallBindings::bind_argument(const Statement& s, const Variable& formal, const OperandSyntax& actual) {
  Binding binding{&formal, {}};
  const Symbol* block = places_.bound_block(actual);
  if (formal.space == StateSpace::param) {
    if (block) {
      if (block->bytes < formal.bytes())
        scope_.fail(actual.position, "argument \"" + std::string(actual.name) + "\" has " +
                                         std::to_string(block->bytes) + " bytes, parameter " +
                                         std::string(formal.name) + " needs " +
                                         std::to_string(formal.bytes()));
      binding.symbol = *block;
      return binding;
    }
    binding.symbol = places_.call_parameter(formal, scope_.frame.prefix() + std::string(formal.name));
    if (!formal.dimensions.empty() || formal.vector != 1)
      scope_.fail(actual.position, "an array parameter needs a .param variable as argument");
    places_.emit_block_access(s, Opcode::st, formal.type, binding.symbol,
                              operands_.source(s, actual, {formal.type, true}));
    return binding;
  }
  if (formal.range) scope_.fail(formal.position, "unsupported register parameter");
  if (formal.vector != 1) {
    binding.symbol = vector_register(formal, scope_.frame.prefix() + std::string(formal.name));
    const std::vector<OperandSyntax> items = components(formal, actual);
    for (std::size_t lane = 0; lane < items.size(); ++lane)
      scope_.emit_copy(s, formal, binding.symbol.lanes[lane],
                       operands_.source(s, items[lane], {formal.type, false}));
    return binding;
  }
  const int bits = formal.type == DataType::pred ? 1 : bits_of(formal.type);
  binding.symbol.bits = bits;
  const std::string name = scope_.frame.prefix() + std::string(formal.name);
  binding.symbol.reg = bits == 1 ? scope_.context.builder.new_predicate(name)
                                 : scope_.context.builder.new_register(bits, name);
  if (block) {
    require_scalar_block(scope_.context.module.source, actual, *block, bits);
    places_.emit_block_access(s, Opcode::ld, bit_type(bits), *block, binding.symbol.reg);
  } else {
    scope_.emit_copy(s, formal, binding.symbol.reg, operands_.source(s, actual, {formal.type, false}));
  }
  return binding;
}

Binding CallBindings::bind_result(const Statement& s, const Variable& formal, const OperandSyntax& actual) {
  Binding binding{&formal, {}};
  const std::string name = scope_.frame.prefix() + std::string(formal.name);
  if (formal.space == StateSpace::param) {
    const Symbol* block = places_.bound_block(actual);
    if (block && block->bytes < formal.bytes())
      scope_.fail(actual.position, "\"" + std::string(actual.name) + "\" is too small for the result of " +
                                       std::string(s.call.callee.name));
    const bool in_register = !block && actual.kind != OperandSyntax::Kind::sink;
    if (in_register && (!formal.dimensions.empty() || formal.vector != 1))
      scope_.fail(actual.position, "an array result needs a .param variable");
    binding.symbol = block ? *block : places_.call_parameter(formal, name);
    return binding;
  }
  if (formal.range) scope_.fail(formal.position, "unsupported register result");
  if (formal.vector != 1) {
    binding.symbol = vector_register(formal, name);
    return binding;
  }
  binding.symbol.bits = formal.type == DataType::pred ? 1 : bits_of(formal.type);
  binding.symbol.reg = binding.symbol.bits == 1
                           ? scope_.context.builder.new_predicate(name)
                           : scope_.context.builder.new_register(binding.symbol.bits, name);
  return binding;
}

void CallBindings::fetch_result(const Statement& s, const Binding& binding, const OperandSyntax& actual) {
  if (actual.kind == OperandSyntax::Kind::sink) return;
  const Symbol* block = places_.bound_block(actual);
  const Variable& formal = *binding.formal;
  if (formal.space == StateSpace::param) {
    if (!block)
      places_.emit_block_access(s, Opcode::ld, formal.type, binding.symbol,
                                operands_.destination(s, actual, {formal.type, true}));
    return;
  }
  if (formal.vector != 1) {
    const std::vector<OperandSyntax> items = components(formal, actual);
    for (std::size_t lane = 0; lane < items.size(); ++lane)
      scope_.emit_copy(s, formal, operands_.destination(s, items[lane], {formal.type, false}),
                       binding.symbol.lanes[lane]);
    return;
  }
  if (!block)
    return scope_.emit_copy(s, formal, operands_.destination(s, actual, {formal.type, false}),
                            binding.symbol.reg);
  require_scalar_block(scope_.context.module.source, actual, *block, binding.symbol.bits);
  places_.emit_block_access(s, Opcode::st, bit_type(binding.symbol.bits), *block, binding.symbol.reg);
}

void CallBindings::pass_argument(const Statement& s, const Variable& formal, std::uint64_t place,
                                 const OperandSyntax& actual) {
  const Symbol* block = places_.bound_block(actual);
  if (!block) {
    if (!is_scalar(formal))
      scope_.fail(actual.position, "an array parameter needs a .param variable as argument");
    const bool wider = formal.space == StateSpace::param;
    return places_.frame_access(s, Opcode::st, formal.type, true, place,
                                operands_.source(s, actual, {formal.type, wider}));
  }
  if (block->bytes < formal.bytes())
    scope_.fail(actual.position, "argument \"" + std::string(actual.name) + "\" has " +
                                     std::to_string(block->bytes) + " bytes, parameter " +
                                     std::string(formal.name) + " needs " + std::to_string(formal.bytes()));
  const Symbol from = *block;
  for (const auto& [at, bytes] : pieces_of(scope_.context.builder, formal, &from)) {
    if (at + bytes > formal.bytes()) continue;
    const int bits = static_cast<int>(8 * bytes);
    const Operand value =
        scope_.context.builder.new_register(std::max(bits, 16), scope_.frame.prefix() + "argument");
    places_.emit_block_access(s, Opcode::ld, bit_type(bits), from, value, at);
    places_.frame_access(s, Opcode::st, bit_type(bits), true, place + at, value);
  }
}

void CallBindings::take_result(const Statement& s, const Variable& formal, std::uint64_t place,
                               const OperandSyntax& actual) {
  if (actual.kind == OperandSyntax::Kind::sink) return;
  const Symbol* block = places_.bound_block(actual);
  if (!block) {
    if (!is_scalar(formal)) scope_.fail(actual.position, "an array result needs a .param variable");
    const bool wider = formal.space == StateSpace::param;
    return places_.frame_access(s, Opcode::ld, formal.type, true, place,
                                operands_.destination(s, actual, {formal.type, wider}));
  }
  if (block->bytes < formal.bytes())
    scope_.fail(actual.position, "\"" + std::string(actual.name) + "\" is too small for the result of " +
                                     std::string(s.call.callee.name));
  const Symbol to = *block;
  for (const auto& [at, bytes] : pieces_of(scope_.context.builder, formal, nullptr)) {
    const int bits = static_cast<int>(8 * bytes);
    const Operand value =
        scope_.context.builder.new_register(std::max(bits, 16), scope_.frame.prefix() + "result");
    places_.frame_access(s, Opcode::ld, bit_type(bits), true, place + at, value);
    places_.emit_block_access(s, Opcode::st, bit_type(bits), to, value, at);
  }
}

}  // namespace heddle::ptx
