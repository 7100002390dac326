#pragma once

// Models the stage "operand-file": register storage entries that the compiler manages, between the operand
// collectors and the following stages. Sources: Gebhart 2012, section 4.2 (ORF, and LRF as a level of one
// entry); Bailey 2018, section III-A (scratchpad). The annotation of a source operand names the entry that
// holds the operand. The annotation of a result names the levels to which the result is written
// (docs/compiler.md). All other accesses pass through.
//
// The stage never writes entries back. Entries become invalid when the warp is descheduled, and at the end of
// a strand. The program therefore also writes to the banks the values that it needs later.

#include <string>
#include <vector>

#include "models/core/fields.h"
#include "models/stages/access_ports.h"
#include "models/stages/operand_entries.h"
#include "models/stages/operand_fills.h"
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

  LifeSet subscriptions() const override { return {Life::warp_gone, Life::issued}; }
  RegisterWants wants() const override { return wants::slots; }
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
  void probes(const ProbeScope& scope) override { entries_.probes(scope); }

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
  struct Warp {
    OperandOrder order;
    /// true: since the last point at which the warp could be descheduled, an instruction that uses entries
    /// has issued
    bool in_strand = false;
  };
  /// A result that must wait until earlier reads of its entry have been accepted.
  struct Held {
    RegisterAccess* access;
    std::uint64_t id, reads_before;
  };
  Answer read(RegisterAccess& access);
  Answer read_entry(RegisterAccess& access);
  Answer read_and_fill(RegisterAccess& access);
  Answer write(RegisterAccess& access);
  Answer finish_write(RegisterAccess& access, std::uint64_t id);
  bool make_room_below(const RegisterAccess& access);
  void write_held();
  void finish_fill(OperandFills::Fill& fill);
  void put_fill(const OperandFills::Fill& fill);
  void invalidate(WarpId warp) { invalidations_ += entries_.invalidate(warp); }

  /// Throws the error for a program that uses entries which the stage does not have.
  [[noreturn]] void misuse(const isa::Instruction* instruction, const std::string& what) const;
  std::uint32_t entry_of(const isa::Instruction& i, const isa::OperandAnnotation& a, std::uint8_t word,
                         std::uint8_t level) const;
  bool holds_last_result(std::uint32_t entry) const {
    return entry >= static_cast<std::uint32_t>(parameters_.entries);
  }

  OperandFileParameters parameters_;
  bool past_caches_;
  OperandEntries entries_;
  std::vector<Warp> warps_;
  std::vector<ReadWritePorts> ports_;
  ReadWritePorts& ports_of(WarpId warp, std::uint32_t entry) {
    return ports_[(parameters_.per_scheduler ? scheduler_of(warp) : 0) * 2 +
                  (holds_last_result(entry) ? 1 : 0)];
  }
  std::vector<Held> held_;
  OperandFills fills_;
  ObjectPool<RegisterAccess> evictions_;

  struct LevelCounters {
    Counter *private_reads, *shared_reads, *private_writes, *shared_writes, *fills;
  };
  LevelCounters counters_[2];
  Counter &read_slices_, &write_slices_, &invalidations_, &kept_writes_, &held_writes_, &fill_waits_,
      &port_wait_, &refusals_;
};

}  // namespace heddle
