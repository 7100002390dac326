#pragma once

// State of one function instance during lowering: its symbols, its variables and the instructions emitted so
// far. The parts of the lowering share it.

#include <string>
#include <string_view>

#include "models/ptx/frame.h"
#include "models/ptx/kernel_context.h"

namespace heddle::ptx {

/// A formal parameter or result, and the symbol to which the caller binds it.
struct Binding {
  const Variable* formal = nullptr;
  Symbol symbol;
};

struct FunctionScope {
  /// `owner_frame`: number of the frame that holds the function's local variables, or kNone. `call_site`: see
  /// `site`.
  FunctionScope(KernelContext& kernel, const Function& of, std::string prefix, std::uint64_t local_base,
                int owner_frame, Position call_site);

  [[noreturn]] void fail(Position p, const std::string& what, const std::string& allowed = {}) const {
    context.module.source.fail(p, what, allowed);
  }
  bool is_kernel() const { return function.is_entry; }
  /// Throws Error unless the statement has `least` to `most` operands. `name` is the instruction's name in
  /// the error.
  void require_operands(const Statement& s, std::string_view name, std::size_t least, std::size_t most,
                        const std::string& allowed = {}) const;
  void require_operands(const Statement& s, std::size_t count) const {
    require_operands(s, s.name, count, count);
  }

  void emit(const Statement& s, Item item);
  /// Emits the instruction with a new destination register, which is returned.
  isa::Operand emit_value(const Statement& s, Item item, int bits);
  void emit_copy(const Statement& s, const Variable& formal, const isa::Operand& to,
                 const isa::Operand& from);
  isa::RuntimeCall failure_at(const Statement& s, std::string text) const;
  void fail_at_run_time(const Statement& s, std::string text, const isa::Operand* when);

  /// Returns the register of a name with an optional component, or nullptr if the name is no register.
  const isa::Operand* find_register(const OperandSyntax& o);
  /// Expands a vector register to the list of its components and a list of one to its element; other operands
  /// are returned unchanged.
  OperandSyntax spell_out(const OperandSyntax& o);
  /// Returns the variable of the function or the module. Throws Error if there is none.
  Symbol variable(const OperandSyntax& o);
  bool names_variable(const OperandSyntax& o);

  KernelContext& context;
  const Function& function;
  const Body& body;
  Frame frame;
  int owner = kNone;
  /// In a run-time function: location of the call, which its instructions get as their location.
  Position site;
};

/// For messages: a quoted name, and a name with its component.
inline std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }
inline std::string full_name(const OperandSyntax& o) {
  return std::string(o.name) + (o.component.empty() ? "" : "." + std::string(o.component));
}

}  // namespace heddle::ptx
