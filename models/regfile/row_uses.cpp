#include "models/regfile/row_uses.h"

namespace heddle {

RowUses::RowUses(RegisterPower& power, int collectors, int max_warps)
    : power_(power),
      sources_(static_cast<std::size_t>(collectors)),
      destinations_(static_cast<std::size_t>(max_warps) * 256) {}

// The access may go to another row than was announced: a mapping may give a new value a new place.
bool RowUses::end(Cycle now, Use& use, const RegisterPlace& place, bool write) {
  const bool same = use.place == place;
  if (!same) power_.dropped(now, use.place, write);
  use.place.set = false;
  return same;
}

bool RowUses::arrived(Cycle now, const RegisterAccess& access, const RegisterPlace& place) {
  if (!access.instruction) return false;
  if (access.command == RegisterCommand::write) {
    Use& use = destination(access.warp, access.home);
    return use.place.set && end(now, use, place, true);
  }
  if (access.source >= sources_.size()) return false;
  Sources& sources = sources_[access.source];
  for (std::size_t i = 0; i < sources.count; ++i) {
    Use& use = sources.uses[i];
    if (!use.place.set || use.slot != access.slot || use.word != access.word) continue;
    --sources.open;
    return end(now, use, place, false);
  }
  return false;
}

void RowUses::operands_held(Cycle now, const InstructionStep& step) {
  Sources& sources = sources_[step.collector.value];
  if (sources.open == 0) return;
  for (std::size_t i = 0; i < sources.count; ++i) {
    Use& use = sources.uses[i];
    if (!use.place.set || use.uid != step.uid) continue;
    use.place.set = false;
    --sources.open;
    power_.dropped(now, use.place, false);
  }
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
