#pragma once

// Register-file stacks of the papers, with compiler passes that fit them.

#include <string>
#include <vector>

namespace heddle::hierarchy {

struct Stack {
  std::string name;
  std::string stages;  ///< JSON list for gpu.sm.register_file.stages
  std::string passes;  ///< JSON texts behind the default clean-ups, joined by commas
};

/// Every kind of stack that the papers name, and their options one by one.
std::vector<Stack> named_stacks();

/// "compiler.passes=[clean-ups, passes]".
std::string passes_setting(const Stack& stack, bool clean_ups = true);
std::string stages_setting(const Stack& stack);

}  // namespace heddle::hierarchy
