#pragma once

// Family "warp scheduler policy": chooses the warps from which a scheduler issues in a cycle.
//
// A policy is plain C++. It sees the state at the end of the previous cycle and answers with picks. It may
// keep state of its own (a pointer, an active set), which it may change only in choose() and in the hooks. If
// a cycle offers nothing to pick and the policy's state is unchanged, choose() must answer the same until the
// view changes: the SM then sleeps and does not call it. Draining of a warp is such a change only if the warp
// is leaving().

#include <array>
#include <cstdint>
#include <span>

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/core/probe.h"
#include "models/core/unit_view.h"
#include "models/core/warp_set.h"
#include "models/isa/opcode.h"

namespace heddle {

/// The set of one warp.
constexpr WarpSet bit_of(WarpId w) { return WarpSet::of(w); }

struct WarpView {
  std::uint64_t age = 0;                          ///< order of placement: smaller is older
  isa::UnitClass unit = isa::UnitClass::control;  ///< of the head instruction, if there is one
  isa::OpClass op_class = isa::OpClass::control;
  LaneMask active = 0;  ///< lanes on the warp's current path
  CtaSlot cta{};
};

struct SchedulerView {
  Cycle now = 0;
  WarpSet resident = 0;         ///< this scheduler's warps that have not exited
  WarpSet has_instruction = 0;  ///< a decoded instruction waits at the head of the instruction buffer
  WarpSet ready = 0;            ///< the head passes every issue constraint
  WarpSet ready_second = 0;     ///< after the head, the next instruction could issue in the same cycle
  WarpSet long_wait = 0;        ///< the head waits for the result of a long-latency operation
  WarpSet lasting_wait = 0;     ///< at a barrier or fence, or held back by a lasting constraint
  WarpSet drained = 0;  ///< nothing of the warp is in a collector or on its way to the upper register levels
                        ///< (results of long-latency operations may be: the banks take them), and
                        ///< these have freed what they held of it since it is leaving
  WarpSet no_unit = 0;  ///< the head passes every issue constraint, but no unit takes it
  std::array<WarpSet, 5>
      by_unit{};     ///< has_instruction by isa::UnitClass of the head; as of `full`, with others' warps
  WarpSet full = 0;  ///< of has_instruction: all lanes are active; other schedulers' may be among them
  UnitViews units{};
  std::span<const WarpView> warps;  ///< by warp slot
};

struct Pick {
  WarpId warp{};
  int cluster = -1;  ///< unit of its class (SP cluster, SFU) that has to execute it, which must take it
                     ///< (UnitView::takes); -1 = the issue stage chooses
};

class PickList {
 public:
  void add(WarpId warp, int cluster = -1) { picks_[static_cast<std::size_t>(size_++)] = {warp, cluster}; }
  void clear() { size_ = 0; }
  int size() const { return size_; }
  const Pick* begin() const { return picks_.data(); }
  const Pick* end() const { return picks_.data() + size_; }

 private:
  std::array<Pick, 4> picks_{};
  int size_ = 0;
};

struct SchedulerContext {
  int warps = 48;       ///< warp slots of the SM
  WarpSet mine = 0;     ///< slots that belong to this scheduler
  int issue_width = 1;  ///< instructions a cycle
};

class SchedulerPolicy {
 public:
  using Context = SchedulerContext;
  static constexpr const char* kFamily = "warp scheduler policy";
  static constexpr const char* kPlace = "gpu.sm.scheduler";
  virtual ~SchedulerPolicy() = default;

  /// Adds up to issue_width picks, in order of issue. A warp named twice issues its head and then the next
  /// instruction (allowed by ready_second). Returns true if the policy changed its own state and must be
  /// called in the next cycle even if nothing else happens.
  virtual bool choose(const SchedulerView& view, PickList& picks) = 0;

  /// True if it may name a warp twice; otherwise ready_second is not computed. Called once.
  virtual bool issues_pairs() const { return true; }

  /// Warps that hold an active slot; called again when choose() has returned true or a hook was called.
  /// One-level policies: all.
  virtual WarpSet active() const { return WarpSet::all(); }
  /// Of these, warps that leave their slot as soon as they are drained, and do not issue until then.
  virtual WarpSet leaving() const { return 0; }

  /// After choose(), with the same view: warps whose head instruction would have issued in this cycle if
  /// every unit took it, in the policy's own order; those that issue are among them
  /// (UnitAvailability::demand_in_order). A policy that doesn't say gives all that could.
  virtual WarpSet wanting(const SchedulerView& view) const { return able(view); }
  /// The same without regard to issue slots: whose head could issue if a unit took it. A warp that the policy puts off
  /// on purpose is not among them.
  virtual WarpSet able(const SchedulerView& view) const {
    return active() & ~leaving() & (view.ready | view.no_unit);
  }

  /// Lists the points at which its decisions can be observed (models/core/probe.h), if it has any.
  virtual void probes(const ProbeScope&) {}

  /// A kernel begins with cycle `now`; none of its warps has started.
  virtual void on_kernel_begin(Cycle /*now*/) {}
  virtual void on_warp_start(WarpId) {}
  virtual void on_warp_end(WarpId) {}
};

}  // namespace heddle
