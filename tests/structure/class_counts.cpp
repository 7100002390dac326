#include "tests/structure/class_counts.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace heddle {
namespace {

// Without comments, what stands in strings, lines of the preprocessor and attributes.
std::string plain(const std::string& source) {
  std::string text;
  bool line_begins = true;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const char c = source[i];
    const auto is = [&](const char* word) { return source.compare(i, std::string(word).size(), word) == 0; };
    const auto go_to = [&](const char* end) {
      const std::size_t at = source.find(end, i + 2);
      i = at == std::string::npos ? source.size() : at + std::string(end).size() - 1;
    };
    if (is("//")) {
      i = std::min(source.find('\n', i), source.size());
      line_begins = true;
    } else if (line_begins && c == '#') {
      do i = std::min(source.find('\n', i + 1), source.size());
      while (i < source.size() && source[i - 1] == '\\');
    } else if (is("/*")) {
      go_to("*/");
    } else if (is("R\"(")) {
      go_to(")\"");
    } else if (is("[[")) {
      go_to("]]");
    } else if (c == '"' ||
               (c == '\'' && (i == 0 || !std::isxdigit(static_cast<unsigned char>(source[i - 1]))))) {
      while (++i < source.size() && source[i] != c)
        if (source[i] == '\\') ++i;
      text += '0';
    } else {
      text += c;
      line_begins = c == '\n' || (line_begins && c == ' ');
    }
  }
  static const std::regex alignment("\\balignas\\([^)]*\\)");
  return std::regex_replace(text, alignment, "");
}

// Without what stands in these, innermost first.
std::string without(std::string text, const char* pair) {
  const std::string open(1, pair[0]), both(pair);
  for (std::size_t end = 0; (end = text.find(pair[1], end)) != std::string::npos;) {
    const std::size_t begin = end == 0 ? std::string::npos : text.rfind(pair[0], end - 1);
    if (begin == std::string::npos || (pair[1] == '>' && text[end - 1] == '-')) {
      ++end;
      continue;
    }
    text.erase(begin, end - begin + 1);
    end = begin;
  }
  return text;
}

class Reader {
 public:
  explicit Reader(const std::string& source) : text_(plain(source)) {}

  std::vector<ClassCount> read() {
    while (at_ < text_.size()) take(nullptr);
    return std::move(found_);
  }

 private:
  /// The next character of a namespace (`of` nullptr) or class. False at its end.
  bool take(ClassCount* of) {
    const char c = text_[at_];
    if (c == '}') {
      ++at_;
      statement_.clear();
      return false;
    }
    if (c == '{') {
      open(of);
      return true;
    }
    ++at_;
    static const std::regex access("\\s*(public|private|protected)\\s*");
    if (c == ':' && std::regex_match(statement_, access)) {
      statement_.clear();
    } else if (c == ';') {
      if (of) count(*of);
      statement_.clear();
    } else {
      statement_ += c;
    }
    return true;
  }

  void open(ClassCount* of) {
    static const std::regex head("\\b(?:class|struct|union)\\s+([\\w:]+)[^()=]*$");
    static const std::regex scope("\\b(?:namespace\\b.*|extern 0)\\s*");
    const std::string text = without(statement_, "<>");
    std::smatch match;
    if (text.find("enum") == std::string::npos && std::regex_search(text, match, head)) {
      ClassCount inner{match[1]};
      ++at_;
      statement_.clear();
      while (at_ < text_.size() && take(&inner)) {
      }
      found_.push_back(inner);
      statement_ = kType;
    } else if (!of && std::regex_search(text, scope)) {
      ++at_;
      statement_.clear();
    } else if (of && is_function() && !initialises()) {
      skip_braces();
      ++of->functions;
      statement_.clear();
    } else {
      skip_braces();
      const bool body = !of && text.find('(') != std::string::npos;
      statement_ = body ? "" : statement_ + (of && is_function() ? "()" : "{}");
    }
  }

  void skip_braces() {
    int depth = 0;
    do {
      depth += text_[at_] == '{' ? 1 : text_[at_] == '}' ? -1 : 0;
    } while (++at_ < text_.size() && depth > 0);
  }

  /// The statement's declarator, without what initialises it.
  std::string declarator() const {
    std::string text = without(statement_, "<>");
    if (text.find("operator") == std::string::npos) text = text.substr(0, text.find('='));
    return text;
  }
  bool is_function() const { return declarator().find('(') != std::string::npos; }
  /// The brace that comes initialises a member in a constructor's list.
  bool initialises() const {
    static const std::regex list("\\)\\s*:[^:][^]*\\w\\s*$");
    return std::regex_search(without(statement_, "<>"), list);
  }

  void count(ClassCount& of) const {
    static const std::regex nothing(
        "\\s*(@type\\s*|@type\\{\\}|(using|friend|typedef|static_assert|enum)\\b[^]*|(class|struct)\\s+\\w+"
        "\\s*|[^]*=\\s*("
        "default|delete)\\s*|)");
    static const std::regex shared("\\s*(inline\\s+)?(static|constexpr)\\b[^]*");
    if (std::regex_match(without(statement_, "<>"), nothing)) return;
    if (is_function()) {
      ++of.functions;
    } else if (!std::regex_match(statement_, shared)) {
      const std::string names = without(without(without(statement_, "<>"), "()"), "{}");
      of.members += 1 + static_cast<int>(std::count(names.begin(), names.end(), ','));
    }
  }

  static constexpr const char* kType = "@type";  ///< stands for a class whose braces have been read

  std::string text_, statement_;
  std::size_t at_ = 0;
  std::vector<ClassCount> found_;
};

}  // namespace

std::vector<ClassCount> count_classes(const std::string& source) { return Reader(source).read(); }

}  // namespace heddle
