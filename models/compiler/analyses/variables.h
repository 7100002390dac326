#pragma once

// Variables of a program: the units of register allocation. A variable is one word, an aligned pair of words,
// or a predicate.

#include <cstdint>
#include <vector>

#include "models/isa/program.h"

namespace heddle::compiler {

enum class RegisterClass { general, predicate };

struct Variables {
  std::vector<int> of;               ///< word (or predicate) -> variable; -1 = never used
  std::vector<std::uint8_t> offset;  ///< by word: its index within its variable
  std::vector<std::uint8_t> size;    ///< by variable: number of words, 1 or 2
  std::vector<std::uint32_t> first;  ///< by variable: first word (or the predicate)

  int count() const { return static_cast<int>(size.size()); }
};

/// Throws Error if 64-bit operands overlap partly.
Variables find_variables(const isa::Program& program, RegisterClass cls);

}  // namespace heddle::compiler
