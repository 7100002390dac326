#include "models/sm/warp_table.h"

namespace heddle {

std::string WarpTable::describe(WarpId id, const std::string& barrier) const {
  const WarpState& warp = state(id);
  const WarpProgress& own = progress(id);
  if (!taken_.contains(id)) return "empty";
  std::string text = fmt::format("CTA {} warp {}: ", warp.context.cta, warp.context.warp_in_cta);
  if (!running_.contains(id)) return text + fmt::format("exited, {} instructions in flight", own.in_flight);
  const isa::Instruction& at = own.code[warp.simt.pc()];
  switch (own.wait) {
    case WarpWait::barrier:
      return text + fmt::format("waits at line {} ({})", warp.waits_at->location.ptx_line, barrier);
    case WarpWait::fence:
      return text + fmt::format("waits for the fence at line {}", warp.waits_at->location.ptx_line);
    case WarpWait::async:
      return text + fmt::format("waits for asynchronous copies or at an mbarrier, at line {}",
                                warp.waits_at->location.ptx_line);
    case WarpWait::switched_out:
      text += "its registers are in memory or being moved, ";
      break;
    case WarpWait::none:
      break;
  }
  return text + fmt::format("at line {}, {} instructions in flight ({} to memory)", at.location.ptx_line,
                            own.in_flight, own.memory_in_flight);
}

}  // namespace heddle
