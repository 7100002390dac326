#pragma once

// Features executed by a series of random programs.

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

  /// Counts by what the reference executed of the program as parsed.
  void add(const RandomProgram& program, const isa::Program& parsed,
           const reference::ReferenceResult& result);

  /// Counts the widths in a timed run, if its rows report them, and the registers that it spilled.
  void add_counters(const StatsRegistry& stats);

  std::uint64_t programs() const { return programs_; }
  std::uint64_t spilled() const { return spilled_; }  ///< registers written out to memory
  double opcode_share() const;                        ///< of all opcodes, those executed
  std::uint64_t of(isa::Opcode op) const { return opcodes_[static_cast<std::size_t>(op)]; }
  /// Empty if everything that must be covered is; else what is missing.
  std::string missing() const;
  std::string report() const;

 private:
  std::uint64_t programs_ = 0, narrow_ = 0, warp_instructions_ = 0;
  std::array<std::uint64_t, kOpcodes> opcodes_{};
  std::uint64_t nested_ = 0;           ///< programs that executed something three divergent constructs deep
  std::uint64_t loops_ = 0;            ///< loop rounds by warps
  std::uint64_t divergent_ = 0;        ///< branches that split a warp
  std::uint64_t divergent_exits_ = 0;  ///< exits of a part of the lanes
  std::uint64_t exchanges_ = 0;        ///< loads of another warp's value after a barrier, by warps
  std::uint64_t barriers_ = 0;
  std::array<std::uint64_t, 4> read_{}, written_{};  ///< words by the sub-banks that they opened
  std::uint64_t partial_writes_ = 0, promotions_ = 0;
  std::uint64_t indirect_ = 0, recursive_ = 0;  ///< instructions of calls through registers, by themselves
  std::uint64_t kept_calls_ = 0;                ///< calls that the reference executes as such
  std::uint64_t look_ups_ = 0, halves_ = 0;     ///< in textures; instructions of half precision
  std::uint64_t spilled_ = 0, spilling_ = 0;    ///< registers; programs of which some were
};

}  // namespace heddle::fuzz
