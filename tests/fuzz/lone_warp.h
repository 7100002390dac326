#pragma once

// Runs changed copies of a compiled random program as the only warp of a GPU without a scoreboard. On this
// GPU, a wrong control bit leads to wrong values.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/core/memory_image.h"
#include "testbench/launch/launch_format.h"
#include "testbench/run/run_parameters.h"
#include "tests/fuzz/fuzz_run.h"

namespace heddle::ptx {
class Module;
}

namespace heddle::fuzz {

struct LoneOutcome {
  /// difference from the memory of the reference, or the error that ended the run; "" if there is none
  std::string difference;
  std::uint64_t reuse_hits = 0;      ///< number of reads that the reuse cache served
  std::set<std::uint32_t> executed;  ///< instructions that the warp issued
};

class LoneWarp {
 public:
  /// Compiles the program for `setting` and executes it on the reference. `setting` needs one SM.
  LoneWarp(const RandomProgram& program, RandomSetting setting);

  const isa::Program& program() const { return compiled_; }
  /// Runs a changed program. `checked`: if true, the run ends with an error at the first operand or result
  /// that is accessed out of program order.
  LoneOutcome run(const isa::Program& changed, bool checked) const;

 private:
  run::RunParameters parameters_, checked_;
  launch::LaunchFile file_;
  std::shared_ptr<const ptx::Module> module_;
  MemoryImage expected_;
  isa::Program compiled_;
};

}  // namespace heddle::fuzz
