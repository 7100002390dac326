#pragma once

// The family "compiler pass": one step of the pipeline from the program as parsed to the program as executed.
//
// A pass reads the program and the analyses of a CompilationUnit and changes the program through it. It lives
// in a file of its own, which also registers it:
//
//   class FoldThings : public ICompilerPass {
//    public:
//     FoldThings(const FoldThingsParameters& parameters, Context&);
//     PassStage stage() const override { return PassStage::before_allocation; }
//     void run(CompilationUnit& unit) override;
//   };
//   const Registration<ICompilerPass, FoldThings, FoldThingsParameters> registered{
//       "fold-things", "what it does"};
//
// Promises of every pass: what the kernel computes stays the same, in every lane; every path still ends in
// exit; instructions that it adds carry the location of the instruction that they serve and are marked
// `overhead` (or `metadata`); the result depends on the program and the parameters alone.

#include <functional>

#include "models/compiler/compilation_unit.h"
#include "models/core/fields.h"
#include "models/core/registry.h"

namespace heddle::compiler {

/// Where in the pipeline a pass may stand.
enum class PassStage {
  before_allocation,  ///< works on virtual registers: clean-ups
  allocation,         ///< makes architected registers of virtual ones
  after_allocation,   ///< annotates or renumbers architected registers
  any,
};

/// Constructor argument of a pass, besides its own parameters.
struct PassContext {
  int max_registers = 63;  ///< architected 32-bit registers a thread may use
  int predicates = 7;      ///< architected predicates
  /// Warps of the kernel that an SM holds at a time, as the program's registers allow; empty if the SM is not
  /// known.
  std::function<int(const isa::Program&)> resident_warps{};
};

class ICompilerPass {
 public:
  static constexpr const char* kFamily = "compiler pass";
  static constexpr const char* kPlace = "compiler.passes";
  using Context = const PassContext;

  virtual ~ICompilerPass() = default;
  virtual PassStage stage() const = 0;
  /// Throws Error if the program cannot be compiled.
  virtual void run(CompilationUnit& unit) = 0;
};

}  // namespace heddle::compiler
