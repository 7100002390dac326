#pragma once

// Makes random PTX kernels for the compiler's tests: nested divergent branches and loops, guards, register
// pairs, vectors, carry chains, exchanges between lanes, early exits.

#include <cstdint>
#include <string>

#include "tests/support/dice.h"

namespace heddle::compiler::test {

struct RandomShape {
  int words = 24;
  int pairs = 8;
  int predicates = 9;
  int statements = 40;
};

/// Returns a random body for kernel() (compiler_harness.h). Each thread writes only its own words of `out`.
std::string random_body(std::uint64_t seed, const RandomShape& shape);

/// Returns a random body for bare_kernel(). Its branches go from any block to any block, so it may contain
/// endless loops and must not be executed.
std::string tangle(fuzz::Dice& dice, int blocks);

}  // namespace heddle::compiler::test
