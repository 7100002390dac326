#pragma once

// Hardware needs of one instruction: registers and predicates that it reads and writes, the words of its
// operands, and the properties that decide its issue and its unit. Footprints are computed once per program,
// so that issue logic need not read whole instructions.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/core/register_set.h"
#include "models/isa/program.h"

namespace heddle {

/// Name and description of a counter of issued instructions with a special property (such as the end of a
/// strand). These counters exist in addition to the counters by class.
struct IssueNote {
  const char *counter, *doc;
};
/// Returns the counters that InstructionFootprint::note selects. Entry 0 stands for no counter.
std::span<const IssueNote> issue_notes();

/// One 32-bit register word of an operand. Every read or write on the register path refers to such a word.
struct OperandWord {
  isa::OperandAnnotation annotation{};  ///< annotation that compiler passes attached to the operand
  std::uint8_t reg = 0;
  std::uint8_t slot = 0;  ///< index of the operand among the instruction's sources, or among its destinations
  std::uint8_t word = 0;  ///< 0 = low word, 1 = high word of a 64-bit operand
  /// Index of the word's data in the instruction's record (all operand words of one instruction in flight).
  std::uint8_t place = 0;
};
/// Operand word of register accesses that belong to no operand of an instruction.
inline constexpr OperandWord kNoOperand{};

struct alignas(64) InstructionFootprint {
  RegisterSet reads, writes;
  RegisterSet touches;                ///< registers that the instruction reads or writes
  std::uint64_t predicate_reads = 0;  ///< predicates that the instruction reads, including its guard, as bits
  std::uint64_t predicate_writes = 0;
  /// Number of register words that the source operands read. A register in two source slots counts twice, or
  /// once if isa::Program::repeats_read_once is set.
  std::uint8_t read_words = 0;
  std::uint8_t write_words = 0;  ///< number of register words that the destinations write
  /// Number of words among read_words and write_words that belong to 64-bit operands.
  std::uint8_t pair_words = 0;
  bool long_latency = false;  ///< The results come from global, local or generic memory.
  bool memory = false;
  bool texture = false;  ///< The results come from the texture unit; long_latency is set as well.
  isa::UnitClass unit = isa::UnitClass::control;
  isa::OpClass op_class = isa::OpClass::control;
  bool barrier = false, fence = false;
  bool overhead = false;  ///< A compiler pass added the instruction.
  /// After this instruction, the warp issues no other one until its long-latency results have arrived.
  bool waits_for_long = false;
  std::uint8_t note = 0;  ///< index of the additional counter in issue_notes(); 0 = none
  bool guarded = false, guard_negated = false;
  std::uint8_t guard = 0;          ///< number of the predicate register of the guard
  bool predicate_results = false;  ///< At least one destination is a predicate.
  /// The program uses register numbers beyond the first 64-bit word of a RegisterSet.
  bool wide_sets = true;
  /// Index of the first instruction at or after this one that is issued. Metadata is skipped.
  std::uint32_t executes = 0;
  /// Source operands that are not general registers, as bit masks of source slots. constant_sources:
  /// immediates and parameters. read_at_issue: special registers, predicates and one-bit constants, whose
  /// values are read at issue.
  std::uint8_t constant_sources = 0, read_at_issue = 0;
  /// Kinds of all operand slots, packed into one number. Instructions of equal shape have the words of their
  /// operands at the same positions of their records.
  std::uint64_t shape = 0;

  static constexpr std::size_t kMostWords = 2 * (isa::kMaxSources + isa::kMaxDestinations);
  /// Words of the operands: first the read_words words of the sources, then the write_words words of the
  /// destinations, then the words of repeated sources. A repeated source uses the data of the earlier source
  /// that reads the same register, so its `place` is the same.
  std::array<OperandWord, kMostWords> words{};

  std::span<const OperandWord> reads_in_order() const { return {words.data(), read_words}; }
  std::span<const OperandWord> writes_in_order() const { return {words.data() + read_words, write_words}; }
  /// Returns the words of source operands that are not read, because an earlier slot reads the same register.
  std::span<const OperandWord> repeats() const;
};

/// Calls f(word) for each 64-bit word of the RegisterSets that the program uses. Most programs use only the
/// first word, and a loop over all words would cost several times as much.
template <class F>
inline void for_set_words(const InstructionFootprint& f, F&& each) {
  each(std::size_t{0});
  if (!f.wide_sets) return;
  for (std::size_t word = 1; word < kRegisterWords; ++word) each(word);
}

/// Returns true if the later instruction must wait for the earlier one: `later` reads or writes a register
/// (or predicate) that `earlier` writes, or writes one that `earlier` reads.
bool depends(const InstructionFootprint& later, const InstructionFootprint& earlier);

/// Returns the position of a special-register source in the instruction's record (the array with its operand
/// words in flight). A special register takes two words, after the words of all general registers.
/// `others_before`: number of special-register sources before this one.
inline std::size_t special_place(const InstructionFootprint& f, std::size_t others_before) {
  return std::size_t{f.read_words} + f.write_words + 2 * others_before;
}

/// Returns the number of words in the record that holds the instruction's operands while it is in flight.
std::size_t record_words(const InstructionFootprint& f);

/// Returns the footprint of each instruction, and an empty one after the last instruction. Throws Error if
/// the program uses more than 255 registers or 64 predicates.
std::vector<InstructionFootprint> footprints_of(const isa::Program& program);

}  // namespace heddle
