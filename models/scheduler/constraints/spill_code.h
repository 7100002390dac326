#pragma once

// Generates the instructions that spill and restore a warp's registers (Jeon 2015, 8.1: "special spill
// instructions to a system-reserved memory location"). They are appended to the loaded program, where no
// branch of the program leads. Each register has one store and one load of all 32 lanes, so that one
// coalesced access moves the register. The saved registers lie after the local memory of the warp's threads.

#include <cstdint>

#include "models/isa/program.h"

namespace heddle {

/// Maps each register to the positions of its spill store and spill load in the program.
class SpillCode {
 public:
  explicit SpillCode(const isa::Program& program)
      : first_(static_cast<std::uint32_t>(program.code.size())), registers_(program.registers) {}

  std::uint32_t first() const { return first_; }
  std::uint32_t store(std::uint32_t reg) const { return first_ + reg; }
  std::uint32_t load(std::uint32_t reg) const { return first_ + registers_ + reg; }
  /// True if the spill instruction at `pc` stores a register; false if it loads one.
  bool stores(std::uint32_t pc) const { return pc < first_ + registers_; }
  std::uint32_t register_of(std::uint32_t pc) const {
    return stores(pc) ? pc - first_ : pc - first_ - registers_;
  }

 private:
  std::uint32_t first_, registers_;
};

/// Returns a copy of the program with spill instructions, and with enough local memory for all its registers.
isa::Program with_spill_code(const isa::Program& program);
/// Returns the local memory of the program including space for all its registers, in bytes per thread.
inline std::uint32_t local_bytes_with_spill_code(const isa::Program& program) {
  return program.local_bytes + 4 * program.registers;
}

}  // namespace heddle
