#pragma once

// Place of a register (bank and entry), and the interface of the mapping that determines the place.

#include <cstdint>
#include <vector>

#include "models/core/ids.h"
#include "models/ports/resource_view.h"

namespace heddle {

/// Bank and entry of a register, in 4 bytes, because every access reads its place from a table of its SM. `set`:
/// false if the register has no entry, for example before its first write.
struct RegisterPlace {
  struct Bank {
    std::uint8_t value = 0;
    operator BankId() const { return BankId(value); }  // NOLINT(google-explicit-constructor): the same number
    Bank& operator=(BankId bank) {
      value = static_cast<std::uint8_t>(bank.value);
      return *this;
    }
    bool operator==(const Bank&) const = default;
  };

  Bank bank;
  bool set = false;
  std::uint16_t entry = 0;

  RegisterPlace() = default;
  /// There are at most 64 banks with 65536 entries each (BankParameters).
  RegisterPlace(BankId of, std::uint32_t number, bool has_entry)
      : bank{static_cast<std::uint8_t>(of.value)},
        set(has_entry),
        entry(static_cast<std::uint16_t>(number)) {}
  bool operator==(const RegisterPlace&) const = default;
};

/// Maps the registers of the resident warps to banks and entries. Each register path uses one mapping. If
/// stages such as register renaming provide mappings, the path uses the mapping of the stage nearest to the
/// banks. Otherwise the path uses the static RegisterMap.
class RegisterMapping {
 public:
  virtual ~RegisterMapping() = default;

  /// bind_warp(): called when a warp that has `registers` registers is placed on the SM. release_warp():
  /// called when a warp has ended and every stage has processed its end.
  virtual void bind_warp(WarpId warp, std::uint32_t registers) = 0;
  virtual void release_warp(WarpId warp) = 0;

  /// Returns the bank and entry of register `row`. RegisterPlace::set is false if the register has no entry.
  virtual RegisterPlace place_of(WarpId warp, RegId row) const = 0;

  virtual std::uint32_t entries() const = 0;
  virtual std::uint32_t free_entries(BankId bank) const = 0;

  /// Returns the object that counts register claims. Returns nullptr if registers have fixed entries, so that
  /// no warp needs claims.
  virtual const RegisterClaims* holdings() const { return nullptr; }
  /// Sets whether a stage above (the operand file) keeps the results that the compiler has assigned to it. If
  /// so, these results never reach the banks, and the mapping need not reserve entries for them.
  virtual void results_kept_above(bool) {}
};

}  // namespace heddle
