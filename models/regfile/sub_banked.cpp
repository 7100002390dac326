// "sub-banked" (002, IV-B): a sub-bank holds one byte position of all 32 lanes, and a row opens only those
// that its values need. Even entries lie at the right (byte 0 in sub-bank 0), odd ones at the left (byte 0 in
// sub-bank 3), so that two narrow rows can go together. The bytes and the row's code are the only storage.

#include <algorithm>
#include <string>

#include "models/core/registry.h"
#include "models/regfile/i_entry_format.h"
#include "models/regfile/width_code.h"

namespace heddle {
namespace {

struct SubBankedParameters {
  std::string width = "uniform", alignment = "entry", partial_writes = "widen";
  int detect_cycles = 0, expand_cycles = 0;

  void fields(FieldVisitor& v) {
    v.field(
        "width", width, {"uniform", "signed"},
        "bytes that need not be stored: those that are 0x00, or 0xff, in every lane; or those that repeat "
        "their lane's sign (002, IV-B5)");
    v.field(
        "alignment", alignment, {"entry", "right"},
        "odd entries at the left, so that narrow rows pair with even ones (002, IV-B2); or all rows at the "
        "right, which never pair");
    v.field("partial_writes", partial_writes, {"widen", "full"},
            "a write that leaves lanes of the old value widens the row as far as both need, or makes it full "
            "(002, IV-B6 leaves divergence open)");
    v.field("detect_cycles", detect_cycles, {0, 16},
            "cycles that finding the width adds to a write (002: within write-back)");
    v.field("expand_cycles", expand_cycles, {0, 16}, "cycles that expanding adds to a read (002: none)");
  }
};

class SubBanked : public EntryFormat {
 public:
  SubBanked(const SubBankedParameters& p, Context& context)
      : rule_(p.width == "uniform" ? WidthRule::uniform : WidthRule::extended),
        aligns_(p.alignment == "entry"),
        widens_(p.partial_writes == "widen"),
        detect_cycles_(p.detect_cycles),
        expand_cycles_(p.expand_cycles),
        rows_(context.depths.size()) {
    for (std::size_t bank = 0; bank < rows_.size(); ++bank) {
      rows_[bank].resize(static_cast<std::size_t>(context.depths[bank]));
      for (std::uint32_t e = 0; e < rows_[bank].size(); ++e)
        poison({BankId(static_cast<std::uint32_t>(bank)), e, true}, kAllLanes);
    }
  }

  bool opens_whole_rows() const override { return false; }
  int read_cycles() const override { return expand_cycles_; }
  int write_cycles() const override { return detect_cycles_; }

  RowDrive read_drive(const RegisterPlace& place) const override {
    return {place.entry, sub_banks_of(held(place).bytes, left(place))};
  }
  RowDrive write_drive(const RegisterPlace& place, const LaneVec& values, LaneMask mask,
                       LaneMask live) const override {
    const Width before = held(place), after = width_after(place, values, mask, live);
    RowDrive drive{place.entry, sub_banks_of(after.bytes, left(place))};
    // The signs of the lanes that stay are in the highest byte stored.
    drive.read_first = rule_ == WidthRule::extended && !complete(mask, live) && after.bytes > before.bytes;
    if (drive.read_first)
      drive.first_sub_banks = std::uint8_t(1u << sub_bank_of(before.bytes - 1, left(place)));
    return drive;
  }

  void read(const RegisterPlace& place, std::uint8_t sub_banks, LaneVec& into) const override {
    const Row& row = row_of(place);
    const Width width = Width::of_code(row.code);
    into.fill(width.ones ? ~std::uint32_t{0} << 8 * width.bytes : 0);
    for (int byte = 0; byte < width.bytes; ++byte) {
      const int s = sub_bank_of(byte, left(place));
      const bool delivered = sub_banks >> s & 1;
      for (int lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t value = delivered ? row.bytes[s][lane] : kPoison >> 8 * byte & 0xff;
        into[lane] |= value << 8 * byte;
      }
    }
    if (rule_ == WidthRule::extended) extend_signs(into, width.bytes);
  }

