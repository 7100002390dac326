#include "models/isa/machine_reads.h"

#include <algorithm>
#include <bit>

namespace heddle::isa {

MachineReads::Site MachineReads::site_of(const Instruction& instruction, SpecialRegister special) {
  return {std::uint64_t{instruction.location.ptx_line} << 32 | instruction.location.ptx_column, special};
}

MachineReads::MachineReads(const Program& timed, std::uint32_t sms, std::uint32_t warp_slots)
    : by_sm_(sms), warp_slots_(warp_slots) {
  for (const Instruction& i : timed.code)
    for (const Operand& o : i.sources())
      if (o.kind == Operand::Kind::special && is_clock(o.special)) sites_.insert(site_of(i, o.special));
}

void MachineReads::placed(std::uint32_t sm, std::uint64_t cta, const std::vector<WarpId>& slots) {
  Cta& place = by_sm_[sm][cta];
  place.sm = sm;
  place.warps.resize(slots.size());
  for (std::size_t w = 0; w < slots.size(); ++w) place.warps[w].slot = slots[w].value;
}

void MachineReads::read(std::uint32_t sm, std::uint64_t cta, std::uint32_t warp,
                        const Instruction& instruction, SpecialRegister special, LaneMask lanes,
                        std::uint64_t value) {
  by_sm_[sm][cta].warps[warp].sites[site_of(instruction, special)].all.push_back({value, lanes, lanes});
}

MachineReads::Cta* MachineReads::begin(std::uint64_t cta) {
  for (auto& ctas : by_sm_) {
    const auto found = ctas.find(cta);
    if (found == ctas.end()) continue;
    for (Warp& warp : found->second.warps) {
      warp.missing = {};
      for (auto& [site, reads] : warp.sites) {
        reads.first_left = 0;
        for (Read& read : reads.all) read.left = read.lanes;
      }
    }
    return &found->second;
  }
  return nullptr;
}

void MachineReads::take(Warp& warp, const Instruction& instruction, SpecialRegister special, LaneMask lanes,
                        Values& values) {
  const Site site = site_of(instruction, special);
  const auto found = warp.sites.find(site);
  if (found != warp.sites.end()) {
    Reads& reads = found->second;
    while (reads.first_left != reads.all.size() && reads.all[reads.first_left].left == 0) ++reads.first_left;
    for (std::size_t r = reads.first_left; r != reads.all.size() && lanes != 0; ++r) {
      Read& read = reads.all[r];
      for (LaneMask taken = read.left & lanes; taken != 0; taken &= taken - 1)
        values[static_cast<std::size_t>(std::countr_zero(taken))] = read.value;
      const LaneMask taken = read.left & lanes;
      read.left &= ~taken;
      lanes &= ~taken;
    }
  }
  if (lanes == 0 || !sites_.contains(site)) return;
  warp.missing.lanes += static_cast<std::uint64_t>(count_lanes(lanes));
  if (warp.missing.line == 0) warp.missing.line = instruction.location.ptx_line;
}

MachineReads::Mismatch MachineReads::mismatch() const {
  Mismatch found;
  const auto add = [&found](std::uint64_t lanes, std::uint32_t line) {
    if (lanes == 0) return;
    found.lanes += lanes;
    found.line = found.line == 0 ? line : std::min(found.line, line);
  };
  for (const auto& ctas : by_sm_)
    for (const auto& [number, cta] : ctas)
      for (const Warp& warp : cta.warps) {
        add(warp.missing.lanes, warp.missing.line);
        for (const auto& [site, reads] : warp.sites)
          for (const Read& read : reads.all)
            add(static_cast<std::uint64_t>(count_lanes(read.left)),
                static_cast<std::uint32_t>(site.first >> 32));
      }
  return found;
}

}  // namespace heddle::isa
