// Calls of functions that have frames (call_stack.h).

#include <algorithm>

#include "models/core/error.h"
#include "models/isa/address_map.h"
#include "models/isa/type_of_width.h"
#include "models/ptx/align.h"
#include "models/ptx/lowering.h"

namespace heddle::ptx {

using namespace isa;

namespace {

constexpr std::uint64_t kWidestCopy = 8;
constexpr std::uint64_t kWidestAlignment = 16;
constexpr std::uint64_t kWordBytes = 4;

bool is_scalar(const Variable& v) { return v.dimensions.empty() && v.vector == 1; }

/// The parts that a block is copied by: as it was stored, or by its alignment.
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

/// Bytes of a parameter, in memory or in a register; a predicate is a word.
std::uint64_t bytes_of(const Source& source, const Variable& v) {
  if (v.refusal) source.fail(*v.refusal);
  if (v.type == DataType::pred && v.space == StateSpace::reg && !v.range && is_scalar(v)) return kWordBytes;
  if (v.type == DataType::pred || v.range || (v.space == StateSpace::reg && v.vector != 1) || v.is_unsized())
    source.fail(v.position, "not supported: this parameter of a function that may call itself");
  return v.bytes();
}

}  // namespace

/// The frame of a function and where its parts lie.
int KernelContext::frame_of(const Function& f, int site) {
  const std::size_t before = frames.size();
  const int number = frames.number_of(f, site);
  if (frames.size() == before) return number;
  StackedFunction& frame = frames.at(number);
  frame.entry = builder.new_label(std::string(f.name));
  frame.leave = builder.new_label(std::string(f.name) + ".return");
  // Functions that one call may mean find what it passes at the same places.
  const auto place = [&](const Variable& v) {
    const std::uint64_t bytes = bytes_of(module.source, v);
    return keeps_calls ? frame.place(align_up(bytes, kWidestAlignment), kWidestAlignment)
                       : frame.place(bytes, v.type == DataType::pred ? kWordBytes : v.alignment());
  };
  for (const Variable& v : f.results) frame.results.push_back(place(v));
  for (const Variable& v : f.parameters) frame.parameters.push_back(place(v));
  return number;
}

/// A load or store of a frame: of this function's callee, or of its own. A predicate lies there as a word.
void FunctionLowering::frame_access(const Statement& s, Opcode op, DataType type, bool of_callee,
                                    std::uint64_t place, const Operand& value) {
  if (type == DataType::pred) {
    const Operand word = op == Opcode::st ? emit_value(s, word_of(value), 32)
                                          : context_.builder.new_register(32, frame_.prefix() + "word");
    frame_access(s, op, DataType::b32, of_callee, place, word);
    if (op == Opcode::st || !value.is_pred()) return;
    Item test = predicate_of(word);
    test.instruction.add_dst(value);
    return emit(s, test);
  }
  Item item = make_item(op, type, {context_.frames.pointer});
  Instruction& i = item.instruction;
  i.memory.space = Space::local;
  i.memory.element_bytes = static_cast<std::uint8_t>(bits_of(type) / 8);
  i.memory.offset = static_cast<std::int64_t>(place);
  if (of_callee) item.frame = owner_;
  if (op == Opcode::st)
    i.add_src(value);
  else
    i.add_dst(value);
  emit(s, item);
}

void FunctionLowering::pass_argument(const Statement& s, const Variable& formal, std::uint64_t place,
                                     const OperandSyntax& actual) {
  const Symbol* block = bound_block(actual);
  if (!block) {
    if (!is_scalar(formal)) fail(actual.position, "an array parameter needs a .param variable as argument");
    const bool wider = formal.space == StateSpace::param;
    return frame_access(s, Opcode::st, formal.type, true, place, source(s, actual, {formal.type, wider}));
  }
  if (block->bytes < formal.bytes())
    fail(actual.position, "argument \"" + std::string(actual.name) + "\" has " +
                              std::to_string(block->bytes) + " bytes, parameter " + std::string(formal.name) +
                              " needs " + std::to_string(formal.bytes()));
  const Symbol from = *block;
  for (const auto& [at, bytes] : pieces_of(context_.builder, formal, &from)) {
    if (at + bytes > formal.bytes()) continue;
    const int bits = static_cast<int>(8 * bytes);
    const Operand value = context_.builder.new_register(std::max(bits, 16), frame_.prefix() + "argument");
    emit_block_access(s, Opcode::ld, bit_type(bits), from, value, at);
    frame_access(s, Opcode::st, bit_type(bits), true, place + at, value);
  }
}

void FunctionLowering::take_result(const Statement& s, const Variable& formal, std::uint64_t place,
                                   const OperandSyntax& actual) {
  if (actual.kind == OperandSyntax::Kind::sink) return;
  const Symbol* block = bound_block(actual);
  if (!block) {
    if (!is_scalar(formal)) fail(actual.position, "an array result needs a .param variable");
    const bool wider = formal.space == StateSpace::param;
    return frame_access(s, Opcode::ld, formal.type, true, place,
                        destination(s, actual, {formal.type, wider}));
  }
  if (block->bytes < formal.bytes())
    fail(actual.position, "\"" + std::string(actual.name) + "\" is too small for the result of " +
                              std::string(s.call.callee.name));
  const Symbol to = *block;
  for (const auto& [at, bytes] : pieces_of(context_.builder, formal, nullptr)) {
    const int bits = static_cast<int>(8 * bytes);
    const Operand value = context_.builder.new_register(std::max(bits, 16), frame_.prefix() + "result");
    frame_access(s, Opcode::ld, bit_type(bits), true, place + at, value);
    emit_block_access(s, Opcode::st, bit_type(bits), to, value, at);
  }
}

std::string full_stack_text(std::uint32_t stack_bytes, const Function& callee) {
  return "the stack of " + std::to_string(stack_bytes) + " bytes a thread is too small for the call of " +
         std::string(callee.name);
}

/// Ends the kernel with an error where no frame of the callee fits after this one.
void FunctionLowering::check_depth(const Statement& s, int callee) {
  ProgramBuilder& builder = context_.builder;
  Operand top = context_.frames.pointer;
  for (const int frame : {owner_, callee}) {
    if (frame == kNone) continue;
    const Operand next = builder.new_register(32, frame_.prefix() + "top");
    Item add = make_item(Opcode::add, DataType::u32, {top, Operand::make_immediate(0, 32)});
    add.instruction.add_dst(next);
    add.frame = frame;
    emit(s, add);
    top = next;
  }
  const Operand beyond = builder.new_predicate(frame_.prefix() + "beyond");
  Item compare = make_item(Opcode::setp, DataType::u32, {top, Operand::make_immediate(0, 32)});
  compare.instruction.modifiers.compare = Compare::gt;
  compare.instruction.add_dst(beyond);
  compare.stack = Item::Stack::end;
  emit(s, compare);
  fail_at_run_time(s, full_stack_text(context_.frames.bytes(), *context_.frames.at(callee).function),
                   &beyond);
}

void FunctionLowering::move_frame(const Statement& s, Opcode op, LabelId returns) {
  if (owner_ == kNone) return;
  const Operand& pointer = context_.frames.pointer;
  Item item = make_item(op, DataType::u32, {pointer, Operand::make_immediate(0, 32)});
  item.instruction.add_dst(pointer);
  item.frame = owner_;
  if (op == Opcode::add) item.returns = returns;
  item.restores = op == Opcode::sub;
  emit(s, item);
}

void FunctionLowering::stacked_call(const Statement& s, const Function& f) {
  ProgramBuilder& builder = context_.builder;
  const CallSyntax& c = s.call;
  const int site = owner_ == kNone ? context_.frames.new_site() : context_.frames.at(owner_).site;
  const int callee = context_.frame_of(f, site);
  check_depth(s, callee);
  for (std::size_t a = 0; a < c.arguments.size(); ++a)
    pass_argument(s, f.parameters[a], context_.frames.at(callee).parameters[a], c.arguments[a]);
  const LabelId behind = builder.new_label({});
  StackedFunction& frame = context_.frames.at(callee);
  const std::size_t number = frame.returns.size();
  frame.returns.push_back(behind);
  move_frame(s, Opcode::add, behind);
  frame_access(s, Opcode::st, DataType::b32, false, 0, Operand::make_immediate(number, 32));
  Item jump = make_item(Opcode::bra, DataType::none, {});
  jump.target = frame.entry;
  jump.returns = behind;
  emit(s, jump);
  builder.bind(behind);
  move_frame(s, Opcode::sub, kNone);
  for (std::size_t r = 0; r < c.results.size(); ++r)
    take_result(s, f.results[r], context_.frames.at(callee).results[r], c.results[r]);
}

/// The function's parameters as its body sees them; those in registers are read from the frame.
void FunctionLowering::bind_frame(const Statement& s) {
  const auto bind_to = [&](const Variable& v, std::uint64_t place, bool loads) {
    Symbol symbol;
    if (v.space == StateSpace::param) {
      symbol.kind = Symbol::Kind::frame;
      symbol.space = Space::local;
      symbol.address = place;
      symbol.bytes = v.bytes();
    } else {
      const std::string name = frame_.prefix() + std::string(v.name);
      symbol.bits = v.type == DataType::pred ? 1 : bits_of(v.type);
      symbol.reg = symbol.bits == 1 ? context_.builder.new_predicate(name)
                                    : context_.builder.new_register(symbol.bits, name);
      if (loads) frame_access(s, Opcode::ld, v.type, false, place, symbol.reg);
    }
    bind({&v, symbol});
  };
  const StackedFunction frame = context_.frames.at(owner_);
  for (std::size_t k = 0; k < function_.results.size(); ++k)
    bind_to(function_.results[k], frame.results[k], false);
  for (std::size_t k = 0; k < function_.parameters.size(); ++k)
    bind_to(function_.parameters[k], frame.parameters[k], true);
}

/// The body, once for all calls; at its end the results that are in registers go to the frame.
void FunctionLowering::run_in_frame() {
  ProgramBuilder& builder = context_.builder;
  Statement s;
  s.position = function_.position;
  builder.bind(context_.frames.at(owner_).entry);
  context_.frames.at(owner_).begin = builder.size();
  const std::size_t marker = context_.keeps_calls ? begin_kept_function(context_, function_, owner_) : 0;
  bind_frame(s);
  run();
  for (std::size_t k = 0; k < function_.results.size(); ++k) {
    const Variable& v = function_.results[k];
    if (v.space != StateSpace::reg || v.name == "_") continue;
    frame_access(s, Opcode::st, v.type, false, context_.frames.at(owner_).results[k],
                 frame_.find(v.name)->reg);
  }
  if (context_.keeps_calls)
    end_kept_function(context_, marker);
  else
    builder.branch(context_.frames.at(owner_).leave, {}, false);
  context_.frames.at(owner_).end = builder.size();
}

/// Goes on where the frame says.
void FunctionLowering::return_from_frame() {
  ProgramBuilder& builder = context_.builder;
  Statement s;
  s.position = function_.position;
  const StackedFunction& frame = context_.frames.at(owner_);
  builder.bind(frame.leave);
  const Operand number = builder.new_register(32, frame_.prefix() + "return");
  frame_access(s, Opcode::ld, DataType::b32, false, 0, number);
  for (std::size_t k = 0; k + 1 < frame.returns.size(); ++k) {
    const Operand here = builder.new_predicate(frame_.prefix() + "here");
    Item compare = make_item(Opcode::setp, DataType::u32, {number, Operand::make_immediate(k, 32)});
    compare.instruction.modifiers.compare = Compare::eq;
    compare.instruction.add_dst(here);
    emit(s, compare);
    builder.branch(frame.returns[k], {true, false, here.pred}, false);
  }
  builder.branch(frame.returns.back(), {}, false);
}

void lower_stacked_functions(KernelContext& context) {
  std::vector<std::unique_ptr<FunctionLowering>> lowered;
  for (std::size_t n = 0; n < context.frames.size(); ++n) {  // bodies may add more
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
