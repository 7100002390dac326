#pragma once

// Bank and entry of a register, and the interface of the mapping that determines them.

#include <cstdint>
#include <vector>

#include "models/core/ids.h"
#include "models/ports/resource_view.h"

namespace heddle {

/// Bank and entry of a register. `set` is false if the register has no entry, for example because it has not
/// been written yet.
struct RegisterPlace {
  BankId bank{};
  std::uint32_t entry = 0;
  bool set = false;
  bool operator==(const RegisterPlace&) const = default;
};

/// Maps the registers of the resident warps to banks and entries. Each register path has one mapping. If a
/// stage provides a mapping (for example register renaming), the lowest such stage determines it. Otherwise
/// it is the static map, which gives every register of a warp an entry while the warp is resident. No other
/// object computes bank and entry.
class RegisterMapping {
 public:
  virtual ~RegisterMapping() = default;

  /// bind_warp() is called when a warp with this number of registers has been placed. The caller has checked
  /// that the register file has enough space. release_warp() is called when the warp has ended, no
  /// instruction of the warp is in flight, and every stage has received the event.
  virtual void bind_warp(WarpId warp, std::uint32_t registers) = 0;
  virtual void release_warp(WarpId warp) = 0;

  /// Returns bank and entry of the row. In the result, `set` is false if the row has no entry.
  virtual RegisterPlace place_of(WarpId warp, RegId row) const = 0;

  /// Returns the number of entries of all banks together, which is the physical capacity.
  virtual std::uint32_t entries() const = 0;
  virtual std::uint32_t free_entries(BankId bank) const = 0;

  /// Returns the register claims of the warps, if registers get entries when they are written; otherwise
  /// nullptr.
  virtual const RegisterClaims* holdings() const { return nullptr; }
  /// Called with true if a higher stage keeps the results that the compiler has annotated for it. These
  /// results never reach the stage of this mapping.
  virtual void results_kept_above(bool) {}
};

}  // namespace heddle
