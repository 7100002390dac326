#pragma once

// Entries of the register banks under renaming (Jeon 2015, 7.1 and 8.2). Each entry is in one of four states:
// - free: the entry is not assigned to a register.
// - claimed: an issued instruction will write a register that has no entry. The entry is chosen later. Claims
//   are counted for each bank (or for all banks together), and for the register's CTA.
// - mapped: a register has the entry, and the renaming table records it. The entry lies in the bank that the
//   layout gives the register, in a subarray that is on.
// - leaving: the register was released, but older accesses may still wait at the banks. In the cycle after
//   the banks have completed the release, the entry becomes free and its claim ends.

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

  /// Sets access.place from the renaming table. An observer at the probe point may replace the place.
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

  /// Starts a kernel. Must be called while no register is mapped.
  void kernel_begins(Cycle now, const isa::Program& program);
  /// Reserves entries for the kernel's exempt registers (registers that are not renamed), in the partition of
  /// `warp`.
  void pin(const PinnedRegisters::Kernel& kernel, WarpId warp);
  bool pinned(WarpId warp, RegId reg) const { return pinned_.has(warp, reg); }

  /// Maps the register to an entry. Claims the entry if the register has no claim yet. Returns false if no
  /// entry is available.
  bool map(Cycle now, WarpId warp, RegId reg);
  bool has_lower(const RegisterPlace& place) const;
  /// Begins to move the register to the lowest free entry of its bank. The old entry stays allocated until
  /// end_move().
  void move_down(Cycle now, WarpId warp, RegId reg, const RegisterPlace& old) {
    take(now, warp, reg, old.bank.value, true);
  }
  /// Ends a move that move_down() began. The register keeps its new entry or, if `undone` is true, its old
  /// entry.
  void end_move(Cycle now, const RegisterAccess& access, const RegisterPlace& old, bool undone);
  /// For an ended warp: ends its claims for registers without an entry. Returns its registers with an entry.
  RegisterSet warp_ends(WarpId warp);
  void release_unmapped(const RegisterAccess& release);
  /// Puts the register's entry into the state "leaving" when the banks have accepted or completed its
  /// release.
  void release(Cycle now, const RegisterAccess& release, RegisterAnswer answer);
  /// Puts an entry into the state "leaving" for a release that the renaming stage itself created. `charged`:
  /// true if the entry stays charged to the warp's CTA (RegisterClaims::charged()) until it is free.
  void leave(const RegisterAccess& release, bool charged);
  void unmap(WarpId warp, RegId reg);
  bool answered(Cycle now, const RegisterAccess& release);
  bool free_answered(Cycle now);

  /// Sets a function that is called when an allocation cancels the pending request to wake a subarray.
  /// Registers that still wait for an entry must then request the wake-up again.
  void on_retry_needed(std::function<void()> call) { must_retry_ = std::move(call); }

  void count_to(Cycle cycle) {
    if (cycle <= counted_to_) return;
    const Cycle passed = cycle - counted_to_;
    counted_to_ = cycle;
    mapped_cycles_ += passed * mapped_;
    free_cycles_ += passed * (entries_ - mapped_);
    subarray_cycles_ += passed * occupied_subarrays_;
  }
  /// Adds equations that must hold at the end of a run. `idle`: true if no warp is resident.
  void add_rules(StageBalance& balance, bool idle) const;

 private:
  struct Entry {
    bool touched = false;
    bool charged = false;  ///< true: the leaving entry still counts as a claim of `cta`
    CtaSlot cta{};
    const RegisterAccess* release = nullptr;
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
  std::vector<Entry> all_;
  CycleInbox<RegisterPlace> answered_;
  std::function<void()> must_retry_;
  std::uint32_t mapped_ = 0;
  std::uint32_t leaving_ = 0;
  std::uint32_t occupied_subarrays_ = 0;
  std::uint64_t late_claims_ = 0;  ///< number of claims made at a write instead of at issue; must be 0
  Cycle counted_to_ = 0;
  Counter &maps_, &unmaps_, &touched_, &mapped_cycles_, &free_cycles_, &subarray_cycles_;
};

}  // namespace heddle
