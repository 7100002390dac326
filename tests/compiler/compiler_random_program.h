#pragma once

// Random PTX kernel bodies: nested branches and loops with divergent conditions, guarded instructions, 64-bit
// pairs, vectors, carry chains, copies and constants, exchanges between lanes, early exits.

#include <cstdint>
#include <string>

#include "tests/support/dice.h"

namespace heddle::compiler::test {

struct RandomShape {
  int words = 24;  ///< 32-bit variables
  int pairs = 8;   ///< 64-bit variables
  int predicates = 9;
  int statements = 40;  ///< at the outermost level
};

/// Returns a body for kernel() (compiler_harness.h). Each thread writes only its own words of `out`.
std::string random_body(std::uint64_t seed, const RandomShape& shape);

/// Returns a body for bare_kernel() with branches between any blocks, including endless loops and early
/// exits. It must not be executed.
std::string tangle(fuzz::Dice& dice, int blocks);

}  // namespace heddle::compiler::test
