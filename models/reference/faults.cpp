
#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "models/isa/matrix_operands.h"
#include "models/reference/faults.h"
#include "models/reference/special_registers.h"

namespace heddle::reference {
namespace {

std::string position(const isa::Dim3& d) { return fmt::format("({},{},{})", d.x, d.y, d.z); }

}  // namespace

void Faults::fail(const WarpState& warp, const DecodedInstruction& d, FaultError::Kind kind, int lane,
                  const std::string& what, const std::string& allowed) const {
  std::string who = fmt::format("kernel {}, CTA {}", launch_->program->kernel, position(warp.cta->position));
  if (lane >= 0) {
    const auto linear = warp.index * kLanes + static_cast<std::uint32_t>(lane);
    who += ", thread " + position(thread_position(launch_->block, linear));
  }
  throw FaultError(kind, place_of(*launch_->program, *d.instruction), who + ": " + what, allowed);
}

void Faults::require_all_lanes(const WarpState& warp, const DecodedInstruction& d, LaneMask executing) const {
  if (executing == kAllLanes) return;
  fail(warp, d, FaultError::Kind::other, -1,
       fmt::format("warp {}: {}", warp.index, isa::partial_warp(*d.instruction, executing)),
       "all 32 lanes of the warp");
}

void Faults::fail_standstill(const DecodedProgram& program,
                             const std::vector<std::unique_ptr<CtaState>>& ctas,
                             const std::function<WarpLoop(WarpState&)>& loop_of) const {
  constexpr int kMostNamed = 4;
  std::string where, who;
  int named = 0, more = 0;
  bool own_lanes = false;
  const auto name = [&](const CtaState& cta, const WarpState& warp, const std::string& what) {
    if (named++ < kMostNamed)
      who += fmt::format("{}CTA {} warp {}: {}", who.empty() ? "" : "; ", position(cta.position), warp.index,
                         what);
    else
      ++more;
  };
  for (const auto& cta : ctas) {
    if (!cta->occupied) continue;
    for (WarpState& warp : cta->warps) {
      if (!warp.runs() || named == kMostNamed) {
        more += warp.runs();
        continue;
      }
      const WarpLoop loop = loop_of(warp);
      if (where.empty()) where = place_of(*launch_->program, *program.code[warp.stack.pc()].instruction);
      name(*cta, warp, describe(program, warp, loop, own_lanes));
    }
    for (const WarpState& warp : cta->warps)
      if (warp.waiting)
        name(*cta, warp,
             fmt::format("waits at line {} ({})", warp.barrier->instruction->location.ptx_line,
                         cta->barriers.describe()));
  }
  if (more) who += fmt::format("; and {} more warps", more);
  throw EndlessError(
      where,
      fmt::format("kernel {} cannot end: every warp that runs repeats itself, and none changes memory: {}",
                  launch_->program->kernel, who),
      own_lanes ? "a warp does not wait for its own lanes, whose paths run one after the other; or .target "
                  "sm_70 and "
                  "above, or gpu.sm.thread_progress=on"
                : "");
}

void Faults::fail_endless(const DecodedProgram& program, const Progress& progress,
                          const std::vector<std::unique_ptr<CtaState>>& ctas) const {
  constexpr int kMostNamed = 8;
  const WarpState* first = nullptr;
  std::string who;
  int named = 0, more = 0;
  for (const auto& cta : ctas) {
    if (!cta->occupied) continue;
    for (const WarpState& warp : cta->warps) {
      if (warp.stack.empty()) continue;
      if (!first && warp.runs()) first = &warp;
      if (named == kMostNamed) {
        ++more;
        continue;
      }
      const auto& at = warp.waiting ? *warp.barrier : program.code[warp.stack.pc()];
      who += fmt::format("{}CTA {} warp {} {} line {}", named++ ? ", " : "", position(cta->position),
                         warp.index, warp.waiting ? "waits at" : "is at", at.instruction->location.ptx_line);
    }
  }
  if (!first) throw InternalError("no warp runs at the limit of warp-instructions");
  if (more) who += fmt::format(", and {} more warps", more);
  const std::string where = place_of(*launch_->program, *program.code[first->stack.pc()].instruction);
  const std::string kernel =
      fmt::format("kernel {}, CTA {}", launch_->program->kernel, position(first->cta->position));
  if (progress.at_limit())
    throw InstructionLimitError(
        where,
        fmt::format("{}: more than {} warp-instructions: an endless loop? warp {} is here ({})", kernel,
                    progress.steps(), first->index, who),
        "more with a higher limit");
  throw EndlessError(
      where,
      fmt::format("{}: an endless loop: in {} warp-instructions no thread has ended and neither "
                  "global nor shared memory has changed ({})",
                  kernel, progress.endless_after(), who),
      "more with a higher watch.endless_steps");
}

}  // namespace heddle::reference
