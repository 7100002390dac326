#pragma once

// Generates the instructions that spill and restore a warp's registers (Jeon 2015, 8.1: "special spill
// instructions to a system-reserved memory location"). They are placed after the loaded program, where none
// of its paths leads. Each register has one store and one load of all 32 lanes, so that one coalesced access
// moves it. The saved registers follow the local memory of the warp's threads.

#include <cstdint>

#include "models/isa/program.h"

namespace heddle {

/// Positions of the spill instructions in the program.
class SpillCode {
 public:
  explicit SpillCode(const isa::Program& program)
      : first_(static_cast<std::uint32_t>(program.code.size())), registers_(program.registers) {}

  std::uint32_t first() const { return first_; }
  std::uint32_t store(std::uint32_t reg) const { return first_ + reg; }
  std::uint32_t load(std::uint32_t reg) const { return first_ + registers_ + reg; }
  /// True if the instruction stores a register; false if it loads one.
  bool stores(std::uint32_t pc) const { return pc < first_ + registers_; }
  std::uint32_t register_of(std::uint32_t pc) const {
    return stores(pc) ? pc - first_ : pc - first_ - registers_;
  }

 private:
  std::uint32_t first_, registers_;
};

/// Returns the program with spill code and with local memory for all its registers.
isa::Program with_spill_code(const isa::Program& program);
/// Local memory of the program with spill code, in bytes a thread.
inline std::uint32_t local_bytes_with_spill_code(const isa::Program& program) {
  return program.local_bytes + 4 * program.registers;
}

}  // namespace heddle
