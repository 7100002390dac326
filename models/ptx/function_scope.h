#pragma once

// One function instance that is being lowered: what names mean in it, where its variables lie, and the instructions that
// it has so far. The parts of the lowering work on it.

#include <string>
#include <string_view>

#include "models/ptx/frame.h"
#include "models/ptx/kernel_context.h"

namespace heddle::ptx {

/// A formal parameter or result bound by the caller.
struct Binding {
  const Variable* formal = nullptr;
  Symbol symbol;
};

struct FunctionScope {
  /// `owner_frame`: the frame that local variables lie in; kNone: none. `call_site`: see `site`.
  FunctionScope(KernelContext& kernel, const Function& of, std::string prefix, std::uint64_t local_base,
                int owner_frame, Position call_site);

  [[noreturn]] void fail(Position p, const std::string& what, const std::string& allowed = {}) const {
    context.module.source.fail(p, what, allowed);
  }
  bool is_kernel() const { return function.is_entry; }
  /// Throws Error unless the statement has `least` to `most` operands; `name`: what the message calls it.
  void require_operands(const Statement& s, std::string_view name, std::size_t least, std::size_t most,
                        const std::string& allowed = {}) const;
  void require_operands(const Statement& s, std::size_t count) const {
    require_operands(s, s.name, count, count);
  }

  void emit(const Statement& s, Item item);
  /// The instruction with a new register as its destination.
  isa::Operand emit_value(const Statement& s, Item item, int bits);
  void emit_copy(const Statement& s, const Variable& formal, const isa::Operand& to,
                 const isa::Operand& from);
  isa::RuntimeCall failure_at(const Statement& s, std::string text) const;
  void fail_at_run_time(const Statement& s, std::string text, const isa::Operand* when);

  /// The register that a name with or without component means; nullptr if it is none.
  const isa::Operand* find_register(const OperandSyntax& o);
  /// A vector register as the list of its components, a list of one as its element, else the operand itself.
  OperandSyntax spell_out(const OperandSyntax& o);
  /// The variable (of the function or the module) that a name means; throws Error if there is none.
  Symbol variable(const OperandSyntax& o);
  bool names_variable(const OperandSyntax& o);

  KernelContext& context;
  const Function& function;
  const Body& body;
  Frame frame;
  int owner = kNone;
  Position site;  ///< of a function of the run time: the call, where its instructions are said to stand
};

/// In messages: a name, and one with its component.
inline std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }
inline std::string full_name(const OperandSyntax& o) {
  return std::string(o.name) + (o.component.empty() ? "" : "." + std::string(o.component));
}

}  // namespace heddle::ptx
