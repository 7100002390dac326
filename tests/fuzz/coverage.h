#pragma once

// Features that a series of random programs has executed.

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

  /// Counts the instructions and control flow of the parsed program that the reference executed.
  void add(const RandomProgram& program, const isa::Program& parsed,
           const reference::ReferenceResult& result);

  /// Counts widths in a timed run, if its row format reports them, and spilled registers.
  void add_counters(const StatsRegistry& stats);

  std::uint64_t programs() const { return programs_; }
  std::uint64_t spilled() const { return spilled_; }  ///< registers written to memory
  double opcode_share() const;                        ///< share of all opcodes that were executed
  std::uint64_t of(isa::Opcode op) const { return opcodes_[static_cast<std::size_t>(op)]; }
  /// Returns a text that names the required features that are missing, or "".
  std::string missing() const;
  std::string report() const;

 private:
  std::uint64_t programs_ = 0, narrow_ = 0, warp_instructions_ = 0;
  std::array<std::uint64_t, kOpcodes> opcodes_{};
  std::uint64_t nested_ = 0;     ///< programs that executed a statement within three divergent constructs
  std::uint64_t loops_ = 0;      ///< loop rounds, summed over warps
  std::uint64_t divergent_ = 0;  ///< branches that split a warp
  std::uint64_t divergent_exits_ = 0;  ///< exits of some lanes of a warp
  std::uint64_t exchanges_ = 0;        ///< warps that loaded another warp's value after a barrier
  std::uint64_t barriers_ = 0;
  std::array<std::uint64_t, 4> read_{}, written_{};  ///< words by the number of opened sub-banks
  std::uint64_t partial_writes_ = 0, promotions_ = 0;
  std::uint64_t indirect_ = 0,
                recursive_ = 0;               ///< instructions that call through registers, and that recurse
  std::uint64_t kept_calls_ = 0;              ///< calls that the reference keeps as calls
  std::uint64_t look_ups_ = 0, halves_ = 0;   ///< look-ups in textures; instructions of half precision
  std::uint64_t spilled_ = 0, spilling_ = 0;  ///< spilled registers; programs with spilled registers
};

}  // namespace heddle::fuzz
