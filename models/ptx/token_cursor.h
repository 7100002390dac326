#pragma once

// Reading position in the tokens of a PTX file, with the checks that all parsers use.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "models/ptx/lexer.h"
#include "models/ptx/source.h"

namespace heddle::ptx {

/// Range of token indices, from `begin` up to but not including `end`.
struct TokenRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Limit on the levels of nested brackets; deeper nesting is an error.
inline constexpr int kDeepestNesting = 200;

class TokenCursor {
 public:
  TokenCursor(const Source& source, std::span<const Token> tokens, TokenRange range);

  const Token& peek(std::size_t ahead = 0) const;
  Token next();
  std::size_t index() const { return pos_; }
  bool at_end() const { return peek().kind == TokenKind::end; }
  Position position() const { return peek().position; }

  bool accept(std::string_view punctuation);
  bool accept_word(std::string_view word);
  /// These functions read one token: the given punctuation, an identifier or an integer. They throw Error
  /// "expected ..." for any other token.
  void expect(std::string_view punctuation, std::string_view after);
  std::string_view expect_identifier(std::string_view what);
  std::uint64_t expect_integer(std::string_view what);

  TokenRange skip_brackets();
  /// Skips a function body. If there is no closing bracket, sets `closed` to false, and the body ends before
  /// the next function or at the end of the file.
  TokenRange skip_body(bool& closed);

  [[noreturn]] void fail(const std::string& what, const std::string& allowed = {}) const;
  [[noreturn]] void fail_expected(const std::string& what) const;
  const Source& source() const { return *source_; }
  std::span<const Token> tokens() const { return tokens_; }

 private:
  const Source* source_;
  std::span<const Token> tokens_;
  std::size_t pos_;
  std::size_t end_;
  Token end_token_;
};

std::string describe(const Token& token);

}  // namespace heddle::ptx
