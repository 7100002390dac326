#pragma once

// Family "warp scheduler policy": chooses the warps from which a scheduler issues in a cycle. A policy
// receives the state at the end of the previous cycle. The policy may change its own state only in choose()
// and in the hooks (on_...).
//
// If choose() picks no warp and does not change the policy's state, the SM may skip further calls until the
// view changes. Therefore choose() must return the same result for the same view. After a change in
// SchedulerView::drained, the SM calls the policy again only if the drained warp is in leaving().

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
  /// unit class of the warp's next instruction; valid if the instruction buffer holds one
  isa::UnitClass unit = isa::UnitClass::control;
  isa::OpClass op_class = isa::OpClass::control;
  /// Active lanes on the warp's current path.
  LaneMask active = 0;
  CtaSlot cta{};
};

struct SchedulerView {
  Cycle now = 0;
  WarpSet resident = 0;
  WarpSet has_instruction = 0;
  WarpSet ready = 0;  ///< warps whose next instruction passes every issue constraint
  /// Warps that could issue their second buffered instruction in the same cycle as their first.
  WarpSet ready_second = 0;
  WarpSet long_wait = 0;  ///< warps whose next instruction waits for the result of a long-latency operation
  /// Warps at a barrier or fence, or blocked by a constraint with lasting waits (IssueConstraint::lasting).
  WarpSet lasting_wait = 0;
  /// Warps that may give up their active slot. They have no instruction in a collector and no short-latency
  /// instruction in flight, so no result can still go to the upper register levels (LRF and ORF in Gebhart
  /// 2012). If upper levels store values of active warps only, the set contains only warps of leaving() whose
  /// entries these levels have freed.
  WarpSet drained = 0;
  /// Warps whose next instruction could issue if an execution unit accepted it.
  WarpSet unit_unavailable = 0;
  /// For each unit class: warps whose next decoded instruction uses this class. These sets may also contain
  /// warps of other schedulers.
  std::array<WarpSet, kUnitClasses> by_unit{};
  /// Warps with a decoded instruction and 32 active lanes. May also contain warps of other schedulers.
  WarpSet full = 0;
  UnitViews units{};
  std::span<const WarpView> warps;
};

struct Pick {
  WarpId warp{};
  /// Number of the unit (SP cluster or SFU) that must execute the picked instruction; -1: the issue stage
  /// chooses a unit.
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
  int warps = 48;
  WarpSet mine = 0;
  int issue_width = 1;
};

class SchedulerPolicy {
 public:
  using Context = SchedulerContext;
  static constexpr const char* kFamily = "warp scheduler policy";
  static constexpr const char* kPlace = "gpu.sm.scheduler";
  virtual ~SchedulerPolicy() = default;

  /// Adds up to issue_width picks, in order of issue. A warp in `ready_second` may be added twice, to issue
  /// its next two instructions. Returns true if the policy changed its own state, so that it must be called
  /// in the next cycle.
  virtual bool choose(const SchedulerView& view, PickList& picks) = 0;

  /// True if choose() may pick two instructions of a warp. If false, SchedulerView::ready_second is not
  /// computed.
  virtual bool issues_pairs() const { return true; }

  virtual WarpSet active() const { return WarpSet::all(); }
  /// Returns the active warps that no longer issue. They give up their active slot as soon as they are
  /// drained (SchedulerView::drained).
  virtual WarpSet leaving() const { return 0; }

  /// Returns the warps that would issue in this cycle if every execution unit accepted instructions. Called
  /// after choose(), with the same view. Gated units wake for these warps.
  virtual WarpSet wanting(const SchedulerView& view) const { return able(view); }
  /// Returns all warps that could issue if an execution unit accepted their next instruction, even if there are
  /// more such warps than issue slots. Leaves out warps that the policy delays on purpose.
  virtual WarpSet able(const SchedulerView& view) const {
    return active() & ~leaving() & (view.ready | view.unit_unavailable);
  }

  virtual void probes(const ProbeScope&) {}

  virtual void on_kernel_begin(Cycle /*now*/) {}
  virtual void on_warp_start(WarpId) {}
  virtual void on_warp_end(WarpId) {}
};

}  // namespace heddle
