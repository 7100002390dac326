#pragma once

// Hardware needs of one instruction: registers and predicates read and written, operand words, and all facts
// that decide its issue and its unit. Footprints are computed once per program, so that issue logic need not
// read whole instructions.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/core/register_set.h"
#include "models/isa/program.h"

namespace heddle {

/// A counter of issued instructions with a property, in addition to the counters by class.
struct IssueNote {
  const char *counter, *doc;
};
/// Counters indexed by InstructionFootprint::note. The first entry means no counter.
std::span<const IssueNote> issue_notes();

/// One register word of an operand. Every access on the register path points to one.
struct OperandWord {
  isa::OperandAnnotation annotation{};  ///< annotation of the operand slot
  std::uint8_t reg = 0;
  std::uint8_t slot = 0;   ///< slot among the instruction's sources, or among its destinations
  std::uint8_t word = 0;   ///< 0 = low, 1 = high word of a 64-bit operand
  std::uint8_t place = 0;  ///< index among the words in the instruction's record
};
/// For accesses that belong to no operand.
inline constexpr OperandWord kNoOperand{};

struct alignas(64) InstructionFootprint {
  RegisterSet reads, writes;
  RegisterSet touches;                ///< reads and writes
  std::uint64_t predicate_reads = 0;  ///< including the guard
  std::uint64_t predicate_writes = 0;
  /// Register words of the source operands. A register in two slots counts twice, or once where the program says so
  /// (isa::Program::repeats_read_once).
  std::uint8_t read_words = 0;
  std::uint8_t write_words = 0;  ///< register words of the destinations
  std::uint8_t pair_words = 0;   ///< of those read and written, the words that belong to 64-bit operands
  bool long_latency = false;     ///< results come from global, local or generic memory
  bool memory = false;
  bool texture = false;  ///< results come from the texture unit; long_latency is set as well
  isa::UnitClass unit = isa::UnitClass::control;
  isa::OpClass op_class = isa::OpClass::control;
  bool barrier = false, fence = false;
  bool overhead = false;  ///< added by a compiler pass
  /// After this instruction the warp issues nothing until its long-latency results have arrived.
  bool waits_for_long = false;
  std::uint8_t note = 0;  ///< index into issue_notes()
  bool guarded = false, guard_negated = false;
  std::uint8_t guard = 0;          ///< predicate register of the guard
  bool predicate_results = false;  ///< at least one destination is a predicate
  bool wide_sets = true;           ///< the program uses more than the first 64-bit word of its RegisterSets
  /// Index of the first instruction at or after this one that is issued (metadata is skipped)
  std::uint32_t executes = 0;
  /// Bit masks of source slots. constant_sources: immediates and parameters. read_at_issue: special
  /// registers, predicates and one-bit constants, which are read at issue.
  std::uint8_t constant_sources = 0, read_at_issue = 0;
  /// Kinds of all operand slots, packed. Instructions of equal shape have their operand words at the same
  /// positions of a record.
  std::uint64_t shape = 0;

  static constexpr std::size_t kMostWords = 2 * (isa::kMaxSources + isa::kMaxDestinations);
  /// First the read_words words of the sources, then the write_words words of the destinations; then the
  /// repeats, whose place is that of the word that is read for them.
  std::array<OperandWord, kMostWords> words{};

  std::span<const OperandWord> reads_in_order() const { return {words.data(), read_words}; }
  std::span<const OperandWord> writes_in_order() const { return {words.data() + read_words, write_words}; }
  /// Words of source operands that are read for an earlier slot.
  std::span<const OperandWord> repeats() const;
};

/// Calls f(word) for each 64-bit word of the RegisterSets that the program uses. Most programs use only the
/// first word; a loop would cost several times as much as this one operation.
template <class F>
inline void for_set_words(const InstructionFootprint& f, F&& each) {
  each(std::size_t{0});
  if (!f.wide_sets) return;
  for (std::size_t word = 1; word < kRegisterWords; ++word) each(word);
}

/// True if `later` reads or writes a register that `earlier` writes, or writes one that `earlier` reads.
bool depends(const InstructionFootprint& later, const InstructionFootprint& earlier);

/// Returns the position in the instruction's record of the two words of a special register among its sources.
/// Special registers follow the words of all general registers; `others_before` special registers precede
/// this one.
inline std::size_t special_place(const InstructionFootprint& f, std::size_t others_before) {
  return std::size_t{f.read_words} + f.write_words + 2 * others_before;
}

/// Returns the number of words in a record of the instruction.
std::size_t record_words(const InstructionFootprint& f);

/// Footprints by instruction index, and an empty one after the last instruction. Throws Error if the program
/// uses more than 255 registers or 64 predicates.
std::vector<InstructionFootprint> footprints_of(const isa::Program& program);

}  // namespace heddle
