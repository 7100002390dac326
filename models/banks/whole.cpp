// Models the entry format "whole": a row holds one register unchanged, eight lanes in every sub-bank. Every
// access opens all four sub-banks (Gebhart 2012, section 5: an access of 1024 bits).

#include "models/banks/i_entry_format.h"
#include "models/core/part_arrays.h"
#include "models/core/registry.h"

namespace heddle {
namespace {

class Whole : public EntryFormat {
 public:
  Whole(const NoParameters&, Context& context) : rows_(context.depths.size()) {
    LaneVec poison;
    poison.fill(kPoison);
    for (std::size_t bank = 0; bank < rows_.size(); ++bank)
      rows_[bank].assign(static_cast<std::size_t>(context.depths[bank]), poison);
  }

  bool opens_whole_rows() const override { return true; }
  LaneVec* rows(BankId bank) override { return rows_[bank.value].data(); }
  RowDrive read_drive(const StoredRegister& r) const override { return {r.place.entry}; }
  RowDrive write_drive(const StoredRegister& r, const LaneVec&, LaneMask, LaneMask) const override {
    return {r.place.entry};
  }
  void read(const StoredRegister& r, std::uint8_t sub_banks, LaneVec& into) const override {
    into = rows_[r.place.bank.value][r.place.entry];
    if (sub_banks == kAllSubBanks) return;
    for (int lane = 0; lane < kLanes; ++lane)
      if (!(sub_banks >> lane / 8 & 1)) into[lane] = kPoison;
  }
  void write(const StoredRegister& r, const LaneVec& values, LaneMask mask, LaneMask, std::uint8_t) override {
    merge_lanes(rows_[r.place.bank.value][r.place.entry], values, mask);
  }
  void poison(const StoredRegister& r, LaneMask lanes) override {
    LaneVec& row = rows_[r.place.bank.value][r.place.entry];
    if (lanes == kAllLanes) return row.fill(kPoison);
    for (int lane = 0; lane < kLanes; ++lane)
      if (lanes >> lane & 1) row[lane] = kPoison;
  }
  bool flip_bit(const StoredRegister& r, int lane, int bit) override {
    rows_[r.place.bank.value][r.place.entry][lane] ^= std::uint32_t{1} << bit;
    return true;
  }
  bool flip_cell(const StoredRegister& r, int sub_bank, int cell) override {
    return flip_bit(r, 8 * sub_bank + cell / 32, cell % 32);
  }

 private:
  std::vector<std::vector<LaneVec>> rows_;
};

const Registration<EntryFormat, Whole> whole_entry{"whole",
                                                   "a row holds one register; every access opens all of it"};

const Arrays<EntryFormat> whole_arrays{"whole", {}};

}  // namespace
}  // namespace heddle
