#pragma once

// Holds what hardware needs to know about one instruction: registers, predicates, operand words, conditions of
// its issue, and its execution unit. Computed once per program.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/core/register_set.h"
#include "models/isa/program.h"

namespace heddle {

struct IssueNote {
  const char *counter, *doc;
};
std::span<const IssueNote> issue_notes();

/// One 32-bit register word of an operand.
struct OperandWord {
  isa::OperandAnnotation annotation{};
  std::uint8_t reg = 0;
  std::uint8_t slot = 0;  ///< index of the operand among the instruction's sources, or among its destinations
  std::uint8_t word = 0;  ///< 0 = low word, 1 = high word of a 64-bit operand; up to 7 in a matrix operand
  /// Index of the word's value in InFlight::words, the operand values of an issued instruction.
  std::uint8_t place = 0;
};
inline constexpr OperandWord kNoOperand{};

struct alignas(64) InstructionFootprint {
  RegisterSet reads, writes;
  RegisterSet touches;
  std::uint64_t predicate_reads = 0;
  std::uint64_t predicate_writes = 0;
  /// Number of register words that the source operands read. A register in two source slots counts once if
  /// isa::Program::repeats_read_once is set, otherwise twice.
  std::uint8_t read_words = 0;
  std::uint8_t write_words = 0;
  /// Number of words among `read_words` and `write_words` that belong to operands of several words.
  std::uint8_t pair_words = 0;
  bool long_latency = false;
  bool memory = false;
  bool texture = false;
  isa::UnitClass unit = isa::UnitClass::control;
  /// row of the instruction in tables of timings (isa::timing_index())
  std::uint8_t timing = isa::timing_index(isa::OpClass::control, isa::OpTiming::own);
  isa::OpClass op_class() const { return isa::class_at(timing); }
  /// barrier: the instruction is a barrier. fence: the warp issues nothing more until this instruction is
  /// complete (fences, mbarrier.try_wait).
  bool barrier = false, fence = false;
  bool copy = false;  ///< asynchronous copy: barriers and fences do not wait for the instruction
  bool overhead = false;
  /// True: after this instruction, the warp issues no instruction until its long-latency results have
  /// arrived.
  bool waits_for_long = false;
  std::uint8_t note = 0;
  bool guarded = false, guard_negated = false;
  std::uint8_t guard = 0;
  bool wide_sets = true;
  /// Index of this instruction. For metadata: index of the next instruction that is not metadata and
  /// therefore issues.
  std::uint32_t executes = 0;
  /// Source operands that are no general registers, as bit masks of source slots. constant_sources:
  /// immediates and parameters. read_at_issue: special registers, predicates and one-bit constants.
  std::uint8_t constant_sources = 0, read_at_issue = 0;
  /// Kinds of all operands, packed into one number. Instructions of equal shape have their operands at the
  /// same positions in InFlight::words.
  std::uint64_t shape = 0;

  static constexpr std::size_t kMostWords = 2 * (isa::kMaxSources + isa::kMaxDestinations);
  /// Words of the operands in this order: the `read_words` words of the sources; the `write_words` words of
  /// the destinations; the words of repeated sources. A repeated source names the same register as an earlier
  /// source, and has the same OperandWord::place.
  std::array<OperandWord, kMostWords> words{};

  std::span<const OperandWord> reads_in_order() const { return {words.data(), read_words}; }
  std::span<const OperandWord> writes_in_order() const { return {words.data() + read_words, write_words}; }
  std::span<const OperandWord> repeats() const;
};

/// Calls each(n) with the index of each 64-bit word of a RegisterSet (one bit for each register) that the
/// instruction can use: word 0 and, if wide_sets is true, all other words.
template <class F>
inline void for_set_words(const InstructionFootprint& f, F&& each) {
  each(std::size_t{0});
  if (!f.wide_sets) return;
  for (std::size_t word = 1; word < kRegisterWords; ++word) each(word);
}

/// Returns true if `later` must wait for `earlier`: if `later` reads or writes a register (or predicate) that
/// `earlier` writes, or if `later` writes one that `earlier` reads.
bool depends(const InstructionFootprint& later, const InstructionFootprint& earlier);

/// Returns the position of a special-register source in InFlight::words, the operand values of an issued
/// instruction. Each special register takes two words, after the words of all general registers.
/// `others_before`: number of special-register sources before this one.
inline std::size_t special_place(const InstructionFootprint& f, std::size_t others_before) {
  return std::size_t{f.read_words} + f.write_words + 2 * others_before;
}

std::size_t record_words(const InstructionFootprint& f);

/// Returns the footprint of each instruction (registers, predicates, units). The last element is an empty
/// footprint for the position after the last instruction. Throws Error if the program uses more than 255
/// registers or 64 predicates.
std::vector<InstructionFootprint> footprints_of(const isa::Program& program);

}  // namespace heddle
