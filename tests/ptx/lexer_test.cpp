// Tests the lexer of PTX: tokens, and the values and positions of tokens. The lexer must turn unreadable text
// into a "bad" token and continue after it.

#include "models/ptx/lexer.h"

#include <gtest/gtest.h>

#include <bit>

namespace heddle::ptx {
namespace {

struct Lexed {
  explicit Lexed(std::string text) : source{"t.ptx", std::move(text)}, tokens(tokenize(source)) {}
  Source source;
  std::vector<Token> tokens;
};

TEST(Lexer, ReadsNumbersOfEveryBase) {
  const Lexed l("10 0x1F 0b101 017 0 5U 0xFFFFFFFFFFFFFFFF 0x0");
  const std::uint64_t expected[] = {10, 31, 5, 15, 0, 5, ~std::uint64_t{0}, 0};
  ASSERT_EQ(l.tokens.size(), 9u);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(l.tokens[i].kind, TokenKind::integer) << i;
    EXPECT_EQ(l.tokens[i].value, expected[i]) << i;
  }
  EXPECT_FALSE(l.tokens[0].is_unsigned);
  EXPECT_TRUE(l.tokens[5].is_unsigned);
  EXPECT_TRUE(l.tokens[6].is_unsigned);
}

TEST(Lexer, ReadsFloatsAsBits) {
  const Lexed l("0f3F800000 0d4000000000000000 1.5 2e3 1.25E-1 0F7f800000");
  EXPECT_EQ(l.tokens[0].kind, TokenKind::float32);
  EXPECT_EQ(l.tokens[0].value, 0x3f800000u);
  EXPECT_EQ(l.tokens[1].kind, TokenKind::float64);
  EXPECT_EQ(l.tokens[1].value, 0x4000000000000000u);
  EXPECT_EQ(std::bit_cast<double>(l.tokens[2].value), 1.5);
  EXPECT_EQ(std::bit_cast<double>(l.tokens[3].value), 2000.0);
  EXPECT_EQ(std::bit_cast<double>(l.tokens[4].value), 0.125);
  EXPECT_EQ(l.tokens[5].value, 0x7f800000u);
}

TEST(Lexer, ReadsNamesAndDotWords) {
  const Lexed l("%r1 $L__BB0_1 _ %tid.x ld.global.L1::evict_last.v4.f32 a%p");
  EXPECT_EQ(l.tokens[0].text, "%r1");
  EXPECT_EQ(l.tokens[1].text, "$L__BB0_1");
  EXPECT_EQ(l.tokens[2].text, "_");
  EXPECT_EQ(l.tokens[3].text, "%tid");
  EXPECT_TRUE(l.tokens[4].is_word("x"));
  EXPECT_EQ(l.tokens[5].text, "ld");
  EXPECT_TRUE(l.tokens[7].is_word("L1::evict_last"));
  EXPECT_TRUE(l.tokens[9].is_word("f32"));
}

TEST(Lexer, SkipsCommentsAndDebugLines) {
  const Lexed l("a // one\n/* two\n three */ b\n@@DWARF .byte 1\n# 1 \"x.cu\"\nc");
  ASSERT_EQ(l.tokens.size(), 4u);
  EXPECT_EQ(l.tokens[1].text, "b");
  EXPECT_EQ(l.tokens[1].position.line, 3u);
  EXPECT_EQ(l.tokens[1].position.column, 11u);
  EXPECT_EQ(l.tokens[2].text, "c");
  EXPECT_EQ(l.tokens[2].position.line, 6u);
}

TEST(Lexer, MarksWhatItCannotRead) {
  for (const char* text :
       {"0f12 ;", "0x ;", "123abc ;", "099 ;", "\"open\n ;", "` ;", "99999999999999999999 ;"}) {
    const Lexed l(text);
    EXPECT_EQ(l.tokens[0].kind, TokenKind::bad) << text;
    EXPECT_TRUE(l.tokens[1].is(";")) << text;
  }
  const Lexed open("a /* never closed");
  EXPECT_EQ(open.tokens[1].kind, TokenKind::bad);
  EXPECT_EQ(open.tokens[2].kind, TokenKind::end);
}

TEST(Lexer, QuotesTheWholeStatement) {
  const Lexed l("first;\n  call (x),\n\tfoo,\n  (y);\nlast;");
  EXPECT_EQ(l.source.excerpt({2, 3}), "call (x), foo, (y);");
  EXPECT_EQ(l.source.excerpt({5, 1}), "last;");
  EXPECT_EQ(l.source.excerpt({9, 1}), "");
}

}  // namespace
}  // namespace heddle::ptx
