#pragma once

// Bank and entry of a register, and the interface of the mapping that determines them.

#include <cstdint>
#include <vector>

#include "models/core/ids.h"
#include "models/ports/resource_view.h"

namespace heddle {

/// Bank and entry of a register. `set`: false if the register has no entry, for example before its first
/// write.
struct RegisterPlace {
  BankId bank{};
  std::uint32_t entry = 0;
  bool set = false;
  bool operator==(const RegisterPlace&) const = default;
};

/// Maps the registers of the resident warps to banks and entries. Each register path has one mapping. The
/// stage nearest to the banks that has one (such as register renaming) provides it; if there is no such
/// stage, it is the static map.
class RegisterMapping {
 public:
  virtual ~RegisterMapping() = default;

  /// bind_warp(): a warp with this number of registers has been placed. release_warp(): the warp has ended,
  /// and every stage has received the event.
  virtual void bind_warp(WarpId warp, std::uint32_t registers) = 0;
  virtual void release_warp(WarpId warp) = 0;

  /// Returns the bank and entry of register `row`. RegisterPlace::set is false if it has no entry.
  virtual RegisterPlace place_of(WarpId warp, RegId row) const = 0;

  virtual std::uint32_t entries() const = 0;
  virtual std::uint32_t free_entries(BankId bank) const = 0;

  /// Returns the register claims of the warps if registers get entries at their first write, otherwise
  /// nullptr.
  virtual const RegisterClaims* holdings() const { return nullptr; }
  /// Called with true if a stage above keeps the results that the compiler has annotated for it. These
  /// results never reach the stage of this mapping.
  virtual void results_kept_above(bool) {}
};

}  // namespace heddle
