#pragma once

// The static mapping: a warp's registers have their entries from its placement to its end.

#include <cstdint>
#include <vector>

#include "models/ports/register_place.h"
#include "models/regfile/register_file_parameters.h"

namespace heddle {

class RegisterMap final : public RegisterMapping {
 public:
  /// Throws Error if the list of uneven depths does not match the number of banks.
  RegisterMap(const BankParameters& banks, int max_warps);

  std::uint32_t entries() const override { return entries_; }
  std::uint32_t free_entries(BankId bank) const override {
    return static_cast<std::uint32_t>(free_[bank.value].size());
  }
  std::uint32_t free_entries() const { return free_total_; }

  /// Gives `registers` entries to a warp: register r in its home bank by the layout, or, where that is full,
  /// in the next bank with a free entry (assumed: the papers leave open what happens when a warp's bank is
  /// full).
  void bind_warp(WarpId warp, std::uint32_t registers) override;
  void release_warp(WarpId warp) override;

  RegisterPlace place_of(WarpId warp, RegId row) const override { return places_[index(warp, row)]; }
  std::uint32_t registers_of(WarpId warp) const { return registers_[warp.value]; }
  const std::vector<int>& depths() const { return depths_; }

 private:
  static std::size_t index(WarpId warp, RegId row) { return std::size_t{warp.value} * 256 + row.value; }

  std::vector<int> depths_;
  BankLayout layout_;
  std::uint32_t entries_ = 0, free_total_ = 0;
  std::vector<std::vector<std::uint32_t>> free_;  ///< by bank, lowest entry last
  std::vector<RegisterPlace> places_;
  std::vector<std::uint32_t> registers_;  ///< by warp
};

}  // namespace heddle
