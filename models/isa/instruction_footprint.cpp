#include "models/isa/instruction_footprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "models/core/error.h"
#include "models/isa/async_copy.h"

namespace heddle {

namespace {

void add_words(InstructionFootprint& f, const isa::Operand& o, std::size_t slot, RegisterSet& set,
               std::uint8_t& count) {
  for (int w = 0; w < o.words(); ++w) {
    const std::uint32_t reg = o.reg.value + static_cast<std::uint32_t>(w);
    set.set(reg);
    const auto place = static_cast<std::uint8_t>(f.read_words + f.write_words);
    f.words[place] = {o.annotation, static_cast<std::uint8_t>(reg), static_cast<std::uint8_t>(slot),
                      static_cast<std::uint8_t>(w), place};
    ++count;
  }
  if (o.words() > 1) f.pair_words = static_cast<std::uint8_t>(f.pair_words + o.words());
}

constexpr unsigned kSourceBits = 3, kEachDestination = 3,
                   kDestinationBits = kEachDestination * isa::kMaxDestinations;
constexpr unsigned kSourcesEnd = kDestinationBits + kSourceBits * isa::kMaxSources;
constexpr unsigned kRepeatBits = 5;
static_assert(kSourcesEnd + kRepeatBits * isa::kMaxSources <= 64 &&
              2 * isa::kMaxSources <= 1 << (kRepeatBits - 1));
constexpr unsigned kSpecial = 3;

constexpr unsigned kGroupOf4 = 6, kGroupOf8 = 7;

/// Code of one operand in InstructionFootprint::shape. 0: no operand. 1, 2, 6, 7: register operand of 1, 2, 4
/// or 8 words. 3 to 5: other operands.
unsigned shape_of(const isa::Operand& o) {
  switch (o.kind) {
    case isa::Operand::Kind::reg:
      return o.words() == 8 ? kGroupOf8 : o.words() == 4 ? kGroupOf4 : static_cast<unsigned>(o.words());
    case isa::Operand::Kind::special:
      return kSpecial;
    case isa::Operand::Kind::immediate:
    case isa::Operand::Kind::param:
      return 4;
    case isa::Operand::Kind::pred:
      return 5;
    case isa::Operand::Kind::none:
      break;
  }
  return 0;
}

unsigned words_of_code(unsigned code) { return code == kGroupOf8 ? 8 : code == kGroupOf4 ? 4 : code; }

std::uint64_t shape_of(const isa::Instruction& in) {
  std::uint64_t shape = 0;
  for (std::size_t slot = 0; slot < isa::kMaxSources; ++slot)
    shape = shape << kSourceBits | (slot < in.num_src ? shape_of(in.src[slot]) : 0u);
  for (std::size_t slot = 0; slot < isa::kMaxDestinations; ++slot)
    shape = shape << kEachDestination |
            (slot < in.num_dst && in.dst[slot].is_reg() ? shape_of(in.dst[slot]) : 0u);
  return shape;
}

bool stands_for_others(const isa::OperandAnnotation& annotation) {
  return annotation.read_level == isa::kMainLevel && annotation.write_levels == 0;
}

std::size_t earlier_words(const InstructionFootprint& f, const isa::Operand& o) {
  const auto count = static_cast<std::size_t>(o.words());
  if (count == 0 || !stands_for_others(o.annotation)) return InstructionFootprint::kMostWords;
  for (std::size_t i = 0; i + count <= f.read_words; ++i) {
    bool same = f.words[i].slot == f.words[i + count - 1].slot;
    for (std::size_t w = 0; w < count; ++w)
      same = same && f.words[i + w].reg == o.reg.value + w && stands_for_others(f.words[i + w].annotation);
    if (same) return i;
  }
  return InstructionFootprint::kMostWords;
}

class Repeats {
 public:
  bool add(InstructionFootprint& f, const isa::Operand& o, std::size_t slot) {
    const std::size_t from = earlier_words(f, o);
    if (from == InstructionFootprint::kMostWords) return false;
    for (std::size_t w = 0; w < static_cast<std::size_t>(o.words()); ++w) {
      OperandWord& read = f.words[from + w];
      read.annotation.last_use = read.annotation.last_use || o.annotation.last_use;
      OperandWord& repeat = words_[count_++];
      repeat = read;
      repeat.slot = static_cast<std::uint8_t>(slot);
      repeat.word = static_cast<std::uint8_t>(w);
    }
    shape_ |= (std::uint64_t{1} << (kRepeatBits - 1) | from) << (kSourcesEnd + kRepeatBits * slot);
    return true;
  }
  void put(InstructionFootprint& f) const {
    std::copy_n(words_.begin(), count_, f.words.begin() + f.read_words + f.write_words);
    f.shape |= shape_;
  }

