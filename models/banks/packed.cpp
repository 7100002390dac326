// Models the entry format "packed" (CORF, doi 10.1145/3297858.3304026). The compiler chooses pairs of
// registers that instructions read together. While both registers of a pair are narrow, they share an entry
// of their bank: one register is right-aligned, the other left-aligned. One access then reads both.
//
// The published descriptions of CORF do not define these rules of the model:
// - Each of the two registers has its own entry. While the pair shares one of the entries, the other entry is
//   unused, so the register file holds no more registers than without pairs.
// - A write of all live lanes packs the pair if both registers fit. A register that no longer fits moves to
//   the unused entry. Registers do not move otherwise.
// - A pair in different banks is not packed.
// - With a dynamic register mapping no pair is packed, because the mapping could assign an entry to another
//   register.

#include <algorithm>
#include <string>
#include <vector>

#include "models/banks/byte_row.h"
#include "models/banks/i_entry_format.h"
#include "models/banks/width_rules.h"
#include "models/core/part_arrays.h"
#include "models/core/registry.h"

namespace heddle {
namespace {

class Packed : public EntryFormat {
 public:
  Packed(const WidthParameters& p, Context& context)
      : rules_(p),
        rows_(context.depths.size()),
        registers_(context.depths.size()),
        moves_(context.stats.add(
            "moves", "registers",
            "writes that moved a register to another entry, which a rename table records")) {
    for (std::size_t bank = 0; bank < rows_.size(); ++bank) {
      rows_[bank].resize(static_cast<std::size_t>(context.depths[bank]));
      for (std::uint32_t e = 0; e < rows_[bank].size(); ++e) {
        spoil(rows_[bank][e], 0, kWordBytes, false);
        registers_[bank].push_back(Register(e));
      }
    }
  }

  bool opens_whole_rows() const override { return false; }
  int read_cycles() const override { return rules_.expand_cycles; }
  int write_cycles() const override { return rules_.detect_cycles; }

  void warp_begins(const WarpBegins& warp, const RegisterMapping* fixed) override {
    if (!fixed) return;
    for (std::uint32_t n = 0; n < warp.registers; ++n) {
      const RegisterPlace place = fixed->place_of(warp.warp, RegId(n));
      Register& r = of(place);
      r = Register(place.entry);
      if (!warp.program || n >= warp.program->register_hints.size()) continue;
      const std::uint32_t other = warp.program->register_hints[n].partner;
      if (other >= warp.registers) continue;
      const RegisterPlace partner = fixed->place_of(warp.warp, RegId(other));
      if (partner.bank != place.bank) continue;
      r.partner = partner.entry;
      r.left = other < n;
    }
  }

  std::uint32_t order_of(const StoredRegister& r) const override {
    return std::min<std::uint32_t>(r.place.entry, of(r.place).partner);
  }
  RowDrive read_drive(const StoredRegister& r) const override {
    const Register& held = of(r.place);
    return {held.entry, held.empty ? kAllSubBanks : sub_banks_of(held.width.bytes, held.left)};
  }
  RowDrive write_drive(const StoredRegister& r, const LaneVec& values, LaneMask mask,
                       LaneMask live) const override {
    const Register& held = of(r.place);
    const Width written = mask == 0 ? held.width : detect_width(values, mask, rules_.rule);
    const Register after = after_write(r, written, mask, live);
    RowDrive drive{after.entry, sub_banks_of(after.width.bytes, after.left)};
    drive.note = written.code();
    drive.partial = !complete(mask, live);
    drive.widens = drive.partial && !held.empty && after.width.bytes > held.width.bytes;
    const bool moves = after.entry != held.entry;
    drive.read_first =
        drive.partial && !held.empty && (moves || (rules_.rule == WidthRule::extended && drive.widens));
    drive.first_row = held.entry;
    drive.first_sub_banks = moves ? sub_banks_of(held.width.bytes, held.left)
                                  : std::uint8_t(1u << sub_bank_of(held.width.bytes - 1, held.left));
    return drive;
  }

  void read(const StoredRegister& r, std::uint8_t sub_banks, LaneVec& into) const override {
    const Register& held = of(r.place);
    if (held.empty)
      into.fill(kPoison);
    else
      heddle::read(row(r.place.bank, held.entry), sub_banks, held.width, held.left, rules_.rule, into);
  }

  void write(const StoredRegister& r, const LaneVec& values, LaneMask mask, LaneMask live,
             std::uint8_t note) override {
    Register& held = of(r.place);
    if (mask == 0) return;
    const Register after = after_write(r, Width::of_code(note), mask, live);
    if (after.entry != held.entry) ++moves_;
    LaneVec merged;
    read(r, kAllSubBanks, merged);
    merge_lanes(merged, values, mask);
    if (!held.empty) spoil(row(r.place.bank, held.entry), 0, held.width.bytes, held.left);
    put(r.place, after, merged);
  }

