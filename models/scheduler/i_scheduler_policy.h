#pragma once

// Family "warp scheduler policy": chooses the warps from which a scheduler issues in a cycle.
//
// A policy is plain C++. It sees the state at the end of the previous cycle and returns picks. A policy may
// keep state, for example a pointer or an active set. It may change this state only in choose() and in the
// hooks.
//
// The SM sleeps while no warp can be picked and the policy's state does not change. choose() must then return
// the same result until the view changes. Draining of a warp counts as a change only if the warp is in
// leaving().

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

constexpr WarpSet bit_of(WarpId w) { return WarpSet::of(w); }

struct WarpView {
  std::uint64_t age = 0;                          ///< order of placement; a smaller number is older
  isa::UnitClass unit = isa::UnitClass::control;  ///< class of the head instruction, if the warp has one
  isa::OpClass op_class = isa::OpClass::control;
  LaneMask active = 0;  ///< lanes on the warp's current path
  CtaSlot cta{};
};

struct SchedulerView {
  Cycle now = 0;
  WarpSet resident = 0;         ///< warps of this scheduler that have not exited
  WarpSet has_instruction = 0;  ///< warps with a decoded instruction at the head of the instruction buffer
  WarpSet ready = 0;            ///< warps whose head instruction passes every issue constraint
  WarpSet ready_second = 0;     ///< warps whose second instruction could issue in the same cycle as the head
  WarpSet long_wait = 0;        ///< warps whose head waits for the result of a long-latency operation
  WarpSet lasting_wait = 0;     ///< warps at a barrier or fence, or blocked by a lasting constraint
  /// Warps without an operand in a collector and without a result on its way to the upper register levels.
  /// Results of long-latency operations do not count: the banks accept them. If the warp is leaving, the
  /// upper levels have also freed its entries.
  WarpSet drained = 0;
  WarpSet unit_unavailable = 0;  ///< warps whose head passes every issue constraint, but no unit accepts it
  /// has_instruction by isa::UnitClass of the head; may include warps of other schedulers.
  std::array<WarpSet, 5> by_unit{};
  /// Warps of has_instruction with all lanes active; may include warps of other schedulers.
  WarpSet full = 0;
  UnitViews units{};
  std::span<const WarpView> warps;  ///< by warp slot
};

struct Pick {
  WarpId warp{};
  /// Unit of the instruction's class (SP cluster, SFU) that must execute it. The unit must accept it
  /// (UnitView::takes). -1: the issue stage chooses.
  int cluster = -1;
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
  WarpSet mine = 0;     ///< warp slots of this scheduler
  int issue_width = 1;  ///< instructions a cycle
};

class SchedulerPolicy {
 public:
  using Context = SchedulerContext;
  static constexpr const char* kFamily = "warp scheduler policy";
  static constexpr const char* kPlace = "gpu.sm.scheduler";
  virtual ~SchedulerPolicy() = default;

  /// Adds up to issue_width picks, in order of issue. A warp that is added twice issues its head and then its
  /// next instruction, if ready_second contains it. Returns true if the policy changed its own state and must
  /// be called in the next cycle even if nothing else changes.
  virtual bool choose(const SchedulerView& view, PickList& picks) = 0;

  /// True if choose() may add a warp twice; otherwise ready_second is not computed. Called once.
  virtual bool issues_pairs() const { return true; }

  /// Warps that hold an active slot; all warps for one-level policies. Called again after choose() returned
  /// true or a hook was called.
  virtual WarpSet active() const { return WarpSet::all(); }
  /// Active warps that give up their slot when they are drained, and do not issue until then.
  virtual WarpSet leaving() const { return 0; }

  /// Called after choose() with the same view. Returns the warps whose head instruction would have issued in
  /// this cycle if every unit accepted it, in the policy's own order. It includes the warps that issue.
  /// Serves UnitAvailability::demand_in_order. The default returns able().
  virtual WarpSet wanting(const SchedulerView& view) const { return able(view); }
  /// Like wanting(), but without the limit of issue slots: warps whose head could issue if a unit accepted
  /// it. Excludes warps that the policy puts off on purpose.
  virtual WarpSet able(const SchedulerView& view) const {
    return active() & ~leaving() & (view.ready | view.unit_unavailable);
  }

  /// Adds the points at which decisions can be observed (models/core/probe.h), if the policy has any.
  virtual void probes(const ProbeScope&) {}

  /// A kernel begins in cycle `now`. None of its warps has started.
  virtual void on_kernel_begin(Cycle /*now*/) {}
  virtual void on_warp_start(WarpId) {}
  virtual void on_warp_end(WarpId) {}
};

}  // namespace heddle
