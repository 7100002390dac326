#include "models/sm/cta_table.h"

#include <algorithm>
#include <string>

#include "models/core/error.h"
#include "models/memory/shared_memory.h"

namespace heddle {
namespace {

[[noreturn]] void refuse_admission(const char* missing, const char* constraints) {
  throw Error("gpu.admission", std::string("admits a CTA to an SM that has no free ") + missing,
              std::string("a list with ") + constraints);
}

WarpSet lowest(int count) {
  return count == static_cast<int>(WarpSet::kCapacity) ? WarpSet::all()
                                                       : WarpSet((std::uint64_t{1} << count) - 1);
}

}  // namespace

CtaTable::CtaTable(int slots, int warps, const StatsScope& stats)
    : ctas_(static_cast<std::size_t>(slots)),
      free_warps_(lowest(warps)),
      ctas_placed_(stats.add("ctas", "CTAs", "CTAs that ran here")),
      warps_started_(stats.add("warps", "warps", "warps that ran here")),
      busy_cycles_(stats.add("busy_cycles", "cycles", "cycles with at least one resident CTA")) {}

CtaSlot CtaTable::begin(Cycle now, std::uint32_t cta, const isa::KernelLaunch& launch) {
  const auto slot = std::find_if(ctas_.begin(), ctas_.end(), [](const Cta& c) { return !c.used; });
  if (slot == ctas_.end()) refuse_admission("CTA slot", "ctas");
  *slot = {true, cta, launch.warps_per_cta(), {}};
  threads_ += static_cast<int>(launch.threads_per_cta());
  shared_bytes_ += SharedMemory::granted_bytes(launch.shared_bytes());
  if (resident_++ == 0) busy_from_ = now;
  ++ctas_placed_;
  return CtaSlot(static_cast<std::uint32_t>(slot - ctas_.begin()));
}

WarpId CtaTable::take_warp(CtaSlot slot, WarpSet with_registers) {
  const WarpSet able = free_warps_ & with_registers;
  if (able.empty()) refuse_admission("warp slot whose partition has the registers", "warps, registers");
  const WarpId warp = able.first();
  free_warps_.remove(warp);
  ctas_[slot.value].warps.push_back(warp);
  ++placed_;
  ++warps_started_;
  return warp;
}

bool CtaTable::warp_ended(Cycle now, CtaSlot slot, const isa::KernelLaunch& launch) {
  if (--ctas_[slot.value].warps_left != 0) return false;
  threads_ -= static_cast<int>(launch.threads_per_cta());
  shared_bytes_ -= SharedMemory::granted_bytes(launch.shared_bytes());
  if (resident_ == 1) settle(now + 1);
  --resident_;
  ended_.push_back(slot);
  return true;
}

void CtaTable::settle(Cycle cycle) {
  if (empty() || cycle <= busy_from_) return;
  busy_cycles_ += cycle - busy_from_;
  busy_from_ = cycle;
}

WarpSet CtaTable::ended_warps() const {
  WarpSet ended;
  for (const CtaSlot slot : ended_)
    for (const WarpId warp : warps(slot)) ended.add(warp);
  return ended;
}

std::vector<WarpId> CtaTable::free_ended() {
  std::vector<WarpId> freed;
  for (const CtaSlot slot : ended_) {
    freed.insert(freed.end(), warps(slot).begin(), warps(slot).end());
    ctas_[slot.value].used = false;
  }
  for (const WarpId warp : freed) free_warps_.add(warp);
  ended_.clear();
  return freed;
}

void CtaTable::subtract(SmResources& resources) const {
  resources.ctas -= resident_;
  resources.threads -= threads_;
  resources.shared_bytes -= shared_bytes_;
  const WarpSet free = free_warps_ | ended_warps();
  for (std::size_t p = 0; p < resources.partition_slots.size(); ++p)
    resources.partition_warps[p] = (resources.partition_slots[p] & free).count();
  resources.warps = free.count();
}

}  // namespace heddle
