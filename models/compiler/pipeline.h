#pragma once

// Runs the compiler passes that turn a parsed PTX program into the program that the simulator executes.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/fields.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// Passes that run by default. These passes clean up the PTX so that it resembles the machine code of a GPU.
std::vector<ConfigNode> default_passes();

struct CompilerParameters {
  int max_registers = 63;
  int predicates = 7;
  /// Compiler passes in the order in which they run. If the list lacks "allocate-registers" or "reconvergence",
  /// the missing pass runs before the first pass that works on architected registers.
  std::vector<ConfigNode> passes = default_passes();
  bool verify = true;
  /// Returns how many warps of a program an SM can hold. Empty if the SM is unknown.
  std::function<int(const isa::Program&)> resident_warps;
  /// Latencies of the GPU; nullptr if the GPU is unknown.
  std::shared_ptr<const isa::LatencyTable> latencies;

  void fields(FieldVisitor& v) {
    v.field("max_registers", max_registers, {8, 255},
            "architected 32-bit registers that a thread may use; other values are spilled to local memory "
            "(16 are enough for every kernel, fewer for most)");
    v.field("predicates", predicates, {4, 64},
            "architected predicates that a thread may use; others are kept in registers (7 assumed, as in "
            "GPUs since Fermi)");
    v.choices("passes", passes, "compiler pass",
              "compiler passes in order; [] executes the PTX as written, on architected registers");
    v.field("verify", verify, "check the form of the program after every pass");
  }
};

/// Receives the parsed program (with the pass name "") and the program after each compiler pass.
class PassObserver {
 public:
  virtual ~PassObserver() = default;
  virtual void after_pass(const std::string& pass, const isa::Program& program) = 0;
};

/// Runs all passes on `parsed` and returns the program that the simulator executes. Throws Error for an
/// unknown pass, an invalid order of passes, and a program that does not fit in the registers. Throws
/// InternalError if a pass produces an invalid program.
isa::Program compile(const isa::Program& parsed, const CompilerParameters& parameters,
                     PassObserver* observer = nullptr);

}  // namespace heddle::compiler