 private:
  std::array<OperandWord, 2 * isa::kMaxSources> words_{};
  std::size_t count_ = 0;
  std::uint64_t shape_ = 0;
};

void add_other_source(InstructionFootprint& f, const isa::Operand& o, std::size_t slot) {
  const auto bit = static_cast<std::uint8_t>(1u << slot);
  const bool constant = o.kind == isa::Operand::Kind::immediate || o.kind == isa::Operand::Kind::param;
  if (constant) f.constant_sources = static_cast<std::uint8_t>(f.constant_sources | bit);
  if (o.is_pred() || o.kind == isa::Operand::Kind::special || (constant && o.bits == 1))
    f.read_at_issue = static_cast<std::uint8_t>(f.read_at_issue | bit);
}

void add_operands(InstructionFootprint& f, const isa::Instruction& in, bool repeats_read_once) {
  Repeats repeats;
  for (std::size_t slot = 0; slot < in.num_src; ++slot) {
    const isa::Operand& o = in.src[slot];
    if (!repeats_read_once || !repeats.add(f, o, slot)) add_words(f, o, slot, f.reads, f.read_words);
    add_other_source(f, o, slot);
    if (o.is_pred()) f.predicate_reads |= std::uint64_t{1} << o.pred.value;
  }
  for (std::size_t slot = 0; slot < in.num_dst; ++slot) {
    const isa::Operand& o = in.dst[slot];
    add_words(f, o, slot, f.writes, f.write_words);
    if (!o.is_pred()) continue;
    f.predicate_writes |= std::uint64_t{1} << o.pred.value;
  }
  for (std::size_t w = 0; w < kRegisterWords; ++w) f.touches.bits[w] = f.reads.bits[w] | f.writes.bits[w];
  f.shape = shape_of(in);
  repeats.put(f);
  f.guarded = in.guard.present;
  f.guard_negated = in.guard.negated;
  if (!f.guarded) return;
  f.guard = static_cast<std::uint8_t>(in.guard.pred.value);
  f.predicate_reads |= std::uint64_t{1} << in.guard.pred.value;
}

/// Reason why a strand ends after an instruction. If several reasons apply, the first reason in this list
/// counts.
enum class StrandEnd : std::uint8_t { none, barrier, wait, backward_branch, other, count_ };
StrandEnd strand_end(const isa::Instruction& in, const InstructionFootprint& f, bool backwards) {
  return !in.ends_strand               ? StrandEnd::none
         : f.barrier || f.fence        ? StrandEnd::barrier
         : in.strand_waits             ? StrandEnd::wait
         : in.is_branch() && backwards ? StrandEnd::backward_branch
                                       : StrandEnd::other;
}

InstructionFootprint footprint_of(const isa::Instruction& in, bool backwards, bool repeats_read_once) {
  InstructionFootprint f;
  add_operands(f, in, repeats_read_once);
  f.memory = in.unit == isa::UnitClass::ldst;
  f.unit = in.unit;
  f.timing = static_cast<std::uint8_t>(isa::timing_index(in.op_class, isa::timing_of(in)));
  f.barrier = in.op == isa::Opcode::bar;
  f.fence = in.op == isa::Opcode::membar || isa::waits_at_mbarrier(in);
  f.copy = isa::is_asynchronous(in);
  f.overhead = in.overhead;
  f.note = static_cast<std::uint8_t>(strand_end(in, f, backwards));
  f.waits_for_long = in.strand_waits;
  f.long_latency = isa::has_long_latency(in);
  f.texture = in.op == isa::Opcode::tex;
  return f;
}

}  // namespace

std::span<const IssueNote> issue_notes() {
  static constexpr IssueNote kNotes[static_cast<std::size_t>(StrandEnd::count_)] = {
      {"", ""},
      {"strand_ends_barriers", "strands that ended at a barrier or fence"},
      {"strand_ends_waits", "strands that ended before a long-latency result is needed"},
      {"strand_ends_backward_branches", "strands that ended at a jump back"},
      {"strand_ends_others", "strands that ended on the way into a loop, or by the rules of Bailey 2018"}};
  return kNotes;
}

std::span<const OperandWord> InstructionFootprint::repeats() const {
  std::size_t count = 0;
  for (std::size_t slot = 0; slot < isa::kMaxSources; ++slot) {
    if (!(shape >> (kSourcesEnd + kRepeatBits * slot + kRepeatBits - 1) & 1)) continue;
    const std::size_t from_last = isa::kMaxSources - 1 - slot;
    count += words_of_code(static_cast<unsigned>(shape >> (kDestinationBits + kSourceBits * from_last) &
                                                 ((1u << kSourceBits) - 1)));
  }
  return {words.data() + read_words + write_words, count};
}

std::size_t record_words(const InstructionFootprint& f) {
  std::size_t specials = 0;
  const std::uint64_t all = f.shape & ((std::uint64_t{1} << kSourcesEnd) - 1);
  for (std::uint64_t sources = all >> kDestinationBits; sources; sources >>= kSourceBits)
    specials += (sources & ((1u << kSourceBits) - 1)) == kSpecial;
  return special_place(f, specials);
}

std::vector<InstructionFootprint> footprints_of(const isa::Program& program) {
  if (program.registers > 255 || program.predicates > 64)
    throw Error(program.file,
                fmt::format("kernel {} uses {} registers and {} predicates", program.kernel,
                            program.registers, program.predicates),
                "at most 255 registers and 64 predicates");
  std::vector<InstructionFootprint> all;
  all.reserve(program.code.size() + 1);
  for (std::size_t n = 0; n < program.code.size(); ++n)
    all.push_back(footprint_of(program.code[n], program.code[n].target <= static_cast<std::int32_t>(n),
                               program.repeats_read_once));
  all.emplace_back();
  const bool wide = std::any_of(all.begin(), all.end(), [](const InstructionFootprint& f) {
    return std::any_of(std::next(std::begin(f.touches.bits)), std::end(f.touches.bits),
                       [](std::uint64_t word) { return word != 0; });
  });
  for (std::size_t i = all.size(); i-- > 0;) {
    all[i].wide_sets = wide;
    const bool skipped = i < program.code.size() && program.code[i].metadata;
    all[i].executes = skipped ? all[i + 1].executes : static_cast<std::uint32_t>(i);
  }
  return all;
}

bool depends(const InstructionFootprint& later, const InstructionFootprint& earlier) {
  return later.reads.intersects(earlier.writes) || later.writes.intersects(earlier.writes) ||
         later.writes.intersects(earlier.reads) || (later.predicate_reads & earlier.predicate_writes) ||
         (later.predicate_writes & (earlier.predicate_writes | earlier.predicate_reads));
}

}  // namespace heddle
