// What the reference says when a kernel fails, or does not end.

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "models/reference/machine.h"

namespace heddle::reference {
namespace {

std::string position(const isa::Dim3& d) { return fmt::format("({},{},{})", d.x, d.y, d.z); }

}  // namespace

void Machine::fail(const WarpState& warp, const DecodedInstruction& d, FaultError::Kind kind, int lane,
                   const std::string& what, const std::string& allowed) const {
  std::string who = fmt::format("kernel {}, CTA {}", program_.kernel, position(warp.cta->position));
  if (lane >= 0) {
    const auto linear = warp.index * kLanes + static_cast<std::uint32_t>(lane);
    who += ", thread " + position(thread_position(launch_.block, linear));
  }
  throw FaultError(kind, place_of(program_, *d.instruction), who + ": " + what, allowed);
}

void Machine::look_for_progress() {
  if (steps_ == limit_) fail_endless();
  waits_ = !progress_;
  stalled_ = progress_ ? 0 : stalled_ + stretch_;
  if (options_.endless_after != 0 && stalled_ >= options_.endless_after) fail_endless();
  progress_ = false;
  stretch_end_ += stretch_;
  next_look_ = std::min(limit_, stretch_end_);
}

void Machine::fail_endless() const {
  constexpr int kMostNamed = 8;
  const WarpState* first = nullptr;
  std::string who;
  int named = 0, more = 0;
  for (const auto& cta : ctas_) {
    if (!cta->occupied) continue;
    for (const WarpState& warp : cta->warps) {
      if (warp.stack.empty()) continue;
      if (!first && warp.runs()) first = &warp;
      if (named == kMostNamed) {
        ++more;
        continue;
      }
      const auto& at = warp.waiting ? *warp.barrier : decoded_.code[warp.stack.pc()];
      who += fmt::format("{}CTA {} warp {} {} line {}", named++ ? ", " : "", position(cta->position),
                         warp.index, warp.waiting ? "waits at" : "is at", at.instruction->location.ptx_line);
    }
  }
  if (!first) throw InternalError("no warp runs at the limit of warp-instructions");
  if (more) who += fmt::format(", and {} more warps", more);
  const std::string where = place_of(program_, *decoded_.code[first->stack.pc()].instruction);
  const std::string kernel =
      fmt::format("kernel {}, CTA {}", program_.kernel, position(first->cta->position));
  if (steps_ == limit_)
    throw InstructionLimitError(
        where,
        fmt::format("{}: more than {} warp-instructions: an endless loop? warp {} is here ({})", kernel,
                    limit_, first->index, who),
        "more with a higher limit");
  throw EndlessError(
      where,
      fmt::format("{}: an endless loop: in {} warp-instructions no thread has ended and neither "
                  "global nor shared memory has changed ({})",
                  kernel, options_.endless_after, who),
      "more with a higher watch.endless_steps");
}

}  // namespace heddle::reference
