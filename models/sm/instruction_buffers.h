#pragma once

// Instruction buffers of an SM's warps: decoded instructions on their way from the front end to issue, in
// program order of each warp. The front end counts the places itself: it is notified of every place that
// becomes free, and of redirects, which empty a buffer at once.

#include <span>
#include <vector>

#include "models/core/growing_array.h"
#include "models/core/indexed_vector.h"
#include "models/core/stats.h"
#include "models/core/warp_set.h"
#include "models/sm/decoded_runs.h"

namespace heddle {

class InstructionBuffers final : public InstructionTarget {
 public:
  /// `stale`: counts decoded instructions that a redirect or the warp's end made superfluous.
  InstructionBuffers(Clock& clock, int warps, int entries, Counter& stale);

  /// The reader of the arrivals, which is due when there are some. A resting reader is called only for
  /// arrivals at an empty buffer of their warp, and fetches the others when it needs them (next_arrival).
  void set_reader(ClockedModule& reader) { reader_ = &reader; }
  /// The cycle of the first arrival for one of these warps that has not been taken, kNever if there is none.
  Cycle next_arrival(WarpSet wanting) const {
    for (std::size_t i = first_; i < arrivals_.size(); ++i)
      if (arrivals_[i].warps & wanting) return arrivals_[i].ready;
    return kNever;
  }

  const DecodedRuns& of(WarpId warp) const { return warps_[warp].buffer; }
  /// True if the head can issue in this cycle.
  bool can_issue(WarpId warp) const { return of(warp).can_issue(clock_->now()); }
  /// True if the instruction `i` places after the head can issue in this cycle.
  bool can_issue(WarpId warp, std::size_t i) const { return of(warp).can_issue(clock_->now(), i); }
  /// Removes the head. Call consumed() to notify the front end, unless the warp's own buffer is set aside.
  DecodedRuns::Popped pop(WarpId warp) { return warps_[warp].buffer.pop(); }
  void consumed(WarpId warp) {
    consumed_.warp = warp;
    hear(consumed_);
  }
  /// The warp executes these instructions of its program, from the next cycle on, in the place of what its buffer
  /// holds and of what the front end sends, which waits aside until resume().
  void set_aside(WarpId warp, std::span<const std::uint32_t> instead);
  bool is_aside(WarpId warp) const { return warps_[warp].epoch == kAside; }
  void resume(WarpId warp);
  /// The warp goes on at `pc`.
  void redirect(WarpId warp, const isa::Program* program, std::uint32_t pc);
  void stop(WarpId warp);  ///< the warp has exited

  /// Warps whose buffers got an instruction that can issue from this cycle on, since the last call.
  WarpSet take_arrivals();

  bool take(InstructionTransfer& transfer) override;

 private:
  struct Warp {
    explicit Warp(std::size_t entries) : buffer(entries) {}
    DecodedRuns buffer;
    std::uint32_t epoch = 0;
  };
  static constexpr std::uint32_t kAside =
      ~std::uint32_t{0};  ///< of the epoch: the warp's own buffer is in aside_
  struct Arrival {
    Cycle ready;
    WarpSet warps;
  };
  void note_in_order(Cycle ready, WarpId warp);
  [[gnu::noinline, gnu::cold]] bool take_late(const InstructionTransfer& transfer);
  /// Arrivals that have been processed, for reuse of `taken`.
  WarpSet forget_arrivals(WarpSet taken);
  void empty(WarpId warp);
  void tell_front_end(ArrowNote note, WarpId warp, const isa::Program* program, std::uint32_t pc);

  static constexpr std::size_t kForget = 16;  ///< arrivals taken that are forgotten at a time

  void ask_for(Cycle arrival) {
    if (reader_)
      reader_->due_at(arrival);
    else
      clock_->due_at(arrival);
  }

  Clock* clock_;
  ClockedModule* reader_ = nullptr;
  Counter* stale_;
  IndexedVector<WarpId, Warp> warps_;
  IndexedVector<WarpId, Warp> aside_;  ///< of warps that execute other instructions
  GrowingArray<Arrival> arrivals_;     ///< in order of time
  std::size_t first_ = 0;              ///< of arrivals_: what stands before has been taken
  InstructionTransfer consumed_;
};

}  // namespace heddle
