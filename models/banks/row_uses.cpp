#include "models/banks/row_uses.h"

#include <bit>
#include <utility>

namespace heddle {

RowUses::RowUses(RegisterPower& power, int collectors, int max_warps)
    : power_(power),
      collectors_(static_cast<std::uint32_t>(collectors)),
      sources_(collectors_),
      results_(static_cast<std::size_t>(max_warps) * 256) {}

Cycle RowUses::arrived(Cycle now, const RegisterAccess& access, const RegisterPlace& place) {
  const Cycle from = came(access, place);
  if (from != kNever) return from;
  if (access.instruction) drop_other(now, access);
  return power_.arrives(now, place, access.command == RegisterCommand::write);
}

// Ends the use that was announced for this access at another row: since the announcement, a dynamic register
// mapping has moved the register to a new row.
void RowUses::drop_other(Cycle now, const RegisterAccess& access) {
  if (access.command == RegisterCommand::write) {
    Result& result = result_of(access.warp, access.home);
    if (std::exchange(result.open, false)) power_.dropped(now, result.use.place, true);
  } else if (access.source < collectors_) {
    Sources& sources = sources_[access.source];
    const unsigned i = index_of(*access.operand);
    if (!(sources.open >> i & 1)) return;
    sources.open &= ~(1u << i);
    power_.dropped(now, sources.uses[i].place, false);
  }
}

void RowUses::reads_held(Cycle now, const InFlight& item) {
  Sources& sources = sources_[item.collector.value];
  if (sources.uid != item.uid) return;
  for (std::uint32_t rest = std::exchange(sources.open, 0); rest; rest &= rest - 1)
    power_.dropped(now, sources.uses[static_cast<std::size_t>(std::countr_zero(rest))].place, false);
}

void RowUses::completed(Cycle now, const InFlight& item) {
  for (std::size_t slot = 0; slot < item.instruction->num_dst; ++slot) {
    const isa::Operand& operand = item.instruction->dst[slot];
    for (std::uint32_t word = 0; word < static_cast<std::uint32_t>(operand.words()); ++word) {
      Result& result = result_of(item.warp(), RegId(operand.reg.value + word));
      if (!result.open || result.uid != item.uid) continue;
      result.open = false;
      power_.dropped(now, result.use.place, true);
    }
  }
}

}  // namespace heddle
