#pragma once

// Holds the program that the compiler passes change, and its analyses. An analysis is computed at its first
// use, and stays valid until the program changes.

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
  /// Returns the program for changes of any kind. Drops all analyses.
  isa::Program& edit() {
    flow_.reset();
    reconvergence_changed();
    return program_;
  }
  /// Returns the program for changes of annotations and metadata. These changes must not affect control flow,
  /// reads or writes. Keeps all analyses.
  isa::Program& annotate() { return program_; }
  /// Drops the divergence and liveness analyses. Must be called after changes of reconvergence points, on
  /// which these analyses depend.
  void reconvergence_changed() {
    divergence_.reset();
    thread_.reset();
    warp_.reset();
  }

  const ControlFlow& control_flow();
  const LiveSets& thread_liveness();
  /// Requires that the pass "reconvergence" has run.
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
