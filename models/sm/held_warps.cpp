#include "models/sm/held_warps.h"

namespace heddle {

HeldWarps::HeldWarps(const WarpHold& hold, const Context& context) : hold_(hold) {
  for (std::uint32_t w = 0; w < static_cast<std::uint32_t>(context.warps); ++w)
    mine_[w % static_cast<std::uint32_t>(context.schedulers)].add(WarpId(w));
}

const char* HeldWarps::own_reason() const { return hold_.reason(); }

bool HeldWarps::lasting() const { return hold_.lasts(); }

WarpSet HeldWarps::blocked(const ConstraintView& view) {
  WarpSet held = view.slot == 0 ? hold_.held() : hold_.held() | hold_.held_after_next();
  if (!hold_.holds_bound()) held &= ~view.bound;
  return held & mine_[static_cast<std::size_t>(view.scheduler)];
}

}  // namespace heddle
