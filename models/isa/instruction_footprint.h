#pragma once

// Hardware needs of one instruction, computed once a program so that dynamic instructions need not touch the
// whole instruction: registers and predicates read and written, operand words, and everything that decides
// its issue and unit.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/core/register_set.h"
#include "models/isa/program.h"

namespace heddle {

/// What is counted of issued instructions beside their classes.
struct IssueNote {
  const char *counter, *doc;
};
/// By InstructionFootprint::note; the first one stands for none.
std::span<const IssueNote> issue_notes();

/// A register word of an operand: what every access of the register path to it points at.
struct OperandWord {
  isa::OperandAnnotation annotation{};  ///< of the operand slot
  std::uint8_t reg = 0;
  std::uint8_t slot = 0;   ///< of the instruction's sources, or of its destinations
  std::uint8_t word = 0;   ///< 0 low, 1 high word of a 64-bit operand
  std::uint8_t place = 0;  ///< its number among the words that a record of the instruction holds
};
/// For accesses that are no operand of an instruction.
inline constexpr OperandWord kNoOperand{};

struct alignas(64) InstructionFootprint {
  RegisterSet reads, writes;
  RegisterSet touches;                ///< both
  std::uint64_t predicate_reads = 0;  ///< guard included
  std::uint64_t predicate_writes = 0;
  std::uint8_t read_words =
      0;  ///< register words of the source operands (a register in two slots counts twice)
  std::uint8_t write_words = 0;  ///< register words of the destinations
  std::uint8_t pair_words = 0;   ///< of both, the words that belong to 64-bit operands
  bool long_latency = false;     ///< results come from global, local or generic memory
  bool memory = false;
  bool texture = false;  ///< results come from the texture unit; long_latency, too
  isa::UnitClass unit = isa::UnitClass::control;
  isa::OpClass op_class = isa::OpClass::control;
  bool barrier = false, fence = false;
  bool overhead = false;  ///< added by a pass
  bool waits_for_long =
      false;              ///< after it the warp issues nothing until its results of long latency have come
  std::uint8_t note = 0;  ///< of issue_notes()
  bool guarded = false, guard_negated = false;
  std::uint8_t guard = 0;          ///< predicate
  bool predicate_results = false;  ///< some destination is a predicate
  bool wide_sets = true;           ///< this program uses more than the first word of the register sets
  std::uint32_t executes = 0;      ///< the first issued instruction at or after this one, skipping metadata
  /// Source slots, a bit each: of constants; of what is read when the instruction issues (special registers, predicates and
  /// constants of one bit).
  std::uint8_t constant_sources = 0, read_at_issue = 0;
  /// Contents of the operand slots: instructions of one shape have their operands' words at the same
  /// positions of a record.
  std::uint32_t shape = 0;

  static constexpr std::size_t kMostWords = 2 * (isa::kMaxSources + isa::kMaxDestinations);
  /// The read_words words of the source operands, then the write_words of the destinations, in order.
  std::array<OperandWord, kMostWords> words{};

  std::span<const OperandWord> reads_in_order() const { return {words.data(), read_words}; }
  std::span<const OperandWord> writes_in_order() const { return {words.data() + read_words, write_words}; }
};

/// f(word) for each word of the register sets that the instruction's program uses. Nearly all need the first alone: a
/// loop would cost several times the one operation.
template <class F>
inline void for_set_words(const InstructionFootprint& f, F&& each) {
  each(std::size_t{0});
  if (!f.wide_sets) return;
  for (std::size_t word = 1; word < kRegisterWords; ++word) each(word);
}

/// `later` reads or writes what `earlier` writes, or writes what it reads.
bool depends(const InstructionFootprint& later, const InstructionFootprint& earlier);

/// Where a record of the instruction holds the two words of a special register among its sources: after those of all
/// registers, and of so many other special ones.
inline std::size_t special_place(const InstructionFootprint& f, std::size_t others_before) {
  return std::size_t{f.read_words} + f.write_words + 2 * others_before;
}

/// So many words a record of the instruction holds.
std::size_t record_words(const InstructionFootprint& f);

/// By instruction, and one more for the place after the last instruction. Throws Error if the program uses
/// more than 255 registers or 64 predicates.
std::vector<InstructionFootprint> footprints_of(const isa::Program& program);

}  // namespace heddle
