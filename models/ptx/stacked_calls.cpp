// Translates calls of functions whose parameters and variables are in stack frames (call_stack.h).

#include <algorithm>

#include "models/core/error.h"
#include "models/isa/address_map.h"
#include "models/isa/type_of_width.h"
#include "models/ptx/align.h"
#include "models/ptx/lowering.h"

namespace heddle::ptx {

using namespace isa;

namespace {

constexpr std::uint64_t kWidestAlignment = 16;
constexpr std::uint64_t kWordBytes = 4;

std::uint64_t bytes_of(const Source& source, const Variable& v) {
  if (v.refusal) source.fail(*v.refusal);
  if (v.type == DataType::pred && v.space == StateSpace::reg && !v.range && is_scalar(v)) return kWordBytes;
  if (v.type == DataType::pred || v.range || (v.space == StateSpace::reg && v.vector != 1) || v.is_unsized())
    source.fail(v.position, "not supported: this parameter of a function that may call itself");
  return v.bytes();
}

}  // namespace

/// Returns the number of the stack frame of function `f` for calls from `site`. When frame_of() is called
/// with these arguments for the first time, it lays out the frame.
int KernelContext::frame_of(const Function& f, int site) {
  const std::size_t before = frames.size();
  const int number = frames.number_of(f, site);
  if (frames.size() == before) return number;
  StackedFunction& frame = frames.at(number);
  frame.entry = builder.new_label(std::string(f.name));
  frame.leave = builder.new_label(std::string(f.name) + ".return");
  const auto place = [&](const Variable& v) {
    const std::uint64_t bytes = bytes_of(module.source, v);
    return keeps_calls ? frame.place(align_up(bytes, kWidestAlignment), kWidestAlignment)
                       : frame.place(bytes, v.type == DataType::pred ? kWordBytes : v.alignment());
  };
  for (const Variable& v : f.results) frame.results.push_back(place(v));
  for (const Variable& v : f.parameters) frame.parameters.push_back(place(v));
  return number;
}

std::string full_stack_text(std::uint32_t stack_bytes, const Function& callee) {
  return "the stack of " + std::to_string(stack_bytes) + " bytes a thread is too small for the call of " +
         std::string(callee.name);
}

void CallLowering::check_depth(const Statement& s, int callee) {
  ProgramBuilder& builder = scope_.context.builder;
  Operand top = scope_.context.frames.pointer;
  for (const int frame : {scope_.owner, callee}) {
    if (frame == kNone) continue;
    const Operand next = builder.new_register(32, scope_.frame.prefix() + "top");
    Item add = make_item(Opcode::add, DataType::u32, {top, Operand::make_immediate(0, 32)});
    add.instruction.add_dst(next);
    add.frame = frame;
    scope_.emit(s, add);
    top = next;
  }
  const Operand beyond = builder.new_predicate(scope_.frame.prefix() + "beyond");
  Item compare = make_item(Opcode::setp, DataType::u32, {top, Operand::make_immediate(0, 32)});
  compare.instruction.modifiers.compare = Compare::gt;
  compare.instruction.add_dst(beyond);
  compare.stack = Item::Stack::end;
  scope_.emit(s, compare);
  scope_.fail_at_run_time(
      s, full_stack_text(scope_.context.frames.bytes(), *scope_.context.frames.at(callee).function), &beyond);
}

void CallLowering::move_frame(const Statement& s, Opcode op, LabelId returns) {
  if (scope_.owner == kNone) return;
  const Operand& pointer = scope_.context.frames.pointer;
  Item item = make_item(op, DataType::u32, {pointer, Operand::make_immediate(0, 32)});
  item.instruction.add_dst(pointer);
  item.frame = scope_.owner;
  if (op == Opcode::add) item.returns = returns;
  item.restores = op == Opcode::sub;
  scope_.emit(s, item);
}

void CallLowering::stacked_call(const Statement& s, const Function& f) {
  ProgramBuilder& builder = scope_.context.builder;
  const CallSyntax& c = s.call;
  const int site =
      scope_.owner == kNone ? scope_.context.frames.new_site() : scope_.context.frames.at(scope_.owner).site;
  const int callee = scope_.context.frame_of(f, site);
  check_depth(s, callee);
  for (std::size_t a = 0; a < c.arguments.size(); ++a)
    bindings_.pass_argument(s, f.parameters[a], scope_.context.frames.at(callee).parameters[a],
                            c.arguments[a]);
  const LabelId behind = builder.new_label({});
  StackedFunction& frame = scope_.context.frames.at(callee);
  const std::size_t number = frame.returns.size();
  frame.returns.push_back(behind);
  move_frame(s, Opcode::add, behind);
  places_.frame_access(s, Opcode::st, DataType::b32, false, 0, Operand::make_immediate(number, 32));
  Item jump = make_item(Opcode::bra, DataType::none, {});
  jump.target = frame.entry;
  jump.returns = behind;
  scope_.emit(s, jump);
  builder.bind(behind);
  move_frame(s, Opcode::sub, kNone);
  for (std::size_t r = 0; r < c.results.size(); ++r)
    bindings_.take_result(s, f.results[r], scope_.context.frames.at(callee).results[r], c.results[r]);
}

void FunctionLowering::bind_frame(const Statement& s) {
  const auto bind_to = [&](const Variable& v, std::uint64_t place, bool loads) {
    Symbol symbol;
    if (v.space == StateSpace::param) {
      symbol.kind = Symbol::Kind::frame;
      symbol.space = Space::local;
      symbol.address = place;
      symbol.bytes = v.bytes();
    } else {
      const std::string name = scope_.frame.prefix() + std::string(v.name);
      symbol.bits = v.type == DataType::pred ? 1 : bits_of(v.type);
      symbol.reg = symbol.bits == 1 ? scope_.context.builder.new_predicate(name)
                                    : scope_.context.builder.new_register(symbol.bits, name);
      if (loads) places_.frame_access(s, Opcode::ld, v.type, false, place, symbol.reg);
    }
    bind({&v, symbol});
  };
  const StackedFunction frame = scope_.context.frames.at(scope_.owner);
  for (std::size_t k = 0; k < scope_.function.results.size(); ++k)
    bind_to(scope_.function.results[k], frame.results[k], false);
  for (std::size_t k = 0; k < scope_.function.parameters.size(); ++k)
    bind_to(scope_.function.parameters[k], frame.parameters[k], true);
}

void FunctionLowering::run_in_frame() {
  ProgramBuilder& builder = scope_.context.builder;
  Statement s;
  s.position = scope_.function.position;
  builder.bind(scope_.context.frames.at(scope_.owner).entry);
  scope_.context.frames.at(scope_.owner).begin = builder.size();
  const std::size_t marker =
      scope_.context.keeps_calls ? begin_kept_function(scope_.context, scope_.function, scope_.owner) : 0;
  bind_frame(s);
  run();
  for (std::size_t k = 0; k < scope_.function.results.size(); ++k) {
    const Variable& v = scope_.function.results[k];
    if (v.space != StateSpace::reg || v.name == "_") continue;
    places_.frame_access(s, Opcode::st, v.type, false, scope_.context.frames.at(scope_.owner).results[k],
                         scope_.frame.find(v.name)->reg);
  }
  if (scope_.context.keeps_calls)
    end_kept_function(scope_.context, marker);
  else
    builder.branch(scope_.context.frames.at(scope_.owner).leave, {}, false);
  scope_.context.frames.at(scope_.owner).end = builder.size();
}

/// Emits the branch to the return point whose number the stack frame holds: a chain of compares and branches.
void FunctionLowering::return_from_frame() {
  ProgramBuilder& builder = scope_.context.builder;
  Statement s;
  s.position = scope_.function.position;
  const StackedFunction& frame = scope_.context.frames.at(scope_.owner);
  builder.bind(frame.leave);
  const Operand number = builder.new_register(32, scope_.frame.prefix() + "return");
  places_.frame_access(s, Opcode::ld, DataType::b32, false, 0, number);
  for (std::size_t k = 0; k + 1 < frame.returns.size(); ++k) {
    const Operand here = builder.new_predicate(scope_.frame.prefix() + "here");
    Item compare = make_item(Opcode::setp, DataType::u32, {number, Operand::make_immediate(k, 32)});
    compare.instruction.modifiers.compare = Compare::eq;
    compare.instruction.add_dst(here);
    scope_.emit(s, compare);
    builder.branch(frame.returns[k], {true, false, here.pred}, false);
  }
  builder.branch(frame.returns.back(), {}, false);
}

void lower_stacked_functions(KernelContext& context) {
  std::vector<std::unique_ptr<FunctionLowering>> lowered;
  for (std::size_t n = 0; n < context.frames.size(); ++n) {
    const Function& f = *context.frames.at(static_cast<int>(n)).function;
    context.stack.push_back(&f);
    const std::string prefix = std::string(f.name) + "." + std::to_string(n) + ".";
    lowered.push_back(std::make_unique<FunctionLowering>(context, f, prefix, 0, static_cast<int>(n)));
    lowered.back()->run_in_frame();
    context.stack.pop_back();
  }
  if (context.keeps_calls) return;
  for (const auto& function : lowered) function->return_from_frame();
}

}  // namespace heddle::ptx
