#pragma once

// Instruction buffers of an SM's warps: decoded instructions between front end and issue, in program order of
// each warp. The front end is notified of every buffer entry that becomes free, and of every redirect (branch
// to another address). A redirect empties the warp's buffer at once.

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
  /// `stale`: counter of decoded instructions that are dropped after a redirect or the end of the warp.
  InstructionBuffers(Clock& clock, int warps, int entries, Counter& stale);

  /// Sets the module (the issue stage) that is woken when instructions arrive. While this module rests, an
  /// arrival wakes it only if the warp's buffer is empty. Before the module rests, it must call
  /// next_arrival() to get the cycle of other arrivals.
  void set_reader(ClockedModule& reader) { reader_ = &reader; }
  /// Returns the cycle in which instructions for a warp of `wanting` arrive next, or kNever.
  Cycle next_arrival(WarpSet wanting) const {
    for (std::size_t i = first_; i < arrivals_.size(); ++i)
      if (arrivals_[i].warps & wanting) return arrivals_[i].ready;
    return kNever;
  }

  const DecodedRuns& of(WarpId warp) const { return warps_[warp].buffer; }
  bool can_issue(WarpId warp) const { return of(warp).can_issue(clock_->now()); }
  bool can_issue(WarpId warp, std::size_t i) const { return of(warp).can_issue(clock_->now(), i); }
  /// Removes the warp's first instruction. The caller must then notify the front end by consumed(), unless
  /// the warp executes instructions that were passed to set_aside().
  DecodedRuns::Popped pop(WarpId warp) { return warps_[warp].buffer.pop(); }
  void consumed(WarpId warp) {
    consumed_.warp = warp;
    receive(consumed_);
  }
  /// Makes the warp execute the instructions `instead` (indices into its program) from the next cycle on.
  /// Until resume(), the contents of the warp's buffer and later arrivals from the front end are stored, but
  /// not executed.
  void set_aside(WarpId warp, std::span<const std::uint32_t> instead);
  /// Returns the epoch of the instructions in the warp's buffer: the number of redirects of the warp before
  /// their fetch (DecodedInstruction::epoch).
  std::uint32_t epoch(WarpId warp) const { return warps_[warp].epoch; }
  bool is_aside(WarpId warp) const { return warps_[warp].epoch == kAside; }
  void resume(WarpId warp);
  void redirect(WarpId warp, const isa::Program* program, std::uint32_t pc);
  void stop(WarpId warp);

  /// Returns the warps with instructions that have arrived since the last call and can issue from this cycle
  /// on.
  WarpSet take_arrivals();

  bool take(InstructionTransfer& transfer) override;

 private:
  struct Warp {
    explicit Warp(std::size_t entries) : buffer(entries) {}
    DecodedRuns buffer;
    std::uint32_t epoch = 0;
  };
  static constexpr std::uint32_t kAside = ~std::uint32_t{0};
  struct Arrival {
    Cycle ready;
    WarpSet warps;
  };
  void note_in_order(Cycle ready, WarpId warp);
  bool take_late(const InstructionTransfer& transfer);
  WarpSet forget_arrivals(WarpSet taken);
  void empty(WarpId warp);
  void notify_front_end(ArrowNote note, WarpId warp, const isa::Program* program, std::uint32_t pc);

  static constexpr std::size_t kForget = 16;

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
  IndexedVector<WarpId, Warp> aside_;
  GrowingArray<Arrival> arrivals_;
  std::size_t first_ = 0;
  InstructionTransfer consumed_;
};

}  // namespace heddle
