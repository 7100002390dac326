// Models the entry format "base-delta" (Warped-Compression, Lee 2015; Heddle's authors have read only the
// abstract). The value of one lane is the base. A row stores the base and each lane's difference from the
// base, in 0, 1 or 2 bytes. If a difference is larger, the row stores all lanes as whole words. A row thus
// stores 4, 36, 68 or 128 bytes, and fills sub-bank 0 first. An access opens only the sub-banks with stored
// bytes, and only these keep their power.
//
// The abstract does not define these rules of the model (assumed):
// - The base is the lowest live lane. Lanes whose threads have exited count as equal to the base. Differences
//   are modulo 2^32 and sign-extended.
// - A write of only some live lanes to a row of whole words writes these lanes. If the row stores differences,
//   the write first reads the old contents. The parameter `partial_writes` determines what this write stores.
//   "whole": whole words, and the row stays uncompressed until the next write of all live lanes. "again": the
//   row is compressed again. As far as is known, the paper instead issues a move instruction before such a
//   write. The move costs an issue slot and another write.
// - A sub-bank loses power if no row of its bank needs it. A write that needs a sleeping sub-bank wakes the
//   sub-bank when the write arrives at the bank, and waits.

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "models/banks/base_delta_probes.h"
#include "models/banks/i_entry_format.h"
#include "models/banks/sub_bank_power.h"
#include "models/core/part_arrays.h"
#include "models/core/registry.h"

namespace heddle {
namespace {

struct BaseDeltaParameters {
  int sub_banks = 8;
  std::string partial_writes = "whole";
  int compress_cycles = 2, decompress_cycles = 1;
  bool raw_reads_skip = false;
  DomainGroupParameters gating;

  void fields(FieldVisitor& v) {
    v.field("sub_banks", sub_banks, {4, 8}, "sub-banks of a row: 8 of 16 bytes, or 4 of 32 bytes");
    v.field("partial_writes", partial_writes, {"whole", "again"},
            "a write of some live lanes to a row of differences leaves the row whole until a complete write, "
            "or finds its code again");
    v.field("compress_cycles", compress_cycles, {0, 16}, "cycles that finding the code adds to a write");
    v.field("decompress_cycles", decompress_cycles, {0, 16}, "cycles that adding the base adds to a read");
    v.field("raw_reads_skip", raw_reads_skip, "reads of whole rows do not take decompress_cycles");
    v.group("gating", gating, "gating of the sub-banks of a bank, which are off while no row needs them");
  }
};

constexpr std::uint8_t kWhole = 3;

constexpr std::uint8_t kOpened8[] = {0b00000001, 0b00000111, 0b00011111, 0b11111111};
constexpr std::uint8_t kOpened4[] = {0b0001, 0b0011, 0b0111, 0b1111};

/// Returns the code of one lane's difference: the number of bytes that hold the difference, or kWhole if the
/// difference does not fit into two bytes.
std::uint8_t code_of(std::int32_t difference) {
  if (difference == 0) return 0;
  if (difference >= -128 && difference <= 127) return 1;
  return difference >= -32768 && difference <= 32767 ? 2 : kWhole;
}

std::uint8_t detect_code(const LaneVec& values, LaneMask live) {
  const std::uint32_t base = delta_base(values, live);
  std::uint8_t code = 0;
  for (int lane = 0; lane < kLanes; ++lane)
    if (live >> lane & 1) code = std::max(code, code_of(static_cast<std::int32_t>(values[lane] - base)));
  return code;
}

/// Returns the location (file and line) of the format's parameter `key` in the configuration, for errors.
std::string place_of(const ConfigNode* choice, const char* key) {
  const ConfigNode* const value = choice ? choice->find(key) : nullptr;
  return value ? value->unwrapped().where() : std::string("register_file.banks.format.") + key;
}

bool is_complete(LaneMask mask, LaneMask live) { return (live & ~mask) == 0; }

class BaseDelta : public EntryFormat {
 public:
  BaseDelta(const BaseDeltaParameters& p, Context& context)
      : p_(p),
        power_(context, p.sub_banks, p.gating,
               [this](BankId bank, std::uint8_t asleep) {
                 for (Row& held : rows_[bank.value]) spoil(held, asleep);
               }),
        stored_{&context.stats.add("stored_equal", "accesses", "writes that left a row of the base alone"),
                &context.stats.add("stored_bytes", "accesses", "writes that left differences of a byte"),
                &context.stats.add("stored_halves", "accesses", "writes that left differences of two bytes"),
                &context.stats.add("stored_whole", "accesses", "writes that left a whole row")},
        onto_differences_(
            context.stats.add("onto_differences", "accesses", "partial writes to a row of differences")),
        kept_(context.stats.add("stored_nothing", "accesses", "writes without a lane")),
        writes_(context.stats.add("writes", "accesses", "writes of rows")) {
    if (p.sub_banks != 4 && p.sub_banks != 8)
      throw Error(place_of(context.choice, "sub_banks"), std::to_string(p.sub_banks) + " sub-banks",
                  "4 or 8");
    for (const int depth : context.depths) rows_.emplace_back(static_cast<std::size_t>(depth));
  }

