#pragma once

// Lexer for PTX (PTX ISA 4.1 to 4.5), which splits the text into tokens. Unreadable text becomes a `bad`
// token, which is an error only when a parser reads it.

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/ptx/source.h"

namespace heddle::ptx {

enum class TokenKind : std::uint8_t {
  identifier,  ///< token such as add, %r1, $L__BB0_1, _ or WARP_SZ
  dot_word,    ///< token such as .global, .x or .L1::evict_last; `text` is without the dot
  integer,     ///< integer literal; `value` is the number; `is_unsigned`: PTX gives the literal type .u64
  float32,     ///< literal such as 0f3F800000; `value` holds the bits of the float
  float64,  ///< literal such as 0d3FF0000000000000, or a decimal number; `value` holds the bits of the double
  string,   ///< string literal; `text` is without the quotes
  punctuation,  ///< operator or bracket, which is in `text`
  bad,          ///< unreadable text; `text` describes the error
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  bool is_unsigned = false;
  std::string_view text;
  std::uint64_t value = 0;
  Position position;

  bool is(std::string_view punctuation) const {
    return kind == TokenKind::punctuation && text == punctuation;
  }
  bool is_word(std::string_view word) const { return kind == TokenKind::dot_word && text == word; }
};

/// Returns all tokens of `source`, followed by an `end` token. Comments, `@@DWARF` lines and lines that begin
/// with `#` are skipped. The `text` of a token is a view into source.text.
std::vector<Token> tokenize(const Source& source);

}  // namespace heddle::ptx
