#include "tests/structure/source_text.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <utility>

namespace heddle {
namespace {

std::string plain(const std::string& source) {
  std::string text;
  bool line_begins = true;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const char c = source[i];
    const auto is = [&](const char* word) { return source.compare(i, std::string(word).size(), word) == 0; };
    const auto skip_to = [&](std::size_t at) {
      at = std::min(at, source.size());
      text.append(
          static_cast<std::size_t>(std::count(source.begin() + static_cast<std::ptrdiff_t>(i),
                                              source.begin() + static_cast<std::ptrdiff_t>(at), '\n')),
          '\n');
      i = at - 1;
    };
    const auto skip_past = [&](const char* end) {
      const std::size_t at = source.find(end, i + 2);
      skip_to(at == std::string::npos ? at : at + std::string(end).size());
    };
    if (is("//")) {
      skip_to(source.find('\n', i));
    } else if (line_begins && c == '#') {
      std::size_t end = source.find('\n', i);
      while (end != std::string::npos && source[end - 1] == '\\') end = source.find('\n', end + 1);
      skip_to(end);
    } else if (is("/*")) {
      skip_past("*/");
    } else if (is("R\"(")) {
      text += '0';
      skip_past(")\"");
    } else if (is("[[")) {
      skip_past("]]");
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

std::string without(std::string text, const char* pair) {
  const std::string open(1, pair[0]);
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

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \n\t");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \n\t") - first + 1);
}

int code_lines(const std::string& text) {
  int lines = 0;
  bool code = false;
  for (const char c : text + "\n") {
    if (c != '\n')
      code |= c != ' ';
    else
      lines += std::exchange(code, false);
  }
  return lines;
}

class Reader {
 public:
  explicit Reader(const std::string& source) : text_(plain(source)) {}

  SourceText read() {
    while (at_ < text_.size()) take(nullptr);
    return std::move(found_);
  }

 private:
  /// Reads the next character of a namespace (`of` is nullptr) or class. Returns false at its end.
  bool take(SourceClass* of) {
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
    if (trimmed(statement_).empty()) begin_ = at_;
    ++at_;
    static const std::regex access("\\s*(public|private|protected)\\s*");
    if (c == ':' && text_[at_] != ':' && std::regex_match(statement_, access)) {
      if (of && statement_.find("public") == std::string::npos) of->hides = true;
      statement_.clear();
    } else if (c == ';') {
      if (of) declare(*of);
      statement_.clear();
    } else {
      statement_ += c;
    }
    return true;
  }

  void open(SourceClass* of) {
    static const std::regex head("\\b(class|struct|union)\\s+([\\w:]+)([^()=]*)$");
    static const std::regex scope("\\b(?:namespace\\b.*|extern 0)\\s*");
    const std::string text = without(statement_, "<>");
    std::smatch match;
    if (text.find("enum") == std::string::npos && std::regex_search(text, match, head)) {
      read_class(of, match);
    } else if (!of && std::regex_search(text, scope)) {
      ++at_;
      statement_.clear();
    } else if (!in_brackets() && is_function() && !initialises()) {
      add_function(of);
      statement_.clear();
    } else {
      skip_braces();
      statement_ += of && is_function() && !in_brackets() && !initialises() ? "()" : "{}";
    }
  }

  void read_class(SourceClass* of, const std::smatch& match) {
    SourceClass inner{(of ? of->name + "::" : "") + match[2].str()};
    inner.hides = match[1] == "class";
    static const std::regex base("(?:(?:public|protected|private|virtual)\\s+)*([\\w:]+)");
    std::string bases = match[3];
    if (const std::size_t colon = bases.find(':'); colon != std::string::npos) {
      bases = bases.substr(colon + 1);
      for (std::sregex_iterator at(bases.begin(), bases.end(), base), end; at != end; ++at)
        inner.bases.push_back((*at)[1]);
    }
    ++at_;
    statement_.clear();
    while (at_ < text_.size() && take(&inner)) {
    }
    last_class_ = inner.name;
    found_.classes.push_back(std::move(inner));
    statement_ = kType;
  }

  void add_function(SourceClass* of) {
    const std::size_t from = begin_, open = at_;
    skip_braces();
    SourceFunction function;
    if (of) function.of = of->name;
    function.lines = code_lines(text_.substr(from, at_ - from));
    static const std::regex named("((?:\\w+\\s*::\\s*)*)(~?\\w+|operator\\s*\\S+?|operator\\s+\\w+)\\s*$");
    const std::string head = without(text_.substr(from, open - from), "<>");
    std::size_t bracket = head.find('(');
    if (head.compare(bracket, 2, "()") == 0 && bracket >= 8 && head.compare(bracket - 8, 8, "operator") == 0)
      bracket = head.find('(', bracket + 1);
    const std::string before = head.substr(0, bracket);
    std::smatch match;
    if (std::regex_search(before, match, named)) {
      function.name = match[2];
      function.result = match.prefix();
      if (!of) function.of = match[1];
      std::erase_if(function.of, [](char c) { return c == ' ' || c == '\n'; });
      if (function.of.ends_with("::") && !of) function.of.resize(function.of.size() - 2);
    }
    std::size_t end = bracket;
    for (const std::string& argument : arguments_at(head, bracket, &end))
      function.parameters += argument + ",";
    function.body = head.substr(std::min(end, head.size())) + text_.substr(open, at_ - open);
    if (of) {
      ++of->functions;
      of->declared.push_back(function.name);
      if (function.result.find("virtual") != std::string::npos) of->interface += function.parameters;
    }
    found_.functions.push_back(std::move(function));
  }