  int sub_banks() const override { return p_.sub_banks; }
  bool opens_whole_rows() const override { return false; }
  int read_cycles() const override { return p_.raw_reads_skip ? 0 : p_.decompress_cycles; }
  int more_read_cycles(const StoredRegister& r) const override {
    return p_.raw_reads_skip && row(r).code != kWhole ? p_.decompress_cycles : 0;
  }
  int write_cycles() const override { return p_.compress_cycles; }

  RowDrive read_drive(const StoredRegister& r) const override { return {r.place.entry, opened(row(r).code)}; }
  RowDrive write_drive(const StoredRegister& r, const LaneVec& values, LaneMask mask,
                       LaneMask live) const override {
    const Row& held = row(r);
    RowDrive drive{r.place.entry};
    drive.first_row = r.place.entry;
    drive.partial = !is_complete(mask, live);
    drive.note = drive.partial ? held.code : detect(values, live);
    if (drive.partial && mask != 0 && held.code != kWhole) {
      drive.read_first = true;
      drive.first_sub_banks = opened(held.code);
      drive.note = p_.partial_writes == "again" ? detect(merged(held, values, mask), live) : kWhole;
      drive.widens = drive.note > held.code;
    }
    drive.sub_banks = opened(drive.note);
    return drive;
  }

  void read(const StoredRegister& r, std::uint8_t sub_banks, LaneVec& into) const override {
    const Row& held = row(r);
    Row delivered = held;
    if (~sub_banks & opened_set(held.code)) spoil(delivered, static_cast<std::uint8_t>(~sub_banks));
    expand(delivered, into);
    if (expand_.attached() && !held.lost) expand_.answered({now, delivered.bytes, held.code}, into);
  }

  void write(const StoredRegister& r, const LaneVec& values, LaneMask mask, LaneMask live,
             std::uint8_t note) override {
    Row& held = row(r);
    ++writes_;
    const bool partial = !is_complete(mask, live);
    if (partial && mask == 0) {
      ++kept_;
      return;
    }
    const std::uint8_t before = needs(held);
    if (partial && held.code != kWhole) ++onto_differences_;
    // write_drive() chose the code `note` before this cycle. While a write of some lanes waited, the row may
    // have been poisoned. A poisoned row stores whole words, and this write must not compress it again.
    const std::uint8_t code = partial && held.code == kWhole ? kWhole : note;
    const LaneVec stored = partial ? merged(held, values, mask) : values;
    store(held, stored, code, live);
    if (place_.attached()) place(held, stored, live);
    ++*stored_[held.code];
    held.taken = true;
    need(r, before, needs(held));
  }

  void poison(const StoredRegister& r, LaneMask lanes) override {
    Row& held = row(r);
    if (lanes == kAllLanes) {
      need(r, needs(held), 0);
      held = Row();
    } else if (held.code == kWhole) {
      for (int lane = 0; lane < kLanes; ++lane)
        if (lanes >> lane & 1) std::memcpy(&held.bytes[4 * static_cast<std::size_t>(lane)], &kPoison, 4);
    } else {
      held.lost |= lanes;
    }
  }

  // Flips a bit of a lane's stored value. Returns false if the row stores differences: such a row does not
  // contain the bits of a lane's value.
  bool flip_bit(const StoredRegister& r, int lane, int bit) override {
    Row& held = row(r);
    if (held.code != kWhole) return false;
    held.bytes[static_cast<std::size_t>(4 * lane + bit / 8)] ^= static_cast<std::uint8_t>(1u << bit % 8);
    return true;
  }
  bool flip_cell(const StoredRegister& r, int sub_bank, int cell) override {
    Row& held = row(r);
    const int byte = 4 * kLanes / p_.sub_banks * sub_bank + cell / 8;
    held.bytes[static_cast<std::size_t>(byte)] ^= static_cast<std::uint8_t>(1u << cell % 8);
    return byte < (held.code == kWhole ? 4 * kLanes : held.code == 0 ? 4 : 4 + kLanes * held.code);
  }

  SubBankPower* sub_bank_power() override { return power_.gates() ? &power_ : nullptr; }

  std::vector<Rule> rules() const override {
    std::uint64_t stored = kept_.value(), needed = 0;
    for (const Counter* counter : stored_) stored += counter->value();
    for (const auto& bank : rows_)
      for (const Row& held : bank) needed += static_cast<std::uint64_t>(std::popcount(needs(held)));
    std::vector<Rule> rules = {{"writes of all codes, writes of rows", stored, writes_.value()}};
    if (power_.gates())
      rules.push_back({"sub-banks that rows need, users of sub-banks", needed, power_.users()});
    return rules;
  }

  void probes(const ProbeScope& scope) override {
    for (ProbePoint* point : {static_cast<ProbePoint*>(&detect_), static_cast<ProbePoint*>(&place_),
                              static_cast<ProbePoint*>(&expand_)})
      scope.add(*point);
  }

