#pragma once

// Entries of exempt registers, which are not renamed (Jeon 2015, 7.1). The N exempt registers of warp w lie
// at N x w, without a table. Registers stay in their banks: a bank's lowest entries belong to the registers
// that the layout puts there, ordered by warp, then by register. No other register gets these entries while
// the kernel runs, even if their warp is not resident. Plain C++.

#include <cstdint>
#include <vector>

#include "models/ports/register_file_parameters.h"
#include "models/ports/register_place.h"

namespace heddle {

class PinnedRegisters {
 public:
  /// Sizes of a kernel: registers of a thread, exempt registers among them, and the warps that may be
  /// resident, in total and of one CTA.
  struct Kernel {
    std::uint32_t registers = 0, exempt = 0, warps = 0, cta_warps = 0;
  };

  /// `pooled`: a register that is not exempt may lie in any bank.
  PinnedRegisters(const BankParameters& banks, int partitions, bool pooled);

  void end() { places_.clear(), reserved_.assign(depths_.size(), 0); }
  /// The kernel begins, on the partition of `warp`. If a CTA would not fit next to the pinned entries,
  /// nothing is pinned. Exempt registers then get an entry at their first write and keep it.
  void begin(const Kernel& kernel, WarpId warp);

  bool any() const { return !places_.empty(); }
  bool has(WarpId warp, RegId reg) const {
    return reg.value < kernel_.exempt && any() && warp.value < kernel_.warps;
  }
  const RegisterPlace& place_of(WarpId warp, RegId reg) const {
    return places_[std::size_t{warp.value} * kernel_.exempt + reg.value];
  }
  std::uint32_t of_a_warp() const { return any() ? kernel_.exempt : 0; }
  /// By bank: number of the lowest entries that are pinned.
  const std::vector<std::uint32_t>& reserved() const { return reserved_; }

 private:
  bool fits_as_second(WarpId warp) const;

  BankLayout layout_;
  std::vector<std::uint32_t> depths_, reserved_;
  std::uint32_t partitions_;
  bool pooled_;
  Kernel kernel_;
  std::vector<RegisterPlace> places_;  ///< by warp and register; empty: nothing is pinned
};

}  // namespace heddle
