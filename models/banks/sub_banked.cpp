// Models the entry format "sub-banked" (Radaideh 2021, IV-B). Each of the four sub-banks of a row holds one
// byte position of all 32 lanes. An access opens only the sub-banks that it needs. A right-aligned register
// has byte 0 in sub-bank 0, a left-aligned register in sub-bank 3. One cycle can therefore serve accesses
// to two narrow registers, one right-aligned and one left-aligned.

#include <string>
#include <vector>

#include "models/banks/i_entry_format.h"
#include "models/banks/row_probes.h"
#include "models/banks/width_rules.h"
#include "models/core/part_arrays.h"
#include "models/core/registry.h"

namespace heddle {
namespace {

struct SubBankedParameters : WidthParameters {
  std::string alignment = "entry";

  void fields(FieldVisitor& v) {
    WidthParameters::fields(v);
    v.field("alignment", alignment, {"entry", "register", "right", "compiler"},
            "left-aligned registers: those in odd entries, so that they pair with narrow ones in even "
            "entries (Radaideh 2021, IV-B2); the odd registers of a warp; none, so that none pairs; or those "
            "that the compiler chooses (pass register-sides)");
  }
};

enum class Alignment { entry, number, right, compiler };

Alignment alignment_of(const std::string& name) {
  if (name == "entry") return Alignment::entry;
  if (name == "register") return Alignment::number;
  return name == "right" ? Alignment::right : Alignment::compiler;
}

class SubBanked : public EntryFormat {
 public:
  SubBanked(const SubBankedParameters& p, Context& context)
      : rules_(p),
        alignment_(alignment_of(p.alignment)),
        entry_bit_(alignment_ == Alignment::entry),
        number_bit_(alignment_ == Alignment::number),
        rows_(context.depths.size()) {
    for (std::size_t bank = 0; bank < rows_.size(); ++bank) {
      rows_[bank].resize(static_cast<std::size_t>(context.depths[bank]));
      for (std::uint32_t e = 0; e < rows_[bank].size(); ++e)
        spoil(rows_[bank][e], 0, kWordBytes, alignment_ == Alignment::entry && (e & 1));
    }
  }

  bool opens_whole_rows() const override { return false; }
  int read_cycles() const override { return rules_.expand_cycles; }
  int write_cycles() const override { return rules_.detect_cycles; }
  void warp_begins(const WarpBegins& warp, const RegisterMapping*) override {
    if (alignment_ != Alignment::compiler) return;
    if (sides_.size() <= warp.warp.value) sides_.resize(warp.warp.value + std::size_t{1});
    sides_[warp.warp.value] = warp.program;
  }

  RowDrive read_drive(const StoredRegister& r) const override {
    const bool at_left = left(r);
    RowDrive drive{r.place.entry, sub_banks(row_of(r).code, at_left)};
    drive.left = at_left;
    return drive;
  }
  RowDrive write_drive(const StoredRegister& r, const LaneVec& values, LaneMask mask,
                       LaneMask live) const override {
    const bool at_left = left(r);
    const Width before = held(r), written = width_of(values, mask);
    const Width after = width_after(before, written, mask, live);
    RowDrive drive{r.place.entry, sub_banks(after.code(), at_left)};
    drive.left = at_left;
    drive.note = written.code();
    drive.partial = !complete(mask, live);
    drive.widens = drive.partial && after.bytes > before.bytes;
    drive.read_first = rules_.rule == WidthRule::extended && drive.widens;
    drive.first_row = r.place.entry;
    if (drive.read_first) drive.first_sub_banks = std::uint8_t(1u << sub_bank_of(before.bytes - 1, at_left));
    return drive;
  }

  void read(const StoredRegister& r, std::uint8_t sub_banks, LaneVec& into) const override {
    const Row& row = row_of(r);
    const bool at_left = left(r);
    heddle::read(row, sub_banks, Width::of_code(row.code), at_left, rules_.rule, into);
    if (expand_.attached()) expand_.answered({now, opened(row, sub_banks, at_left), row.code, at_left}, into);
  }

  void write(const StoredRegister& r, const LaneVec& values, LaneMask mask, LaneMask live,
             std::uint8_t note) override {
    const bool at_left = left(r);
    Row& row = row_of(r);
    ByteWrite write;
    write.mask = mask;
    write.before = Width::of_code(row.code);
    write.after = width_after(write.before, Width::of_code(note), mask, live);
    if (rules_.rule == WidthRule::extended && write.after.bytes > write.before.bytes)
      write.negative = signs(row, write.before.bytes, at_left);
    else if (write.before.ones)
      write.negative = kAllLanes;
    if (align_.attached()) {
      aligned_ = values;
      align(aligned_, at_left);
      align_.answered({now, values, at_left}, aligned_);
      align(aligned_, at_left);
      store(row, aligned_, write, at_left);
    } else {
      store(row, values, write, at_left);
    }
    spoil(row, write.after.bytes, kWordBytes, at_left);
    row.code = write.after.code();
  }

