#pragma once

// Where a register lies in the banks, and the interface of who decides it.

#include <cstdint>
#include <vector>

#include "models/core/ids.h"
#include "models/ports/resource_view.h"

namespace heddle {

/// A row of a bank. `set` false: the register lies nowhere, since it was never written.
struct RegisterPlace {
  BankId bank{};
  std::uint32_t entry = 0;
  bool set = false;
  bool operator==(const RegisterPlace&) const = default;
};

/// Mapping of the resident warps' registers: (warp, row) -> place. One for each path: that of the lowest
/// stage above the banks that provides one, otherwise the static map, which gives every register of a warp an
/// entry while it is resident. Only the mapping computes places.
class RegisterMapping {
 public:
  virtual ~RegisterMapping() = default;

  /// A warp with this number of registers is placed (the caller has checked the architected capacity), or has
  /// left: every stage has received its end, and nothing of it is in flight.
  virtual void bind_warp(WarpId warp, std::uint32_t registers) = 0;
  virtual void release_warp(WarpId warp) = 0;

  /// Where the row lies; `set` false if nowhere.
  virtual RegisterPlace place_of(WarpId warp, RegId row) const = 0;

  /// Rows of all banks: the physical capacity.
  virtual std::uint32_t entries() const = 0;
  virtual std::uint32_t free_entries(BankId bank) const = 0;

  /// Registers that warps hold, if registers get entries when they are written.
  virtual const RegisterClaims* holdings() const { return nullptr; }
  /// A stage above keeps some results to itself, as their annotations say; such results never come down.
  virtual void results_kept_above(bool) {}
};

}  // namespace heddle
