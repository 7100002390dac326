#pragma once

// Encoding of register release flags (Jeon 2015, 6.2): metadata instructions that name registers to release.
//
// A metadata word has 64 bits, as in Fermi's instructions: bits 63..58 and 3..0 together are a 10-bit opcode, and
// bits 57..4 are a field of 54 bits. Contents of the field by opcode:
//   pir       18 groups of three bits for the instructions that follow; the first group is leftmost (bits 53..51
//             of the field). Bit s of a group (0 = rightmost) stands for register source s. If the bit is set,
//             the register (both words of a pair) is released when the source has been read. An instruction with
//             more than three register sources occupies several groups. Immediates, predicates and special
//             registers do not count as register sources.
//   pbr       nine register numbers of six bits, the first leftmost, 63 = none. The registers are released before
//             the next instruction issues.
//   pbr.wide  six register numbers of eight bits, 255 = none, for programs with more than 63 registers.
// The values of the opcodes are assumed, because the paper gives none.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "models/isa/instruction.h"

namespace heddle::isa {

enum class ReleaseWord : std::uint8_t { none, pir, pbr, wide_pbr };

inline constexpr int kReleaseGroups = 18;
inline constexpr int kReleaseGroupBits = 3;
inline constexpr int kReleaseFieldBits = kReleaseGroups * kReleaseGroupBits;
inline constexpr std::uint64_t kReleaseField = (std::uint64_t{1} << kReleaseFieldBits) - 1;
/// In programs with at most this number of registers, pbr words (lists of registers to release) have six-bit
/// register numbers. In programs with more registers, they have eight-bit numbers.
inline constexpr std::uint32_t kNarrowRegisters = 63;

inline constexpr std::uint64_t kPirOpcode = 0x3d, kPbrOpcode = 0x3e, kWidePbrOpcode = 0x3f, kReleaseLow = 0x7;

inline ReleaseWord release_word(const Instruction& instruction) {
  if (!instruction.metadata || (instruction.payload & 15u) != kReleaseLow) return ReleaseWord::none;
  switch (instruction.payload >> 58) {
    case kPirOpcode:
      return ReleaseWord::pir;
    case kPbrOpcode:
      return ReleaseWord::pbr;
    case kWidePbrOpcode:
      return ReleaseWord::wide_pbr;
    default:
      return ReleaseWord::none;
  }
}
inline std::uint64_t release_field(std::uint64_t payload) { return payload >> 4 & kReleaseField; }
std::uint64_t encode_pir(std::uint64_t field);
/// Encodes a list of registers to release as pbr words, in order. Uses as many words as necessary.
std::vector<std::uint64_t> encode_pbr(std::span<const std::uint32_t> registers, bool wide);
inline int register_number_bits(bool wide) { return wide ? 8 : 6; }
template <class F>
void for_each_listed_register(ReleaseWord kind, std::uint64_t payload, F&& f) {
  if (kind != ReleaseWord::pbr && kind != ReleaseWord::wide_pbr) return;
  const int bits = register_number_bits(kind == ReleaseWord::wide_pbr);
  const std::uint64_t none = (std::uint64_t{1} << bits) - 1;
  for (int shift = kReleaseFieldBits - bits; shift >= 0; shift -= bits) {
    const std::uint64_t number = release_field(payload) >> shift & none;
    if (number != none) f(static_cast<std::uint32_t>(number));
  }
}
inline std::vector<std::uint32_t> listed_registers(ReleaseWord kind, std::uint64_t payload) {
  std::vector<std::uint32_t> registers;
  for_each_listed_register(kind, payload, [&](std::uint32_t r) { registers.push_back(r); });
  return registers;
}

inline int register_sources(const Instruction& i) {
  int count = 0;
  for (const Operand& o : i.sources()) count += o.is_reg();
  return count;
}
/// Number of three-bit groups of release flags that an instruction occupies in the preceding metadata word
/// (pir). A nop occupies none, so that a pass may insert nops after the flags have been set.
inline int release_groups(const Instruction& i) {
  if (i.op == Opcode::nop) return 0;
  return std::max(1, (register_sources(i) + kReleaseGroupBits - 1) / kReleaseGroupBits);
}
/// Returns the mask of the flag that releases register source `s` of the next instruction.
inline std::uint64_t release_bit(int s) {
  const int group = s / kReleaseGroupBits;
  return std::uint64_t{1} << (kReleaseFieldBits - kReleaseGroupBits * (group + 1) + s % kReleaseGroupBits);
}

template <class F>
void for_each_released_word(const Instruction& i, std::uint64_t flags, F&& f) {
  constexpr int most = (static_cast<int>(kMaxSources) + kReleaseGroupBits - 1) / kReleaseGroupBits;
  if (!(flags >> (kReleaseFieldBits - kReleaseGroupBits * most))) return;
  int source = 0;
  for (const Operand& o : i.sources()) {
    if (!o.is_reg() || !(flags & release_bit(source++))) continue;
    for (int w = 0; w < o.words(); ++w) f(o.reg.value + static_cast<std::uint32_t>(w));
  }
}

/// State (60 bits) of a decoder of release flags. Bits 53..0: flags of the following instructions; the
/// leftmost flags belong to the next instruction. Bits 59..54: number of pbr words since the previous
/// instruction. Each decoded instruction carries the state that the decoder had before this instruction.
class ReleaseLatch {
 public:
  explicit ReleaseLatch(std::uint64_t bits = 0) : bits_(bits) {}
  std::uint64_t bits() const { return bits_; }
  std::uint64_t flags() const { return bits_ & kReleaseField; }
  int lists() const { return static_cast<int>(bits_ >> kReleaseFieldBits & 63u); }

  void receive_pir(std::uint64_t field) { bits_ = (bits_ & ~kReleaseField) | (field & kReleaseField); }
  void receive_pbr() { bits_ += std::uint64_t{1} << kReleaseFieldBits; }
  void pass(const Instruction& i) { pass_groups(release_groups(i)); }
  void pass_groups(int groups) { bits_ = flags() << (kReleaseGroupBits * groups) & kReleaseField; }

 private:
  std::uint64_t bits_;
};

/// Returns a release metadata word as text, such as "pir 000043000000000000" (octal, one digit per group of
/// flags) or "pbr {r0, r1}". Empty for other metadata.
std::string release_text(const Instruction& instruction);

}  // namespace heddle::isa