  void write(const RegisterPlace& place, const LaneVec& values, LaneMask mask, LaneMask live) override {
    const Width before = held(place), after = width_after(place, values, mask, live);
    // By `extended`, the byte that was read first.
    LaneMask negative = 0;
    if (rule_ == WidthRule::extended && after.bytes > before.bytes)
      negative = signs(place, before.bytes);
    else if (before.ones)
      negative = kAllLanes;
    Row& row = row_of(place);
    for (int byte = 0; byte < after.bytes; ++byte) {
      auto& bytes = row.bytes[sub_bank_of(byte, left(place))];
      for (int lane = 0; lane < kLanes; ++lane) {
        if (mask >> lane & 1)
          bytes[lane] = static_cast<std::uint8_t>(values[lane] >> 8 * byte);
        else if (byte >= before.bytes)
          bytes[lane] = negative >> lane & 1 ? 0xff : 0x00;
      }
    }
    spoil_unused(row, place, after.bytes);
    row.code = after.code();
  }

  // Poison needs all four bytes: the other lanes are stored in full with it.
  void poison(const RegisterPlace& place, LaneMask lanes) override {
    LaneVec values;
    read(place, kAllSubBanks, values);
    for (int lane = 0; lane < kLanes; ++lane)
      if (lanes >> lane & 1) values[lane] = kPoison;
    Row& row = row_of(place);
    for (int byte = 0; byte < kWordBytes; ++byte)
      for (int lane = 0; lane < kLanes; ++lane)
        row.bytes[sub_bank_of(byte, left(place))][lane] = static_cast<std::uint8_t>(values[lane] >> 8 * byte);
    row.code = Width{}.code();
  }

  bool flip_bit(const RegisterPlace& place, int lane, int bit) override {
    return flip_cell(place, sub_bank_of(bit / 8, left(place)), 8 * lane + bit % 8);
  }

  bool flip_cell(const RegisterPlace& place, int sub_bank, int cell) override {
    row_of(place).bytes[sub_bank][cell / 8] ^= static_cast<std::uint8_t>(1u << cell % 8);
    return sub_banks_of(held(place).bytes, left(place)) >> sub_bank & 1;
  }

 private:
  struct Row {
    std::uint8_t bytes[kWordBytes][kLanes] = {};  ///< by sub-bank
    std::uint8_t code = Width{}.code();
  };

  Row& row_of(const RegisterPlace& place) { return rows_[place.bank.value][place.entry]; }
  const Row& row_of(const RegisterPlace& place) const { return rows_[place.bank.value][place.entry]; }
  Width held(const RegisterPlace& place) const { return Width::of_code(row_of(place).code); }
  bool left(const RegisterPlace& place) const { return aligns_ && (place.entry & 1); }
  static int sub_bank_of(int byte, bool left) { return left ? kWordBytes - 1 - byte : byte; }
  static bool complete(LaneMask mask, LaneMask live) { return (live & ~mask) == 0; }

  Width width_after(const RegisterPlace& place, const LaneVec& values, LaneMask mask, LaneMask live) const {
    if (mask == 0) return held(place);
    if (complete(mask, live)) return detect_width(values, mask, rule_);
    return widens_ ? joined_width(held(place), detect_width(values, mask, rule_)) : Width{};
  }

  LaneMask signs(const RegisterPlace& place, int bytes) const {
    LaneMask negative = 0;
    const auto& top = row_of(place).bytes[sub_bank_of(bytes - 1, left(place))];
    for (int lane = 0; lane < kLanes; ++lane) negative |= LaneMask{top[lane] >> 7 != 0} << lane;
    return negative;
  }

  static void extend_signs(LaneVec& values, int bytes) {
    const int above = 8 * (kWordBytes - bytes);
    for (int lane = 0; lane < kLanes; ++lane)
      values[lane] = static_cast<std::uint32_t>(static_cast<std::int32_t>(values[lane] << above) >> above);
  }

  // Bytes that a narrower value does not use must never be read again.
  void spoil_unused(Row& row, const RegisterPlace& place, int bytes) {
    for (int byte = bytes; byte < kWordBytes; ++byte)
      std::fill_n(row.bytes[sub_bank_of(byte, left(place))], kLanes,
                  static_cast<std::uint8_t>(kPoison >> 8 * byte));
  }

  WidthRule rule_;
  bool aligns_, widens_;
  int detect_cycles_, expand_cycles_;
  std::vector<std::vector<Row>> rows_;  ///< by bank
};

const Registration<EntryFormat, SubBanked, SubBankedParameters> registered{
    "sub-banked", "a sub-bank holds one byte of every lane; narrow rows open fewer (002, IV-B)"};

}  // namespace
}  // namespace heddle
