#include "models/sm/instruction_buffers.h"

#include <algorithm>
#include <utility>

namespace heddle {

InstructionBuffers::InstructionBuffers(Clock& clock, int warps, int entries, Counter& stale)
    : InstructionTarget("decoded"), clock_(&clock), stale_(&stale) {
  consumed_.note = ArrowNote::consumed;
  for (int w = 0; w < warps; ++w) {
    warps_.emplace_back(static_cast<std::size_t>(entries));
    aside_.emplace_back(std::size_t{1});
  }
}

bool InstructionBuffers::take(InstructionTransfer& transfer) {
  Warp& warp = warps_[transfer.warp];
  const DecodedInstruction& decoded = transfer.decoded;
  if (decoded.epoch != warp.epoch) return take_late(transfer);
  if (!warp.buffer.add(decoded)) return false;
  const Cycle ready = decoded.ready;
  if (first_ < arrivals_.size() && arrivals_.back().ready == ready)
    arrivals_.back().warps.add(transfer.warp);
  else
    arrivals_.push_back({ready, WarpSet::of(transfer.warp)});
  if (warp.buffer.size() == decoded.count || !reader_ || !reader_->rests()) request_fetch(ready);
  return true;
}

// Handles arriving instructions that do not go to the warp's buffer. Instructions that were fetched before
// the warp's last redirect are dropped. Instructions that arrive between set_aside() and resume() are kept
// for resume().
bool InstructionBuffers::take_late(const InstructionTransfer& transfer) {
  if (is_aside(transfer.warp) && transfer.decoded.epoch == aside_[transfer.warp].epoch)
    return aside_[transfer.warp].buffer.add(transfer.decoded);
  *stale_ += transfer.decoded.count;
  return true;
}

void InstructionBuffers::set_aside(WarpId warp, std::span<const std::uint32_t> instead) {
  Warp& aside = aside_[warp];
  aside.buffer = DecodedRuns(std::max<std::size_t>(1, instead.size()));
  aside.epoch = kAside;
  std::swap(aside, warps_[warp]);
  const Cycle next = clock_->now() + 1;
  for (const std::uint32_t pc : instead) warps_[warp].buffer.add({pc, kAside, next, 0});
  note_in_order(next, warp);
}

void InstructionBuffers::resume(WarpId warp) {
  std::swap(aside_[warp], warps_[warp]);
  const DecodedRuns& buffer = warps_[warp].buffer;
  for (std::size_t i = 0; i < buffer.size(); ++i)
    note_in_order(std::max(buffer.peek(i).ready, clock_->now() + 1), warp);
}

void InstructionBuffers::note_in_order(Cycle ready, WarpId warp) {
  arrivals_.push_back({ready, WarpSet::of(warp)});
  for (std::size_t i = arrivals_.size() - 1; i > first_ && arrivals_[i - 1].ready > ready; --i)
    std::swap(arrivals_[i - 1], arrivals_[i]);
  request_fetch(ready);
}

void InstructionBuffers::redirect(WarpId warp, const isa::Program* program, std::uint32_t pc) {
  empty(warp);
  notify_front_end(ArrowNote::redirected, warp, program, pc);
}

void InstructionBuffers::stop(WarpId warp) {
  empty(warp);
  notify_front_end(ArrowNote::stopped, warp, nullptr, 0);
}

void InstructionBuffers::empty(WarpId warp) {
  *stale_ += warps_[warp].buffer.size();
  warps_[warp].buffer.reset();
  ++warps_[warp].epoch;
}

void InstructionBuffers::notify_front_end(ArrowNote note, WarpId warp, const isa::Program* program,
                                          std::uint32_t pc) {
  InstructionTransfer transfer{nullptr, note, false, warp, {pc, warps_[warp].epoch, 0}, program};
  receive(transfer);
}

WarpSet InstructionBuffers::take_arrivals() {
  WarpSet warps;
  const Cycle now = clock_->now();
  std::size_t next = first_;
  for (; next < arrivals_.size() && arrivals_[next].ready <= now; ++next) warps |= arrivals_[next].warps;
  first_ = next;
  return first_ < kForget ? warps : forget_arrivals(warps);
}

WarpSet InstructionBuffers::forget_arrivals(WarpSet taken) {
  arrivals_.drop_front(first_);
  first_ = 0;
  return taken;
}

}  // namespace heddle