 private:
  struct Row {
    Row() { spoil_bytes(bytes.data(), bytes.size()); }
    DeltaRow bytes;
    std::uint8_t code = kWhole;
    bool taken = false;  ///< true: the row holds a register
    LaneMask lost = 0;   ///< if the row stores differences: lanes whose values are lost; they read as poison
  };

  static void spoil_bytes(std::uint8_t* bytes, std::size_t count) {
    for (std::size_t i = 0; i < count; i += 4) std::memcpy(bytes + i, &kPoison, 4);
  }
  void spoil(Row& held, std::uint8_t sub_banks) const {
    const std::size_t size = held.bytes.size() / static_cast<std::size_t>(p_.sub_banks);
    for (int s = 0; s < p_.sub_banks; ++s)
      if (sub_banks >> s & 1) spoil_bytes(&held.bytes[size * static_cast<std::size_t>(s)], size);
  }

  static void expand(const Row& held, LaneVec& into) {
    if (held.code == kWhole) {
      std::memcpy(&into, held.bytes.data(), held.bytes.size());
      return;
    }
    std::uint32_t base = 0;
    std::memcpy(&base, held.bytes.data(), 4);
    const std::uint8_t* const differences = held.bytes.data() + 4;
    for (int lane = 0; lane < kLanes; ++lane) {
      std::int32_t difference = 0;
      if (held.code == 1) difference = static_cast<std::int8_t>(differences[lane]);
      if (held.code == 2)
        difference = static_cast<std::int16_t>(differences[2 * lane] | differences[2 * lane + 1] << 8);
      into[lane] = held.lost >> lane & 1 ? kPoison : base + static_cast<std::uint32_t>(difference);
    }
  }

  static void store(Row& held, const LaneVec& values, std::uint8_t code, LaneMask live) {
    spoil_bytes(held.bytes.data(), held.bytes.size());
    held.code = code;
    held.lost = 0;
    if (code == kWhole) {
      std::memcpy(held.bytes.data(), &values, held.bytes.size());
      return;
    }
    const std::uint32_t base = delta_base(values, live);
    std::memcpy(held.bytes.data(), &base, 4);
    std::uint8_t* at = held.bytes.data() + 4;
    for (int lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t difference = delta_of(values, live, base, lane);
      for (int byte = 0; byte < code; ++byte) *at++ = static_cast<std::uint8_t>(difference >> 8 * byte);
    }
  }

  static LaneVec merged(const Row& held, const LaneVec& values, LaneMask mask) {
    LaneVec all;
    expand(held, all);
    merge_lanes(all, values, mask);
    return all;
  }

  std::uint8_t detect(const LaneVec& values, LaneMask live) const {
    std::uint8_t code = detect_code(values, live);
    if (detect_.attached()) detect_.answered({now, values, live}, code);
    return code;
  }
  std::uint8_t opened_set(std::uint8_t code) const {
    return p_.sub_banks == 8 ? kOpened8[code] : kOpened4[code];
  }
  std::uint8_t opened(std::uint8_t code) const {
    std::uint8_t set = opened_set(code);
    if (place_.attached()) {
      DeltaPlacePoint::Answer answer{set};
      place_.answered({now, code}, answer);
      set = answer.sub_banks;
    }
    return set;
  }
  void place(Row& held, const LaneVec& stored, LaneMask live) {
    DeltaPlacePoint::Answer answer{opened_set(held.code), held.bytes};
    place_.answered({now, held.code, &stored, live}, answer);
    held.bytes = answer.row;
  }
  std::uint8_t needs(const Row& held) const { return held.taken ? opened_set(held.code) : std::uint8_t{0}; }
  void need(const StoredRegister& r, std::uint8_t before, std::uint8_t after) {
    power_.add(r.place.bank, after);
    power_.remove(r.place.bank, before);
  }

  const Row& row(const StoredRegister& r) const { return rows_[r.place.bank.value][r.place.entry]; }
  Row& row(const StoredRegister& r) { return rows_[r.place.bank.value][r.place.entry]; }

  BaseDeltaParameters p_;
  SubBankPower power_;
  Counter* stored_[4];
  Counter &onto_differences_, &kept_, &writes_;
  std::vector<std::vector<Row>> rows_;
  Probe<DeltaDetectPoint> detect_{*this};
  Probe<DeltaPlacePoint> place_{*this};
  Probe<DeltaExpandPoint> expand_{*this};
};

const Registration<EntryFormat, BaseDelta, BaseDeltaParameters> base_delta_entry{
    "base-delta", "a row holds one base and small differences (Warped-Compression, Lee 2015)"};

const Arrays<EntryFormat> base_delta_arrays{
    "base-delta",
    {{"codes of rows", "rows", "2", "3R1W", {"register_file.widths"}},
     {"uses of sub-banks", "banks * sub_banks", "8", "1R1W", {"register_file.sub_bank_uses"}}}};

}  // namespace
}  // namespace heddle
