// A plug-in entry format with four sub-banks: two hold the low 16 bits of all lanes, two the high 16 bits.
// The sub-banks with the high bits stay closed if all these bits are zero.

#include <array>

#include "models/banks/i_entry_format.h"
#include "models/core/registry.h"

namespace heddle {
namespace {

constexpr std::uint8_t kLow = 0x03;

class Short : public EntryFormat {
 public:
  Short(const NoParameters&, Context& context) {
    for (const int depth : context.depths) rows_.emplace_back(static_cast<std::size_t>(depth));
  }

  bool opens_whole_rows() const override { return false; }
  RowDrive read_drive(const StoredRegister& r) const override {
    return {r.place.entry, row(r.place).is_short ? kLow : kAllSubBanks};
  }
  RowDrive write_drive(const StoredRegister& r, const LaneVec& values, LaneMask mask,
                       LaneMask) const override {
    LaneVec merged = value(row(r.place));
    merge_lanes(merged, values, mask);
    return {r.place.entry, fits(merged) ? kLow : kAllSubBanks};
  }
  void read(const StoredRegister& r, std::uint8_t sub_banks, LaneVec& into) const override {
    const Row& held = row(r.place);
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::uint32_t high = held.is_short ? 0 : sub_banks == kAllSubBanks ? held.high[i] : 0xdead;
      into.lane[i] = (high << 16) | held.low[i];
    }
  }
  void write(const StoredRegister& r, const LaneVec& values, LaneMask mask, LaneMask, std::uint8_t) override {
    merge(r, values, mask);
  }
  void poison(const StoredRegister& r, LaneMask lanes) override {
    LaneVec poison;
    poison.fill(kPoison);
    merge(r, poison, lanes);
  }
  bool flip_bit(const StoredRegister& r, int lane, int bit) override {
    Row& held = rows_[r.place.bank.value][r.place.entry];
    const auto i = static_cast<std::size_t>(lane);
    if (bit >= 16 && held.is_short) return false;
    std::uint16_t& half = bit < 16 ? held.low[i] : held.high[i];
    half = static_cast<std::uint16_t>(half ^ 1u << bit % 16);
    return true;
  }
  bool flip_cell(const StoredRegister& r, int sub_bank, int cell) override {
    return flip_bit(r, 16 * (sub_bank & 1) + cell / 16, 16 * (sub_bank >> 1) + cell % 16);
  }

 private:
  struct Row {
    Row() {
      low.fill(static_cast<std::uint16_t>(kPoison & 0xffff));
      high.fill(static_cast<std::uint16_t>(kPoison >> 16));
    }
    std::array<std::uint16_t, kLanes> low, high;
    bool is_short = false;
  };
  void merge(const StoredRegister& r, const LaneVec& values, LaneMask mask) {
    LaneVec merged = value(row(r.place));
    merge_lanes(merged, values, mask);
    store(rows_[r.place.bank.value][r.place.entry], merged);
  }
  const Row& row(const RegisterPlace& place) const { return rows_[place.bank.value][place.entry]; }
  static bool fits(const LaneVec& values) {
    for (const std::uint32_t v : values.lane)
      if (v >> 16) return false;
    return true;
  }
  static LaneVec value(const Row& r) {
    LaneVec values;
    for (std::size_t i = 0; i < kLanes; ++i)
      values.lane[i] = (r.is_short ? 0u : std::uint32_t{r.high[i]} << 16) | r.low[i];
    return values;
  }
  static void store(Row& r, const LaneVec& values) {
    r.is_short = fits(values);
    for (std::size_t i = 0; i < kLanes; ++i) {
      r.low[i] = static_cast<std::uint16_t>(values.lane[i]);
      r.high[i] = r.is_short ? 0xdead : static_cast<std::uint16_t>(values.lane[i] >> 16);
    }
  }
  std::vector<std::vector<Row>> rows_;
};

const Registration<EntryFormat, Short> toy_short_entry{"toy-short", "two bytes a lane where two suffice"};

}  // namespace
}  // namespace heddle
