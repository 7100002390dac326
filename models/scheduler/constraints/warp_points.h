#pragma once

// Probe points of the issue constraints stall-count, dependence-counters and consumer-scoreboard. Each of
// these constraints has one probe point per warp. From the warp's start on, the point sends its observer a
// view (inputs of the decision) in every cycle. Verilog blocks (rtl/stall_count.v, rtl/dependence_counters.v,
// rtl/consumer_scoreboard.v) read these points. A constraint creates its points only if probes() is called.

#include <array>

#include "models/core/ids.h"
#include "models/core/warp_probes.h"
#include "models/isa/control_bits.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {

/// Properties of the SM. They decide whether a Verilog block can be connected to the probe points of an
/// issue constraint.
struct IssuePoints {
  bool one_issue = true;  ///< true: a partition issues at most one instruction per cycle
  int consumers = 0;      ///< for the consumer scoreboard: limit on pending readers of a register
};

struct StallPoint {
  using Owner = IssuePoints;
  struct View {
    Cycle now = 0;
    bool begins = false;  ///< true: the warp has begun since the previous view
    /// Control bits of the instruction that issued since the previous view; nullptr: no instruction issued.
    const isa::ControlBits* issued = nullptr;
    bool held = false;  ///< true: the operand stage is blocked in this cycle
    bool changed =
        false;  ///< true: the next instruction does not directly follow the last issued instruction
  };
  using Answer = bool;  ///< true: the stall count blocks the warp
};

struct DependencePoint {
  using Owner = IssuePoints;
  struct View {
    Cycle now = 0;
    bool begins = false;
    bool candidate = false;  ///< true: the warp has a next instruction
    /// `control`: counters that the instruction in the Control stage increments. `next`: counters that the
    /// next instruction would increment.
    std::array<std::uint8_t, 2> control{isa::ControlBits::kNoCounter, isa::ControlBits::kNoCounter};
    std::array<std::uint8_t, 2> next{isa::ControlBits::kNoCounter, isa::ControlBits::kNoCounter};
    /// For each counter: number of decrements since the previous view.
    std::array<std::uint8_t, isa::kDependenceCounters> falls{};
    unsigned mask = 0;  ///< counters for which the next instruction waits
  };
  struct Answer {
    bool waits = false, full = false;
    std::array<std::uint8_t, isa::kDependenceCounters> counts{};
  };
};

struct ConsumerPoint {
  using Owner = IssuePoints;
  /// Bit set of registers (bits 0 to 255) and predicates (from bit 256 on).
  using Entries = std::array<std::uint64_t, 6>;
  static void set(Entries& entries, std::size_t entry) {
    entries[entry / 64] |= std::uint64_t{1} << entry % 64;
  }
  struct View {
    Cycle now = 0;
    bool begins = false;
    bool candidate = false;
    Entries issued_reads{}, issued_writes{};  ///< entries of the instruction issued since the last call
    /// Number of reads of each entry (register or predicate) that ended since the last call, 0 to 3. The low
    /// bit of this number is in released_ones, the high bit in released_twos.
    Entries released_ones{}, released_twos{};
    Entries written{};  ///< entries whose last write completed since the previous view
    Entries next_reads{}, next_writes{};
    /// `bypassed`: the next instruction reads the entry, and gets the result of the pending write in time.
    /// `ordered`: the next instruction writes the entry, and the pending write takes place before this write.
    /// `in_window`: the next instruction writes the entry, and all pending reads take place before this
    /// write.
    Entries bypassed{}, ordered{}, in_window{};
  };
  struct Answer {
    bool waits = false;
    Entries pending{}, read_pending{};
  };
};

/// Probe points of all warps. Collects the events of each warp until the warp's point sends its next view.
template <class Point>
class WarpPoints {
 public:
  using View = typename Point::View;
  explicit WarpPoints(const IssueConstraint::Context& context, int consumers = 0)
      : points_(static_cast<std::size_t>(context.warps),
                {context.issue_width == 1 && context.schedulers == context.partitions, consumers}),
        partitions_(static_cast<std::size_t>(context.partitions)),
        warps_(static_cast<std::size_t>(context.warps)) {}

  /// Adds the points as "<scope>.warp0" and so on.
  void probes(const ProbeScope& scope) {
    events_.resize(warps_);
    begun_.resize(warps_);
    points_.probes(scope);
  }
  bool any() const { return points_.any(); }
  /// Returns the view that the warp's probe point sends next. The constraint records the warp's events in
  /// this view.
  View& events(WarpId warp) { return events_[warp.value]; }
  void begins(WarpId warp) {
    events_[warp.value] = {};
    events_[warp.value].begins = true;
    begun_[warp.value] = true;
  }

  /// Sends the views of a partition's warps to observers, once per cycle. fill(warp, view) sets the inputs of
  /// this cycle and returns the model's decision (`answer`), which observers may replace. If the warp is a
  /// candidate, blocks(warp, answer) decides whether the set `blocked` contains it.
  template <class Fill, class Blocks>
  void observe(const ConstraintView& at, WarpSet& blocked, Fill fill, Blocks blocks) {
    if (at.slot != 0) return;
    for (auto w = static_cast<std::size_t>(at.partition); w < warps_; w += partitions_) {
      const WarpId warp(static_cast<std::uint32_t>(w));
      const Probe<Point>* const point = points_.observed(warp);
      if (!begun_[w] || !point) continue;
      View& view = events_[w];
      view.now = at.now;
      typename Point::Answer answer = fill(warp, view);
      point->answered(view, answer);
      if (at.candidates.contains(warp)) blocked.set(warp, blocks(warp, answer));
      view = {};
    }
  }

 private:
  WarpProbes<Point> points_;
  std::size_t partitions_, warps_;
  std::vector<View> events_;
  std::vector<bool> begun_;
};

}  // namespace heddle
