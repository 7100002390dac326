#include "models/sm/barrier_unit.h"

#include <fmt/format.h>

#include <bit>

#include "models/core/error.h"

namespace heddle {

void BarrierUnit::cta_begins(CtaSlot slot, std::uint32_t warps) {
  ctas_[slot.value] = {};
  ctas_[slot.value].warps = warps;
}

std::uint64_t BarrierUnit::complete_if_met(Cta& cta, Barrier& barrier) {
  if (barrier.expected == 0) return 0;
  const std::uint32_t there = barrier.arrived + (barrier.for_all ? cta.exited : 0);
  if (there < barrier.expected) return 0;
  const std::uint64_t released = barrier.waiting;
  const Reduction result = barrier.current;
  barrier = {};
  barrier.last = result;
  return released;
}

std::uint64_t BarrierUnit::warp_exits(CtaSlot slot) {
  Cta& cta = ctas_[slot.value];
  ++cta.exited;
  std::uint64_t released = 0;
  for (Barrier& barrier : cta.barriers)
    if (barrier.for_all) released |= complete_if_met(cta, barrier);
  return released;
}

std::uint64_t BarrierUnit::arrive(const Arrival& a) {
  const auto where = [&] {
    const isa::Program& program = *a.context->launch->program;
    return fmt::format("{}:{}:{}: kernel {}, CTA {}, warp {}", program.file, a.instruction->location.ptx_line,
                       a.instruction->location.ptx_column, program.kernel, a.context->cta,
                       a.context->warp_in_cta);
  };
  if (a.number >= kBarriers) throw Error(where(), fmt::format("there is no barrier {}", a.number), "0 to 15");
  if (a.threads % 32 != 0)
    throw Error(where(), fmt::format("barrier for {} threads", a.threads), "a multiple of 32");
  Cta& cta = ctas_[a.context->cta_slot.value];
  Barrier& barrier = cta.barriers[a.number];
  const std::uint32_t expected = a.threads ? a.threads / 32 : cta.warps;
  if (a.threads && expected > cta.warps)
    throw Error(where(), fmt::format("barrier {} waits for {} threads, the CTA has {} warps", a.number,
                                     a.threads, cta.warps));
  if (barrier.expected == 0) {
    barrier.expected = expected;
    barrier.for_all = a.threads == 0;
  } else if (barrier.expected != expected || barrier.for_all != (a.threads == 0)) {
    throw Error(where(), fmt::format("barrier {} is met with {} warps, but earlier arrivals wait for {}",
                                     a.number, expected, barrier.expected));
  }
  ++barrier.arrived;
  barrier.current.votes += static_cast<std::uint32_t>(std::popcount(a.predicate & a.mask));
  barrier.current.lanes += static_cast<std::uint32_t>(std::popcount(a.mask));
  if (a.waits) barrier.waiting |= std::uint64_t{1} << a.context->warp.value;
  return complete_if_met(cta, barrier);
}

BarrierUnit::Reduction BarrierUnit::reduction(CtaSlot slot, std::uint32_t number) const {
  return ctas_[slot.value].barriers[number].last;
}

std::string BarrierUnit::describe(CtaSlot slot) const {
  const Cta& cta = ctas_[slot.value];
  std::string text;
  for (std::uint32_t b = 0; b < kBarriers; ++b) {
    const Barrier& barrier = cta.barriers[b];
    if (barrier.expected == 0) continue;
    text += fmt::format("{}barrier {}: {} of {} warps have arrived", text.empty() ? "" : "; ", b,
                        barrier.arrived + (barrier.for_all ? cta.exited : 0), barrier.expected);
  }
  return text;
}

bool BarrierUnit::all_wait(CtaSlot slot) const {
  const Cta& cta = ctas_[slot.value];
  std::uint64_t waiting = 0;
  for (const Barrier& barrier : cta.barriers) waiting |= barrier.waiting;
  return waiting && static_cast<std::uint32_t>(std::popcount(waiting)) + cta.exited == cta.warps;
}

}  // namespace heddle
