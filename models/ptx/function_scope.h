#pragma once

// State of one function instance while its PTX statements are translated: its symbols, its variables and the
// instructions emitted so far. All classes of the translation share this state.

#include <string>
#include <string_view>

#include "models/ptx/frame.h"
#include "models/ptx/kernel_context.h"

namespace heddle::ptx {

/// A formal parameter or result of a function, and the register or variable of the caller for which it
/// stands.
struct Binding {
  const Variable* formal = nullptr;
  Symbol symbol;
};

struct FunctionScope {
  /// `owner_frame`: number of the stack frame that holds the function's local variables, or kNone.
  /// `call_site`: value of the member `site`.
  FunctionScope(KernelContext& kernel, const Function& of, std::string prefix, std::uint64_t local_base,
                int owner_frame, Position call_site);

  [[noreturn]] void fail(Position p, const std::string& what, const std::string& allowed = {}) const {
    context.module.source.fail(p, what, allowed);
  }
  bool is_kernel() const { return function.is_entry; }
  /// Throws Error unless the statement has at least `least` and at most `most` operands. `name`: name of the
  /// instruction in the error.
  void require_operands(const Statement& s, std::string_view name, std::size_t least, std::size_t most,
                        const std::string& allowed = {}) const;
  void require_operands(const Statement& s, std::size_t count) const {
    require_operands(s, s.name, count, count);
  }

  void emit(const Statement& s, Item item);
  /// Emits the instruction with a new register of `bits` bits as its destination. Returns this register.
  isa::Operand emit_value(const Statement& s, Item item, int bits);
  void emit_copy(const Statement& s, const Variable& formal, const isa::Operand& to,
                 const isa::Operand& from);
  isa::RuntimeCall failure_at(const Statement& s, std::string text) const;
  void fail_at_run_time(const Statement& s, std::string text, const isa::Operand* when);

  /// Returns the register that a name and an optional component (such as .x) stand for, or nullptr if the
  /// name is no register.
  const isa::Operand* find_register(const OperandSyntax& o);
  /// Returns the operand in a uniform notation: a vector register becomes the list of its components, and a
  /// list of one element becomes this element. Other operands are returned unchanged.
  OperandSyntax spell_out(const OperandSyntax& o);
  /// Returns the variable that the operand names, which the function or the module declares. Throws Error if
  /// there is none.
  Symbol variable(const OperandSyntax& o);
  bool names_variable(const OperandSyntax& o);

  KernelContext& context;
  const Function& function;
  const Body& body;
  Frame frame;
  int owner = kNone;
  /// For functions of the run-time library: source location of the call, which all their instructions get as
  /// their own location.
  Position site;
};

/// Return names for error messages: a name in quotes, and a name with its component.
inline std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }
inline std::string full_name(const OperandSyntax& o) {
  return std::string(o.name) + (o.component.empty() ? "" : "." + std::string(o.component));
}

}  // namespace heddle::ptx
