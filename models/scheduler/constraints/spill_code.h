#pragma once

// Generates the instructions that spill and restore a warp's registers (Jeon 2015, 8.1: "special spill
// instructions to a system-reserved memory location"). These instructions are appended to the loaded program.
// No branch leads to these instructions: RegisterThrottle sets a warp's pc to their position. Each store or
// load moves one register of all 32 lanes in one coalesced access. The saved registers lie after the local
// memory of the warp's threads.

#include <cstdint>

#include "models/isa/program.h"

namespace heddle {

class SpillCode {
 public:
  explicit SpillCode(const isa::Program& program)
      : first_(static_cast<std::uint32_t>(program.code.size())), registers_(program.registers) {}

  std::uint32_t first() const { return first_; }
  std::uint32_t store(std::uint32_t reg) const { return first_ + reg; }
  std::uint32_t load(std::uint32_t reg) const { return first_ + registers_ + reg; }
  bool stores(std::uint32_t pc) const { return pc < first_ + registers_; }
  std::uint32_t register_of(std::uint32_t pc) const {
    return stores(pc) ? pc - first_ : pc - first_ - registers_;
  }

 private:
  std::uint32_t first_, registers_;
};

isa::Program with_spill_code(const isa::Program& program);
inline std::uint32_t local_bytes_with_spill_code(const isa::Program& program) {
  return program.local_bytes + 4 * program.registers;
}

}  // namespace heddle