  // Poisons lanes of a register. The poison pattern needs all four bytes, so the register is then stored at
  // full width.
  void poison(const StoredRegister& r, LaneMask lanes) override {
    Row& row = row_of(r);
    const bool at_left = left(r);
    LaneVec values;
    expand(row, held(r), at_left, rules_.rule, values);
    for (int lane = 0; lane < kLanes; ++lane)
      if (lanes >> lane & 1) values[lane] = kPoison;
    store(row, values, {}, at_left);
    row.code = Width{}.code();
  }

  bool flip_bit(const StoredRegister& r, int lane, int bit) override {
    return flip_cell(r, sub_bank_of(bit / 8, left(r)), 8 * lane + bit % 8);
  }

  bool flip_cell(const StoredRegister& r, int sub_bank, int cell) override {
    row_of(r).bytes[sub_bank][cell / 8] ^= static_cast<std::uint8_t>(1u << cell % 8);
    return sub_banks_of(held(r).bytes, left(r)) >> sub_bank & 1;
  }

  void probes(const ProbeScope& scope) override {
    if (rules_.rule != WidthRule::uniform) return;
    for (ProbePoint* point : {static_cast<ProbePoint*>(&width_), static_cast<ProbePoint*>(&mask_),
                              static_cast<ProbePoint*>(&align_), static_cast<ProbePoint*>(&expand_)})
      scope.add(*point);
  }

 private:
  struct Row : ByteRow {
    std::uint8_t code = Width{}.code();
  };

  Row& row_of(const StoredRegister& r) { return rows_[r.place.bank.value][r.place.entry]; }
  const Row& row_of(const StoredRegister& r) const { return rows_[r.place.bank.value][r.place.entry]; }
  Width held(const StoredRegister& r) const { return Width::of_code(row_of(r).code); }

  bool left(const StoredRegister& r) const {
    if (alignment_ == Alignment::compiler) return compiled_left(r);
    return (r.place.entry & entry_bit_) | (r.home.value & number_bit_);
  }
  bool compiled_left(const StoredRegister& r) const {
    const isa::Program* program = r.warp.value < sides_.size() ? sides_[r.warp.value] : nullptr;
    return program && r.home.value < program->register_hints.size() &&
           program->register_hints[r.home.value].left;
  }

  std::uint8_t sub_banks(std::uint8_t code, bool at_left) const {
    std::uint8_t set = sub_banks_of(Width::of_code(code).bytes, at_left);
    if (mask_.attached()) mask_.answered({now, code, at_left}, set);
    return set;
  }

  Width width_of(const LaneVec& values, LaneMask mask) const {
    Width written = detect_width(values, mask, rules_.rule);
    if (mask != 0 && width_.attached()) {
      std::uint8_t code = written.code();
      width_.answered({now, values, mask}, code);
      written = Width::of_code(code);
    }
    return written;
  }
  Width width_after(Width held, Width written, LaneMask mask, LaneMask live) const {
    if (mask == 0) return held;
    return complete(mask, live) ? written : rules_.after_partial(held, written);
  }

  WidthRules rules_;
  Alignment alignment_;
  /// Masks that select the left-aligned registers (byte 0 in sub-bank 3). `entry_bit_`: 1 if these are the
  /// registers in odd entries, otherwise 0. `number_bit_`: 1 if these are the registers with odd numbers,
  /// otherwise 0.
  std::uint32_t entry_bit_, number_bit_;
  std::vector<std::vector<Row>> rows_;
  std::vector<const isa::Program*> sides_;
  LaneVec aligned_;
  Probe<WidthPoint> width_{*this};
  Probe<SubBankPoint> mask_{*this};
  Probe<AlignPoint> align_{*this};
  Probe<ExpandPoint> expand_{*this};
};

const Registration<EntryFormat, SubBanked, SubBankedParameters> sub_banked_entry{
    "sub-banked", "a sub-bank holds one byte of every lane; narrow rows open fewer (Radaideh 2021, IV-B)"};

const Arrays<EntryFormat> sub_banked_arrays{
    "sub-banked", {{"widths of rows", "rows", "3", "3R1W", {"register_file.widths"}}}};

}  // namespace
}  // namespace heddle
