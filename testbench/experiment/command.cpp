#include "testbench/experiment/command.h"

#include "models/core/error.h"

namespace heddle::experiment {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

std::vector<std::string> split_words(const std::string& text, const std::string& where) {
  std::vector<std::string> words;
  std::string word;
  bool begun = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool escapes = quote == 0 || (quote == '"' && i + 1 < text.size() &&
                                        std::string("\"\\$`").find(text[i + 1]) != std::string::npos);
    if (c == '\\' && escapes && i + 1 < text.size()) {
      word += text[++i];
      begun = true;
    } else if (quote ? c == quote : c == '\'' || c == '"') {
      quote = quote ? 0 : c;
      begun = true;
    } else if (!quote && is_blank(c)) {
      if (begun) words.push_back(std::move(word));
      word.clear();
      begun = false;
    } else {
      word += c;
      begun = true;
    }
  }
  if (quote) throw Error(where, "a quote without its end");
  if (begun) words.push_back(std::move(word));
  return words;
}

std::string shell_quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string shell_quoted(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_quoted(word);
  return text;
}

}  // namespace heddle::experiment
