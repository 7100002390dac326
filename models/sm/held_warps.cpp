#include "models/sm/held_warps.h"

namespace heddle {

HeldWarps::HeldWarps(const WarpResidency& residency, const Context& context) : residency_(residency) {
  for (std::uint32_t w = 0; w < static_cast<std::uint32_t>(context.warps); ++w)
    mine_[w % static_cast<std::uint32_t>(context.schedulers)].add(WarpId(w));
}

const char* HeldWarps::own_reason() const { return residency_.reason(); }

bool HeldWarps::lasting() const { return true; }

WarpSet HeldWarps::blocked(const ConstraintView& view) {
  return residency_.held() & mine_[static_cast<std::size_t>(view.scheduler)] & ~view.bound;
}

}  // namespace heddle
