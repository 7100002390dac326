#include <algorithm>
#include <cstring>

#include "models/reference/resident_ctas.h"
#include "models/reference/special_registers.h"

namespace heddle::reference {
namespace {

void fill_poison(std::vector<std::uint8_t>& bytes, std::size_t size) {
  bytes.resize(size);
  if (size == 0) return;
  std::memcpy(bytes.data(), &kPoison, std::min(size, sizeof kPoison));
  for (std::size_t filled = sizeof kPoison; filled < size; filled *= 2)
    std::memcpy(bytes.data() + filled, bytes.data(), std::min(filled, size - filled));
}

}  // namespace

void ResidentCtas::place(CtaState& cta, std::uint64_t linear) {
  const std::uint32_t warps = launch_.warps_per_cta();
  ++placed_;
  cta.occupied = true;
  cta.linear = linear;
  cta.steps = cta.global_segments = 0;
  cta.position = cta_position(launch_.grid, linear);
  cta.live_warps = warps;
  cta.waiting_warps = 0;
  cta.barriers = BarrierSet(warps);
  fill_poison(cta.shared, launch_.shared_bytes());
  cta.machine = launch_.reads ? launch_.reads->begin(linear) : nullptr;
  cta.warps.resize(warps);
  for (std::uint32_t w = 0; w < warps; ++w) {
    cta.warps[w].cta = &cta;
    cta.warps[w].index = w;
    start(cta, cta.warps[w]);
  }
}

void ResidentCtas::start(const CtaState& cta, WarpState& warp) const {
  const std::uint32_t threads =
      std::min(launch_.threads_per_cta() - warp.index * kLanes, std::uint32_t{kLanes});
  warp.stack.start(threads == kLanes ? kAllLanes : (1u << threads) - 1);
  warp.waiting = false;
  warp.calls = 0;
  warp.spinning = 0;
  warp.spins = warp.all_spins = 0;
  warp.predicates.assign(launch_.program->predicates, 0);
  const bool is_new = warp.values.size() != decoded_.values;
  warp.values.resize(decoded_.values);
  for (LaneVec& word : std::span(warp.values).first(launch_.program->registers)) word.fill(kPoison);
  const WarpPlace place{&launch_, cta.position, warp.index, cta.machine};
  warp.clock = {};
  if (cta.machine) warp.clock = {launch_.reads.get(), &cta.machine->warps[warp.index]};
  for (const SpecialSlot& slot : decoded_.specials) {
    if (!is_new && !differs_by_cta(slot.special)) continue;
    fill_special(slot.special, slot.number, slot.bits, place, warp.values[slot.index]);
    if (slot.bits == 64) warp.values[slot.index + 1].fill(0);
  }
  fill_poison(warp.local, std::size_t{launch_.program->local_bytes} * kLanes);
}

}  // namespace heddle::reference
