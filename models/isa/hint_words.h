#pragma once

// Encoding of register hints (RegisterHint) as metadata instructions at the beginning of a program. A CORF
// compiler passes the hints to the renaming hardware in this way. The published descriptions give only the
// growth of the code, 1.3 % (Radaideh 2021, Table II), so the encoding is assumed.
//
// A metadata word has 64 bits: a field of 54 bits (bits 57..4) between the upper six and the lower four bits
// of a 10-bit opcode, as in words with release flags (release_flags.h).
//   sides       bit r of the n-th word (0 = rightmost) is set if register 54 n + r lies on the left side of its row.
//   pairs       four pairs of six-bit register numbers, the first leftmost; a pair of equal numbers is empty.
//   pairs.wide  three pairs of eight-bit register numbers, for programs with more than 63 registers.

#include <cstdint>
#include <span>
#include <vector>

#include "models/isa/program.h"

namespace heddle::isa {

/// Returns the metadata words for the hints of a program's registers. Returns words `sides` if a register
/// lies on the left side, and words `pairs` if a register has a partner. Returns nothing if there are no
/// hints.
std::vector<std::uint64_t> encode_hints(std::span<const RegisterHint> hints);

/// Returns true for a metadata instruction that encode_hints() has created.
bool is_hint_word(const Instruction& instruction);

/// Returns the hints that the metadata instructions of the program encode, one for each register.
std::vector<RegisterHint> decode_hints(const Program& program);

}  // namespace heddle::isa
