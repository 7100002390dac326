// Calls are inlined, but for functions that may call themselves (stacked_calls.cpp). By-value parameters are passed by sharing the caller's block with the callee, which PTX
// lets read its parameters and write its results only.

#include <algorithm>

#include "models/core/error.h"
#include "models/isa/address_map.h"
#include "models/isa/type_of_width.h"
#include "models/ptx/call_graph.h"
#include "models/ptx/lowering.h"

namespace heddle::ptx {

using namespace isa;

namespace {

constexpr std::size_t kDeepestCall = 64;
constexpr std::size_t kMostCalls = 20'000;   // inlined; functions that call twice each double it a level
constexpr std::size_t kLongestPrefix = 120;  // of names, in characters

/// A block that stands for a register must be able to hold it.
void require_scalar_block(const Source& source, const OperandSyntax& actual, const Symbol& block, int bits) {
  if (bits == 1 || block.bytes * 8 < static_cast<std::uint64_t>(bits))
    source.fail(actual.position, "\"" + std::string(actual.name) + "\" cannot hold a register of " +
                                     std::to_string(bits) + (bits == 1 ? " bit" : " bits"));
}

}  // namespace

/// The function that a call names, as far as it can be called.
const Function& FunctionLowering::callee(const Statement& s) {
  const OperandSyntax& o = s.call.callee;
  const Function* f = context_.module.find_function(o.name);
  if (o.kind != OperandSyntax::Kind::name || !f) {
    fail(s.position, "call of an undeclared function \"" + std::string(o.name) + "\"");
  }
  return *f;
}

void FunctionLowering::refuse_external(const Statement& s, const Function& f) const {
  const Position p = s.position;
  const Source& source = context_.module.source;
  if (f.is_entry) source.refuse(p, "device runtime", "call of kernel " + std::string(f.name));
  if (f.has_body || is_assertion(f.name) || is_printf(f.name)) return;
  if (f.name.starts_with("cuda")) source.refuse(p, "device runtime", "call of " + std::string(f.name));
  source.refuse(p, "functions of other files",
                "call of " + std::string(f.name) + ", whose body is in another file");
}

Symbol FunctionLowering::call_parameter(const Variable& v, const std::string& name) {
  if (v.refusal) context_.module.source.fail(*v.refusal);
  Storage storage;
  storage.kind = Storage::Kind::call_parameter;
  storage.name = name;
  storage.bytes = v.is_unsized() ? 0 : v.bytes();
  storage.align = std::max<std::uint64_t>(v.alignment(), 1);
  storage.position = v.position;
  storage.address_taken = context_.keeps_calls;
  Symbol symbol;
  symbol.kind = Symbol::Kind::storage;
  symbol.space = Space::local;
  symbol.bytes = storage.bytes;
  symbol.storage = context_.builder.add_storage(std::move(storage));
  return symbol;
}

/// The caller's .param block that an actual names, or nullptr if it is a register or a constant.
const Symbol* FunctionLowering::bound_block(const OperandSyntax& actual) {
  if (actual.kind != OperandSyntax::Kind::name) return nullptr;
  const Symbol* symbol = frame_.find(actual.name);
  if (symbol && symbol->kind == Symbol::Kind::frame) return symbol;
  if (!symbol || symbol->kind != Symbol::Kind::storage) return nullptr;
  if (context_.builder.storage(symbol->storage).kind != Storage::Kind::call_parameter)
    fail(actual.position, "\"" + std::string(actual.name) + "\" is no call parameter",
         ".param variable, register, constant");
  return symbol;
}

/// Load or store of a scalar in a block.
void FunctionLowering::emit_block_access(const Statement& s, Opcode op, DataType type, const Symbol& block,
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
  emit(s, item);
}

void FunctionLowering::emit_copy(const Statement& s, const Variable& formal, const Operand& to,
                                 const Operand& from) {
  Item item;
  item.instruction.op = Opcode::mov;
  item.instruction.type = formal.type == DataType::pred ? DataType::pred : bit_type(bits_of(formal.type));
  item.instruction.source_type = item.instruction.type;
  item.instruction.add_dst(to);
  item.instruction.add_src(from);
  emit(s, item);
}

Binding FunctionLowering::bind_argument(const Statement& s, const Variable& formal,
                                        const OperandSyntax& actual) {
  Binding binding{&formal, {}};
  const Symbol* block = bound_block(actual);
  if (formal.space == StateSpace::param) {
    if (block) {
      if (block->bytes < formal.bytes())
        fail(actual.position, "argument \"" + std::string(actual.name) + "\" has " +
                                  std::to_string(block->bytes) + " bytes, parameter " +
                                  std::string(formal.name) + " needs " + std::to_string(formal.bytes()));
      binding.symbol = *block;
      return binding;
    }
    binding.symbol = call_parameter(formal, frame_.prefix() + std::string(formal.name));
    if (!formal.dimensions.empty() || formal.vector != 1)
      fail(actual.position, "an array parameter needs a .param variable as argument");
    emit_block_access(s, Opcode::st, formal.type, binding.symbol, source(s, actual, {formal.type, true}));
    return binding;
  }
  if (formal.vector != 1 || formal.range) fail(formal.position, "unsupported register parameter");
  const int bits = formal.type == DataType::pred ? 1 : bits_of(formal.type);
  binding.symbol.bits = bits;
  const std::string name = frame_.prefix() + std::string(formal.name);
  binding.symbol.reg =
      bits == 1 ? context_.builder.new_predicate(name) : context_.builder.new_register(bits, name);
  if (block) {
    require_scalar_block(context_.module.source, actual, *block, bits);
    emit_block_access(s, Opcode::ld, bit_type(bits), *block, binding.symbol.reg);
  } else {
    emit_copy(s, formal, binding.symbol.reg, source(s, actual, {formal.type, false}));
  }
  return binding;
}

Binding FunctionLowering::bind_result(const Statement& s, const Variable& formal,
                                      const OperandSyntax& actual) {
  Binding binding{&formal, {}};
  const std::string name = frame_.prefix() + std::string(formal.name);
  if (formal.space == StateSpace::param) {
    const Symbol* block = bound_block(actual);
    if (block && block->bytes < formal.bytes())
      fail(actual.position, "\"" + std::string(actual.name) + "\" is too small for the result of " +
                                std::string(s.call.callee.name));
    const bool in_register = !block && actual.kind != OperandSyntax::Kind::sink;
    if (in_register && (!formal.dimensions.empty() || formal.vector != 1))
      fail(actual.position, "an array result needs a .param variable");
    binding.symbol = block ? *block : call_parameter(formal, name);
    return binding;
  }
  if (formal.vector != 1 || formal.range) fail(formal.position, "unsupported register result");
  binding.symbol.bits = formal.type == DataType::pred ? 1 : bits_of(formal.type);
  binding.symbol.reg = binding.symbol.bits == 1 ? context_.builder.new_predicate(name)
                                                : context_.builder.new_register(binding.symbol.bits, name);
  return binding;
}

/// Moves a result to where the caller wants it, where it is not there already.
void FunctionLowering::fetch_result(const Statement& s, const Binding& binding, const OperandSyntax& actual) {
  if (actual.kind == OperandSyntax::Kind::sink) return;
  const Symbol* block = bound_block(actual);
  const Variable& formal = *binding.formal;
  if (formal.space == StateSpace::param) {
    if (!block)
      emit_block_access(s, Opcode::ld, formal.type, binding.symbol,
                        destination(s, actual, {formal.type, true}));
    return;
  }
  if (!block) return emit_copy(s, formal, destination(s, actual, {formal.type, false}), binding.symbol.reg);
  require_scalar_block(context_.module.source, actual, *block, binding.symbol.bits);
  emit_block_access(s, Opcode::st, bit_type(binding.symbol.bits), *block, binding.symbol.reg);
}

/// What names of a function's registers and labels begin with: the way to it, its end if it is long.
std::string FunctionLowering::prefix_of(const Function& f) const {
  std::string prefix = frame_.prefix() + std::string(f.name) + ".";
  if (prefix.size() > kLongestPrefix) prefix.replace(0, prefix.size() - kLongestPrefix, "~");
  return prefix;
}

void FunctionLowering::call(const Statement& s) {
  ProgramBuilder& builder = context_.builder;
  const LabelId behind = builder.new_label({});
  if (!s.guard.predicate.empty()) {
    Item skip;
    skip.instruction.op = Opcode::bra;
    skip.instruction.guard = guard(s.guard);
    skip.instruction.guard.negated = !skip.instruction.guard.negated;
    skip.target = behind;
    emit(s, skip);
  }
  const OperandSyntax& o = s.call.callee;
  if (!is_direct(context_, s) && o.kind == OperandSyntax::Kind::name &&
      (frame_.find(o.name) || !s.call.list.empty()))
    indirect_call(s);
  else
    enter(s, callee(s));
  builder.bind(behind);
}

void FunctionLowering::check_call(const Statement& s, const Function& f) const {
  const CallSyntax& c = s.call;
  refuse_external(s, f);
  if (context_.stack.size() > kDeepestCall)
    fail(s.position, "calls nest too deeply", std::to_string(kDeepestCall));
  if (f.refusal) context_.module.source.fail(*f.refusal);
  if (c.arguments.size() != f.parameters.size() || c.results.size() != f.results.size())
    fail(s.position,
         "call of " + std::string(f.name) + " with " + std::to_string(c.arguments.size()) +
             " arguments and " + std::to_string(c.results.size()) + " results",
         std::to_string(f.parameters.size()) + " arguments and " + std::to_string(f.results.size()) +
             " results");
}

void FunctionLowering::enter(const Statement& s, const Function& f) {
  const CallSyntax& c = s.call;
  check_call(s, f);
  if (++context_.calls > kMostCalls)
    fail(s.position,
         "kernel " + std::string(context_.stack.front()->name) + " makes more than " +
             std::to_string(kMostCalls) + " calls once those of its functions are inlined",
         "fewer calls, or functions that call each other less often");
  if (!f.has_body) return runtime_call(s, f);
  if (context_.framed.count(&f) && context_.keeps_calls) {
    const int bits = context_.module.syntax.address_bits;
    return kept_call(s, {&f}, Operand::make_immediate(context_.module.address_of(f), bits));
  }
  if (context_.framed.count(&f)) return stacked_call(s, f);
  context_.stack.push_back(&f);
  {
    FunctionLowering inlined(context_, f, prefix_of(f), frame_.local_end(), owner_);
    std::vector<Binding> results;
    for (std::size_t r = 0; r < c.results.size(); ++r)
      results.push_back(bind_result(s, f.results[r], c.results[r]));
    for (const Binding& binding : results) inlined.bind(binding);
    for (std::size_t a = 0; a < c.arguments.size(); ++a)
      inlined.bind(bind_argument(s, f.parameters[a], c.arguments[a]));
    const SourceLocation location = context_.builder.location();
    if (f.position.line > context_.module.own_lines) inlined.site_ = site_.line ? site_ : s.position;
    inlined.run();
    context_.builder.set_location(location);
    for (std::size_t r = 0; r < c.results.size(); ++r) fetch_result(s, results[r], c.results[r]);
  }
  context_.stack.pop_back();
}

}  // namespace heddle::ptx
