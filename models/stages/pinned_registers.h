#pragma once

// Entries of exempt registers (Jeon 2015, 7.1): those of warp w lie at N x w, N of them, without a table.
// Banks are kept, so a bank's lowest entries belong to the registers that the layout gives it, warp after
// warp, lowest register first. No other register gets them while the kernel runs, whether their warp is
// resident or not. Plain C++.

#include <cstdint>
#include <vector>

#include "models/ports/register_file_parameters.h"
#include "models/ports/register_place.h"

namespace heddle {

class PinnedRegisters {
 public:
  /// Sizes of a kernel: registers of a thread, the number of exempt ones, and warps that may be resident, in
  /// all and of one CTA.
  struct Kernel {
    std::uint32_t registers = 0, exempt = 0, warps = 0, cta_warps = 0;
  };

  /// `pooled`: a register that is not exempt may lie in any bank.
  PinnedRegisters(const BankParameters& banks, int partitions, bool pooled);

  void end() { places_.clear(), reserved_.assign(depths_.size(), 0); }
  /// The kernel begins, on the partition of `warp`. Nothing is pinned where a CTA would not fit beside what is: its
  /// exempt registers get an entry with their first write, and keep it, as if a table had room for them.
  void begin(const Kernel& kernel, WarpId warp);

  bool any() const { return !places_.empty(); }
  bool has(WarpId warp, RegId reg) const {
    return reg.value < kernel_.exempt && any() && warp.value < kernel_.warps;
  }
  const RegisterPlace& place_of(WarpId warp, RegId reg) const {
    return places_[std::size_t{warp.value} * kernel_.exempt + reg.value];
  }
  std::uint32_t of_a_warp() const { return any() ? kernel_.exempt : 0; }
  /// By bank: its lowest entries that are theirs.
  const std::vector<std::uint32_t>& reserved() const { return reserved_; }

 private:
  bool fits_beside(WarpId warp) const;

  BankLayout layout_;
  std::vector<std::uint32_t> depths_, reserved_;
  std::uint32_t partitions_;
  bool pooled_;
  Kernel kernel_;
  std::vector<RegisterPlace> places_;  ///< by warp and register; none: nothing is pinned
};

}  // namespace heddle
