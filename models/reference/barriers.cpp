#include "models/reference/barriers.h"

#include <fmt/format.h>

#include <bit>

#include "models/core/error.h"
#include "models/reference/lane_work.h"

namespace heddle::reference {

void Barriers::arrive(WarpState& warp, const DecodedInstruction& d, LaneMask executing) {
  LaneVec counter[2];
  const int lane = std::countr_zero(executing);
  const auto scalar = [&](int slot) {
    const SourceWords words =
        slot < d.num_src ? words_of(decoded_, warp, d, slot, LaneMask{1} << lane, progress_.steps(), counter)
                         : SourceWords{};
    return words.low ? (*words.low)[lane] : 0u;
  };
  BarrierSet::Arrival arrival;
  arrival.warp = warp.index;
  arrival.barrier = scalar(0);
  arrival.threads = scalar(1);
  arrival.kind = d.instruction->barrier;
  arrival.executing = executing;
  if (d.num_src > 2) arrival.predicate = mask_of(d.src[2], warp.predicates);
  CtaState& cta = *warp.cta;
  if (options_.observer)
    options_.observer->arrived(view_of(launch_, decoded_, warp, d, executing, executing), arrival.barrier);
  BarrierSet::Completion done;
  bool met = false;
  try {
    met = cta.barriers.arrive(arrival, done);
  } catch (const Error& error) {
    faults_.fail(warp, d, FaultError::Kind::barrier, lane, error.what());
  }
  if (arrival.kind != isa::BarrierKind::arrive) {
    warp.waiting = true;
    warp.barrier = &d;
    warp.barrier_lanes = executing;
    ++cta.waiting_warps;
  }
  if (met) complete(cta, done);
  check(cta);
}

void Barriers::exited(const WarpState& warp) {
  CtaState& cta = *warp.cta;
  --cta.live_warps;
  BarrierSet::Completion done;
  while (cta.barriers.exited(warp.index, done)) complete(cta, done);
  check(cta);
}

void Barriers::complete(CtaState& cta, const BarrierSet::Completion& done) {
  if (options_.observer) options_.observer->synchronized(cta.linear, done.barrier, done.waiting);
  for (std::uint32_t left = done.waiting; left != 0; left &= left - 1) {
    WarpState& warp = cta.warps[std::countr_zero(left)];
    warp.waiting = false;
    --cta.waiting_warps;
    const Destination& to = warp.barrier->dst[0];
    if (warp.barrier->num_dst == 0 || to.kind == Destination::Kind::none) continue;
    const isa::BarrierKind kind = warp.barrier->instruction->barrier;
    const bool holds = kind == isa::BarrierKind::red_and ? done.all : done.any;
    if (to.kind == Destination::Kind::predicate) {
      LaneMask& predicate = warp.predicates[to.index];
      predicate = holds ? predicate | warp.barrier_lanes : predicate & ~warp.barrier_lanes;
    } else {
      LaneVec low, high;
      low.fill(kind == isa::BarrierKind::red_popc ? done.popc : holds);
      high.fill(0);
      write(warp, to, low, &high, warp.barrier_lanes);
    }
  }
}

void Barriers::check(const CtaState& cta) const {
  if (cta.live_warps == 0 || cta.waiting_warps != cta.live_warps) return;
  std::string who;
  const WarpState* first = nullptr;
  for (const WarpState& warp : cta.warps) {
    if (!warp.waiting) continue;
    if (!first) first = &warp;
    who += fmt::format("{}warp {} at line {}", who.empty() ? "" : ", ", warp.index,
                       warp.barrier->instruction->location.ptx_line);
  }
  faults_.fail(
      *first, *first->barrier, FaultError::Kind::barrier, -1,
      fmt::format("a barrier that can never be met: {}, {} of {} warps have exited, and all others wait ({})",
                  cta.barriers.describe(), cta.warps.size() - cta.live_warps, cta.warps.size(), who));
}

}  // namespace heddle::reference
