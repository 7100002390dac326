#pragma once

// Probe points of the issue constraints of a core with control bits: one per warp and kind, called once in every
// cycle from the warp's start on. They serve Verilog blocks (rtl/stall_count.v, rtl/dependence_counters.v,
// rtl/consumer_scoreboard.v). A constraint creates its points when something asks for them, so that other runs
// pay one comparison a call.

#include <array>

#include "models/core/ids.h"
#include "models/core/warp_probes.h"
#include "models/isa/control_bits.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {

/// Properties of the SM that decide whether a block serves the points.
struct IssuePoints {
  bool one_issue = true;  ///< A partition issues at most one instruction a cycle.
  int consumers = 0;      ///< consumer scoreboard: most pending readers of a register
};

struct StallPoint {
  using Owner = IssuePoints;
  struct View {
    Cycle now = 0;
    bool begins = false;                       ///< The warp has begun since the last view.
    const isa::ControlBits* issued = nullptr;  ///< of the instruction that issued since the last view
    bool held = false;                         ///< The operand stage holds its instructions in this cycle.
    bool changed = false;                      ///< The next instruction does not follow the last one.
  };
  using Answer = bool;  ///< The stall count blocks the warp.
};

struct DependencePoint {
  using Owner = IssuePoints;
  struct View {
    Cycle now = 0;
    bool begins = false;
    bool candidate = false;  ///< The warp has a next instruction.
    /// Counters that the instruction in Control raises, and that the next instruction would raise.
    std::array<std::uint8_t, 2> control{isa::ControlBits::kNoCounter, isa::ControlBits::kNoCounter};
    std::array<std::uint8_t, 2> next{isa::ControlBits::kNoCounter, isa::ControlBits::kNoCounter};
    /// By counter: its falls since the last view.
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
  /// A bit per register, from bit 256 on per predicate.
  using Entries = std::array<std::uint64_t, 6>;
  static void set(Entries& entries, std::size_t entry) {
    entries[entry / 64] |= std::uint64_t{1} << entry % 64;
  }
  struct View {
    Cycle now = 0;
    bool begins = false;
    bool candidate = false;
    Entries issued_reads{}, issued_writes{};  ///< of the instruction that issued since the last view
    /// Reads that ended since the last view, as a number of two bits per entry.
    Entries released_ones{}, released_twos{};
    Entries written{};  ///< entries whose last write completed since the last view
    Entries next_reads{}, next_writes{};
    /// Entries whose pending write is bypassed to the next instruction in time, comes before its own write, and
    /// whose pending readers all have a fixed latency.
    Entries bypassed{}, ordered{}, in_window{};
  };
  struct Answer {
    bool waits = false;
    Entries pending{}, read_pending{};
  };
};

/// The points of all warps, with the events of each warp since its last view.
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
  /// Returns the inputs of the warp's next view, which events fill in.
  View& events(WarpId warp) { return events_[warp.value]; }
  void begins(WarpId warp) {
    events_[warp.value] = {};
    events_[warp.value].begins = true;
    begun_[warp.value] = true;
  }

  /// Ends a cycle of a partition: calls fill(warp, view) for the inputs of this cycle, which returns the model's
  /// answer. A candidate is then in `blocked` if and only if blocks(warp, answer) is true for the answer of the
  /// observers. A cycle has one such call.
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
