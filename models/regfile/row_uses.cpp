#include "models/regfile/row_uses.h"

#include <bit>
#include <utility>

namespace heddle {

RowUses::RowUses(RegisterPower& power, int collectors, int max_warps)
    : power_(power),
      sources_(static_cast<std::size_t>(collectors)),
      destinations_(static_cast<std::size_t>(max_warps) * 256) {}

// The access may go to another row than was announced: a mapping may give a new value a new place.
bool RowUses::end(Cycle now, const RegisterPlace& announced, const RegisterPlace& place, bool write) {
  const bool same = announced == place;
  if (!same) power_.dropped(now, announced, write);
  return same;
}

bool RowUses::arrived(Cycle now, const RegisterAccess& access, const RegisterPlace& place) {
  if (!access.instruction) return false;
  if (access.command == RegisterCommand::write) {
    Use& use = destination(access.warp, access.home);
    if (!use.place.set) return false;
    const bool same = end(now, use.place, place, true);
    use.place.set = false;
    return same;
  }
  if (access.source >= sources_.size()) return false;
  Sources& sources = sources_[access.source];
  const unsigned i = index_of(access.slot, access.word);
  if (!(sources.open >> i & 1)) return false;
  sources.open &= ~(1u << i);
  return end(now, sources.places[i], place, false);
}

void RowUses::operands_held(Cycle now, const InstructionStep& step) {
  Sources& sources = sources_[step.collector.value];
  if (sources.uid != step.uid) return;
  for (std::uint32_t rest = std::exchange(sources.open, 0); rest; rest &= rest - 1)
    power_.dropped(now, sources.places[static_cast<std::size_t>(std::countr_zero(rest))], false);
}

void RowUses::completed(Cycle now, const InstructionStep& step) {
  for (std::size_t slot = 0; slot < step.instruction->num_dst; ++slot) {
    const isa::Operand& operand = step.instruction->dst[slot];
    for (std::uint32_t word = 0; word < static_cast<std::uint32_t>(operand.words()); ++word) {
      Use& use = destination(step.warp, RegId(operand.reg.value + word));
      if (!use.place.set || use.uid != step.uid) continue;
      use.place.set = false;
      power_.dropped(now, use.place, true);
    }
  }
}

}  // namespace heddle
