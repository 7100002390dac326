// A plug-in entry format with two, four or eight sub-banks, each for some lanes. A sub-bank stays closed, and
// without power, while its lanes hold zeros.

#include "models/banks/i_entry_format.h"
#include "models/banks/sub_bank_power.h"
#include "models/core/part_arrays.h"
#include "models/core/registry.h"

namespace heddle {
namespace {

struct ZerosParameters {
  int sub_banks = 8, fill_cycles = 0;
  DomainGroupParameters gating;
  void fields(FieldVisitor& v) {
    v.field("sub_banks", sub_banks, {2, 8}, "sub-banks of a row: 2, 4 or 8");
    v.field("fill_cycles", fill_cycles, {0, 16},
            "cycles that a read of a row with closed sub-banks takes longer");
    v.group("gating", gating, "gating of sub-banks");
  }
};

class Zeros : public EntryFormat {
 public:
  Zeros(const ZerosParameters& p, Context& context)
      : sub_banks_(p.sub_banks),
        fill_cycles_(p.fill_cycles),
        power_(context, p.sub_banks, p.gating,
               [this](BankId bank, std::uint8_t asleep) {
                 for (Row& held : rows_[bank.value]) lose(held, asleep);
               }),
        closed_(context.stats.add("closed", "sub-banks", "sub-banks of written rows that hold zeros")) {
    if (sub_banks_ % 2 != 0 || sub_banks_ == 6)
      throw Error("register_file.banks.format.sub_banks", std::to_string(sub_banks_) + " sub-banks",
                  "2, 4 or 8");
    for (const int depth : context.depths) rows_.emplace_back(static_cast<std::size_t>(depth));
  }

  int sub_banks() const override { return sub_banks_; }
  bool opens_whole_rows() const override { return false; }
  int more_read_cycles(const StoredRegister& r) const override {
    return opened(row(r.place).stored) == all_sub_banks() ? 0 : fill_cycles_;
  }
  RowDrive read_drive(const StoredRegister& r) const override {
    return {r.place.entry, opened(row(r.place).stored)};
  }
  RowDrive write_drive(const StoredRegister& r, const LaneVec& values, LaneMask mask,
                       LaneMask) const override {
    LaneVec merged = row(r.place).values;
    merge_lanes(merged, values, mask);
    return {r.place.entry, static_cast<std::uint8_t>(opened(stored(merged)) | opened(row(r.place).stored))};
  }
  void read(const StoredRegister& r, std::uint8_t sub_banks, LaneVec& into) const override {
    const Row& held = row(r.place);
    for (int i = 0; i < kLanes; ++i) {
      const int s = i * sub_banks_ / kLanes;
      into[i] = !(held.stored >> s & 1) ? 0 : sub_banks >> s & 1 ? held.values[i] : kPoison;
    }
  }
  void write(const StoredRegister& r, const LaneVec& values, LaneMask mask, LaneMask, std::uint8_t) override {
    Row& held = row(r.place);
    LaneVec merged = held.values;
    merge_lanes(merged, values, mask);
    const std::uint8_t after = stored(merged);
    for (int s = 0; s < sub_banks_; ++s) closed_ += !(after >> s & 1);
    keep(r.place, merged, after);
  }
  void poison(const StoredRegister& r, LaneMask lanes) override {
    Row& held = row(r.place);
    for (int i = 0; i < kLanes; ++i)
      if (lanes >> i & 1) held.values[i] = kPoison;
    if (lanes == kAllLanes && held.needs) {
      power_.remove(r.place.bank, held.needs);
      held.needs = 0;
    }
    held.stored = lanes == kAllLanes ? all_sub_banks() : stored(held.values);
  }
  bool flip_bit(const StoredRegister& r, int lane, int bit) override {
    Row& held = row(r.place);
    if (!(held.stored >> lane * sub_banks_ / kLanes & 1)) return false;
    held.values[lane] ^= std::uint32_t{1} << bit;
    return true;
  }
  bool flip_cell(const StoredRegister& r, int sub_bank, int cell) override {
    return flip_bit(r, sub_bank * kLanes / sub_banks_ + cell / 32, cell % 32);
  }

  SubBankPower* sub_bank_power() override { return power_.gates() ? &power_ : nullptr; }
  std::vector<Rule> rules() const override {
    if (!power_.gates()) return {};
    std::uint64_t needed = 0;
    for (const auto& bank : rows_)
      for (const Row& held : bank)
        for (int s = 0; s < sub_banks_; ++s) needed += held.needs >> s & 1;
    return {{"sub-banks that rows need, users of sub-banks", needed, power_.users()}};
  }

 private:
  struct Row {
    Row() { values.fill(kPoison); }
    LaneVec values;
    std::uint8_t stored = 0xff;  ///< sub-banks in which a lane has a nonzero value
    std::uint8_t needs = 0;      ///< sub-banks that must stay on; none while the row holds no register
  };
  void lose(Row& held, std::uint8_t asleep) const {
    for (int i = 0; i < kLanes; ++i)
      if (const int s = i * sub_banks_ / kLanes; (held.stored & asleep) >> s & 1) held.values[i] = kPoison;
  }
  Row& row(const RegisterPlace& place) { return rows_[place.bank.value][place.entry]; }
  const Row& row(const RegisterPlace& place) const { return rows_[place.bank.value][place.entry]; }
  std::uint8_t stored(const LaneVec& values) const {
    unsigned set = 0;
    for (int i = 0; i < kLanes; ++i)
      if (values[i]) set |= 1u << i * sub_banks_ / kLanes;
    return static_cast<std::uint8_t>(set);
  }
  std::uint8_t opened(std::uint8_t stored) const {
    const auto set = static_cast<std::uint8_t>(stored & all_sub_banks());
    return set ? set : std::uint8_t{1};
  }
  void keep(const RegisterPlace& place, const LaneVec& values, std::uint8_t after) {
    Row& held = row(place);
    power_.add(place.bank, after);
    power_.remove(place.bank, held.needs);
    held.values = values;
    held.stored = held.needs = after;
  }

  int sub_banks_, fill_cycles_;
  SubBankPower power_;
  Counter& closed_;
  std::vector<std::vector<Row>> rows_;
};

const Registration<EntryFormat, Zeros, ZerosParameters> toy_zeros_entry{
    "toy-zeros", "sub-banks whose lanes hold zeros stay closed"};

const Arrays<EntryFormat> toy_zeros_arrays{
    "toy-zeros", {{"closed sub-banks", "rows", "sub_banks", "3R1W", {"register_file.toy_zeros"}}}};

}  // namespace
}  // namespace heddle
