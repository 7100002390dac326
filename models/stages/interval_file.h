#pragma once

// Models the stage "interval-file", a register file between the operand collectors and the following stages
// (Sadrosadati 2018, LTRF). The compiler divides a kernel into intervals: regions of code that use few
// registers (models/compiler/register_intervals.h). Before a warp executes an interval, the stage loads the
// interval's registers. The publication does not give all details; the missing details are assumed.
//
// If the next instruction of a warp belongs to another interval, the warp is held: it does not issue. The
// stage holds the warp at once, and does not wait until the sources of this instruction are available. Other
// warps continue. When all issued instructions of the held warp have their operands, the stage exchanges
// registers with the stage below:
// 1. It writes dirty registers that are live but do not belong to the new interval.
// 2. It reads the missing registers: those of the new interval that are live and not in the stage yet.
//
// Then the warp may issue again. A result may arrive after its warp has left the interval. If the register
// does not belong to the new interval, the stage passes the result to the stage below.
//
// Every read of an instruction must hit. A read that misses ends the run with an InternalError.

#include <vector>

#include "models/core/cycle_inbox.h"
#include "models/core/fields.h"
#include "models/core/object_pool.h"
#include "models/core/register_set.h"
#include "models/stages/held_registers.h"
#include "models/stages/interval_gate.h"
#include "models/stages/move_watch.h"
#include "models/stages/own_access.h"
#include "models/stages/upper_stage.h"

namespace heddle {

struct IntervalFileParameters {
  int registers = 16;
  bool flush_on_deschedule = true;

  void fields(FieldVisitor& v);
};

class IntervalFile : public UpperStage {
 public:
  IntervalFile(const IntervalFileParameters& parameters, Context& context);

  RegisterWants wants() const override { return parameters_.flush_on_deschedule ? wants::slots : 0; }
  bool keeps_accesses() const override { return true; }
  WarpHold* hold() override { return &gate_; }
  LifeSet subscriptions() const override {
    return {Life::kernel_begins, Life::warp_begins, Life::issued, Life::reads_held, Life::warp_gone};
  }
  void kernel_begins(const KernelBegins& kernel) override;
  void warp_begins(const WarpBegins& warp) override { gate_.begins(warp.warp); }
  void issued(const InFlight& item) override { of(item.warp()).collecting += item.collects(); }
  void reads_held(const InFlight& item) override {
    held_reads_.put(now(), item.warp());
    clock().wake();
  }
  void warp_activated(WarpId warp) override {
    gate_.activated(warp);
    UpperStage::warp_activated(warp);
  }
  void warp_deactivated(WarpId warp) override {
    gate_.deactivated(warp);
    UpperStage::warp_deactivated(warp);
  }
  void probes(const ProbeScope& scope) override { watch_.probes(scope); }
  bool flip_bit(RegisterAccess& access, int lane, int bit) override;
  std::optional<StageBalance> balance(const RegisterFlow& came) const override;

 protected:
  Answer take(RegisterAccess& access) override;
  void answered(RegisterAccess& access) override;
  void debug_read(RegisterAccess& access) override;
  void take_event(const Event& event) override;
  void give_up(WarpId warp) override;
  void begin_cycle() override;

 private:
  using Entry = HeldRegisters::Entry;
  using Fate = HeldRegisters::Fate;
  struct Warp {
    /// Registers of the interval that this stage does not hold, because a stage above has moved their values
    /// into its own storage. Reads of these registers go to the stage below.
    RegisterSet absent;
    std::uint32_t target = 0;  ///< pc of the next instruction, for which registers are loaded
    int collecting = 0;        ///< number of issued instructions that lack operands
    int unanswered = 0;        ///< number of the stage's own accesses without a response
    HeldRegisters registers;
  };
  struct Own {
    RegisterAccess access;
    LaneVec values;
  };
  struct Fill {
    WarpId warp;
    RegId reg;
    LaneVec values;
    Cycle ready;
  };

  Warp& of(WarpId warp) { return warps_[warp.value]; }
  Entry* find(WarpId warp, RegId reg) { return of(warp).registers.find(reg); }
  Answer read(RegisterAccess& access);
  Answer write(RegisterAccess& access);
  Answer release(RegisterAccess& access);
  Answer evict(RegisterAccess& access);
  [[noreturn]] void miss(const RegisterAccess& access) const;
  void move(WarpId id);
  bool leave(WarpId id, const RegisterSet& set, const RegisterSet& live);
  bool enter(WarpId id, const RegisterSet& set, const RegisterSet& live);
  MovePoint::View move_view(WarpId id, const RegisterSet& set, const RegisterSet& live) {
    const HeldRegisters& registers = of(id).registers;
    return {.held = registers.held(), .dirty = registers.dirty(), .live = live, .set = set};
  }
  /// Returns the registers that leave the interval-file when the warp enters the interval with the registers
  /// `set`, and which of them must be written to the stage below.
  MovePoint::Answer leaving(WarpId id, const RegisterSet& set, const RegisterSet& live);
  void flush(WarpId id);
  Answer send(RegisterCommand command, WarpId warp, Entry& entry);
  bool write_below(WarpId warp, Entry& entry);
  void came(const RegisterAccess& access);
  void fill(const Fill& fill);

  IntervalFileParameters parameters_;
  MoveWatch watch_;
  IntervalGate gate_;
  std::vector<Warp> warps_;
  WarpSet moving_, flushing_;
  CycleInbox<WarpId> held_reads_;
  CycleInbox<Fill> fills_;
  ObjectPool<Own> own_;
  Counter &tags_, &hits_, &writes_, &passed_, &late_, &fetched_, &came_, &backs_, &dropped_, &moves_;
};

}  // namespace heddle
