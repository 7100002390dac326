#pragma once

// What a warp's instructions in flight still have to write and to read.

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/ids.h"
#include "models/core/register_set.h"
#include "models/isa/program.h"

namespace heddle {

/// Why a strand ends after an instruction (models/compiler/strands.cpp); the first that holds.
enum class StrandEnd : std::uint8_t {
  none,
  barrier,          ///< a barrier or fence
  wait,             ///< what follows needs a long-latency result
  backward_branch,  ///< a jump back
  other,            ///< the way into a loop; after 004, also a dependence on a long-latency result
  count_
};

/// What the issue stage needs of one instruction, worked out once a program: registers and predicates, and
/// what decides how it issues, so that the per-cycle loop need not touch the whole instruction.
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
  bool strand_waits = false;
  StrandEnd strand_end = StrandEnd::none;
  bool guarded = false, guard_negated = false;
  std::uint8_t guard = 0;          ///< predicate
  bool predicate_results = false;  ///< some destination is a predicate
  bool wide_sets = true;           ///< this program uses more than the first word of the register sets
  std::uint32_t executes = 0;  ///< the first instruction at or after this one that is issued (no metadata)
  /// The read_words registers, one for each word of each source operand.
  std::array<std::uint8_t, 2 * isa::kMaxSources> read_list{};
};

/// f(word) for each word of the register sets that the instruction's program uses. Nearly all need the first alone: a
/// loop would cost several times the one operation.
template <class F>
[[gnu::always_inline]] inline void for_set_words(const InstructionFootprint& f, F&& each) {
  each(std::size_t{0});
  if (!f.wide_sets) return;
  for (std::size_t word = 1; word < kRegisterWords; ++word) each(word);
}

/// `later` reads or writes what `earlier` writes, or writes what it reads.
bool depends(const InstructionFootprint& later, const InstructionFootprint& earlier);

/// By instruction, and one more for the place after the last instruction. Throws Error if the program uses
/// more than 255 registers or 64 predicates.
std::vector<InstructionFootprint> footprints_of(const isa::Program& program);

class Scoreboard {
 public:
  void reset() { *this = {}; }

  /// The instruction is on its way: results pending, sources still to be read.
  void issue(const InstructionFootprint& f) {
    issue_results(f);
    for (std::size_t i = 0; i < f.read_words; ++i) {
      const std::uint32_t r = f.read_list[i];
      if (read_counts_[r]++ == 0) pending_reads_.set(r);
    }
  }
  void issue_results(const InstructionFootprint& f) {
    for_set_words(f, [&](std::size_t i) { pending_writes_.bits[i] |= f.writes.bits[i]; });
    if (f.long_latency) {
      pending_long_.merge(f.writes);
      if (f.texture) pending_texture_.merge(f.writes);
    }
    pending_predicates_ |= f.predicate_writes;
  }
  /// The collector holds the sources.
  void reads_done(const InstructionFootprint& f) {
    for (std::size_t i = 0; i < f.read_words; ++i) {
      const std::uint32_t r = f.read_list[i];
      if (--read_counts_[r] == 0) pending_reads_.clear(r);
    }
  }
  /// One register is read by more than instructions: nobody may write it until that has ended.
  void hold(std::uint32_t r) {
    if (read_counts_[r]++ == 0) pending_reads_.set(r);
  }
  void end_hold(std::uint32_t r) {
    if (--read_counts_[r] == 0) pending_reads_.clear(r);
  }
  /// Somebody has still to read or to write the register.
  bool pending(std::uint32_t r) const { return pending_reads_.test(r) || pending_writes_.test(r); }
  bool any_pending() const { return pending_reads_.any() || pending_writes_.any(); }
  /// All results are visible.
  void results_done(const InstructionFootprint& f) {
    for_set_words(f, [&](std::size_t i) {
      pending_writes_.bits[i] &= ~f.writes.bits[i];
      pending_long_.bits[i] &= ~f.writes.bits[i];
    });
    pending_predicates_ &= ~f.predicate_writes;
    if (f.texture) for_set_words(f, [&](std::size_t i) { pending_texture_.bits[i] &= ~f.writes.bits[i]; });
  }

  bool hazard(const InstructionFootprint& f) const {
    std::uint64_t any = pending_predicates_ & (f.predicate_reads | f.predicate_writes);
    for_set_words(f, [&](std::size_t i) {
      any |= (pending_writes_.bits[i] & f.touches.bits[i]) | (pending_reads_.bits[i] & f.writes.bits[i]);
    });
    return any != 0;
  }
  /// Results of long-latency operations are on their way.
  bool long_pending() const { return pending_long_.any(); }
  /// The hazard is (also) on a result that comes from memory.
  bool long_hazard(const InstructionFootprint& f) const { return pending_long_.intersects(f.touches); }
  /// The same of one that comes from the texture unit.
  bool texture_hazard(const InstructionFootprint& f) const { return pending_texture_.intersects(f.touches); }

 private:
  RegisterSet pending_writes_, pending_long_, pending_reads_, pending_texture_;
  std::uint64_t pending_predicates_ = 0;
  std::array<std::uint8_t, 64 * kRegisterWords> read_counts_{};
};

}  // namespace heddle
