#include "models/stages/operand_fills.h"

namespace heddle {

LaneMask OperandFills::take_filled(const RegisterAccess& read, std::uint32_t entry, LaneMask& missing) const {
  LaneMask to_come = 0;
  for (const Fill* fill : under_way_) {
    if (fill->access.warp != read.warp || fill->access.home != read.home || fill->entry != entry) continue;
    const LaneMask lanes = fill->access.mask & missing;
    if (fill->there.raised())
      merge_lanes(*read.values, fill->values, lanes);
    else
      to_come |= lanes;
    missing &= ~lanes;
  }
  return to_come;
}

bool OperandFills::fill_waiter(const Fill& fill, Waiter& waiter) {
  const LaneMask lanes = waiter.missing & fill.access.mask;
  if (waiter.read->warp != fill.access.warp || waiter.read->home != fill.access.home ||
      waiter.entry != fill.entry || !lanes)
    return false;
  merge_lanes(*waiter.read->values, fill.values, lanes);
  waiter.missing &= ~lanes;
  return waiter.missing == 0;
}

}  // namespace heddle
