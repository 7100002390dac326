#include "models/isa/release_flags.h"

namespace heddle::isa {
namespace {

std::uint64_t word(std::uint64_t opcode, std::uint64_t field) {
  return opcode << 58 | (field & kReleaseField) << 4 | kReleaseLow;
}

}  // namespace

std::uint64_t encode_pir(std::uint64_t field) { return word(kPirOpcode, field); }

std::vector<std::uint64_t> encode_pbr(std::span<const std::uint32_t> registers, bool wide) {
  const int bits = register_number_bits(wide);
  const auto places = static_cast<std::size_t>(kReleaseFieldBits / bits);
  std::vector<std::uint64_t> words;
  for (std::size_t first = 0; first < registers.size(); first += places) {
    std::uint64_t field = kReleaseField;
    for (std::size_t n = first; n < std::min(first + places, registers.size()); ++n) {
      const int shift = kReleaseFieldBits - bits * static_cast<int>(n - first + 1);
      field &= ~(((std::uint64_t{1} << bits) - 1) << shift);
      field |= std::uint64_t{registers[n]} << shift;
    }
    words.push_back(word(wide ? kWidePbrOpcode : kPbrOpcode, field));
  }
  return words;
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
