// Models the entry format "byte-masked" (the literal text of Radaideh 2021, IV-B5). A byte position of a
// register is not stored if it is 0x00 in all lanes, or 0xff in all lanes. Byte 0 is always stored. The
// paper's three mask bits do not distinguish 0x00 from 0xff. This model does: three cases for each of bytes 1
// to 3 give 27 masks, which need five bits.

#include <string>
#include <vector>

#include "models/banks/byte_row.h"
#include "models/banks/i_entry_format.h"
#include "models/banks/row_probes.h"
#include "models/banks/width_rules.h"
#include "models/core/part_arrays.h"
#include "models/core/registry.h"

namespace heddle {
namespace {

struct ByteMaskedParameters {
  std::string alignment = "entry", partial_writes = "widen";
  int detect_cycles = 0, expand_cycles = 0;

  void fields(FieldVisitor& v) {
    v.field("alignment", alignment, {"entry", "register", "right"},
            "left-aligned registers: those in odd entries (Radaideh 2021, IV-B2), the odd registers of a "
            "warp, or none");
    v.field("partial_writes", partial_writes, {"widen", "full"},
            "a write that keeps lanes of the old value stores the bytes that the old or the new value needs, "
            "or all bytes");
    v.field("detect_cycles", detect_cycles, {0, 16}, "cycles that finding the mask adds to a write");
    v.field("expand_cycles", expand_cycles, {0, 16}, "cycles that filling in bytes adds to a read");
  }
};

/// Describes which bytes of a register a row stores. If bit b of `stored` is set, byte b of every lane is
/// stored. Otherwise, byte b of every lane is 0xff if bit b of `ones` is set, and 0x00 if not.
struct ByteMask {
  unsigned stored = 0b1111, ones = 0;

  std::uint8_t code() const { return static_cast<std::uint8_t>(stored | ones << 4); }
  static ByteMask of_code(std::uint8_t code) { return {code & 0b1111u, code >> 4 & 0b1111u}; }
  bool has(int byte) const { return stored >> byte & 1; }
  std::uint32_t fill() const {
    std::uint32_t fill = 0;
    for (int byte = 1; byte < kWordBytes; ++byte)
      if (ones >> byte & 1) fill |= std::uint32_t{0xff} << 8 * byte;
    return fill;
  }
  std::uint32_t kept() const {
    std::uint32_t kept = 0;
    for (int byte = 0; byte < kWordBytes; ++byte)
      if (has(byte)) kept |= std::uint32_t{0xff} << 8 * byte;
    return kept;
  }
};

ByteMask detect(const LaneVec& values, LaneMask lanes) {
  std::uint32_t any_one = 0, any_zero = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t judged = 0u - ((lanes >> lane) & 1u);
    any_one |= values[lane] & judged;
    any_zero |= ~values[lane] & judged;
  }
  ByteMask mask{1, 0};
  for (int byte = 1; byte < kWordBytes; ++byte) {
    const bool zeros = (any_one >> 8 * byte & 0xff) == 0, ones = (any_zero >> 8 * byte & 0xff) == 0;
    if (!zeros && !ones) mask.stored |= 1u << byte;
    if (ones && !zeros) mask.ones |= 1u << byte;
  }
  return mask;
}

/// Returns the mask of a row in which some lanes keep an old value (mask `a`) and others get a new value (mask
/// `b`). A byte is stored if one of the two masks stores it, or if the masks have different constants (0x00 or
/// 0xff) for this byte.
ByteMask joined(ByteMask a, ByteMask b) {
  const unsigned stored = a.stored | b.stored | (a.ones ^ b.ones);
  return {stored & 0b1111, a.ones & b.ones & ~stored};
}

class ByteMasked : public EntryFormat {
 public:
  ByteMasked(const ByteMaskedParameters& p, Context& context)
      : p_(p), by_entry_(p.alignment == "entry"), by_number_(p.alignment == "register") {
    for (const int depth : context.depths) {
      rows_.emplace_back(static_cast<std::size_t>(depth));
      for (std::uint32_t e = 0; e < rows_.back().size(); ++e)
        spoil(rows_.back()[e], 0, kWordBytes, by_entry_ && (e & 1));
    }
  }

  bool opens_whole_rows() const override { return false; }
  int read_cycles() const override { return p_.expand_cycles; }
  int write_cycles() const override { return p_.detect_cycles; }

  RowDrive read_drive(const StoredRegister& r) const override { return drive_of(r, row_of(r).held); }
  RowDrive write_drive(const StoredRegister& r, const LaneVec& values, LaneMask mask,
                       LaneMask live) const override {
    const ByteMask written = judged(values, mask);
    const ByteMask before = row_of(r).held, after = held_after(r, written, mask, live);
    RowDrive drive = drive_of(r, after);
    drive.note = written.code();
    drive.partial = !complete(mask, live);
    drive.widens = drive.partial && (after.stored & ~before.stored);
    return drive;
  }

