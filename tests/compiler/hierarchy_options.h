#pragma once

// The passes that use the register hierarchy, in the option sets that the tests go through.

#include <string>
#include <vector>

#include "models/compiler/pipeline.h"

namespace heddle::compiler::test {

struct HierarchyPipeline {
  std::string name;
  std::vector<std::string> passes;  ///< JSON text each, after the default clean-ups
  int entries = 3;
};

/// Every option on its own and the papers' designs; `waits_mid_strand` = the limit study without strand ends
/// at long-latency results is left out.
std::vector<HierarchyPipeline> hierarchy_pipelines();

/// Default clean-ups (or none), then these passes.
CompilerParameters with_pass_texts(const std::vector<std::string>& passes, bool clean_ups = true,
                                   int max_registers = 63);

}  // namespace heddle::compiler::test
