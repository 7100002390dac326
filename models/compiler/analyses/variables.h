#pragma once

// Finds the variables of a program, the units of register allocation. A variable is one of these: a 32-bit
// register word, an aligned pair of words (64-bit values), an aligned group of 4 or 8 words (matrix
// operands), or a predicate.

#include <cstdint>
#include <vector>

#include "models/isa/program.h"

namespace heddle::compiler {

enum class RegisterClass { general, predicate };

struct Variables {
  std::vector<int> of;  ///< for each register word (or predicate): number of its variable; -1 = never used
  std::vector<std::uint8_t> offset;  ///< for each register word: its index within its variable
  std::vector<std::uint8_t> size;    ///< for each variable: number of words: 1, 2, 4 or 8
  std::vector<std::uint32_t> first;  ///< for each variable: its first word (or its predicate)

  /// Parts of variables: liveness is computed separately for each part. `part`: number of the part of each
  /// register word (or predicate). `variable_of_part`: variable of each part. In programs with matrix
  /// instructions, every word of a variable is a part, because other instructions write the words of a matrix
  /// operand one by one. In all other programs, a variable is one part.
  std::vector<int> part;
  std::vector<int> variable_of_part;

  int count() const { return static_cast<int>(size.size()); }
};

/// Returns the variables of one register class. Throws Error if operands of several words overlap partly.
Variables find_variables(const isa::Program& program, RegisterClass cls);

}  // namespace heddle::compiler
