#include "models/ptx/token_cursor.h"

#include <algorithm>

namespace heddle::ptx {

TokenCursor::TokenCursor(const Source& source, std::span<const Token> tokens, TokenRange range)
    : source_(&source), tokens_(tokens), pos_(range.begin), end_(std::min(range.end, tokens.size())) {
  end_token_.position = tokens.empty() ? Position{} : tokens[std::min(end_, tokens.size() - 1)].position;
}

const Token& TokenCursor::peek(std::size_t ahead) const {
  return pos_ + ahead < end_ ? tokens_[pos_ + ahead] : end_token_;
}

Token TokenCursor::next() {
  const Token token = peek();
  if (pos_ < end_) ++pos_;
  return token;
}

bool TokenCursor::accept(std::string_view punctuation) {
  if (!peek().is(punctuation)) return false;
  ++pos_;
  return true;
}

bool TokenCursor::accept_word(std::string_view word) {
  if (!peek().is_word(word)) return false;
  ++pos_;
  return true;
}

void TokenCursor::expect(std::string_view punctuation, std::string_view after) {
  if (!accept(punctuation)) fail_expected("\"" + std::string(punctuation) + "\" after " + std::string(after));
}

std::string_view TokenCursor::expect_identifier(std::string_view what) {
  if (peek().kind != TokenKind::identifier) fail_expected(std::string(what));
  return next().text;
}

std::uint64_t TokenCursor::expect_integer(std::string_view what) {
  if (peek().kind != TokenKind::integer) fail_expected(std::string(what));
  return next().value;
}

TokenRange TokenCursor::skip_brackets() {
  const Token open = next();
  const std::string_view close = open.text == "{" ? "}" : open.text == "(" ? ")" : "]";
  const std::size_t begin = pos_;
  int depth = 1;
  for (; pos_ < end_; ++pos_) {
    if (tokens_[pos_].is(open.text)) ++depth;
    if (tokens_[pos_].is(close) && --depth == 0) {
      ++pos_;
      return {begin, pos_ - 1};
    }
  }
  source_->fail(open.position,
                "\"" + std::string(open.text) + "\" is never closed by \"" + std::string(close) + "\"");
}

TokenRange TokenCursor::skip_body(bool& closed) {
  const std::size_t begin = ++pos_;
  int depth = 1;
  closed = true;
  for (; pos_ < end_; ++pos_) {
    if (tokens_[pos_].is("{")) ++depth;
    if (tokens_[pos_].is("}") && --depth == 0) {
      ++pos_;
      return {begin, pos_ - 1};
    }
    if (tokens_[pos_].is_word("entry") || tokens_[pos_].is_word("func")) break;
  }
  closed = false;
  pos_ = std::min(pos_, end_);
  const auto is_linkage = [this](std::size_t i) {
    return tokens_[i].is_word("visible") || tokens_[i].is_word("extern") || tokens_[i].is_word("weak");
  };
  while (pos_ > begin && pos_ < end_ && is_linkage(pos_ - 1)) --pos_;
  return {begin, pos_};
}

void TokenCursor::fail(const std::string& what, const std::string& allowed) const {
  source_->fail(peek().position, what, allowed);
}

void TokenCursor::fail_expected(const std::string& what) const {
  fail("expected " + what + ", found " + describe(peek()));
}

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::end:
      return "the end of the text";
    case TokenKind::dot_word:
      return "\"." + std::string(token.text) + "\"";
    case TokenKind::bad:
      return "unreadable \"" + std::string(token.text.substr(0, token.text.find('\n')).substr(0, 40)) + "\"";
    default:
      return "\"" + std::string(token.text) + "\"";
  }
}

}  // namespace heddle::ptx
