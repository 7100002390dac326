#pragma once

// Lexer for PTX (PTX ISA 4.1 to 4.5). The lexer never fails. Unreadable text becomes a `bad` token, which
// causes an error only when it is parsed.

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/ptx/source.h"

namespace heddle::ptx {

enum class TokenKind : std::uint8_t {
  identifier,   ///< add, %r1, $L__BB0_1, _, WARP_SZ
  dot_word,     ///< .global, .x, .L1::evict_last; `text` is without the dot
  integer,      ///< `value` is the number; `is_unsigned`: PTX gives it type .u64
  float32,      ///< 0f literal; `value` holds the bits
  float64,      ///< 0d literal or decimal number; `value` holds the bits of the double
  string,       ///< `text` is without quotes
  punctuation,  ///< `text` is the operator or bracket
  bad,          ///< `text` describes the unreadable text
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

/// Returns all tokens of `source`, followed by an `end` token. Comments, `@@DWARF` lines and `#` lines are
/// skipped. The tokens' texts are views into source.text.
std::vector<Token> tokenize(const Source& source);

}  // namespace heddle::ptx
