#pragma once

// Finds the variables of a program, the units of register allocation. A variable is one 32-bit register word,
// an aligned pair of words (64-bit values), or a predicate.

#include <cstdint>
#include <vector>

#include "models/isa/program.h"

namespace heddle::compiler {

enum class RegisterClass { general, predicate };

struct Variables {
  std::vector<int> of;
  std::vector<std::uint8_t> offset;
  std::vector<std::uint8_t> size;
  std::vector<std::uint32_t> first;

  int count() const { return static_cast<int>(size.size()); }
};

/// Returns the variables of one register class. Throws Error if 64-bit operands overlap partly.
Variables find_variables(const isa::Program& program, RegisterClass cls);

}  // namespace heddle::compiler
