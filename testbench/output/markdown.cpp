#include "testbench/output/markdown.h"

#include <algorithm>
#include <array>
#include <regex>
#include <string_view>

namespace heddle::output {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Copies a line, but without HTML tags and without links to other sites. Code spans are copied unchanged.
class Line {
 public:
  explicit Line(std::string_view text) : text_(text) {}

  std::string harmless() {
    while (at_ < text_.size()) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size())
        keep(2);
      else if (const std::size_t code = code_span())
        keep(code);
      else
        step();
    }
    return std::move(out_);
  }

 private:
  void keep(std::size_t length) {
    out_ += text_.substr(at_, length);
    at_ += length;
  }
  void replace(std::size_t length, std::string_view by) {
    out_ += by;
    at_ += length;
  }

  // Returns the length of the code span that begins here; 0 if none begins. A text with an unescaped bar is
  // no span, because the bar ends a table's cell.
  std::size_t code_span() const {
    std::size_t ticks = 0;
    while (at_ + ticks < text_.size() && text_[at_ + ticks] == '`') ++ticks;
    for (std::size_t end = at_ + ticks, run = 0; ticks && end <= text_.size(); ++end) {
      if (end < text_.size() && text_[end] == '`') {
        ++run;
        continue;
      }
      if (run == ticks) return end - at_;
      run = 0;
      if (end < text_.size() && text_[end] == '|' && text_[end - 1] != '\\') return 0;
    }
    return 0;
  }

  void step() {
    static const std::regex anchor(R"(<a id="[\w.+-]*"></a>)"),
        target(R"(\]\((#[\w.+-]+|[\w.+/-]+\.(md|svg)(#[\w.+-]+)?)\))");
    const std::string_view rest = text_.substr(at_);
    std::cmatch found;
    const auto begins_with = [&](const std::regex& what) {
      return std::regex_search(rest.data(), rest.data() + rest.size(), found, what,
                               std::regex_constants::match_continuous);
    };
    const char next = rest.size() > 1 ? rest[1] : ' ';
    if (rest[0] == '`') {
      // These backquotes begin no code span (code_span()), so they are ordinary text.
      keep(std::min(rest.find_first_not_of('`'), rest.size()));
    } else if (rest[0] == '<') {
      if (begins_with(anchor))
        keep(static_cast<std::size_t>(found.length()));
      else if (is_letter(next) || next == '/' || next == '!' || next == '?')
        replace(1, "&lt;");
      else
        keep(1);
    } else if (rest[0] == ']' && (next == '(' || next == ':' || next == '[')) {
      const bool stays = next == '(' && begins_with(target) && found.str().find("..") == std::string::npos &&
                         found.str().find("(/") == std::string::npos;
      if (stays)
        keep(static_cast<std::size_t>(found.length()));
      else
        replace(1, "\\]");
    } else {
      web_address(rest);
    }
  }

  void web_address(std::string_view rest) {
    static constexpr std::array<std::string_view, 3> kBegins = {"http:", "https:", "ftp:"};
    for (const std::string_view begin : kBegins)
      if (rest.starts_with(begin)) {
        out_ += begin.substr(0, begin.size() - 1);
        return replace(begin.size(), "&#58;");
      }
    if (rest.starts_with("www.")) return replace(4, "www&#46;");
    keep(1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string harmless_markdown(const std::string& page) {
  std::string out;
  bool fenced = false;
  for (std::size_t begin = 0; begin < page.size();) {
    const std::size_t end = std::min(page.find('\n', begin), page.size());
    const std::string_view line = std::string_view(page).substr(begin, end - begin);
    // In Heddle's reports, code begins with the line "```json" and ends with the line "```".
    if (line == (fenced ? "```" : "```json")) fenced = !fenced;
    out += fenced ? std::string(line) : Line(line).harmless();
    if (end < page.size()) out += '\n';
    begin = end + 1;
  }
  return out;
}

}  // namespace heddle::output
