#include "models/isa/release_flags.h"

namespace heddle::isa {
namespace {

// The upper six bits of the opcodes and the lower four, which they share.
constexpr std::uint64_t kPir = 0x3d, kPbr = 0x3e, kWidePbr = 0x3f, kLow = 0x7;

std::uint64_t word(std::uint64_t opcode, std::uint64_t field) {
  return opcode << 58 | (field & kReleaseField) << 4 | kLow;
}

int number_bits(bool wide) { return wide ? 8 : 6; }

}  // namespace

ReleaseWord release_word(const Instruction& instruction) {
  if (!instruction.metadata || (instruction.payload & 15u) != kLow) return ReleaseWord::none;
  switch (instruction.payload >> 58) {
    case kPir:
      return ReleaseWord::pir;
    case kPbr:
      return ReleaseWord::pbr;
    case kWidePbr:
      return ReleaseWord::wide_pbr;
    default:
      return ReleaseWord::none;
  }
}

std::uint64_t encode_pir(std::uint64_t field) { return word(kPir, field); }

std::vector<std::uint64_t> encode_pbr(std::span<const std::uint32_t> registers, bool wide) {
  const int bits = number_bits(wide);
  const auto places = static_cast<std::size_t>(kReleaseFieldBits / bits);
  std::vector<std::uint64_t> words;
  for (std::size_t first = 0; first < registers.size(); first += places) {
    std::uint64_t field = kReleaseField;
    for (std::size_t n = first; n < std::min(first + places, registers.size()); ++n) {
      const int shift = kReleaseFieldBits - bits * static_cast<int>(n - first + 1);
      field &= ~(((std::uint64_t{1} << bits) - 1) << shift);
      field |= std::uint64_t{registers[n]} << shift;
    }
    words.push_back(word(wide ? kWidePbr : kPbr, field));
  }
  return words;
}

std::vector<std::uint32_t> listed_registers(ReleaseWord kind, std::uint64_t payload) {
  std::vector<std::uint32_t> registers;
  if (kind != ReleaseWord::pbr && kind != ReleaseWord::wide_pbr) return registers;
  const int bits = number_bits(kind == ReleaseWord::wide_pbr);
  const std::uint64_t none = (std::uint64_t{1} << bits) - 1;
  for (int shift = kReleaseFieldBits - bits; shift >= 0; shift -= bits) {
    const std::uint64_t number = release_field(payload) >> shift & none;
    if (number != none) registers.push_back(static_cast<std::uint32_t>(number));
  }
  return registers;
}

std::string release_text(const Instruction& instruction) {
  const ReleaseWord kind = release_word(instruction);
  if (kind == ReleaseWord::none) return {};
  if (kind == ReleaseWord::pir) {
    std::string text = "pir ";
    for (int shift = kReleaseFieldBits - kReleaseGroupBits; shift >= 0; shift -= kReleaseGroupBits)
      text += static_cast<char>('0' + (release_field(instruction.payload) >> shift & 7u));
    return text;
  }
  std::string text;
  for (const std::uint32_t r : listed_registers(kind, instruction.payload))
    text += (text.empty() ? "r" : ", r") + std::to_string(r);
  return (kind == ReleaseWord::pbr ? "pbr {" : "pbr.wide {") + text + "}";
}

}  // namespace heddle::isa
