#pragma once

// Option sets of the passes for the register hierarchy, which tests run through.

#include <string>
#include <vector>

#include "models/compiler/pipeline.h"

namespace heddle::compiler::test {

struct HierarchyPipeline {
  std::string name;
  std::vector<std::string> passes;  ///< JSON texts of the passes after the default clean-ups
  int entries = 3;
};

/// Returns every option alone and the designs of the papers. The limit study without strand ends at
/// long-latency results is included only if `waits_mid_strand`.
std::vector<HierarchyPipeline> hierarchy_pipelines();

/// Returns the default clean-ups (or none) followed by these passes.
CompilerParameters with_pass_texts(const std::vector<std::string>& passes, bool clean_ups = true,
                                   int max_registers = 63);

}  // namespace heddle::compiler::test
