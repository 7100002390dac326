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

class Scoreboard {
 public:
  void reset() { *this = {}; }

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
  void reads_done(const InstructionFootprint& f) {
    for_set_words(f, [&](std::size_t i) {
      const std::uint64_t others = read_by_more_.bits[i] & f.reads.bits[i];
      pending_reads_.bits[i] &= ~f.reads.bits[i] | others;
      if (others) remove_readers(i, others);
    });
  }
  /// Blocks instructions that write the register, like a pending read, until end_hold() is called.
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
  void results_done(const InstructionFootprint& f) {
    for_set_words(f, [&](std::size_t i) {
      pending_writes_.bits[i] &= ~f.writes.bits[i];
      pending_long_.bits[i] &= ~f.writes.bits[i];
    });
    pending_predicates_ &= ~f.predicate_writes;
    if (f.texture) for_set_words(f, [&](std::size_t i) { pending_texture_.bits[i] &= ~f.writes.bits[i]; });
  }

  struct Hazards {
    /// Not 0 if an earlier instruction must still write a register or predicate that the instruction reads or
    /// writes.
    std::uint64_t results;
    /// Not 0 if an earlier instruction must still read a register that the instruction writes.
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
  bool long_pending() const { return pending_long_.any(); }
  bool long_hazard(const InstructionFootprint& f) const {
    std::uint64_t any = 0;
    for_set_words(f, [&](std::size_t i) { any |= pending_long_.bits[i] & f.touches.bits[i]; });
    return any != 0;
  }
  bool texture_hazard(const InstructionFootprint& f) const { return pending_texture_.intersects(f.touches); }

 private:
  /// Adds a pending reader to each register of `registers`, a bit mask of the registers from 64 i on. Each of
  /// these registers must already have at least one pending reader.
  void add_readers(std::size_t i, std::uint64_t registers) {
    read_by_more_.bits[i] |= registers;
    for (; registers; registers &= registers - 1)
      ++more_readers_[i * 64 + static_cast<std::size_t>(std::countr_zero(registers))];
  }
  /// Removes a pending reader from each register of `registers`, a bit mask of the registers from 64 i on.
  /// Each of these registers must have more than one pending reader.
  void remove_readers(std::size_t i, std::uint64_t registers) {
    for (; registers; registers &= registers - 1)
      if (--more_readers_[i * 64 + static_cast<std::size_t>(std::countr_zero(registers))] == 0)
        read_by_more_.bits[i] &= ~(registers & -registers);
  }

  RegisterSet pending_writes_, pending_long_, pending_reads_, pending_texture_;
  RegisterSet read_by_more_;
  std::uint64_t pending_predicates_ = 0;
  /// for each register: number of pending readers, minus one
  std::array<std::uint8_t, 64 * kRegisterWords> more_readers_{};
};

}  // namespace heddle
