#pragma once

// Models the scoreboard of one warp: registers and predicates that instructions in flight have not yet
// written or read. After every issue(), the caller must call reads_done() and results_done() once each, with
// the same footprint (registers that the instruction reads and writes).

#include <array>
#include <bit>
#include <cstdint>

#include "models/core/ids.h"
#include "models/isa/instruction_footprint.h"

namespace heddle {

class alignas(64) Scoreboard {
 public:
  void reset() { *this = {}; }

  void issue(const InstructionFootprint& f) {
    issue_results(f);
    for_set_words(f, [&](std::size_t i) {
      const std::uint64_t again = pending_[i].reads & f.reads.bits[i];
      pending_[i].reads |= f.reads.bits[i];
      if (again) add_readers(i, again);
    });
  }
  void issue_results(const InstructionFootprint& f) {
    for_set_words(f, [&](std::size_t i) {
      pending_[i].writes |= f.writes.bits[i];
      if (f.long_latency) pending_[i].long_writes |= f.writes.bits[i];
      if (f.long_latency && f.texture) pending_[i].texture_writes |= f.writes.bits[i];
    });
    pending_predicates_ |= f.predicate_writes;
  }
  void reads_done(const InstructionFootprint& f) {
    for_set_words(f, [&](std::size_t i) {
      const std::uint64_t others = pending_[i].read_by_more & f.reads.bits[i];
      pending_[i].reads &= ~f.reads.bits[i] | others;
      if (others) remove_readers(i, others);
    });
  }
  /// Blocks instructions that write the register, like a pending read, until end_hold() is called.
  void hold(std::uint32_t r) {
    if (pending_of(r).reads & bit_of(r))
      add_readers(r / 64, bit_of(r));
    else
      pending_[r / 64].reads |= bit_of(r);
  }
  void end_hold(std::uint32_t r) {
    if (pending_of(r).read_by_more & bit_of(r))
      remove_readers(r / 64, bit_of(r));
    else
      pending_[r / 64].reads &= ~bit_of(r);
  }
  bool pending(std::uint32_t r) const {
    return ((pending_of(r).reads | pending_of(r).writes) & bit_of(r)) != 0;
  }
  bool any_pending() const { return any_of(&Pending::reads) || any_of(&Pending::writes); }
  void results_done(const InstructionFootprint& f) {
    for_set_words(f, [&](std::size_t i) {
      pending_[i].writes &= ~f.writes.bits[i];
      pending_[i].long_writes &= ~f.writes.bits[i];
    });
    pending_predicates_ &= ~f.predicate_writes;
    if (f.texture) for_set_words(f, [&](std::size_t i) { pending_[i].texture_writes &= ~f.writes.bits[i]; });
  }

  struct Hazards {
    /// Not 0 if an earlier instruction must still write a register or predicate that the instruction reads or
    /// writes.
    std::uint64_t results;
    /// Not 0 if an earlier instruction must still read a register that the instruction writes.
    std::uint64_t reads;
    std::uint64_t long_results;  ///< part of `results` for long-latency instructions
    bool any() const { return (results | reads) != 0; }
  };
  Hazards hazards(const InstructionFootprint& f) const {
    Hazards found{pending_predicates_ & (f.predicate_reads | f.predicate_writes), 0, 0};
    for_set_words(f, [&](std::size_t i) {
      const Pending& pending = pending_[i];
      found.results |= pending.writes & f.touches.bits[i];
      found.reads |= pending.reads & f.writes.bits[i];
      found.long_results |= pending.long_writes & f.touches.bits[i];
    });
    return found;
  }
  bool hazard(const InstructionFootprint& f) const { return hazards(f).any(); }
  bool long_pending() const { return any_of(&Pending::long_writes); }
  bool texture_hazard(const InstructionFootprint& f) const {
    std::uint64_t any = 0;
    for_set_words(f, [&](std::size_t i) { any |= pending_[i].texture_writes & f.touches.bits[i]; });
    return any != 0;
  }

 private:
  /// Adds a pending reader to each register of `registers`, a bit mask of the registers from 64 i on. Each of
  /// these registers must already have at least one pending reader.
  void add_readers(std::size_t i, std::uint64_t registers) {
    pending_[i].read_by_more |= registers;
    for (; registers; registers &= registers - 1)
      ++more_readers_[i * 64 + static_cast<std::size_t>(std::countr_zero(registers))];
  }
  /// Removes a pending reader from each register of `registers`, a bit mask of the registers from 64 i on.
  /// Each of these registers must have more than one pending reader.
  void remove_readers(std::size_t i, std::uint64_t registers) {
    for (; registers; registers &= registers - 1)
      if (--more_readers_[i * 64 + static_cast<std::size_t>(std::countr_zero(registers))] == 0)
        pending_[i].read_by_more &= ~(registers & -registers);
  }

  /// Pending accesses to 64 registers, as bit masks. All masks of the first 64 registers lie in one cache line of
  /// the host, because most programs use no other registers.
  struct Pending {
    std::uint64_t writes = 0, long_writes = 0, reads = 0, texture_writes = 0;
    std::uint64_t read_by_more = 0;
  };
  static std::uint64_t bit_of(std::uint32_t r) { return std::uint64_t{1} << (r % 64); }
  const Pending& pending_of(std::uint32_t r) const { return pending_[r / 64]; }
  bool any_of(std::uint64_t Pending::*mask) const {
    std::uint64_t any = 0;
    for (const Pending& some : pending_) any |= some.*mask;
    return any != 0;
  }

  std::uint64_t pending_predicates_ = 0;
  std::array<Pending, kRegisterWords> pending_{};
  /// for each register: number of pending readers, minus one
  alignas(64) std::array<std::uint8_t, 64 * kRegisterWords> more_readers_{};
};

}  // namespace heddle
