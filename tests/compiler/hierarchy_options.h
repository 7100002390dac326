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

/// Returns pipelines of passes: with every option of the register-hierarchy passes, and with the options of
/// the papers' designs.
std::vector<HierarchyPipeline> hierarchy_pipelines();

CompilerParameters with_pass_texts(const std::vector<std::string>& passes, bool clean_ups = true,
                                   int max_registers = 63);

}  // namespace heddle::compiler::test
