#pragma once

// Models the scoreboard of one warp: registers and predicates with pending writes or reads by instructions in
// flight. Every issue() must be followed by one reads_done() and one results_done() with the same footprint.

#include <array>
#include <bit>
#include <cstdint>

#include "models/core/ids.h"
#include "models/isa/instruction_footprint.h"

namespace heddle {

class Scoreboard {
 public:
  void reset() { *this = {}; }

  /// The instruction issues: its results become pending, and its sources have still to be read.
  void issue(const InstructionFootprint& f) {
    issue_results(f);
    for_set_words(f, [&](std::size_t i) {
      const std::uint64_t again = pending_reads_.bits[i] & f.reads.bits[i];
      pending_reads_.bits[i] |= f.reads.bits[i];
      if (again) add_readers(i, again);
    });
  }
  void issue_results(const InstructionFootprint& f) {
    for_set_words(f, [&](std::size_t i) { pending_writes_.bits[i] |= f.writes.bits[i]; });
    if (f.long_latency) {
      pending_long_.merge(f.writes);
      if (f.texture) pending_texture_.merge(f.writes);
    }
    pending_predicates_ |= f.predicate_writes;
  }
  /// The operand collector has read all sources of the instruction.
  void reads_done(const InstructionFootprint& f) {
    for_set_words(f, [&](std::size_t i) {
      const std::uint64_t others = read_by_more_.bits[i] & f.reads.bits[i];
      pending_reads_.bits[i] &= ~f.reads.bits[i] | others;
      if (others) remove_readers(i, others);
    });
  }
  /// Marks the register as read by something other than an instruction. No instruction may write the register
  /// until end_hold().
  void hold(std::uint32_t r) {
    if (pending_reads_.test(r))
      add_readers(r / 64, std::uint64_t{1} << (r % 64));
    else
      pending_reads_.set(r);
  }
  void end_hold(std::uint32_t r) {
    if (read_by_more_.test(r))
      remove_readers(r / 64, std::uint64_t{1} << (r % 64));
    else
      pending_reads_.clear(r);
  }
  bool pending(std::uint32_t r) const { return pending_reads_.test(r) || pending_writes_.test(r); }
  bool any_pending() const { return pending_reads_.any() || pending_writes_.any(); }
  /// All results of the instruction are visible.
  void results_done(const InstructionFootprint& f) {
    for_set_words(f, [&](std::size_t i) {
      pending_writes_.bits[i] &= ~f.writes.bits[i];
      pending_long_.bits[i] &= ~f.writes.bits[i];
    });
    pending_predicates_ &= ~f.predicate_writes;
    if (f.texture) for_set_words(f, [&](std::size_t i) { pending_texture_.bits[i] &= ~f.writes.bits[i]; });
  }

  struct Hazards {
    /// Bits of registers whose pending write conflicts with a read or write of the instruction; 0: none.
    std::uint64_t results;
    /// Bits of registers that the instruction writes and other instructions have still to read; 0: none.
    std::uint64_t reads;
    bool any() const { return (results | reads) != 0; }
  };
  Hazards hazards(const InstructionFootprint& f) const {
    Hazards found{pending_predicates_ & (f.predicate_reads | f.predicate_writes), 0};
    for_set_words(f, [&](std::size_t i) {
      found.results |= pending_writes_.bits[i] & f.touches.bits[i];
      found.reads |= pending_reads_.bits[i] & f.writes.bits[i];
    });
    return found;
  }
  bool hazard(const InstructionFootprint& f) const { return hazards(f).any(); }
  /// True if a result of a long-latency operation is pending.
  bool long_pending() const { return pending_long_.any(); }
  /// True if the instruction has a hazard on a result of a long-latency operation.
  bool long_hazard(const InstructionFootprint& f) const {
    std::uint64_t any = 0;
    for_set_words(f, [&](std::size_t i) { any |= pending_long_.bits[i] & f.touches.bits[i]; });
    return any != 0;
  }
  /// True if the instruction has a hazard on a result of the texture unit.
  bool texture_hazard(const InstructionFootprint& f) const { return pending_texture_.intersects(f.touches); }

 private:
  /// Adds one reader to each of these registers of word `i` of the sets. Each must already have a reader.
  void add_readers(std::size_t i, std::uint64_t registers) {
    read_by_more_.bits[i] |= registers;
    for (; registers; registers &= registers - 1)
      ++more_readers_[i * 64 + static_cast<std::size_t>(std::countr_zero(registers))];
  }
  /// Removes one reader from each of these registers of word `i`. Each must have more than one reader.
  void remove_readers(std::size_t i, std::uint64_t registers) {
    for (; registers; registers &= registers - 1)
      if (--more_readers_[i * 64 + static_cast<std::size_t>(std::countr_zero(registers))] == 0)
        read_by_more_.bits[i] &= ~(registers & -registers);
  }

  RegisterSet pending_writes_, pending_long_, pending_reads_, pending_texture_;
  RegisterSet read_by_more_;  ///< registers of pending_reads_ with more than one reader
  std::uint64_t pending_predicates_ = 0;
  std::array<std::uint8_t, 64 * kRegisterWords> more_readers_{};  ///< readers of a register besides the first
};

}  // namespace heddle
