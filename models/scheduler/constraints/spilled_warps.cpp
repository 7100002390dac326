#include "models/scheduler/constraints/spilled_warps.h"

namespace heddle {

SpilledWarps::SpilledWarps(const Context& context) {
  for (std::uint32_t w = 0; w < static_cast<std::uint32_t>(context.warps); ++w)
    mine_[w % static_cast<std::uint32_t>(context.schedulers)].add(WarpId(w));
}

const char* SpilledWarps::own_reason() const { return "spilled"; }

bool SpilledWarps::lasting() const { return true; }

WarpSet SpilledWarps::blocked(const ConstraintView& view) {
  return warps_ & mine_[static_cast<std::size_t>(view.scheduler)] & ~view.bound;
}

}  // namespace heddle
