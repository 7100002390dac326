#pragma once

// Static mapping of registers to banks: a warp's registers keep their entries from the placement of the warp
// to its end. Rows of a bank may differ in speed (Abdel-Majeed 2016, 6.3). The fast rows are then the lowest
// rows of every bank, because the paper splits each bank horizontally.

#include <cstdint>
#include <vector>

#include "models/ports/register_file_parameters.h"
#include "models/ports/register_place.h"

namespace heddle {

class RegisterMap final : public RegisterMapping {
 public:
  /// `partitions`: number of partitions of the SM, over which the warps are distributed. Throws Error if the
  /// list of bank depths does not have one element for each bank.
  RegisterMap(const BankParameters& banks, int max_warps, int partitions = 1);

  std::uint32_t entries() const override { return entries_; }
  std::uint32_t free_entries(BankId bank) const override {
    return static_cast<std::uint32_t>(free_[bank.value].size() + fast_free_[bank.value].size());
  }
  std::uint32_t free_entries() const { return free_total_; }

  /// Allocates `registers` entries for a warp. The layout determines the bank of each register. If this bank is
  /// full, the register goes to the next bank with a free entry (assumed: the papers do not treat a full bank).
  /// The first registers of a warp get fast rows, its other registers get slow rows. If no bank has a free row
  /// of the right speed, a register gets a row of the other speed.
  void bind_warp(WarpId warp, std::uint32_t registers) override;
  void release_warp(WarpId warp) override;

  RegisterPlace place_of(WarpId warp, RegId row) const override { return place(warp, row); }
  const RegisterPlace& place(WarpId warp, RegId row) const { return places_[index(warp, row)]; }
  const RegisterPlace* places_of(WarpId warp) const { return &places_[index(warp, RegId(0))]; }
  std::uint32_t registers_of(WarpId warp) const { return registers_[warp.value]; }
  const std::vector<int>& depths() const { return depths_; }

  bool is_fast(const RegisterPlace& place) const { return place.entry < fast_rows_[place.bank.value]; }
  std::uint32_t fast_rows(BankId bank) const { return fast_rows_[bank.value]; }
  std::uint32_t fast_registers() const { return fast_registers_; }

 private:
  using FreeRows = std::vector<std::vector<std::uint32_t>>;
  static std::size_t index(WarpId warp, RegId row) { return std::size_t{warp.value} * 256 + row.value; }
  void split(const PartitionParameters& partition, std::size_t warps);
  static bool take(FreeRows& rows, std::size_t home, RegisterPlace& place);

  std::vector<int> depths_;
  BankLayout layout_;
  std::uint32_t entries_ = 0, free_total_ = 0;
  std::uint32_t fast_registers_ = 0;
  std::vector<std::uint32_t> fast_rows_;
  FreeRows free_, fast_free_;
  std::vector<RegisterPlace> places_;
  std::vector<std::uint32_t> registers_;
};

}  // namespace heddle
