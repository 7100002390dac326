#pragma once

// Where the registers of the resident warps lie: (warp, register) -> (bank, entry). One map serves the banks,
// the arbiter and everything else that reasons about banks.

#include <cstdint>
#include <vector>

#include "models/core/resource_view.h"
#include "models/ports/register_access.h"
#include "models/regfile/register_file_parameters.h"

namespace heddle {

class RegisterMap {
 public:
  /// Throws Error if the list of uneven depths does not match the number of banks.
  RegisterMap(const BankParameters& banks, int max_warps);

  std::uint32_t free_entries() const { return free_total_; }
  std::uint32_t entries() const { return entries_; }
  /// What is free, by bank.
  void budget(RegisterBudget& budget) const;

  /// Gives `registers` entries to a warp: register r in its home bank by the layout, or, where that is full,
  /// in the next bank with a free entry (assumed: the papers leave open what happens when a warp's bank is
  /// full). The caller has checked free_entries().
  void place(WarpId warp, std::uint32_t registers);
  void remove(WarpId warp);

  RegisterPlace at(WarpId warp, RegId reg) const { return places_[index(warp, reg)]; }
  std::uint32_t registers_of(WarpId warp) const { return registers_[warp.value]; }
  const std::vector<int>& depths() const { return depths_; }

 private:
  static std::size_t index(WarpId warp, RegId reg) { return std::size_t{warp.value} * 256 + reg.value; }

  std::vector<int> depths_;
  bool shifted_;
  std::uint32_t entries_ = 0, free_total_ = 0;
  std::vector<std::vector<std::uint32_t>> free_;  ///< by bank, lowest entry last
  std::vector<RegisterPlace> places_;
  std::vector<std::uint32_t> registers_;  ///< by warp
};

}  // namespace heddle
