#pragma once

// Random PTX kernel bodies for the compiler's tests: nested branches and loops with divergent conditions,
// guarded instructions, 64-bit pairs, vectors, carry chains, copies and constants, exchanges between lanes,
// early exits.

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

/// A body for kernel() (compiler_harness.h). Each thread writes only words of `out` of its own.
std::string random_body(std::uint64_t seed, const RandomShape& shape);

/// A body for bare_kernel(): blocks with branches anywhere, endless loops and early exits among them. Not to be run.
std::string tangle(fuzz::Dice& dice, int blocks);

}  // namespace heddle::compiler::test
