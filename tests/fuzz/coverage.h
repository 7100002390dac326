#pragma once

// Counts which features of PTX have been executed by a series of random programs.

#include <array>
#include <cstdint>
#include <string>

#include "models/core/stats.h"
#include "models/isa/program.h"
#include "models/reference/reference.h"
#include "tests/fuzz/program_generator.h"

namespace heddle::fuzz {

class Coverage {
 public:
  static constexpr std::size_t kOpcodes = static_cast<std::size_t>(isa::Opcode::count_);

  void add(const RandomProgram& program, const isa::Program& parsed,
           const reference::ReferenceResult& result);

  /// Adds counters of a timed run: the number of spilled registers and, if the entry format counts them, the
  /// widths of register values.
  void add_counters(const StatsRegistry& stats);

  std::uint64_t programs() const { return programs_; }
  std::uint64_t spilled() const { return spilled_; }
  double opcode_share() const;
  std::uint64_t of(isa::Opcode op) const { return opcodes_[static_cast<std::size_t>(op)]; }
  std::string missing() const;
  std::string report() const;

 private:
  std::uint64_t programs_ = 0, narrow_ = 0, warp_instructions_ = 0;
  std::array<std::uint64_t, kOpcodes> opcodes_{};
  std::uint64_t nested_ = 0;
  std::uint64_t loops_ = 0;
  std::uint64_t divergent_ = 0;
  std::uint64_t divergent_exits_ = 0;
  std::uint64_t exchanges_ = 0;
  std::uint64_t barriers_ = 0;
  std::array<std::uint64_t, 4> read_{}, written_{};
  std::uint64_t partial_writes_ = 0, promotions_ = 0;
  std::uint64_t indirect_ = 0, recursive_ = 0;
  std::uint64_t kept_calls_ = 0;
  std::uint64_t look_ups_ = 0, halves_ = 0;
  std::uint64_t spilled_ = 0, spilling_ = 0;
};

}  // namespace heddle::fuzz
