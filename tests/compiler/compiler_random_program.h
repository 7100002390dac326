#pragma once

// Random PTX kernels for the tests of the compiler: nested branches and loops with divergent conditions,
// guarded instructions, 64-bit register pairs, vectors, carry chains, copies and constants, exchanges between
// lanes, early exits.

#include <cstdint>
#include <string>

#include "tests/support/dice.h"

namespace heddle::compiler::test {

struct RandomShape {
  int words = 24;  ///< number of 32-bit variables
  int pairs = 8;   ///< number of 64-bit variables
  int predicates = 9;
  int statements = 40;  ///< number of statements at the outermost level
};

/// Returns a random body for kernel() (compiler_harness.h). Each thread writes only its own words of `out`.
std::string random_body(std::uint64_t seed, const RandomShape& shape);

/// Returns a random body for bare_kernel() with branches between arbitrary blocks, including endless loops
/// and early exits. The kernel must not be executed.
std::string tangle(fuzz::Dice& dice, int blocks);

}  // namespace heddle::compiler::test
