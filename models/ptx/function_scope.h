#pragma once

// State of one copy of a function while its PTX statements are translated: its symbols, its variables and the
// instructions emitted so far.

#include <string>
#include <string_view>

#include "models/ptx/frame.h"
#include "models/ptx/kernel_context.h"

namespace heddle::ptx {

struct Binding {
  const Variable* formal = nullptr;
  Symbol symbol;
};

struct FunctionScope {
  /// Creates the state of one copy of a function. `owner_frame`: number of the stack frame with the
  /// function's local variables, or kNone. `call_site`: position of the call for which this copy of the
  /// function exists.
  FunctionScope(KernelContext& kernel, const Function& of, std::string prefix, std::uint64_t local_base,
                int owner_frame, Position call_site);

  [[noreturn]] void fail(Position p, const std::string& what, const std::string& allowed = {}) const {
    context.module.source.fail(p, what, allowed);
  }
  bool is_kernel() const { return function.is_entry; }
  void require_operands(const Statement& s, std::string_view name, std::size_t least, std::size_t most,
                        const std::string& allowed = {}) const;
  void require_operands(const Statement& s, std::size_t count) const {
    require_operands(s, s.name, count, count);
  }

  void emit(const Statement& s, Item item);
  isa::Operand emit_value(const Statement& s, Item item, int bits);
  void emit_copy(const Statement& s, const Variable& formal, const isa::Operand& to,
                 const isa::Operand& from);
  isa::RuntimeCall failure_at(const Statement& s, std::string text) const;
  void fail_at_run_time(const Statement& s, std::string text, const isa::Operand* when);

  const isa::Operand* find_register(const OperandSyntax& o);
  OperandSyntax spell_out(const OperandSyntax& o);
  /// Returns the variable that an operand names. Throws Error if it names no variable of the function or the
  /// module.
  Symbol variable(const OperandSyntax& o);
  bool names_variable(const OperandSyntax& o);

  KernelContext& context;
  const Function& function;
  const Body& body;
  Frame frame;
  int owner = kNone;
  /// For a run-time library function: source location of its call. All instructions of the function get this
  /// location.
  Position site;
};

inline std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }
inline std::string full_name(const OperandSyntax& o) {
  return std::string(o.name) + (o.component.empty() ? "" : "." + std::string(o.component));
}

}  // namespace heddle::ptx
