#pragma once

// The entries of the banks as renaming gives them out (Jeon 2015, 7.1 and 8.2): the table says which register
// has which, and of each bank it is known which are free. An entry is chosen in the bank that the layout
// gives the register, in a subarray that is on; it is the register's until unmap(), and nobody's again from
// free() on.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "models/core/stats.h"
#include "models/ports/register_file_parameters.h"
#include "models/ports/register_stage.h"
#include "models/stages/availability.h"
#include "models/stages/pinned_registers.h"
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
  std::uint32_t count() const { return entries_; }
  bool any_mapped() const { return mapped_ != 0; }
  /// One number for each entry of all banks, below numbers().
  std::size_t number_of(const RegisterPlace& place) const {
    return place.bank.value * std::size_t{deepest_} + place.entry;
  }
  std::size_t numbers() const { return banks_.size() * deepest_; }

  /// A kernel begins, nothing is mapped: its exempt registers have entries of their own from now on, seen from a warp of
  /// this partition.
  void pin(const PinnedRegisters::Kernel& kernel, WarpId warp);
  const PinnedRegisters& pinned() const { return pinned_; }

  /// Gives the register an entry; false if there is none for it.
  bool map(Cycle now, WarpId warp, RegId reg);
  /// A lower entry of the bank is free, and its subarray is on.
  bool has_lower(const RegisterPlace& place) const;
  /// Gives the register the lowest entry of the bank in which it lies, in place of the one that it has, which stays taken.
  void move_down(Cycle now, WarpId warp, RegId reg, const RegisterPlace& old) {
    take(now, warp, reg, old.bank.value, true);
  }
  /// The register keeps what move_down() has given it, the access's place; or has its old entry as if nothing had been.
  void end_move(Cycle now, const RegisterAccess& access, const RegisterPlace& old, bool undone);
  /// The register has no entry any more; the one that it had is taken until free().
  void unmap(WarpId warp, RegId reg);
  /// The banks are about to hear that nobody needs the entry's value any more; or they have refused to, or have answered.
  /// free() of an entry in between is an error: older accesses may still wait there.
  void set_leaving(const RegisterPlace& place, bool leaves) { leaving_[number_of(place)] = leaves; }
  /// `gates`: subarrays hear of it.
  void free(Cycle now, const RegisterPlace& place, bool gates);

  /// Called when a subarray that was wanted has been taken up: who waits for it may be another register than the one that
  /// got its entry, and asks again, for another subarray maybe.
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
  /// `returning`: entries out of the table and not free yet. `idle`: no warp is resident.
  void add_rules(StageBalance& balance, std::uint64_t returning, bool idle) const;

 private:
  inline std::uint32_t choose(Cycle now, std::size_t bank, bool lowest);
  std::uint32_t chosen(Cycle now, std::size_t bank, DomainSet awake, std::uint32_t entry);
  bool take(Cycle now, WarpId warp, RegId reg, std::size_t bank, bool lowest);
  bool take_pinned(Cycle now, WarpId warp, RegId reg);
  void hold(Cycle now, WarpId warp, RegId reg, const RegisterPlace& place, std::uint32_t subarrays);
  void put(WarpId warp, RegId reg, const RegisterPlace& place);

  bool next_bank_;
  BankLayout layout_;
  std::uint32_t entries_ = 0, deepest_ = 0;
  RenamingTable table_;
  std::vector<Availability> banks_;
  PinnedRegisters pinned_;
  SubarrayPower power_;
  RenamingProbes probes_;
  std::vector<std::uint8_t> touched_;  ///< by entry: 1 if it ever held a register
  std::vector<std::uint8_t> leaving_;  ///< by entry: 1 while its release is at the banks
  std::function<void()> asks_again_;
  std::uint32_t mapped_ = 0, occupied_subarrays_ = 0;
  Cycle counted_to_ = 0;
  Counter &maps_, &unmaps_, &touched_count_, &mapped_cycles_, &free_cycles_, &subarray_cycles_;
};

}  // namespace heddle