  // Poisons lanes of a register. The poison pattern needs all four bytes, so the register gets full width. If
  // two registers share the entry, only the stored bytes of this register become poison.
  void poison(const StoredRegister& r, LaneMask lanes) override {
    Register& held = of(r.place);
    if (lanes == 0) return;
    if (lanes != kAllLanes && !held.empty) {
      LaneVec values;
      read(r, kAllSubBanks, values);
      for (int lane = 0; lane < kLanes; ++lane)
        if (lanes >> lane & 1) values[lane] = kPoison;
      Register after = held;
      if (!shares(r.place)) after.width = Width{};
      put(r.place, after, values);
      return;
    }
    if (!held.empty) spoil(row(r.place.bank, held.entry), 0, held.width.bytes, held.left);
    held.empty = true;
    held.width = Width{};
  }

  bool flip_bit(const StoredRegister& r, int lane, int bit) override {
    const Register& held = of(r.place);
    if (held.empty || bit / 8 >= held.width.bytes) return false;
    const int s = sub_bank_of(bit / 8, held.left);
    row(r.place.bank, held.entry).bytes[s][lane] ^= static_cast<std::uint8_t>(1u << bit % 8);
    return true;
  }

  bool flip_cell(const StoredRegister& r, int sub_bank, int cell) override {
    row(r.place.bank, r.place.entry).bytes[sub_bank][cell / 8] ^= static_cast<std::uint8_t>(1u << cell % 8);
    const Register& own = of(r.place);
    const auto lies_there = [&](const Register& one) {
      return !one.empty && one.entry == r.place.entry &&
             (sub_banks_of(one.width.bytes, one.left) >> sub_bank & 1);
    };
    return lies_there(own) ||
           (own.partner != kNone && lies_there(registers_[r.place.bank.value][own.partner]));
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Register {
    explicit Register(std::uint32_t home) : own(home), entry(home) {}
    std::uint32_t own;
    /// Entry that stores the register: its own entry, or the entry of the other register of the pair.
    std::uint32_t entry;
    std::uint32_t partner = kNone;
    bool left = false;
    bool empty = true;
    Width width;
  };

  Register& of(const RegisterPlace& place) { return registers_[place.bank.value][place.entry]; }
  const Register& of(const RegisterPlace& place) const { return registers_[place.bank.value][place.entry]; }
  ByteRow& row(BankId bank, std::uint32_t entry) { return rows_[bank.value][entry]; }
  const ByteRow& row(BankId bank, std::uint32_t entry) const { return rows_[bank.value][entry]; }

  const Register* partner_of(const RegisterPlace& place) const {
    const Register& r = of(place);
    return r.partner == kNone ? nullptr : &registers_[place.bank.value][r.partner];
  }
  bool shares(const RegisterPlace& place) const {
    const Register* other = partner_of(place);
    return other && !other->empty && other->entry == of(place).entry;
  }

  // Returns the entry and the width that the register has after the write.
  Register after_write(const StoredRegister& r, Width written, LaneMask mask, LaneMask live) const {
    Register after = of(r.place);
    if (mask == 0) return after;
    const bool whole = complete(mask, live);
    after.width = whole ? written : after.empty ? Width{} : rules_.after_partial(after.width, written);
    after.empty = false;
    const Register* other = partner_of(r.place);
    if (!other || other->empty) return after;
    const bool fits = after.width.bytes + other->width.bytes <= kWordBytes;
    if (whole && fits) after.entry = other->entry;
    if (!fits && after.entry == other->entry)
      after.entry = other->entry == after.own ? after.partner : after.own;
    return after;
  }

  void put(const RegisterPlace& place, const Register& after, const LaneVec& values) {
    ByteWrite write;
    write.after = after.width;
    store(row(place.bank, after.entry), values, write, after.left);
    of(place) = after;
  }

  WidthRules rules_;
  std::vector<std::vector<ByteRow>> rows_;
  std::vector<std::vector<Register>> registers_;
  Counter& moves_;
};

const Registration<EntryFormat, Packed, WidthParameters> packed_entry{
    "packed", "two narrow registers of a pair share an entry (CORF; Radaideh 2021, III-B)"};

const Arrays<EntryFormat> packed_arrays{"packed",
                                        {{"widths of rows", "rows", "3", "3R1W", {"register_file.widths"}}}};

}  // namespace
}  // namespace heddle
