#pragma once

// Sets of options for the register-hierarchy passes.

#include <string>
#include <vector>

#include "models/compiler/pipeline.h"

namespace heddle::compiler::test {

struct HierarchyPipeline {
  std::string name;
  std::vector<std::string> passes;
  int entries = 3;
};

/// Returns passes with every option, and those of the papers' designs. The limit study in which strands do
/// not end at long-latency results needs `waits_mid_strand`.
std::vector<HierarchyPipeline> hierarchy_pipelines();

CompilerParameters with_pass_texts(const std::vector<std::string>& passes, bool clean_ups = true,
                                   int max_registers = 63);

}  // namespace heddle::compiler::test