  void skip_braces() {
    int depth = 0;
    do {
      depth += text_[at_] == '{' ? 1 : text_[at_] == '}' ? -1 : 0;
    } while (++at_ < text_.size() && depth > 0);
  }

  std::string declarator() const {
    std::string text = without(statement_, "<>");
    if (text.find("operator") == std::string::npos) text = text.substr(0, text.find('='));
    return text;
  }
  bool is_function() const { return declarator().find('(') != std::string::npos; }
  bool in_brackets() const {
    return std::count(statement_.begin(), statement_.end(), '(') !=
           std::count(statement_.begin(), statement_.end(), ')');
  }
  bool initialises() const {
    static const std::regex list("\\)\\s*:[^:][^]*\\w\\s*$");
    return std::regex_search(without(statement_, "<>"), list);
  }

  void declare(SourceClass& of) {
    static const std::regex nothing(
        "\\s*(@type\\s*|@type\\{\\}|(using|typedef|static_assert|enum|class|struct|public|template)\\b[^]*|"
        "[^]*=\\s*(default|delete)\\s*|)");
    static const std::regex shared("\\s*(inline\\s+)?(static|constexpr)\\b[^]*");
    static const std::regex friends("\\s*friend\\s+(?:class|struct)\\s+([\\w:]+)\\s*");
    const std::string text = without(statement_, "<>");
    if (text.find("virtual") != std::string::npos) of.interface += text;
    std::smatch match;
    if (std::regex_match(text, match, friends)) of.friends.push_back(match[1]);
    static const std::regex named("(~?\\w+|operator\\s*\\S+)\\s*\\(");
    if (std::regex_match(text, std::regex("\\s*friend\\b[^]*"))) {
      if (std::regex_search(text, match, named)) of.friend_functions.push_back(match[1]);
      return;
    }
    if (is_function() && !std::regex_match(text, std::regex("[^]*=\\s*(default|delete)\\s*"))) {
      ++of.functions;
      if (std::regex_search(text, match, named)) of.declared.push_back(match[1]);
    } else if (!std::regex_match(text, nothing) && !std::regex_match(statement_, shared)) {
      add_members(of);
    }
  }

  void add_members(SourceClass& of) {
    static const std::regex name("(\\w+)\\s*(?:\\[[^]*\\]\\s*)*(?::\\s*\\w+\\s*)?$");
    static const std::regex object(
        "\\s*(?:mutable\\s+|const\\s+)*(?:std::(?:unique_ptr|optional)<\\s*(?:const\\s+)?([\\w:]+)\\s*>|(["
        "\\w:@]+))\\s+"
        "\\w+[^]*");
    std::string text = without(without(statement_, "<>"), "()");
    std::string names;
    int depth = 0;
    bool value = false;
    for (const char c : without(text, "{}")) {
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      if (c == ',' && depth == 0) value = false;
      if (c == '=') value = true;
      if (!value) names += c;
    }
    std::smatch match;
    std::string kind;
    if (std::regex_match(statement_, match, object)) kind = match[1].matched ? match[1] : match[2];
    if (kind == kType) kind = last_class_;
    for (std::size_t from = 0; from <= names.size();) {
      const std::size_t to = std::min(names.find(',', from), names.size());
      const std::string one = trimmed(names.substr(from, to - from));
      if (std::regex_search(one, match, name)) of.members.push_back({match[1], trimmed(statement_), kind});
      from = to + 1;
    }
  }

  static constexpr const char* kType = "@type";

  std::string text_, statement_, last_class_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
  SourceText found_;
};

}  // namespace

std::vector<std::string> arguments_at(const std::string& text, std::size_t open, std::size_t* end) {
  std::vector<std::string> found(1);
  int depth = 0;
  std::size_t at = open;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') --depth;
    if (depth == 0) break;
    if (c == ',' && depth == 1)
      found.emplace_back();
    else if (at != open)
      found.back() += c;
  }
  if (end) *end = at + 1;
  if (found.size() == 1 && trimmed(found[0]).empty()) return {};
  for (std::string& argument : found) argument = trimmed(argument);
  return found;
}

SourceText read_source(const std::string& source) { return Reader(source).read(); }

}  // namespace heddle
