#pragma once

// Sets of options for the compiler passes of the register hierarchy. Several tests run all of these sets.

#include <string>
#include <vector>

#include "models/compiler/pipeline.h"

namespace heddle::compiler::test {

struct HierarchyPipeline {
  std::string name;
  /// JSON texts of the compiler passes that follow the default clean-up passes
  std::vector<std::string> passes;
  int entries = 3;
};

/// Returns a set for every single option, and the designs of the papers. The limit study in which strands do
/// not end at long-latency results is included only if `waits_mid_strand` is set.
std::vector<HierarchyPipeline> hierarchy_pipelines();

/// Returns compiler parameters with these passes, after the default clean-up passes if `clean_ups` is set.
CompilerParameters with_pass_texts(const std::vector<std::string>& passes, bool clean_ups = true,
                                   int max_registers = 63);

}  // namespace heddle::compiler::test
