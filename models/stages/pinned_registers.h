#pragma once

// Bank entries of exempt registers, which are not renamed (Jeon 2015, 7.1). In the paper, warp w has its N
// exempt registers at entries N * w and up, without a table. In Heddle, each exempt register stays in its
// bank and gets one of the lowest entries there, ordered by warp, then by register.

#include <cstdint>
#include <vector>

#include "models/ports/register_file_parameters.h"
#include "models/ports/register_place.h"

namespace heddle {

class PinnedRegisters {
 public:
  struct Kernel {
    std::uint32_t registers = 0, exempt = 0, warps = 0, cta_warps = 0;
  };

  /// `pooled`: true if a renamed register (not exempt from renaming) may lie in any bank.
  PinnedRegisters(const BankParameters& banks, int partitions, bool pooled);

  void end() { places_.clear(), reserved_.assign(depths_.size(), 0); }
  /// Reserves entries for the registers of a kernel that are exempt from renaming, in the partition of
  /// `warp`. Reserves none if too few entries for a CTA would remain. In this case, an exempt register gets
  /// an entry at its first write and keeps it.
  void begin(const Kernel& kernel, WarpId warp);

  bool any() const { return !places_.empty(); }
  bool has(WarpId warp, RegId reg) const {
    return reg.value < kernel_.exempt && any() && warp.value < kernel_.warps;
  }
  const RegisterPlace& place_of(WarpId warp, RegId reg) const {
    return places_[std::size_t{warp.value} * kernel_.exempt + reg.value];
  }
  std::uint32_t of_a_warp() const { return any() ? kernel_.exempt : 0; }
  const std::vector<std::uint32_t>& reserved() const { return reserved_; }

 private:
  bool fits_as_second(WarpId warp) const;

  BankLayout layout_;
  std::vector<std::uint32_t> depths_, reserved_;
  std::uint32_t partitions_;
  bool pooled_;
  Kernel kernel_;
  /// bank and entry of each register that is exempt from renaming, indexed by warp and register; empty if no
  /// entries are reserved
  std::vector<RegisterPlace> places_;
};

}  // namespace heddle
