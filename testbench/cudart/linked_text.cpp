// Cuts each PTX text into statements, and joins the statements of all texts. A directive ends with its line,
// a declaration or variable with its semicolon, and a function with its body.

#include "testbench/cudart/linked_text.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>

namespace heddle::cudart {
namespace {

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

struct Piece {
  std::string text;
  bool has(std::string_view word) const { return text.find(word) != std::string::npos; }
  bool begins(std::string_view word) const { return text.starts_with(word); }
  bool is_function() const {
    const std::string_view head = std::string_view(text).substr(0, text.find('('));
    return head.find(".func") != head.npos || head.find(".entry") != head.npos;
  }
  bool is_directive() const {
    return begins(".version") || begins(".target") || begins(".address_size") || begins(".file") ||
           begins(".section");
  }
  bool is_declared() const {
    return begins(".extern") || begins(".alias") || begins(".pragma") || (is_function() && !has("{"));
  }
  bool is_own() const {
    return !begins(".visible") && !begins(".weak") && !begins(".common") && !is_declared();
  }
  std::string name() const;
};

std::string Piece::name() const {
  std::size_t at = 0;
  if (is_function()) {
    at = text.find(".entry");
    at = at == std::string::npos || at > text.find('(') ? text.find(".func") + 5 : at + 6;
    while (at < text.size() && !in_name(text[at])) {
      if (text[at] == '(') at = text.find(')', at);
      if (text[at] == '.')
        while (at + 1 < text.size() && in_name(text[at + 1])) ++at;
      ++at;
    }
  } else {
    const std::size_t end = text.find_first_of("[=;");
    at = std::min(end, text.size());
    while (at > 0 && !in_name(text[at - 1])) --at;
    while (at > 0 && in_name(text[at - 1])) --at;
  }
  std::size_t end = at;
  while (end < text.size() && in_name(text[end])) ++end;
  return text.substr(at, end - at);
}

std::string without_comments(const std::string& text) {
  std::string result;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (!quoted && text.compare(i, 2, "//") == 0) i = std::min(text.find('\n', i), text.size() - 1);
    if (!quoted && text.compare(i, 2, "/*") == 0) i = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
    if (i < text.size()) result += text[i];
  }
  return result;
}

std::vector<Piece> pieces_of(const std::string& text) {
  std::vector<Piece> pieces;
  Piece piece;
  int depth = 0;
  const auto end = [&] {
    if (!piece.text.empty()) pieces.push_back(std::move(piece));
    piece = {};
  };
  for (const char c : without_comments(text)) {
    if (piece.text.empty() && std::isspace(static_cast<unsigned char>(c))) continue;
    if (c == '\n' && depth == 0 && piece.is_directive() && !piece.begins(".section")) {
      end();
      continue;
    }
    piece.text += c;
    if (c == '{' || c == '(') ++depth;
    if (c == '}' || c == ')') --depth;
    const bool body = c == '}' && (piece.begins(".section") || piece.is_function());
    if (depth == 0 && (c == ';' || body)) end();
  }
  end();
  return pieces;
}

std::string renamed(const std::string& text, const std::map<std::string, std::string>& names) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && in_name(text[end])) ++end;
    if (end == i) {
      result += text[i++];
      continue;
    }
    const std::string word = text.substr(i, end - i);
    const auto found = names.find(word);
    result += found == names.end() ? word : found->second;
    i = end;
  }
  return result;
}

std::string without_lines(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find('\n', i), text.size() - 1) + 1;
    const std::size_t word = text.find_first_not_of(" \t", i);
    if (word >= end || text.compare(word, 4, ".loc") != 0 || in_name(text[word + 4]))
      result += text.substr(i, end - i);
    i = end;
  }
  return result;
}

}  // namespace

std::string linked_text(const std::vector<std::string>& files) {
  std::string result;
  std::set<std::string> defined;
  for (std::size_t number = 0; number < files.size(); ++number) {
    const std::vector<Piece> pieces = pieces_of(files[number]);
    std::map<std::string, std::string> names;
    for (const Piece& piece : pieces)
      if (!piece.is_directive() && piece.is_own() && defined.contains(piece.name()))
        names[piece.name()] = piece.name() + "__file" + std::to_string(number);
    for (const Piece& piece : pieces) {
      if (piece.is_directive()) {
        if (number == 0) result += piece.text + "\n";
        continue;
      }
      const bool keeps = piece.is_declared() || piece.is_own() || defined.insert(piece.name()).second;
      if (!keeps) continue;
      if (piece.is_own()) defined.insert(renamed(piece.name(), names));
      result += renamed(number == 0 ? piece.text : without_lines(piece.text), names) + "\n";
    }
  }
  return result;
}

}  // namespace heddle::cudart
