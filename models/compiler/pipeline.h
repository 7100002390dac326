#pragma once

// From the program as parsed to the program as executed.

#include <functional>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/fields.h"
#include "models/isa/program.h"

namespace heddle::compiler {

/// The clean-ups that bring PTX near to what a GPU executes.
std::vector<ConfigNode> default_passes();

struct CompilerParameters {
  int max_registers = 63;
  int predicates = 7;
  /// "allocate-registers" and "reconvergence" always run: where the list leaves them out, they stand before
  /// the first pass that works on architected registers.
  std::vector<ConfigNode> passes = default_passes();
  bool verify = true;
  /// Warps of the kernel that an SM holds at a time, as the program's registers allow; passes may use it in
  /// addition to the program. Not set: the SM is unknown.
  std::function<int(const isa::Program&)> resident_warps;

  void fields(FieldVisitor& v) {
    v.field(
        "max_registers", max_registers, {8, 255},
        "architected 32-bit registers a thread may use; what does not fit is spilled to local memory (16 are "
        "enough for every kernel, fewer for most)");
    v.field("predicates", predicates, {4, 64},
            "architected predicates a thread may use; more are kept in registers (7 assumed, as in GPUs "
            "since Fermi)");
    v.choices("passes", passes, "compiler pass",
              "compiler passes in order; [] executes the PTX as written, on architected registers");
    v.field("verify", verify, "check the form of the program after every pass");
  }
};

/// Sees the program as parsed (pass name "") and after each pass.
class PassObserver {
 public:
  virtual ~PassObserver() = default;
  virtual void after_pass(const std::string& pass, const isa::Program& program) = 0;
};

/// Throws Error for an unknown pass or a list in an order that cannot be, and for a program that does not fit
/// into the registers; InternalError if a pass breaks the program's form.
isa::Program compile(const isa::Program& parsed, const CompilerParameters& parameters,
                     PassObserver* observer = nullptr);

}  // namespace heddle::compiler
