#include "models/compiler/compilation_unit.h"

namespace heddle::compiler {

const ControlFlow& CompilationUnit::control_flow() {
  if (!flow_) flow_ = std::make_unique<ControlFlow>(program_);
  return *flow_;
}

const LiveSets& CompilationUnit::thread_liveness() {
  if (!thread_) thread_ = std::make_unique<LiveSets>(program_, control_flow());
  return *thread_;
}

const Divergence& CompilationUnit::divergence() {
  if (!divergence_) divergence_ = std::make_unique<Divergence>(program_, control_flow());
  return *divergence_;
}

const WarpLiveSets& CompilationUnit::warp_liveness() {
  if (!warp_)
    warp_ = std::make_unique<WarpLiveSets>(program_, control_flow(), thread_liveness(), divergence());
  return *warp_;
}

}  // namespace heddle::compiler
