#pragma once

// Interface of compiler passes (family "compiler pass"). A pass is one step of the pipeline from the parsed
// to the executable program.
//
// Each pass has its own file, which also registers it:
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
// A pass must not change the results of the kernel in any lane, and every path must still end in exit. An
// instruction that a pass adds must have the source location of the instruction that it serves, and be marked
// `overhead` (or `metadata`). The result must depend only on the program and the parameters.

#include <functional>
#include <memory>

#include "models/compiler/compilation_unit.h"
#include "models/core/fields.h"
#include "models/core/registry.h"
#include "models/isa/latency_table.h"

namespace heddle::compiler {

enum class PassStage {
  before_allocation,  ///< the pass works on virtual registers
  allocation,         ///< the pass replaces virtual registers by architected registers
  after_allocation,   ///< the pass annotates or renumbers architected registers
  any,
};

struct PassContext {
  int max_registers = 63;  ///< Largest number of architected 32-bit registers of a thread.
  int predicates = 7;      ///< Largest number of architected predicates of a thread.
  /// Returns how many warps of a program an SM can hold. Empty if the SM is unknown.
  std::function<int(const isa::Program&)> resident_warps{};
  /// Latencies of the GPU; nullptr if the GPU is unknown.
  std::shared_ptr<const isa::LatencyTable> latencies{};
};

class ICompilerPass {
 public:
  static constexpr const char* kFamily = "compiler pass";
  static constexpr const char* kPlace = "compiler.passes";
  using Context = const PassContext;

  virtual ~ICompilerPass() = default;
  virtual PassStage stage() const = 0;
  /// Changes the program of `unit`. Throws Error if the pass cannot compile this program.
  virtual void run(CompilationUnit& unit) = 0;
  /// Checks data that this pass has attached to a program, for example its notes (models/isa/notes.h). Throws
  /// Error if the data do not fit the program. If compiler.verify is set, the pipeline calls this function
  /// after this pass and after each later pass.
  virtual void check(const isa::Program& /*program*/) const {}
};

}  // namespace heddle::compiler
