#pragma once

// Models register file virtualization (Jeon 2015, 7.1). Architected registers get entries of the banks when
// they are written, and lose them when release flags mark them dead.
//
// An instruction that writes a register without an entry claims an entry at issue. The entry is mapped at the
// first write, or earlier when the instruction is announced, before its first read. The release fills the
// entry with poison after all older accesses. A read of a register without an entry returns poison and does
// not reach the banks. Lanes that the first write does not cover stay poison.
//
// Exempt registers are not renamed. An exempt register has an entry from its first write to the end of the
// warp, and is not in the renaming table.

#include <optional>
#include <span>

#include "models/core/cycle_set.h"
#include "models/ports/register_file_parameters.h"
#include "models/ports/register_stage.h"
#include "models/stages/own_releases.h"
#include "models/stages/register_entries.h"
#include "models/stages/renaming_parameters.h"
#include "models/stages/resident_registers.h"
#include "models/stages/table_look_ups.h"

namespace heddle {

class Renaming : public PassingStage {
 public:
  Renaming(const RenamingParameters& parameters, Context& context);

  int latency_cycles() const override { return static_cast<int>(look_ups_.latency()); }
  RegisterWants wants() const override { return wants::results | (by_flags_ ? wants::releases : 0); }
  LifeSet subscriptions() const override {
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
  /// Mapping from registers to entries, for the other stages of the register path.
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
    const RegisterClaims* holdings() const override { return &stage_->entries_.claims(); }
    void results_kept_above(bool kept) override { stage_->entries_.claims().set_kept_above(kept); }

   private:
    Renaming* stage_;
  };

  bool places_registers() const { return &mapping() == &map_; }
  /// Starts the stage's cycle, if it has not started yet. Every function that another module calls must call
  /// begin() first.
  void begin() {
    if (due_.seen(now())) open_cycle();
  }
  void open_cycle();
  Answer pass(RegisterAccess& access);
  Answer look_up(RegisterAccess& access);
  Answer move_down(RegisterAccess& access);
  Answer announce(RegisterAccess& access);
  Answer release(RegisterAccess& access);
  bool takes_entry(const RegisterWord& word) const {
    return entries_.claims().takes_entry(word.operand->annotation);
  }
  bool map(WarpId warp, RegId reg);
  void give_up(WarpId warp, RegId reg, const RegisterPlace& place, bool charged);
  void send_own();
  void note_answered();

  bool by_flags_, at_redefinition_, by_table_, at_prepare_, at_placement_, results_take_ports_, pins_;
  bool claims_followed_;
  Map map_;
  RegisterEntries entries_;
  TableLookUps look_ups_;
  OwnReleases own_;
  ResidentRegisters residents_;
  CycleFlag due_;
  /// Warps per CTA of the new kernel. Set to 0 when the entries for the kernel's exempt registers have been
  /// reserved.
  std::uint32_t cta_warps_ = 0;
  bool room_ = false;
  bool must_retry_ = false;
  Counter &moves_, &waits_, &exempt_accesses_;
};

}  // namespace heddle
