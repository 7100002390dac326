// Tests the metadata words in which the compiler passes register hints to the hardware
// (models/isa/hint_words.h).

#include <gtest/gtest.h>

#include <random>

#include "models/isa/hint_words.h"
#include "models/isa/release_flags.h"

namespace heddle::isa {
namespace {

Program program_of(const std::vector<RegisterHint>& hints) {
  Program program;
  program.registers = static_cast<std::uint32_t>(hints.size());
  for (const std::uint64_t payload : encode_hints(hints)) {
    Instruction word;
    word.metadata = true;
    word.payload = payload;
    program.code.push_back(word);
  }
  return program;
}

TEST(HintWords, DecodeToTheHintsThatTheyEncode) {
  std::mt19937 random(1);
  for (const std::uint32_t registers : {1u, 9u, 20u, 54u, 55u, 63u, 64u, 200u})
    for (int kind = 0; kind < 4; ++kind) {
      std::vector<RegisterHint> hints(registers);
      if (kind & 1)
        for (RegisterHint& hint : hints) hint.left = random() % 2 != 0;
      if (kind & 2)
        for (std::uint32_t a = 0; a + 1 < registers; a += 2) {
          hints[a].partner = static_cast<std::uint16_t>(a + 1);
          hints[a + 1].partner = static_cast<std::uint16_t>(a);
        }
      const Program program = program_of(hints);
      EXPECT_EQ(decode_hints(program), hints) << registers << ", kind " << kind;
      if (kind == 0) EXPECT_TRUE(program.code.empty());
      for (const Instruction& word : program.code) {
        EXPECT_TRUE(is_hint_word(word));
        EXPECT_EQ(release_word(word), ReleaseWord::none) << "no release flags";
      }
    }
}

// A metadata word holds hints of one of two kinds. The first kind gives, for up to 54 registers, the side of
// the row on which the register lies (one bit). The second kind gives four pairs of registers that share a
// row, or only three pairs in programs with more than 63 registers.
TEST(HintWords, TakeFewWords) {
  std::vector<RegisterHint> sides(63), pairs(63), wide(70);
  sides[62].left = true;
  for (auto* hints : {&pairs, &wide})
    for (std::uint16_t a = 0; a < 24; a += 2) {
      (*hints)[a].partner = static_cast<std::uint16_t>(a + 1);
      (*hints)[a + 1u].partner = a;
    }
  EXPECT_EQ(encode_hints(sides).size(), 2u);
  EXPECT_EQ(encode_hints(pairs).size(), 3u);
  EXPECT_EQ(encode_hints(wide).size(), 4u);
}

}  // namespace
}  // namespace heddle::isa
