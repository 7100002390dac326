#include "models/ptx/lexer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <string>

#include "models/core/error.h"

namespace heddle::ptx {
namespace {

constexpr std::size_t kLongestExcerpt = 100;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool follows(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

class Lexer {
 public:
  explicit Lexer(const Source& source) : text_(source.text) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    tokens.reserve(text_.size() / 5 + 1);
    do {
      skip_blanks();
      tokens.push_back(next());
    } while (tokens.back().kind != TokenKind::end);
    return tokens;
  }

 private:
  char at(std::size_t ahead) const { return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0'; }

  void advance(std::size_t n) {
    for (; n != 0 && pos_ < text_.size(); --n, ++pos_) {
      if (text_[pos_] == '\n') {
        ++line_;
        line_start_ = pos_ + 1;
        blank_line_ = true;
      } else if (!is_space(text_[pos_])) {
        blank_line_ = false;
      }
    }
  }

  void skip_line() {
    while (pos_ < text_.size() && text_[pos_] != '\n') advance(1);
  }

  void skip_blanks() {
    while (pos_ < text_.size()) {
      if (is_space(text_[pos_])) {
        advance(1);
      } else if (at(0) == '/' && at(1) == '*') {
        const std::size_t end = text_.find("*/", pos_ + 2);
        if (end == std::string_view::npos) return;
        advance(end + 2 - pos_);
      } else if ((at(0) == '/' && at(1) == '/') || (at(0) == '@' && at(1) == '@') ||
                 (at(0) == '#' && blank_line_)) {
        skip_line();
      } else {
        return;
      }
    }
  }

  Position here() const { return {line_, static_cast<std::uint32_t>(pos_ - line_start_ + 1)}; }

  Token take(TokenKind kind, std::size_t length) {
    Token token;
    token.kind = kind;
    token.position = here();
    token.text = text_.substr(pos_, length);
    advance(length);
    return token;
  }

  Token next() {
    const char c = at(0);
    if (pos_ >= text_.size()) return take(TokenKind::end, 0);
    if (is_digit(c)) return number();
    if (c == '.' && follows(at(1))) return dot_word();
    if (c == '"') return string();
    if (is_letter(c) || c == '_' || ((c == '%' || c == '$') && follows(at(1)))) {
      std::size_t n = 1;
      while (follows(at(n))) ++n;
      return take(TokenKind::identifier, n);
    }
    static constexpr std::array<std::string_view, 8> kPairs = {
        "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
    for (const std::string_view pair : kPairs)
      if (text_.substr(pos_, 2) == pair) return take(TokenKind::punctuation, 2);
    static constexpr std::string_view kSingles = "()[]{}<>,;:@!+-*/%&|^~?=";
    if (c == '/' && at(1) == '*') return take(TokenKind::bad, text_.size() - pos_);
    return take(kSingles.find(c) != std::string_view::npos ? TokenKind::punctuation : TokenKind::bad, 1);
  }

  Token dot_word() {
    advance(1);
    std::size_t n = 0;
    while (follows(at(n)) || (at(n) == ':' && at(n + 1) == ':' && follows(at(n + 2))))
      n += at(n) == ':' ? 2 : 1;
    Token token = take(TokenKind::dot_word, n);
    --token.position.column;
    return token;
  }

  Token string() {
    std::size_t n = 1;
    while (pos_ + n < text_.size() && at(n) != '"' && at(n) != '\n') n += at(n) == '\\' ? 2 : 1;
    if (at(n) != '"') return take(TokenKind::bad, std::min(n, text_.size() - pos_));
    Token token = take(TokenKind::string, n + 1);
    token.text = token.text.substr(1, n - 1);
    return token;
  }

  Token hex_float(std::size_t digits, TokenKind kind) {
    std::size_t n = 2;
    while (is_hex(at(n))) ++n;
    if (n != digits + 2 || follows(at(n))) return bad_number();
    Token token = take(kind, n);
    std::from_chars(token.text.data() + 2, token.text.data() + n, token.value, 16);
    return token;
  }

  Token bad_number() {
    std::size_t n = 1;
    while (follows(at(n))) ++n;
    return take(TokenKind::bad, n);
  }

  Token number() {
    const char second = at(1);
    if (at(0) == '0' && (second == 'f' || second == 'F')) return hex_float(8, TokenKind::float32);
    if (at(0) == '0' && (second == 'd' || second == 'D')) return hex_float(16, TokenKind::float64);
    std::size_t n = 1;
    while (is_digit(at(n))) ++n;
    const bool exponent =
        (at(n) == 'e' || at(n) == 'E') &&
        (is_digit(at(n + 1)) || ((at(n + 1) == '-' || at(n + 1) == '+') && is_digit(at(n + 2))));
    if ((at(n) == '.' && is_digit(at(n + 1))) || (at(n) == '.' && !follows(at(n + 1))) || exponent)
      return decimal_float(n);
    return integer();
  }

  Token decimal_float(std::size_t n) {
    if (at(n) == '.') ++n;
    while (is_digit(at(n))) ++n;
    if (at(n) == 'e' || at(n) == 'E') {
      std::size_t m = n + 1;
      if (at(m) == '+' || at(m) == '-') ++m;
      if (is_digit(at(m))) {
        while (is_digit(at(m))) ++m;
        n = m;
      }
    }
    if (follows(at(n))) return bad_number();
    Token token = take(TokenKind::float64, n);
    double value = 0;
    if (std::from_chars(token.text.data(), token.text.data() + n, value).ec != std::errc{})
      value = std::strtod(std::string(token.text).c_str(), nullptr);
    token.value = std::bit_cast<std::uint64_t>(value);
    return token;
  }

  Token integer() {
    int base = 10;
    std::size_t start = 0;
    if (at(0) == '0' && (at(1) == 'x' || at(1) == 'X')) {
      base = 16;
      start = 2;
    } else if (at(0) == '0' && (at(1) == 'b' || at(1) == 'B')) {
      base = 2;
      start = 2;
    } else if (at(0) == '0' && follows(at(1)) && at(1) != 'U') {
      base = 8;
      start = 1;
    }
    std::size_t n = start;
    while (base == 16 ? is_hex(at(n)) : is_digit(at(n))) ++n;
    const std::size_t digits_end = n;
    const bool suffix = at(n) == 'U';
    if (suffix) ++n;
    if (follows(at(n)) || digits_end == start) return bad_number();
    std::uint64_t value = 0;
    const char* first = text_.data() + pos_ + start;
    const char* last = text_.data() + pos_ + digits_end;
    const auto result = std::from_chars(first, last, value, base);
    if (result.ec != std::errc{} || result.ptr != last) return bad_number();
    Token token = take(TokenKind::integer, n);
    token.value = value;
    token.is_unsigned = suffix || value > 0x7fff'ffff'ffff'ffffull;
    return token;
  }

  std::string_view text_;
  std::size_t pos_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  bool blank_line_ = true;
};

}  // namespace

std::vector<Token> tokenize(const Source& source) { return Lexer(source).run(); }

std::string Source::where(Position p) const {
  return file + ":" + std::to_string(p.line) + ":" + std::to_string(p.column);
}

std::string Source::excerpt(Position p) const {
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < p.line; ++line) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) return {};
    begin = end + 1;
  }
  std::size_t end = std::min(text.find('\n', begin), text.size());
  const std::string_view first_line = std::string_view(text).substr(begin, end - begin);
  const bool goes_on =
      !first_line.ends_with(';') && first_line.find_first_of(";{}:/") == std::string_view::npos;
  if (goes_on) end = std::min({text.find(';', begin), begin + 2 * kLongestExcerpt}) + 1;
  end = std::min(end, text.size());
  std::string line;
  for (const char c : std::string_view(text).substr(begin, end - begin)) {
    const bool blank = is_space(c);
    if (!blank) line += c < ' ' || c > '~' ? '?' : c;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  while (line.ends_with(' ')) line.pop_back();
  if (line.size() > kLongestExcerpt) line = line.substr(0, kLongestExcerpt) + "...";
  return line;
}

void Source::refuse(Position p, const std::string& feature, const std::string& detail) const {
  const std::string line = excerpt(p);
  throw UnsupportedError(
      feature, where(p),
      "not supported yet: " + feature + " (" + detail + ")" + (line.empty() ? "" : " in \"" + line + "\""));
}

void Source::fail(const Refusal& r) const {
  if (r.feature.empty()) fail(r.position, r.what, r.allowed);
  refuse(r.position, r.feature, r.what);
}

void Source::fail(Position p, const std::string& what, const std::string& allowed) const {
  const std::string line = excerpt(p);
  throw Error(where(p), line.empty() ? what : what + " in \"" + line + "\"", allowed);
}

}  // namespace heddle::ptx
