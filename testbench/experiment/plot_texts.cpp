#include "testbench/experiment/plot_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::experiment {
namespace {

// gnuplot runs what stands in backquotes, in double quotes too, but takes single quotes as they are. A
// newline would end the line that a text stands on.
std::string without_controls(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
  return text;
}

}  // namespace

std::string plot_text(const std::string& text) {
  std::string out = "'";
  for (const char c : without_controls(text)) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

// A text in a data block, which knows double quotes alone, and no way to write one.
std::string plot_field(const std::string& text) {
  std::string out = without_controls(text);
  std::replace(out.begin(), out.end(), '"', '\'');
  return '"' + out + '"';
}

std::string plot_number(double value) { return std::isnan(value) ? "-" : fmt::format("{:.8g}", value); }

}  // namespace heddle::experiment
