#include "models/reference/barrier_set.h"

#include <fmt/format.h>

#include <bit>

#include "models/core/error.h"

namespace heddle::reference {

using isa::BarrierKind;

bool BarrierSet::arrive(const Arrival& a, Completion& done) {
  if (a.barrier >= kBarriers) throw Error("", fmt::format("barrier number {}", a.barrier), "0..15");
  if (a.threads % kLanes != 0 || a.threads / kLanes > warps_)
    throw Error("", fmt::format("barrier {} with a thread count of {}", a.barrier, a.threads),
                fmt::format("multiples of 32 up to {}, the CTA's warps x 32", warps_ * kLanes));
  if (a.kind == BarrierKind::arrive && a.threads == 0)
    throw Error("", fmt::format("bar.arrive at barrier {} without a thread count", a.barrier),
                "multiples of 32");
  const std::uint32_t expected = a.threads == 0 ? warps_ : a.threads / kLanes;
  Barrier& b = barriers_[a.barrier];
  if (b.expected != 0 && b.expected != expected)
    throw Error("", fmt::format("barrier {} is awaited by {} threads, this warp says {}", a.barrier,
                                b.expected * kLanes, expected * kLanes));
  b.for_all = a.threads == 0 && (b.expected == 0 || b.for_all);
  b.expected = expected;
  awaited_ |= 1u << a.barrier;
  ++b.arrivals;
  b.arrived |= 1u << a.warp;
  if (a.kind != BarrierKind::arrive) b.result.waiting |= 1u << a.warp;
  if (a.kind != BarrierKind::arrive && a.kind != BarrierKind::sync) {
    const LaneMask holds = a.predicate & a.executing;
    b.result.popc += static_cast<std::uint32_t>(count_lanes(holds));
    b.result.all = b.result.all && holds == a.executing;
    b.result.any = b.result.any || holds != 0;
  }
  return complete(a.barrier, done);
}

bool BarrierSet::exited(std::uint32_t warp, Completion& done) {
  exited_ |= 1u << warp;
  for (std::uint32_t left = awaited_; left != 0; left &= left - 1) {
    if (complete(static_cast<std::uint32_t>(std::countr_zero(left)), done)) return true;
  }
  return false;
}

bool BarrierSet::complete(std::uint32_t index, Completion& done) {
  Barrier& b = barriers_[index];
  const std::uint32_t gone = b.for_all ? static_cast<std::uint32_t>(std::popcount(exited_ & ~b.arrived)) : 0;
  if (b.arrivals + gone < b.expected) return false;
  done = b.result;
  done.barrier = index;
  b = {};
  awaited_ &= ~(1u << index);
  return true;
}

std::string BarrierSet::describe() const {
  std::string text;
  for (std::uint32_t i = 0; i < kBarriers; ++i) {
    const Barrier& b = barriers_[i];
    if (b.expected == 0) continue;
    text +=
        fmt::format("{}barrier {} has {} of {} warps", text.empty() ? "" : ", ", i, b.arrivals, b.expected);
  }
  return text;
}

}  // namespace heddle::reference
