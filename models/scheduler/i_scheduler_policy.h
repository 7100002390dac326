#pragma once

// Family "warp scheduler policy": chooses the warps from which a scheduler issues in a cycle.
//
// A policy is plain C++. It sees the state at the end of the previous cycle and returns the chosen warps. It
// may keep own state, for example a pointer or a set of active warps, but may change this state only in
// choose() and in the hooks (on_...).
//
// The SM sleeps while no warp can be picked and the policy's state does not change. choose() must therefore
// return the same result for the same view. If the instructions in flight of a warp drain, the view counts as
// changed only if the warp is in leaving().

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
  std::uint64_t age = 0;  ///< order in which warps were placed on the SM; a smaller number is older
  /// Unit class of the warp's next instruction; valid if the instruction buffer holds an instruction.
  isa::UnitClass unit = isa::UnitClass::control;
  isa::OpClass op_class = isa::OpClass::control;
  /// Lanes that are active on the path of the program that the warp executes at present.
  LaneMask active = 0;
  CtaSlot cta{};
};

struct SchedulerView {
  Cycle now = 0;
  WarpSet resident = 0;         ///< warps of this scheduler that have not exited
  WarpSet has_instruction = 0;  ///< warps whose instruction buffer holds a decoded instruction
  WarpSet ready = 0;            ///< warps whose next instruction passes every issue constraint
  /// Warps that could issue their second buffered instruction in the same cycle as the first.
  WarpSet ready_second = 0;
  WarpSet long_wait = 0;  ///< warps whose next instruction waits for the result of a long-latency operation
  /// Warps at a barrier or fence, or blocked by a constraint whose waits last (IssueConstraint::lasting).
  WarpSet lasting_wait = 0;
  /// Warps without an operand in a collector and without a result on its way to the upper register levels
  /// (LRF and ORF in Gebhart 2012). Results of long-latency operations do not count, because they are written
  /// to the banks. For a warp that gives up its active slot, the upper levels must also have freed its
  /// entries.
  WarpSet drained = 0;
  /// Warps whose next instruction passes every other issue constraint, but no execution unit accepts it.
  WarpSet unit_unavailable = 0;
  /// Warps of has_instruction by the unit class of their next instruction. The sets may include warps of
  /// other schedulers.
  std::array<WarpSet, 5> by_unit{};
  /// Warps of has_instruction whose 32 lanes are all active. The set may include warps of other schedulers.
  WarpSet full = 0;
  UnitViews units{};
  std::span<const WarpView> warps;  ///< state of each warp, by warp slot of the SM
};

struct Pick {
  WarpId warp{};
  /// Number of the unit (SP cluster or SFU) that must execute the picked instruction. The unit must accept
  /// the instruction (UnitView::takes). -1: the issue stage chooses the unit.
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
  int warps = 48;       ///< number of warp slots of the SM
  WarpSet mine = 0;     ///< warp slots that this scheduler issues from
  int issue_width = 1;  ///< instructions that the scheduler may issue in a cycle
};

class SchedulerPolicy {
 public:
  using Context = SchedulerContext;
  static constexpr const char* kFamily = "warp scheduler policy";
  static constexpr const char* kPlace = "gpu.sm.scheduler";
  virtual ~SchedulerPolicy() = default;

  /// Adds up to issue_width picks, in order of issue. A warp that is added twice issues its next two
  /// instructions, which is allowed if ready_second contains the warp. Returns true if the policy changed its
  /// own state, so that it must be called in the next cycle even if nothing else changes.
  virtual bool choose(const SchedulerView& view, PickList& picks) = 0;

  /// True if choose() may pick two instructions of the same warp. If false, the SM does not compute
  /// SchedulerView::ready_second. The SM calls the function once.
  virtual bool issues_pairs() const { return true; }

  /// Returns the warps that hold an active slot; for one-level policies all warps. The SM calls the function
  /// again after choose() has returned true and after each hook.
  virtual WarpSet active() const { return WarpSet::all(); }
  /// Returns the active warps that will give up their active slot when their instructions in flight have
  /// drained. These warps do not issue.
  virtual WarpSet leaving() const { return 0; }

  /// Returns the warps that would have issued in this cycle if every execution unit accepted instructions, in
  /// the policy's own order. The warps that do issue are included. The SM calls the function after choose(),
  /// with the same view. The wake-up of gated units uses the result (UnitAvailability::demand_in_order). By
  /// default it is able().
  virtual WarpSet wanting(const SchedulerView& view) const { return able(view); }
  /// Returns the warps that could issue if an execution unit accepted their next instruction, without the
  /// limit of issue slots. Warps that the policy delays on purpose are not included.
  virtual WarpSet able(const SchedulerView& view) const {
    return active() & ~leaving() & (view.ready | view.unit_unavailable);
  }

  /// Adds the probe points at which the policy's decisions can be observed (models/core/probe.h), if it has
  /// any.
  virtual void probes(const ProbeScope&) {}

  /// Hook: a kernel begins in cycle `now`. No warp of the kernel has started yet.
  virtual void on_kernel_begin(Cycle /*now*/) {}
  virtual void on_warp_start(WarpId) {}
  virtual void on_warp_end(WarpId) {}
};

}  // namespace heddle
