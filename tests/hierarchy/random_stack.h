#pragma once

// Random register-file stacks of two and three stages, with compiler passes that fit them.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/fuzz/dice.h"
#include "tests/fuzz/fuzz_run.h"

namespace heddle::hierarchy {

struct Stack {
  std::string name;
  std::string stages;  ///< JSON list for gpu.sm.register_file.stages
  std::string passes;  ///< JSON texts behind the default clean-ups, joined by commas
};

/// Every kind of stack that the papers name, and their options one by one.
std::vector<Stack> named_stacks();

/// A kind of stack by number (modulo kStackKinds), its sizes and options at random.
inline constexpr int kStackKinds = 6;
Stack random_stack(int kind, fuzz::Dice& dice);

/// A random program on a random machine with a random stack, under a two-level scheduler more often than not.
fuzz::FuzzCase make_case(std::uint64_t seed);

/// "compiler.passes=[clean-ups, passes]".
std::string passes_setting(const Stack& stack, bool clean_ups = true);
std::string stages_setting(const Stack& stack);

}  // namespace heddle::hierarchy
