#include "models/isa/hint_words.h"

#include <algorithm>
#include <utility>

#include "models/isa/release_flags.h"

namespace heddle::isa {
namespace {

constexpr std::uint64_t kSidesOpcode = 0x3a, kPairsOpcode = 0x3b, kWidePairsOpcode = 0x3c;

std::uint64_t hint_word(std::uint64_t opcode, std::uint64_t field) {
  return opcode << 58 | (field & kReleaseField) << 4 | kReleaseLow;
}

std::vector<std::uint64_t> encode_sides(std::span<const RegisterHint> hints) {
  std::vector<std::uint64_t> words;
  if (std::none_of(hints.begin(), hints.end(), [](const RegisterHint& hint) { return hint.left; }))
    return words;
  for (std::size_t r = 0; r < hints.size(); ++r) {
    const std::size_t bit = r % kReleaseFieldBits;
    if (bit == 0) words.push_back(hint_word(kSidesOpcode, 0));
    words.back() |= std::uint64_t{hints[r].left} << (4 + bit);
  }
  return words;
}

int pairs_in_a_word(int bits) { return kReleaseFieldBits / (2 * bits); }

std::vector<std::uint64_t> encode_pairs(std::span<const RegisterHint> hints) {
  std::vector<std::uint64_t> words;
  const bool wide = hints.size() > kNarrowRegisters;
  const int bits = register_number_bits(wide);
  int shift = 0;
  for (std::size_t r = 0; r < hints.size(); ++r) {
    if (hints[r].partner >= hints.size() || hints[r].partner < r) continue;
    if (shift == 0) {
      words.push_back(hint_word(wide ? kWidePairsOpcode : kPairsOpcode, 0));
      shift = 4 + 2 * bits * pairs_in_a_word(bits);
    }
    shift -= bits;
    words.back() |= std::uint64_t{r} << shift;
    shift -= bits;
    words.back() |= std::uint64_t{hints[r].partner} << shift;
    if (shift == 4) shift = 0;
  }
  return words;
}

void decode_pairs(std::uint64_t payload, bool wide, std::vector<RegisterHint>& hints) {
  const int bits = register_number_bits(wide);
  const std::uint64_t most = (std::uint64_t{1} << bits) - 1;
  for (int pair = pairs_in_a_word(bits); pair-- > 0;) {
    const std::uint64_t a = payload >> (4 + bits * (2 * pair + 1)) & most,
                        b = payload >> (4 + bits * 2 * pair) & most;
    if (a == b || std::max(a, b) >= hints.size()) continue;
    hints[a].partner = static_cast<std::uint16_t>(b);
    hints[b].partner = static_cast<std::uint16_t>(a);
  }
}

}  // namespace

std::vector<std::uint64_t> encode_hints(std::span<const RegisterHint> hints) {
  std::vector<std::uint64_t> words = encode_sides(hints);
  const std::vector<std::uint64_t> pairs = encode_pairs(hints);
  words.insert(words.end(), pairs.begin(), pairs.end());
  return words;
}

bool is_hint_word(const Instruction& instruction) {
  const std::uint64_t opcode = instruction.payload >> 58;
  return instruction.metadata && (instruction.payload & 15u) == kReleaseLow && opcode >= kSidesOpcode &&
         opcode <= kWidePairsOpcode;
}

std::vector<RegisterHint> decode_hints(const Program& program) {
  std::vector<RegisterHint> hints(program.registers);
  std::size_t first = 0;
  for (const Instruction& i : program.code) {
    if (!is_hint_word(i)) continue;
    if (i.payload >> 58 != kSidesOpcode) {
      decode_pairs(i.payload, i.payload >> 58 == kWidePairsOpcode, hints);
      continue;
    }
    for (std::size_t r = first; r < std::min(hints.size(), first + kReleaseFieldBits); ++r)
      hints[r].left = i.payload >> (4 + r - first) & 1;
    first += kReleaseFieldBits;
  }
  return hints;
}

}  // namespace heddle::isa
