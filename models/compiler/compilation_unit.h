#pragma once

// The program in the pipeline, with the analyses that passes use. An analysis is computed at its first use
// and kept until the program changes.

#include <memory>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/divergence.h"
#include "models/compiler/analyses/liveness.h"
#include "models/isa/program.h"

namespace heddle::compiler {

class CompilationUnit {
 public:
  explicit CompilationUnit(isa::Program program) : program_(std::move(program)) {}

  const isa::Program& program() const { return program_; }
  /// Access for changes of any kind. Drops all analyses.
  isa::Program& edit() {
    flow_.reset();
    reconvergence_changed();
    return program_;
  }
  /// Access for changes that do not affect control flow, reads or writes (annotations, metadata). Keeps all
  /// analyses.
  isa::Program& annotate() { return program_; }
  /// Call after changing reconvergence points. Drops the analyses that depend on them, and liveness.
  void reconvergence_changed() {
    divergence_.reset();
    thread_.reset();
    warp_.reset();
  }

  const ControlFlow& control_flow();
  const LiveSets& thread_liveness();
  /// divergence() and warp_liveness() need reconvergence points: the pass "reconvergence" must have run.
  const Divergence& divergence();
  const WarpLiveSets& warp_liveness();

  isa::Program take() { return std::move(program_); }

 private:
  isa::Program program_;
  std::unique_ptr<ControlFlow> flow_;
  std::unique_ptr<LiveSets> thread_;
  std::unique_ptr<Divergence> divergence_;
  std::unique_ptr<WarpLiveSets> warp_;
};

}  // namespace heddle::compiler
