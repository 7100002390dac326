#include "models/reference/findings.h"

#include <fmt/format.h>

#include <numeric>

namespace heddle::reference {

void Findings::keep(CheckKind kind, const isa::Program& program, const std::string& text) {
  if (lines_.size() < limit_)
    lines_.push_back(
        fmt::format("{}: kernel {}: {}", kCheckKinds[static_cast<std::size_t>(kind)], program.kernel, text));
}

std::uint64_t Findings::total() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

std::string Findings::summary() const {
  if (total() == 0) return "no findings";
  std::string text = fmt::format("{} finding{}", total(), total() == 1 ? "" : "s");
  const char* between = ": ";
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    if (counts_[k] == 0) continue;
    text += fmt::format("{}{} {}", between, counts_[k], kCheckKinds[k]);
    between = ", ";
  }
  return text;
}

std::string line_of(const isa::Program& program, std::uint32_t pc) {
  const isa::Instruction& i = program.code[pc];
  return fmt::format("line {} \"{}\"", i.location.ptx_line, to_string(i));
}

}  // namespace heddle::reference
