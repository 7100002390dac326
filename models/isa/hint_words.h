#pragma once

// Encodes register hints (RegisterHint) as metadata instructions at the beginning of a program. In this way, a
// compiler for CORF register files gives the hints to the renaming hardware. The published descriptions give only
// the growth of the code, 1.3 % (Radaideh 2021, Table II), so the encoding is assumed.
//
// A metadata word has 64 bits. Bits 63..58 and 3..0 together are a 10-bit opcode. Bits 57..4 are a field of 54 bits.
// Words with release flags have the same form (release_flags.h). Contents of the field by opcode:
//   sides       Bit r of word n (0 = rightmost): register 54 n + r lies on the left side of its row of the banks.
//   pairs       Four pairs of six-bit register numbers, the first leftmost. A pair of equal numbers is empty.
//   pairs.wide  Three pairs of eight-bit register numbers, for programs with more than 63 registers.

#include <cstdint>
#include <span>
#include <vector>

#include "models/isa/program.h"

namespace heddle::isa {

/// Returns the metadata words that encode the hints of a program's registers. There are words `sides` only if
/// a register lies on the left side, and words `pairs` only if a register has a partner.
std::vector<std::uint64_t> encode_hints(std::span<const RegisterHint> hints);

/// Returns true for a metadata instruction that encode_hints() has created.
bool is_hint_word(const Instruction& instruction);

/// Returns the hints that the metadata instructions of the program encode, one for each register.
std::vector<RegisterHint> decode_hints(const Program& program);

}  // namespace heddle::isa
