#include "models/ptx/function_scope.h"

#include "models/core/error.h"
#include "models/isa/check_notes.h"
#include "models/isa/type_of_width.h"

namespace heddle::ptx {

using namespace isa;

namespace {

int component_index(std::string_view component) {
  static constexpr std::string_view kXyzw = "xyzw", kRgba = "rgba";
  if (component.size() != 1) return -1;
  const std::size_t index = std::min(kXyzw.find(component), kRgba.find(component));
  return index == std::string_view::npos ? -1 : static_cast<int>(index);
}

}  // namespace

FunctionScope::FunctionScope(KernelContext& kernel, const Function& of, std::string prefix,
                             std::uint64_t local_base, int owner_frame, Position call_site)
    : context(kernel),
      function(of),
      body(kernel.body_of(of)),
      frame(kernel.module.source, kernel.builder, body, std::move(prefix), local_base),
      owner(owner_frame),
      site(call_site) {
  frame.set_outer(&kernel.registers);
}

void FunctionScope::require_operands(const Statement& s, std::string_view name, std::size_t least,
                                     std::size_t most, const std::string& allowed) const {
  if (s.operands.size() >= least && s.operands.size() <= most) return;
  const std::string needs =
      least == most ? std::to_string(most) : std::to_string(least) + " to " + std::to_string(most);
  fail(s.position,
       std::string(name) + " needs " + needs + (most == 1 ? " operand" : " operands") + " here, has " +
           std::to_string(s.operands.size()),
       allowed);
}

const Operand* FunctionScope::find_register(const OperandSyntax& o) {
  Symbol* symbol = frame.find(o.name);
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

OperandSyntax FunctionScope::spell_out(const OperandSyntax& o) {
  if (o.kind == OperandSyntax::Kind::vector && o.items.size() == 1) return o.items.front();
  const Symbol* symbol =
      o.kind == OperandSyntax::Kind::name && o.component.empty() ? frame.find(o.name) : nullptr;
  if (!symbol || symbol->kind != Symbol::Kind::vector_reg) return o;
  OperandSyntax vector;
  vector.kind = OperandSyntax::Kind::vector;
  vector.position = o.position;
  vector.items.assign(symbol->lanes.size(), o);
  for (std::size_t e = 0; e < vector.items.size(); ++e)
    vector.items[e].component = std::string_view("xyzw").substr(e, 1);
  return vector;
}

bool FunctionScope::names_variable(const OperandSyntax& o) {
  const Symbol* symbol = frame.find(o.name);
  if (symbol) return symbol->kind != Symbol::Kind::reg && symbol->kind != Symbol::Kind::vector_reg;
  return context.module.symbols.count(o.name) != 0;
}

Symbol FunctionScope::variable(const OperandSyntax& o) {
  if (const Symbol* symbol = frame.find(o.name)) return *symbol;
  const auto it = context.module.symbols.find(o.name);
  if (it == context.module.symbols.end()) {
    if (context.module.find_function(o.name))
      fail(o.position, quoted(o.name) + " is a function, a variable is needed here");
    fail(o.position, "undeclared name " + quoted(full_name(o)));
  }
  const ModuleSymbol& m = it->second;
  if (m.refusal) {
    Refusal refusal = *m.refusal;
    refusal.what += ", declared at line " + std::to_string(refusal.position.line);
    refusal.position = o.position;
    context.module.source.fail(refusal);
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
  symbol.storage = context.storage_of(*m.variable);
  return symbol;
}

void FunctionScope::emit(const Statement& s, Item item) {
  Instruction& i = item.instruction;
  i.location = context.builder.location();
  const Position place = site.line ? site : s.position;
  i.location.ptx_line = place.line;
  i.location.ptx_column = place.column;
  const bool of_run_time = function.position.line > context.module.own_lines;
  if (context.notes && of_run_time && may_be_heap_code(i)) i.payload = kHeapCode;
  context.builder.emit(item);
}

Operand FunctionScope::emit_value(const Statement& s, Item item, int bits) {
  const Operand value = context.builder.new_register(bits, frame.prefix() + "value");
  item.instruction.dst[0] = value;
  item.instruction.num_dst = 1;
  emit(s, item);
  return value;
}

void FunctionScope::emit_copy(const Statement& s, const Variable& formal, const Operand& to,
                              const Operand& from) {
  Item item;
  item.instruction.op = Opcode::mov;
  item.instruction.type = formal.type == DataType::pred ? DataType::pred : bit_type(bits_of(formal.type));
  item.instruction.source_type = item.instruction.type;
  item.instruction.add_dst(to);
  item.instruction.add_src(from);
  emit(s, item);
}

RuntimeCall FunctionScope::failure_at(const Statement& s, std::string text) const {
  RuntimeCall call;
  call.kind = RuntimeCall::Kind::failure;
  call.text = std::move(text);
  call.function = function.name;
  const SourceLocation& place = context.builder.location();
  const bool mapped = place.line != 0 && place.file < context.program.files.size() && place.file != 0;
  call.file = mapped ? context.program.files[place.file] : context.module.source.file;
  call.line = mapped ? place.line : s.position.line;
  return call;
}

void FunctionScope::fail_at_run_time(const Statement& s, std::string text, const Operand* when) {
  context.program.runtime_calls.push_back(failure_at(s, std::move(text)));
  Item trap = make_item(Opcode::trap, DataType::none, {});
  trap.instruction.payload = context.program.runtime_calls.size();
  if (when) trap.instruction.guard = {true, when->negated, when->pred};
  emit(s, trap);
}

}  // namespace heddle::ptx
