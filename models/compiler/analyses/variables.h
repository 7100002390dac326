#pragma once

// The variables of a program: what register allocation gives a place. One word, an aligned pair, or a predicate.

#include <cstdint>
#include <vector>

#include "models/isa/program.h"

namespace heddle::compiler {

enum class RegisterClass { general, predicate };

struct Variables {
  std::vector<int> of;               ///< word (or predicate) -> variable, -1 = never named
  std::vector<std::uint8_t> offset;  ///< of a word within its variable
  std::vector<std::uint8_t> size;    ///< words of a variable: 1 or 2
  std::vector<std::uint32_t> first;  ///< first word (or the predicate) of a variable

  int count() const { return static_cast<int>(size.size()); }
};

/// Throws Error if 64-bit operands overlap by halves.
Variables find_variables(const isa::Program& program, RegisterClass cls);

}  // namespace heddle::compiler
