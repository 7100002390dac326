#pragma once

// Register file virtualization (Jeon 2015, 7.1): architected registers get entries of the banks as they are
// written, and lose them when release flags say that nobody reads them any more.
//
// A register has at most one entry. It is claimed at issue (register_claims.h); the entry is chosen
// (register_entries.h) when the instruction is announced or at its first write, and stays until a release
// (entry_releases.h), which poisons it after every older access. A read of a register that has none gets poison and
// comes to no bank. Lanes outside a first partial write stay poison.
//
// Registers go by their architected numbers here, as claims do: under a stage that swaps rows a register keeps
// its entry.
//
// Exempt registers have an entry from the first write to the warp's end, and no place in the table.

#include <deque>
#include <memory>
#include <vector>
#include "models/core/cycle_set.h"
#include "models/core/growing_array.h"
#include "models/ports/register_file_parameters.h"
#include "models/ports/register_stage.h"
#include "models/stages/availability.h"
#include "models/stages/entry_releases.h"
#include "models/stages/register_claims.h"
#include "models/stages/register_entries.h"
#include "models/stages/renaming_parameters.h"
#include "models/stages/renaming_points.h"
#include "models/stages/renaming_table.h"
#include "models/stages/resident_registers.h"
#include "models/stages/subarray_power.h"

namespace heddle {

class Renaming : public PassingStage {
 public:
  Renaming(const RenamingParameters& parameters, Context& context);

  int latency_cycles() const override { return static_cast<int>(latency_); }
  RegisterWants wants() const override { return wants::results | (by_flags_ ? wants::releases : 0); }
  LifeSet hears() const override {
    return LifeSet{Life::kernel_begins, Life::warp_begins, Life::warp_ends, Life::warp_gone} |
           (claims_followed_ ? LifeSet{Life::issued} : LifeSet{});
  }
  void kernel_begins(const KernelBegins& kernel) override;
  void warp_begins(const WarpBegins& warp) override;
  void warp_ends(WarpId warp) override { residents_.ends(now(), warp); }
  void warp_gone(WarpId warp) override;
  void issued(const InFlight& item) override;
  RegisterMapping* provided_mapping() override { return &map_; }
  bool flip_bit(RegisterAccess& access, int lane, int bit) override;
  std::optional<StageBalance> balance(const RegisterFlow& came) const override;
  void settle(Cycle cycle) override;
  void probes(const ProbeScope& scope) override;

  RegisterEntries& register_entries() { return entries_; }

 protected:
  Answer take(RegisterAccess& access) override;
  ReadsTaken take_reads(std::span<RegisterAccess> reads) override;
  void answered(RegisterAccess& access) override;
  bool wants_read_answers() const override { return false; }
  void debug_read(RegisterAccess& access) override;
  void space_below() override;
  void tick() override;

 private:
  /// The mapping as the rest of the path sees it.
  class Map : public RegisterMapping {
   public:
    explicit Map(Renaming& stage) : stage_(&stage) {}
    void bind_warp(WarpId warp, std::uint32_t registers) override;
    void release_warp(WarpId) override {}
    RegisterPlace place_of(WarpId warp, RegId row) const override {
      return stage_->entries_.table().find(warp, row);
    }
    std::uint32_t entries() const override { return stage_->entries_.count(); }
    std::uint32_t free_entries(BankId bank) const override;
    const RegisterClaims* claims() const override { return &stage_->claims_; }
    void levels_above(bool above) override { stage_->claims_.set_levels_above(above); }

   private:
    Renaming* stage_;
  };

  /// Before anything else happens here in a cycle, whoever asks first.
  void begin();
  Answer send(RegisterAccess& access, bool has_entry);
  Answer write(RegisterAccess& access);
  Answer write_moved(RegisterAccess& access);
  Answer announce(RegisterAccess& access);
  Answer release(RegisterAccess& access);
  bool map(WarpId warp, RegId reg);
  void send_own();

  bool by_flags_, at_redefinition_, by_table_, at_prepare_, at_placement_, results_take_ports_, pins_;
  bool claims_followed_;
  Cycle latency_;
  Map map_;
  ClaimBook claims_;
  RegisterEntries entries_;
  EntryReleases releases_;
  ResidentRegisters residents_;
  CycleFlag due_;                  ///< for begin()
  std::uint32_t cta_warps_ = 0;    ///< of the kernel; 0: what is exempt has its entries
  bool room_ = false;              ///< entries have become free since somebody was refused
  bool asks_again_ = false;        ///< what waits for a subarray
  std::uint64_t late_claims_ = 0;  ///< at a write rather than at issue
  Counter &look_ups_, &conflicts_, &moves_, &waits_, &exempt_accesses_;
};

}  // namespace heddle
