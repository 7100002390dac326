#pragma once

// The entries of the banks as renaming gives them out (Jeon 2015, 7.1 and 8.2), each in one of four states:
//   free     no register has it
//   claimed  an issued instruction will write a register that has none: entries of its bank, or of all banks, are counted for
//            its CTA (register_claims.h); which entry it gets is chosen as it is mapped
//   mapped   a register has it, as the table says: chosen in the bank that the layout gives the register, in a subarray that
//            is on
//   leaving  the register was released: older accesses may still wait at the banks. Free, and the claim credited, in the cycle
//            after the one in which the banks answer

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "models/core/cycle_inbox.h"
#include "models/core/stats.h"
#include "models/ports/register_file_parameters.h"
#include "models/ports/register_stage.h"
#include "models/stages/availability.h"
#include "models/stages/pinned_registers.h"
#include "models/stages/register_claims.h"
#include "models/stages/renaming_parameters.h"
#include "models/stages/renaming_probes.h"
#include "models/stages/renaming_table.h"
#include "models/stages/subarray_power.h"

namespace heddle {

class RegisterEntries {
 public:
  RegisterEntries(const RenamingParameters& parameters, const RegisterStageContext& context);

  /// A look-up of the table: access.place is where the register lies, which probes may change.
  void look_up(RegisterAccess& access) const {
    access.place = table_.find(access.warp, access.home);
    if (probes_.see_table() && !table_.exempt(access.warp, access.home))
      access.place = probes_.looked_up(access.warp, access.home, access.place);
  }
  bool mapped(WarpId warp, RegId reg) const {
    const RegisterPlace& place = table_.find(warp, reg);
    if (probes_.see_table() && !table_.exempt(warp, reg)) return probes_.looked_up(warp, reg, place).set;
    return place.set;
  }
  RenamingTable& table() { return table_; }
  const RenamingTable& table() const { return table_; }
  const Availability& bank(std::size_t b) const { return banks_[b]; }
  SubarrayPower& power() { return power_; }
  RenamingProbes& probes() { return probes_; }
  ClaimBook& claims() { return claims_; }
  const ClaimBook& claims() const { return claims_; }
  std::uint32_t count() const { return entries_; }
  bool any_mapped() const { return mapped_ != 0; }

  /// A kernel begins: nothing is mapped.
  void kernel_begins(Cycle now, const isa::Program& program);
  /// Its exempt registers have entries of their own from now on, seen from a warp of this partition.
  void pin(const PinnedRegisters::Kernel& kernel, WarpId warp);
  bool pinned(WarpId warp, RegId reg) const { return pinned_.has(warp, reg); }

  /// Claimed (from now on at the latest), and mapped; false if there is no entry for the register.
  bool map(Cycle now, WarpId warp, RegId reg);
  /// A lower entry of the bank is free, and its subarray is on.
  bool has_lower(const RegisterPlace& place) const;
  /// Gives the register the lowest entry of its bank, in place of its present one, which stays allocated.
  void move_down(Cycle now, WarpId warp, RegId reg, const RegisterPlace& old) {
    take(now, warp, reg, old.bank.value, true);
  }
  /// The register keeps what move_down() has given it, the access's place; or has its old entry as if nothing had been.
  void end_move(Cycle now, const RegisterAccess& access, const RegisterPlace& old, bool undone);
  /// The warp has ended: its claims of registers that have no entry are free. Returns those that have.
  RegisterSet warp_ends(WarpId warp);
  /// A register that has no entry is released.
  void release_unmapped(const RegisterAccess& release);
  /// A register is released by an access that the banks have taken, or answered at once: its entry is leaving.
  void release(Cycle now, const RegisterAccess& release, RegisterAnswer answer);
  /// The entry at the place of a release of the stage's own is leaving; `charged`: with the claim of its register.
  void leave(const RegisterAccess& release, bool charged);
  void unmap(WarpId warp, RegId reg);
  /// The banks have answered a release: true if it was that of the entry.
  bool answered(Cycle now, const RegisterAccess& release);
  /// Entries whose release was answered in an earlier cycle are free. True if there were any.
  bool free_answered(Cycle now);

  /// Called when a requested subarray has been used: the waiting register may be another one than the
  /// register that got its entry, and requests again, possibly another subarray.
  void on_asks_again(std::function<void()> call) { asks_again_ = std::move(call); }

  /// Times are counted up to, and not including, `cycle`.
  void count_to(Cycle cycle) {
    if (cycle <= counted_to_) return;
    const Cycle passed = cycle - counted_to_;
    counted_to_ = cycle;
    mapped_cycles_ += passed * mapped_;
    free_cycles_ += passed * (entries_ - mapped_);
    subarray_cycles_ += passed * occupied_subarrays_;
  }
  /// `idle`: no warp is resident.
  void add_rules(StageBalance& balance, bool idle) const;

 private:
  struct Entry {
    bool touched = false;  ///< it ever held a register
    bool charged = false;  ///< for a leaving entry: a claim of a register of `cta`
    CtaSlot cta{};
    const RegisterAccess* release = nullptr;  ///< for a leaving entry, until the banks have answered
  };

  std::size_t index(const RegisterPlace& place) const {
    return place.bank.value * std::size_t{deepest_} + place.entry;
  }
  Entry& entry(const RegisterPlace& place) { return all_[index(place)]; }
  const Entry& entry(const RegisterPlace& place) const { return all_[index(place)]; }
  std::size_t pool_of(const RegisterPlace& place) const { return next_bank_ ? 0 : place.bank.value; }
  inline std::uint32_t choose(Cycle now, std::size_t bank, bool lowest);
  std::uint32_t chosen(Cycle now, std::size_t bank, DomainSet awake, std::uint32_t entry);
  bool take(Cycle now, WarpId warp, RegId reg, std::size_t bank, bool lowest);
  bool take_pinned(Cycle now, WarpId warp, RegId reg);
  void hold(Cycle now, WarpId warp, RegId reg, const RegisterPlace& place, std::uint32_t subarrays);
  void put(WarpId warp, RegId reg, const RegisterPlace& place);
  void free(Cycle now, const RegisterPlace& place, bool gates);
  void free_answered_before(Cycle cycle, Cycle now, bool gates);

  bool next_bank_, claims_followed_;
  std::uint32_t entries_ = 0, deepest_ = 0;
  BankLayout layout_;
  RenamingTable table_;
  std::vector<Availability> banks_;
  PinnedRegisters pinned_;
  ClaimBook claims_;
  SubarrayPower power_;
  RenamingProbes probes_;
  std::vector<Entry> all_;              ///< by bank and number
  CycleInbox<RegisterPlace> answered_;  ///< leaving ones of which the banks have answered the release
  std::function<void()> asks_again_;
  std::uint32_t mapped_ = 0;  ///< or leaving
  std::uint32_t leaving_ = 0;
  std::uint32_t occupied_subarrays_ = 0;
  std::uint64_t late_claims_ = 0;  ///< at a write rather than at issue
  Cycle counted_to_ = 0;
  Counter &maps_, &unmaps_, &touched_, &mapped_cycles_, &free_cycles_, &subarray_cycles_;
};

}  // namespace heddle
