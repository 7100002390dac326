// "whole": a row holds one register as it is, eight lanes in every sub-bank, and every access opens all four
// (000, section 5: an access of 1024 bits).

#include "models/core/registry.h"
#include "models/regfile/i_entry_format.h"

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
  RowDrive read_drive(const RegisterPlace& place) const override { return {place.entry}; }
  RowDrive write_drive(const RegisterPlace& place, const LaneVec&, LaneMask, LaneMask) const override {
    return {place.entry};
  }
  void read(const RegisterPlace& place, std::uint8_t sub_banks, LaneVec& into) const override {
    into = rows_[place.bank.value][place.entry];
    if (sub_banks == kAllSubBanks) return;
    for (int lane = 0; lane < kLanes; ++lane)
      if (!(sub_banks >> lane / 8 & 1)) into[lane] = kPoison;
  }
  void write(const RegisterPlace& place, const LaneVec& values, LaneMask mask, LaneMask) override {
    merge_lanes(rows_[place.bank.value][place.entry], values, mask);
  }
  void poison(const RegisterPlace& place, LaneMask lanes) override {
    LaneVec& row = rows_[place.bank.value][place.entry];
    if (lanes == kAllLanes) return row.fill(kPoison);
    for (int lane = 0; lane < kLanes; ++lane)
      if (lanes >> lane & 1) row[lane] = kPoison;
  }
  bool flip_bit(const RegisterPlace& place, int lane, int bit) override {
    rows_[place.bank.value][place.entry][lane] ^= std::uint32_t{1} << bit;
    return true;
  }
  bool flip_cell(const RegisterPlace& place, int sub_bank, int cell) override {
    return flip_bit(place, 8 * sub_bank + cell / 32, cell % 32);
  }

 private:
  std::vector<std::vector<LaneVec>> rows_;  ///< by bank
};

const Registration<EntryFormat, Whole> registered{"whole",
                                                  "a row holds one register; every access opens all of it"};

}  // namespace
}  // namespace heddle
