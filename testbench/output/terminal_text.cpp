#include "testbench/output/terminal_text.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace heddle::output {
namespace {

constexpr std::size_t kPipe = 80;   // width of a line if standard output is no terminal
constexpr std::size_t kLeast = 40;  // Least width: with fewer columns, no text would fit after a label.
constexpr std::size_t kLabel = 34;  // largest column at which the text after a label may begin
// A line without a label that has at least this indent is wrapped with the same indent.
constexpr std::size_t kDeep = 10;
constexpr std::size_t kFurther = 4;  // additional indent of a continuation if the line has no label

// Returns the column of the text after a label, such as 76.7 in "energy   76.7 uJ"; 0 if the line has no label. A label
// ends with at least two blanks.
std::size_t after_label(std::string_view line, std::size_t indent) {
  for (std::size_t at = indent; at + 2 < line.size() && at < kLabel; ++at) {
    if (line[at] != ' ' || line[at + 1] != ' ') continue;
    const std::size_t begin = line.find_first_not_of(' ', at);
    return begin == std::string_view::npos || begin > kLabel ? 0 : begin;
  }
  return 0;
}

std::size_t longest_word(std::string_view line) {
  std::size_t longest = 0, letters = 0;
  for (const char c : line) {
    letters = c == ' ' ? 0 : letters + 1;
    longest = std::max(longest, letters);
  }
  return longest;
}

void add_wrapped(std::string& out, std::string_view line, std::size_t hang, std::size_t width) {
  std::size_t room = width, shown = 0;
  while (line.size() > room) {
    // Break the line at the last blank that fits. A word longer than the line is not broken.
    std::size_t cut = line.rfind(' ', room);
    const std::size_t begin = line.find_first_not_of(' ');
    if (cut == std::string_view::npos || cut <= begin) cut = line.find(' ', std::max(room, begin));
    if (cut == std::string_view::npos) break;
    std::string_view part = line.substr(0, cut);
    part = part.substr(0, part.find_last_not_of(' ') + 1);
    out.append(shown ? hang : 0, ' ').append(part).append("\n");
    line = line.substr(std::min(line.find_first_not_of(' ', cut), line.size()));
    if (!shown) room = width - hang;
    ++shown;
  }
  if (!line.empty() || !shown) out.append(shown ? hang : 0, ' ').append(line).append("\n");
}

}  // namespace

std::size_t terminal_width() {
  if (const char* said = std::getenv("COLUMNS")) {
    const unsigned long columns = std::strtoul(said, nullptr, 10);
    if (columns > 0) return std::max<std::size_t>(kLeast, columns);
  }
  winsize size{};
  if (::isatty(STDOUT_FILENO) && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return std::max<std::size_t>(kLeast, size.ws_col);
  return kPipe;
}

std::string wrapped(const std::string& text, std::size_t width) {
  std::string out;
  std::size_t label = 0;  // column at which the text after the last label begins
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t own = after_label(line, indent);
    if (own) label = own;
    // A label as wide as its column is followed by only one blank, and then by text that begins in the same
    // column as the text after the previous label.
    const bool below = label > indent && line.size() > label && line[label - 1] == ' ' && line[label] != ' ';
    std::size_t hang = own ? own : below ? label : indent >= kDeep ? indent : indent + kFurther;
    if (hang + std::max(kLeast / 2, longest_word(line)) > width) hang = std::min(hang, indent + kFurther);
    if (line.size() > width)
      add_wrapped(out, line, hang, width);
    else
      out.append(line).append("\n");
    begin = end + 1;
  }
  if (!text.empty() && text.back() != '\n') out.pop_back();
  return out;
}

void print_wrapped(const std::string& text) { fmt::print("{}", wrapped(text, terminal_width())); }

std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t width, std::size_t joined) {
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string out;
  for (std::size_t first = 1; first == 1 || first < widths.size();) {
    // Take as many columns as fit. Columns that stay together are one group; take at least one group.
    std::size_t next = first, used = widths[0];
    while (next < widths.size()) {
      std::size_t more = 0;
      const std::size_t group = std::min(next == 1 ? std::size_t{1} : joined, widths.size() - next);
      for (std::size_t i = next; i < next + group; ++i) more += 2 + widths[i];
      if (next > first && used + more > width) break;
      used += more;
      next += group;
    }
    if (first > 1) out += "\n";
    for (const auto& row : rows) {
      std::string line = fmt::format("{:<{}}", row[0], widths[0]);
      for (std::size_t i = first; i < std::min(next, row.size()); ++i)
        line += fmt::format("  {:>{}}", row[i], widths[i]);
      out += line + "\n";
    }
    first = next;
    if (widths.size() == 1) break;
  }
  return out;
}

}  // namespace heddle::output
