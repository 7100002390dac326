#include "models/reference/waits.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace heddle::reference {
namespace {

std::uint32_t line_of(const DecodedProgram& program, std::int32_t pc) {
  const auto at = std::min(static_cast<std::size_t>(pc), program.code.size() - 1);
  return program.code[at].instruction->location.ptx_line;
}

}  // namespace

void WarpLoop::add(const DecodedInstruction& d, LaneMask active) {
  lanes |= active;
  const std::uint32_t line = d.instruction->location.ptx_line;
  if (line == 0) return;
  first_line = first_line == 0 ? line : std::min(first_line, line);
  last_line = std::max(last_line, line);
}

std::string lanes_text(LaneMask lanes) {
  std::string text = std::popcount(lanes) == 1 ? "lane " : "lanes ";
  for (const char* between = ""; lanes != 0; between = ", ") {
    const int first = std::countr_zero(lanes);
    const int count = std::countr_one(lanes >> first);
    text += count == 1 ? fmt::format("{}{}", between, first)
                       : fmt::format("{}{}-{}", between, first, first + count - 1);
    lanes &= count == kLanes ? 0 : ~(((LaneMask{1} << count) - 1) << first);
  }
  return text;
}

std::string describe(const DecodedProgram& program, const WarpState& warp, const WarpLoop& loop,
                     bool& waiting) {
  std::string text = fmt::format(
      "{} repeat{} line{}", lanes_text(loop.lanes), std::popcount(loop.lanes) == 1 ? "s" : "",
      loop.first_line == loop.last_line ? fmt::format(" {}", loop.first_line)
                                        : fmt::format("s {} to {}", loop.first_line, loop.last_line));
  if (loop.read)
    text +=
        fmt::format(", which read {:#x} (line {})", loop.address, loop.read->instruction->location.ptx_line);
  const std::vector<SimtStack::View> entries = warp.stack.view();
  LaneMask above = loop.lanes;
  for (std::size_t i = entries.size(); i-- > 0;) {
    const LaneMask own = entries[i].lanes & ~above;
    above |= entries[i].lanes;
    if (own == 0) continue;
    waiting = true;
    text += fmt::format("; {} wait{} for them at line {}", lanes_text(own),
                        std::popcount(own) == 1 ? "s" : "", line_of(program, entries[i].pc));
  }
  return text;
}

}  // namespace heddle::reference
