#pragma once

// Models power gating of the sub-banks of each register bank, for entry formats in which a row does not always
// need all sub-banks. A sub-bank is in use while a row or a waiting write needs it. A gating policy puts other
// sub-banks to sleep; they lose their contents. A write that needs a sleeping sub-bank wakes it, and waits.

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "models/banks/i_entry_format.h"
#include "models/core/stats.h"
#include "models/ports/power_domains.h"

namespace heddle {

class SubBankPower {
 public:
  /// Called when sub-banks have gone to sleep. The function must poison these sub-banks in all rows of the
  /// bank.
  using Lost = std::function<void(BankId, std::uint8_t sub_banks)>;
  /// Without `context.power`, or with the policy "none", no sub-bank is ever off. The power-domain groups are
  /// named bank0, bank1 and so on; the domains of a group are the bank's sub-banks.
  SubBankPower(EntryFormat::Context& context, int sub_banks, const DomainGroupParameters& parameters,
               Lost lost);

  bool gates() const { return !groups_.empty(); }
  void kernel_begins(Cycle now);
  /// Must be called in each cycle before the banks serve accesses; further calls in the cycle have no effect.
  void begin_cycle(Cycle now) {
    if (now != cycle_) advance(now);
  }
  /// Marks sub-banks as needed by a waiting write. The caller must call remove() for these sub-banks after the
  /// write.
  void reserve(Cycle now, BankId bank, std::uint8_t sub_banks) {
    begin_cycle(now);
    add(bank, sub_banks);
  }
  /// add(): a row or a waiting write needs the sub-banks from now on. remove(): from the next cycle on, the row
  /// or write no longer needs these sub-banks.
  void add(BankId bank, std::uint8_t sub_banks);
  void remove(BankId bank, std::uint8_t sub_banks);
  /// Returns true if remove() was called in this cycle. The caller must then call begin_cycle() in the next
  /// cycle.
  bool leaves() const { return leaves_; }
  bool are_on(BankId bank, std::uint8_t sub_banks) const {
    return (sub_banks & ~groups_[bank.value].domains->awake()) == 0;
  }
  /// Returns the number of users (rows and waiting writes), summed over all sub-banks.
  std::uint64_t users() const;

 private:
  struct Group {
    PowerDomains* domains = nullptr;
    DomainSet used = 0, wanted = 0, awake = 0;
    std::array<std::uint16_t, kMostSubBanks> users{};
    DomainSet needed() const;
  };
  void advance(Cycle now);
  static DomainSet advance(Cycle now, Group& group);
  static void use(Cycle now, Group& group);

  int sub_banks_;
  Lost lost_;
  std::vector<Group> groups_;
  Cycle cycle_ = kNever;
  bool leaves_ = false;
};

}  // namespace heddle
