#include "models/reference/findings.h"

#include <fmt/format.h>

namespace heddle::reference {

void Findings::report(const isa::Program& program, std::uint32_t first, std::uint32_t second, Kind kind,
                      const std::string& text) {
  if (!known_.emplace(program.kernel, first, second, kind).second) return;
  if (lines_.size() < kMost)
    lines_.push_back(fmt::format("kernel {}: {}", program.kernel, text));
  else
    ++further_;
}

std::string line_of(const isa::Program& program, std::uint32_t pc) {
  const isa::Instruction& i = program.code[pc];
  return fmt::format("line {} \"{}\"", i.location.ptx_line, to_string(i));
}

}  // namespace heddle::reference
