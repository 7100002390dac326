#pragma once

// What a warp's instructions in flight still have to write and to read.

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/ids.h"
#include "models/isa/program.h"

namespace heddle {

inline constexpr int kRegisterWords = 4;  ///< 256 register bits

struct RegisterSet {
  std::array<std::uint64_t, kRegisterWords> bits{};
  void set(std::uint32_t r) { bits[r / 64] |= std::uint64_t{1} << (r % 64); }
  void clear(std::uint32_t r) { bits[r / 64] &= ~(std::uint64_t{1} << (r % 64)); }
  void remove(const RegisterSet& o) {
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] &= ~o.bits[i];
  }
  bool test(std::uint32_t r) const { return (bits[r / 64] >> (r % 64)) & 1; }
  bool intersects(const RegisterSet& o) const {
    std::uint64_t any = 0;
    for (int i = 0; i < kRegisterWords; ++i)
      any |= bits[static_cast<std::size_t>(i)] & o.bits[static_cast<std::size_t>(i)];
    return any != 0;
  }
  bool any() const { return bits[0] | bits[1] | bits[2] | bits[3]; }
};

/// The registers and predicates of one instruction, worked out once a program.
struct InstructionFootprint {
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
  // Copies of what the issue stage looks at in every cycle, so that it need not touch the whole instruction.
  isa::UnitClass unit = isa::UnitClass::control;
  isa::OpClass op_class = isa::OpClass::control;
  bool barrier = false;
};

/// `later` reads or writes what `earlier` writes, or writes what it reads.
bool depends(const InstructionFootprint& later, const InstructionFootprint& earlier);

/// Throws Error if the program uses more than 255 registers or 64 predicates.
std::vector<InstructionFootprint> footprints_of(const isa::Program& program);

class Scoreboard {
 public:
  void reset() { *this = {}; }

  /// The instruction is on its way: results pending, sources still to be read.
  void issue(const InstructionFootprint& f, const isa::Instruction& instruction) {
    issue_results(f);
    if (f.read_words) take_reads(instruction);
  }
  void issue_results(const InstructionFootprint& f);
  /// The collector holds the sources.
  void reads_done(const isa::Instruction& instruction);
  /// All results are visible.
  void results_done(const InstructionFootprint& f);

  bool hazard(const InstructionFootprint& f) const {
    std::uint64_t any = pending_predicates_ & (f.predicate_reads | f.predicate_writes);
    for (std::size_t i = 0; i < kRegisterWords; ++i)
      any |= (pending_writes_.bits[i] & f.touches.bits[i]) | (pending_reads_.bits[i] & f.writes.bits[i]);
    return any != 0;
  }
  /// Results of long-latency operations are on their way.
  bool long_pending() const { return pending_long_.any(); }
  /// The hazard is (also) on a result that comes from memory.
  bool long_hazard(const InstructionFootprint& f) const { return pending_long_.intersects(f.touches); }

 private:
  void take_reads(const isa::Instruction& instruction);
  RegisterSet pending_writes_, pending_long_, pending_reads_;
  std::uint64_t pending_predicates_ = 0;
  std::array<std::uint8_t, 64 * kRegisterWords> read_counts_{};
};

}  // namespace heddle