  void read(const StoredRegister& r, std::uint8_t sub_banks, LaneVec& into) const override {
    const bool at_left = left(r);
    const Row& row = row_of(r);
    const ByteRow delivered = opened(row, sub_banks, at_left);
    expand(delivered, Width{}, at_left, WidthRule::uniform, into);
    const std::uint32_t kept = row.held.kept(), fill = row.held.fill();
    for (int lane = 0; lane < kLanes; ++lane) into[lane] = (into[lane] & kept) | fill;
    if (fill_.attached()) fill_.answered({now, delivered, row.held.code(), at_left}, into);
  }

  void write(const StoredRegister& r, const LaneVec& values, LaneMask mask, LaneMask live,
             std::uint8_t note) override {
    store_bytes(r, values, mask, held_after(r, ByteMask::of_code(note), mask, live));
  }

  void poison(const StoredRegister& r, LaneMask lanes) override {
    LaneVec values;
    values.fill(kPoison);
    store_bytes(r, values, lanes, {});
  }

  bool flip_bit(const StoredRegister& r, int lane, int bit) override {
    return flip_cell(r, sub_bank_of(bit / 8, left(r)), 8 * lane + bit % 8);
  }
  bool flip_cell(const StoredRegister& r, int sub_bank, int cell) override {
    row_of(r).bytes[sub_bank][cell / 8] ^= static_cast<std::uint8_t>(1u << cell % 8);
    return sub_banks(row_of(r).held, left(r)) >> sub_bank & 1;
  }

  void probes(const ProbeScope& scope) override {
    scope.add(mask_);
    scope.add(fill_);
  }

 private:
  struct Row : ByteRow {
    ByteMask held;
  };

  Row& row_of(const StoredRegister& r) { return rows_[r.place.bank.value][r.place.entry]; }
  const Row& row_of(const StoredRegister& r) const { return rows_[r.place.bank.value][r.place.entry]; }
  bool left(const StoredRegister& r) const {
    return by_entry_ ? (r.place.entry & 1) != 0 : by_number_ && (r.home.value & 1);
  }

  static std::uint8_t sub_banks(ByteMask held, bool at_left) {
    unsigned set = 0;
    for (int byte = 0; byte < kWordBytes; ++byte)
      if (held.has(byte)) set |= 1u << sub_bank_of(byte, at_left);
    return static_cast<std::uint8_t>(set);
  }
  RowDrive drive_of(const StoredRegister& r, ByteMask held) const {
    RowDrive drive{r.place.entry, sub_banks(held, left(r))};
    drive.left = left(r);
    return drive;
  }
  ByteMask judged(const LaneVec& values, LaneMask mask) const {
    ByteMask written = detect(values, mask);
    if (mask != 0 && mask_.attached()) {
      std::uint8_t code = written.code();
      mask_.answered({now, values, mask}, code);
      written = ByteMask::of_code(code);
    }
    return written;
  }
  ByteMask held_after(const StoredRegister& r, ByteMask written, LaneMask mask, LaneMask live) const {
    if (mask == 0) return row_of(r).held;
    if (complete(mask, live)) return written;
    return p_.partial_writes == "widen" ? joined(row_of(r).held, written) : ByteMask{};
  }

  void store_bytes(const StoredRegister& r, const LaneVec& values, LaneMask mask, ByteMask after) {
    const bool at_left = left(r);
    Row& row = row_of(r);
    const std::uint32_t fill = row.held.fill();
    for (int byte = 0; byte < kWordBytes; ++byte) {
      if (!after.has(byte)) {
        spoil(row, byte, byte + 1, at_left);
        continue;
      }
      auto& cells = row.bytes[sub_bank_of(byte, at_left)];
      for (int lane = 0; lane < kLanes; ++lane)
        if (mask >> lane & 1)
          cells[lane] = static_cast<std::uint8_t>(values[lane] >> 8 * byte);
        else if (!row.held.has(byte))
          cells[lane] = static_cast<std::uint8_t>(fill >> 8 * byte);
    }
    row.held = after;
  }

  ByteMaskedParameters p_;
  bool by_entry_, by_number_;
  std::vector<std::vector<Row>> rows_;
  Probe<ByteMaskPoint> mask_{*this};
  Probe<ByteFillPoint> fill_{*this};
};

const Registration<EntryFormat, ByteMasked, ByteMaskedParameters> byte_masked_entry{
    "byte-masked",
    "a sub-bank holds one byte of every lane; a byte that is 0x00 or 0xff in all lanes opens no sub-bank "
    "(Radaideh 2021, IV-B5)"};

const Arrays<EntryFormat> byte_masked_arrays{
    "byte-masked", {{"byte masks of rows", "rows", "5", "3R1W", {"register_file.widths"}}}};

}  // namespace
}  // namespace heddle
