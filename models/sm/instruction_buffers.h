#pragma once

// Instruction buffers of an SM's warps: decoded instructions between the front end and issue, in program
// order of each warp. The front end counts the free places. It is notified of every place that becomes free,
// and of every redirect, which empties a buffer at once.

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
  /// `stale` counts decoded instructions that were dropped after a redirect or the warp's end.
  InstructionBuffers(Clock& clock, int warps, int entries, Counter& stale);

  /// Sets the module that reads arrivals. It is woken when there are some. A resting reader is woken only for
  /// arrivals at an empty buffer, and finds the other arrivals with next_arrival().
  void set_reader(ClockedModule& reader) { reader_ = &reader; }
  /// Returns the cycle of the first arrival for one of these warps that has not been taken; kNever if there
  /// is none.
  Cycle next_arrival(WarpSet wanting) const {
    for (std::size_t i = first_; i < arrivals_.size(); ++i)
      if (arrivals_[i].warps & wanting) return arrivals_[i].ready;
    return kNever;
  }

  const DecodedRuns& of(WarpId warp) const { return warps_[warp].buffer; }
  /// True if the head can issue in this cycle.
  bool can_issue(WarpId warp) const { return of(warp).can_issue(clock_->now()); }
  /// True if the instruction `i` positions after the head can issue in this cycle.
  bool can_issue(WarpId warp, std::size_t i) const { return of(warp).can_issue(clock_->now(), i); }
  /// Removes the head. Call consumed() afterwards to notify the front end, unless the warp's own buffer is
  /// set aside.
  DecodedRuns::Popped pop(WarpId warp) { return warps_[warp].buffer.pop(); }
  void consumed(WarpId warp) {
    consumed_.warp = warp;
    receive(consumed_);
  }
  /// From the next cycle on, the warp executes these instructions of its program. The contents of its buffer,
  /// and what the front end sends, are kept until resume().
  void set_aside(WarpId warp, std::span<const std::uint32_t> instead);
  bool is_aside(WarpId warp) const { return warps_[warp].epoch == kAside; }
  void resume(WarpId warp);
  /// Empties the warp's buffer and lets the front end fetch from `pc`.
  void redirect(WarpId warp, const isa::Program* program, std::uint32_t pc);
  void stop(WarpId warp);  ///< the warp has exited

  /// Returns the warps whose buffers have received an instruction that can issue from this cycle on, since
  /// the last call.
  WarpSet take_arrivals();

  bool take(InstructionTransfer& transfer) override;

 private:
  struct Warp {
    explicit Warp(std::size_t entries) : buffer(entries) {}
    DecodedRuns buffer;
    std::uint32_t epoch = 0;
  };
  /// Epoch of a warp whose own buffer is in aside_.
  static constexpr std::uint32_t kAside = ~std::uint32_t{0};
  struct Arrival {
    Cycle ready;
    WarpSet warps;
  };
  void note_in_order(Cycle ready, WarpId warp);
  bool take_late(const InstructionTransfer& transfer);
  /// Drops processed arrivals and returns `taken`.
  WarpSet forget_arrivals(WarpSet taken);
  void empty(WarpId warp);
  void notify_front_end(ArrowNote note, WarpId warp, const isa::Program* program, std::uint32_t pc);

  static constexpr std::size_t kForget = 16;  ///< number of processed arrivals that are dropped together

  void request_fetch(Cycle arrival) {
    if (reader_)
      reader_->due_at(arrival);
    else
      clock_->due_at(arrival);
  }

  Clock* clock_;
  ClockedModule* reader_ = nullptr;
  Counter* stale_;
  IndexedVector<WarpId, Warp> warps_;
  IndexedVector<WarpId, Warp> aside_;  ///< own buffers of warps that execute other instructions
  GrowingArray<Arrival> arrivals_;     ///< in order of time
  std::size_t first_ = 0;              ///< first arrival in arrivals_ that has not been taken
  InstructionTransfer consumed_;
};

}  // namespace heddle
