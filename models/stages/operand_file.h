#pragma once

// "operand-file": registers that the compiler manages, above the stages that follow (Gebhart 2012, section
// 4.2: ORF, and LRF as its level of one entry; Bailey 2018, section III-A: scratchpad). The annotations of an
// operand say which entry it is read from and which levels a result is written to
// (docs/compiler.md); everything else passes.
//
// Nothing is written back: what is needed after a strand's end was written below when it was produced.
// Entries are worth nothing after the end of a strand and when the warp is descheduled. The hardware has no
// tags; what an entry holds is remembered here alone to notice a wrong program, and for transport_dbg.

#include <deque>
#include <string>
#include <vector>

#include "models/core/cycle_set.h"
#include "models/core/fields.h"
#include "models/stages/access_ports.h"
#include "models/stages/operand_order.h"
#include "models/stages/storage_slots.h"
#include "models/stages/upper_stage.h"

namespace heddle {

struct OperandFileParameters {
  int entries = 3;
  std::string last_result = "none";
  bool last_result_shared = false;
  std::string transfers = "through-caches";
  bool flush_on_deschedule = true;
  bool checked = true;
  int read_ports = 3;
  int write_ports = 1;
  int queue_entries = 16;
  bool per_scheduler = true;

  void fields(FieldVisitor& v);
};

class OperandFile final : public UpperStage {
 public:
  OperandFile(const OperandFileParameters& parameters, Context& context);

  LifeSet hears() const override { return {Life::warp_gone, Life::issued}; }
  bool follows_slots() const override { return true; }
  bool needs_every_access() const override { return true; }
  bool keeps_annotated() const override { return true; }
  bool keeps_accesses() const override { return true; }
  void warp_deactivated(WarpId warp) override;
  void issued(const InFlight& item) override;
  bool may_leave(WarpId warp) const override {
    return !parameters_.flush_on_deschedule || !warps_[warp.value].in_strand;
  }
  bool flip_bit(RegisterAccess& access, int lane, int bit) override;
  std::optional<StageBalance> balance(const RegisterFlow& came) const override;
  void probes(const ProbeScope& scope) override { scope.part("slots").add(slots_.probe()); }

 protected:
  Answer take(RegisterAccess& access) override;
  ReadsTaken take_reads(std::span<RegisterAccess> reads) override {
    begin();
    return each_of(reads, [this](RegisterAccess& access) { return read(access); });
  }
  void answered(RegisterAccess& access) override;
  void debug_read(RegisterAccess& access) override;
  void take_event(const Event& event) override;
  void give_up(WarpId warp) override;
  void begin_cycle() override;

 private:
  struct Content {
    RegId reg{};
    LaneMask lanes = 0;
  };
  struct Entry {
    LaneVec values;
    std::vector<Content> contents;  ///< lanes of no content hold poison
    Cycle ready = 0;                ///< when its last write has got its port
  };
  struct Warp {
    OperandOrder order;
    bool in_strand = false;  ///< an instruction that uses entries was issued since the last strand end
    /// Of the registers that entries may hold something of: bit n of those whose number is n, modulo 64.
    std::uint64_t held = 0;
  };
  /// A result that was taken before it may be written: reads of entries before it are still to come.
  struct Held {
    RegisterAccess* access;
    std::uint64_t id, reads_before;
  };
  /// A source that is read from below and put into an entry.
  struct Fill {
    RegisterAccess access;
    RegisterAccess* original = nullptr;
    LaneVec values;
    std::uint64_t id = 0;
    std::uint32_t entry = 0;
    CycleFlag there;  ///< the values have come
  };
  /// A read of an entry that has still to be filled.
  struct Waiter {
    RegisterAccess* access;
    std::uint32_t entry;
    LaneMask missing;
    Cycle served;
  };

  Answer read(RegisterAccess& access);
  Answer read_entry(RegisterAccess& access);
  Answer read_and_fill(RegisterAccess& access);
  Answer write(RegisterAccess& access);
  Answer finish_write(RegisterAccess& access, std::uint64_t id);
  bool make_room_below(const RegisterAccess& access);
  void put(WarpId warp, std::uint32_t entry, RegId reg, const LaneVec& values, LaneMask lanes);
  void supersede(WarpId warp, RegId reg, LaneMask lanes);
  LaneMask wait_for_fills(const RegisterAccess& access, std::uint32_t entry, LaneMask missing,
                          LaneVec& values);
  void write_held();
  void finish_fill(Fill& fill);
  void invalidate(WarpId warp);

  std::uint32_t entry_of(const isa::Instruction& i, const isa::OperandAnnotation& a, std::uint8_t word,
                         std::uint8_t level) const;
  Entry& entry(WarpId warp, std::uint32_t number);
  bool holds_last_result(std::uint32_t entry) const {
    return entry >= static_cast<std::uint32_t>(parameters_.entries);
  }
  void announce(WarpId warp, const isa::Instruction& instruction, LaneMask mask);

  OperandFileParameters parameters_;
  std::uint32_t width_;  ///< entries of a warp, both levels
  bool past_caches_;
  std::vector<Entry> entries_;  ///< by slot
  StorageSlots slots_;
  std::vector<Warp> warps_;
  struct Ports {
    AccessPorts read, write;
  };
  std::vector<Ports> ports_;  ///< by scheduler and level
  Ports& ports_of(WarpId warp, std::uint32_t entry) {
    return ports_[(parameters_.per_scheduler ? scheduler_of(warp) : 0) * 2 +
                  (holds_last_result(entry) ? 1 : 0)];
  }
  std::vector<Held> held_;
  std::deque<Fill> all_fills_;
  std::vector<Fill*> free_fills_, fills_;  ///< fills_: in order of acceptance
  std::vector<Waiter> waiters_;
  std::deque<RegisterAccess> evictions_;  ///< requests to make room below
  std::vector<RegisterAccess*> free_evictions_;

  struct LevelCounters {
    Counter *private_reads, *shared_reads, *private_writes, *shared_writes, *fills;
  };
  LevelCounters counters_[2];
  Counter &read_slices_, &write_slices_, &invalidations_, &kept_writes_, &held_writes_, &fill_waits_,
      &port_wait_, &refusals_;
};

/// Error: entries are not used as this stage has them.
[[noreturn]] void misuse_entries(const std::string& stage, const isa::Instruction* instruction,
                                 const std::string& what);

}  // namespace heddle
