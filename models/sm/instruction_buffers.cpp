#include "models/sm/instruction_buffers.h"

namespace heddle {

InstructionBuffers::InstructionBuffers(Clock& clock, int warps, int entries, Counter& stale)
    : InstructionTarget("decoded"), clock_(&clock), stale_(&stale) {
  consumed_.note = InstructionNote::consumed;
  for (int w = 0; w < warps; ++w) warps_.emplace_back(static_cast<std::size_t>(entries));
}

bool InstructionBuffers::take(InstructionTransfer& transfer) {
  Warp& warp = warps_[transfer.warp];
  if (transfer.decoded.epoch != warp.epoch) {  // a redirect was faster
    ++*stale_;
    return true;
  }
  if (!warp.buffer.offer(clock_->now(), transfer.decoded)) return false;
  const Cycle ready = transfer.decoded.ready;
  if (first_ < arrivals_.size() && arrivals_.back().ready == ready)
    arrivals_.back().warps.add(transfer.warp);
  else
    note_arrival(ready, transfer.warp);
  return true;
}

void InstructionBuffers::note_arrival(Cycle ready, WarpId warp) {
  arrivals_.push_back({ready, WarpSet::of(warp)});
  clock_->wake_at(ready);
}

void InstructionBuffers::redirect(WarpId warp, const isa::Program* program, std::uint32_t pc) {
  empty(warp);
  tell_front_end(InstructionNote::redirected, warp, program, pc);
}

void InstructionBuffers::stop(WarpId warp) {
  empty(warp);
  tell_front_end(InstructionNote::stopped, warp, nullptr, 0);
}

void InstructionBuffers::empty(WarpId warp) {
  *stale_ += warps_[warp].buffer.size();
  warps_[warp].buffer.reset();
  ++warps_[warp].epoch;
}

void InstructionBuffers::tell_front_end(InstructionNote note, WarpId warp, const isa::Program* program,
                                        std::uint32_t pc) {
  InstructionTransfer transfer{nullptr, note, warp, {pc, warps_[warp].epoch, 0}, program};
  hear(transfer);
}

WarpSet InstructionBuffers::take_arrivals() {
  WarpSet warps;
  while (first_ < arrivals_.size() && arrivals_[first_].ready <= clock_->now())
    warps |= arrivals_[first_++].warps;
  if (first_ < kForget) return warps;
  arrivals_.erase(arrivals_.begin(), arrivals_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
  return warps;
}

}  // namespace heddle
