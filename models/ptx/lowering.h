#pragma once

// Translates the PTX statements of one copy of a function to machine instructions. The classes for the
// different kinds of statements share one FunctionScope.

#include <string>

#include "models/ptx/branch_lowering.h"
#include "models/ptx/call_lowering.h"
#include "models/ptx/copy_lowering.h"
#include "models/ptx/declaration_lowering.h"
#include "models/ptx/expansion_lowering.h"
#include "models/ptx/matrix_lowering.h"
#include "models/ptx/move_lowering.h"
#include "models/ptx/texture_lowering.h"
#include "models/ptx/wmma_lowering.h"

namespace heddle::ptx {

class FunctionLowering {
 public:
  /// Prepares the translation of one copy of a function. `owner`: number of the stack frame with the
  /// function's local variables, or kNone. `site`: position of the call for which this copy of the function
  /// exists.
  FunctionLowering(KernelContext& context, const Function& function, std::string prefix,
                   std::uint64_t local_base, int owner, Position site = {});

  void bind(const Binding& binding);
  void run();
  /// Translate a function with a stack frame in local memory. run_in_frame() emits the body.
  /// return_from_frame() emits the return, when all return points are known.
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
  CopyLowering copies_;
  MatrixLowering matrices_;
  WmmaLowering fragments_;
  CallLowering calls_;
  LabelId end_ = kNone;
};

/// Emit the first and last instructions of a function that the untimed reference calls
/// (models/isa/kept_calls.h). begin_kept_function() returns the position of the function's metadata, where
/// end_kept_function() stores the register counts.
std::size_t begin_kept_function(KernelContext& context, const Function& f, int number);
void end_kept_function(KernelContext& context, std::size_t begin);

void lower_stacked_functions(KernelContext& context);

}  // namespace heddle::ptx
