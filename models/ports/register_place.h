#pragma once

// Position of a register in the banks, and the interface of the mapping that decides it.

#include <cstdint>
#include <vector>

#include "models/core/ids.h"
#include "models/ports/resource_view.h"

namespace heddle {

/// Bank and entry of a register. `set` is false if the register has no entry, because it was never written.
struct RegisterPlace {
  BankId bank{};
  std::uint32_t entry = 0;
  bool set = false;
  bool operator==(const RegisterPlace&) const = default;
};

/// Mapping of the resident warps' registers to places. Each register path has one mapping. It is that of the
/// lowest stage above the banks that provides one. Otherwise it is the static map, which gives every register
/// of a warp an entry while the warp is resident. No other object computes places.
class RegisterMapping {
 public:
  virtual ~RegisterMapping() = default;

  /// bind_warp(): a warp with this number of registers is placed. The caller has checked the architected
  /// capacity. release_warp(): the warp has ended. Every stage has received the event, and no instruction of
  /// the warp is in flight.
  virtual void bind_warp(WarpId warp, std::uint32_t registers) = 0;
  virtual void release_warp(WarpId warp) = 0;

  /// Returns the place of the row. `set` is false if it has none.
  virtual RegisterPlace place_of(WarpId warp, RegId row) const = 0;

  /// Entries of all banks: the physical capacity.
  virtual std::uint32_t entries() const = 0;
  virtual std::uint32_t free_entries(BankId bank) const = 0;

  /// Claims of warps, if registers get entries when they are written; otherwise nullptr.
  virtual const RegisterClaims* holdings() const { return nullptr; }
  /// Called with true if a stage above keeps some results, as their annotations specify. These results never
  /// reach this mapping's stage.
  virtual void results_kept_above(bool) {}
};

}  // namespace heddle
