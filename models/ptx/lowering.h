#pragma once

// Lowers the statements of one function instance to machine instructions. Its parts work on one scope (function_scope.h).

#include <string>

#include "models/ptx/branch_lowering.h"
#include "models/ptx/call_lowering.h"
#include "models/ptx/declaration_lowering.h"
#include "models/ptx/expansion_lowering.h"
#include "models/ptx/move_lowering.h"
#include "models/ptx/texture_lowering.h"

namespace heddle::ptx {

class FunctionLowering {
 public:
  /// `owner`: the frame that local variables lie in; kNone: none. `site`: FunctionScope::site.
  FunctionLowering(KernelContext& context, const Function& function, std::string prefix,
                   std::uint64_t local_base, int owner, Position site = {});

  void bind(const Binding& binding);
  /// Lowers all statements. `ret` ends the thread in a kernel and goes to the end of the body in a function.
  void run();
  /// A function that has a frame: its body, and after all bodies its returns.
  void run_in_frame();
  void return_from_frame();

 private:
  void statement(const Statement& s);
  void location(const Statement& s);
  void instruction(const Statement& s);
  void custom(const Statement& s, Item item);
  void leave(const Statement& s, Item item);
  void bind_frame(const Statement& s);

  FunctionScope scope_;
  OperandLowering operands_;
  ParameterPlaces places_;
  DeclarationLowering declarations_;
  BranchLowering branches_;
  MoveLowering moves_;
  ExpansionLowering expansions_;
  TextureLowering textures_;
  CallLowering calls_;
  LabelId end_ = kNone;
};

/// Instructions around a function of kept calls (models/isa/kept_calls.h): returns the position of its
/// metadata, whose registers are known at the end.
std::size_t begin_kept_function(KernelContext& context, const Function& f, int number);
void end_kept_function(KernelContext& context, std::size_t begin);

/// The functions with frames that calls so far need, and those that these need.
void lower_stacked_functions(KernelContext& context);

}  // namespace heddle::ptx
