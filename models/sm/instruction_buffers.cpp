#include "models/sm/instruction_buffers.h"

namespace heddle {

InstructionBuffers::InstructionBuffers(Clock& clock, int warps, int entries, Counter& stale)
    : InstructionTarget("decoded"), clock_(&clock), stale_(&stale) {
  for (int w = 0; w < warps; ++w) warps_.emplace_back(static_cast<std::size_t>(entries));
}

bool InstructionBuffers::take(InstructionTransfer& transfer) {
  Warp& warp = warps_[transfer.warp];
  if (transfer.decoded.epoch != warp.epoch) {  // a redirect was faster
    ++*stale_;
    return true;
  }
  if (!warp.buffer.can_push(clock_->now())) return false;
  warp.buffer.push(clock_->now(), transfer.decoded);
  const Cycle ready = transfer.decoded.ready;
  if (!arrivals_.empty() && arrivals_.back().ready == ready) {
    arrivals_.back().warps.add(transfer.warp);
    return true;
  }
  arrivals_.push_back({ready, WarpSet::of(transfer.warp)});
  clock_->wake_at(ready);
  return true;
}

DecodedInstruction InstructionBuffers::pop(WarpId warp) {
  tell_front_end(InstructionNote::consumed, warp, nullptr, 0);
  return warps_[warp].buffer.pop(clock_->now());
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
  std::size_t taken = 0;
  for (; taken < arrivals_.size() && arrivals_[taken].ready <= clock_->now(); ++taken)
    warps |= arrivals_[taken].warps;
  if (taken) arrivals_.erase(arrivals_.begin(), arrivals_.begin() + static_cast<std::ptrdiff_t>(taken));
  return warps;
}

}  // namespace heddle
