#pragma once

// Models the stage "operand-window" (Esfeden 2020, BOW): storage next to the operand collectors for the
// registers that a warp's last instructions accessed. Reads of these registers do not reach the stages below.
// Results that die or are overwritten in the window do not reach these stages either. The publication does
// not give all details; the missing details are assumed.
//
// The window counts a warp's instructions that take a collector, in program order, when they are announced. A
// register leaves the window when two conditions hold: the number of further instructions since the
// register's last access has reached the parameter `instructions`, and all instructions that read the
// register have their operands. If the register is dirty, the stage writes it to the stage below. A compiler
// mark (note "window-hint", models/compiler/window_hints.h) says that a result is read only within the
// window; the stage then omits this write. If a register must leave early because all entries are in use, the
// stage ignores the mark and writes the register. A result that arrives after its register has left is
// written to the stage below.

#include <string>
#include <vector>

#include "models/core/cycle_inbox.h"
#include "models/core/fields.h"
#include "models/core/object_pool.h"
#include "models/stages/own_access.h"
#include "models/stages/upper_stage.h"
#include "models/stages/warp_window.h"
#include "models/stages/window_notes.h"
#include "models/stages/window_watch.h"

namespace heddle {

struct OperandWindowParameters {
  int instructions = 3;
  int entries = 12;
  bool write_back = true;
  bool extends = true;
  std::string hints = "none";
  bool flush_on_deschedule = false;

  void fields(FieldVisitor& v);
};

class OperandWindow : public UpperStage {
 public:
  OperandWindow(const OperandWindowParameters& parameters, Context& context);

  RegisterWants wants() const override {
    return wants::prepares | (parameters_.flush_on_deschedule ? wants::slots : 0);
  }
  bool keeps_accesses() const override { return true; }
  LifeSet subscriptions() const override { return {Life::kernel_begins, Life::reads_held, Life::warp_gone}; }
  void kernel_begins(const KernelBegins& kernel) override { notes_.begin(*kernel.program); }
  void reads_held(const InFlight& item) override {
    if (item.footprint->read_words == 0) return;
    held_.put(now(), {item.warp(), item.uid});
    clock().wake();
  }
  void probes(const ProbeScope& scope) override { watch_.probes(scope); }
  bool flip_bit(RegisterAccess& access, int lane, int bit) override {
    Entry* const entry = find(access.warp, access.home);
    if (!entry || !(entry->valid >> lane & 1)) return false;
    entry->values[lane] ^= 1u << bit;
    return true;
  }
  std::optional<StageBalance> balance(const RegisterFlow& came) const override {
    const std::uint64_t below = through_.value() + late_.value();
    return StageBalance{{misses_.value(), below + backs_.value()},
                        {{"reads that came, hits and misses", came.reads, hits_.value() + misses_.value()},
                         {"writes that came, kept or passed", came.writes, writes_.value() + below},
                         {"registers that became dirty, written below, dropped or ended", dirtied_.value(),
                          backs_.value() + dropped_.value() + ended_.value()}}};
  }

 protected:
  Answer take(RegisterAccess& access) override;
  void answered(RegisterAccess& access) override;
  void debug_read(RegisterAccess& access) override {
    initiator->transport_dbg(access);
    if (const Entry* entry = find(access.warp, access.home))
      merge_lanes(*access.values, entry->values, entry->valid & ~entry->fill);
  }
  void take_event(const Event& event) override;
  void give_up(WarpId warp) override;
  void begin_cycle() override;

 private:
  using Entry = WarpWindow::Entry;
  using View = WindowPoint::View;
  static constexpr std::uint32_t kNoWay = WarpWindow::kNoWay;
  struct WriteBack {
    RegisterAccess access;
    LaneVec values;
  };
  struct Fill {
    RegisterAccess* access;
    WarpId warp;
    RegId reg;
    std::uint32_t generation;
    LaneMask lanes;
    LaneVec values;
    Cycle ready;
  };
  struct Held {
    WarpId warp;
    std::uint64_t uid;
  };

  WarpWindow& of(WarpId warp) { return warps_[warp.value]; }
  Entry* find(WarpId warp, RegId reg) { return of(warp).find(reg); }
  static std::uint32_t way_of(const Entry* entry) { return entry ? entry->way : kNoWay; }
  /// Returns the entry of the register that a read accesses; nullptr if there is none. Sets `hit` to true if
  /// the entry has the values of all lanes that are read.
  Entry* look_up(const RegisterAccess& access, bool& hit) {
    Entry* const entry = find(access.warp, access.home);
    hit = entry && (entry->valid & access.mask) == access.mask;
    if (!watch_.watches(access.warp)) return entry;
    const auto seen = watch_.read(access.warp, access.home, access.mask, {way_of(entry), hit});
    hit = seen.hit;
    return of(access.warp).at(seen.way);
  }
  /// Looks up the register of a result.
  Entry* look_up(WarpId warp, RegId reg) {
    Entry* const entry = find(warp, reg);
    return watch_.watches(warp) ? of(warp).at(watch_.find_result(warp, reg, way_of(entry))) : entry;
  }
  Answer announce(RegisterAccess& access);
  void announce_sources(WarpId id, const RegisterPrepare& prepare);
  Answer read(RegisterAccess& access);
  Answer write(RegisterAccess& access);
  Answer release(RegisterAccess& access);
  void came(RegisterAccess& access);
  void fill(const Fill& fill);
  void slide(WarpId id, bool advances);
  Entry* make_entry(WarpId id, RegId reg);
  bool write_below(WarpId id, Entry& entry);
  void drop(WarpId id, Entry& entry) {
    watch_.note(id, entry, View::gives_up);
    ended_ += entry.dirty != 0;
    of(id).drop(entry);
  }

  OperandWindowParameters parameters_;
  WindowWatch watch_;
  WindowNotes notes_;
  std::vector<WarpWindow> warps_;
  /// `waiting_`: warps with registers that must still leave the window. `flushing_`: descheduled warps that
  /// still have registers in the window.
  WarpSet waiting_, flushing_;
  ObjectPool<WriteBack> write_backs_;
  std::vector<Fill> filling_;
  CycleInbox<Fill> came_;
  CycleInbox<Held> held_;
  Counter &announced_, &tags_, &hits_, &misses_, &fills_, &writes_, &through_, &late_, &backs_, &early_,
      &dropped_, &dirtied_, &ended_;
};

}  // namespace heddle
